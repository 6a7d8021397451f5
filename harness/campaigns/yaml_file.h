/* YAML for sweeps and profiles: one document of mappings, lists and scalars, with the place of each
 * node. Anchors, aliases, tags, duplicate keys and keys that are no plain text are refused. They
 * would let a file mean something else than it seems to, or grow without end when it is read. */
#ifndef NUCE_YAML_FILE_H
#define NUCE_YAML_FILE_H

#include <stdint.h>
#include <stdio.h>
#include <yaml.h>

/* The mistakes in a file that a user wrote: all that are found, not only the first. */

/* One mistake at one place. */
struct nuce_problem {
    int64_t line, column; /* from 1 */
    /* Without place and path, one line or several; owned. */
    char *message;
    int is_note; /* printed as a note: the file is accepted */
};

/* The problems of one file, in the order of detection until nuce_problems_print sorts them. */
struct nuce_problems {
    const char *path; /* borrowed: printed before line and column */
    struct nuce_problem *list;
    int64_t count, capacity;
    int64_t notes;    /* number of notes in count */
    int64_t left_out; /* beyond NUCE_PROBLEMS_KEPT */
    int64_t
        given_up; /* combinations that cannot run, after which nuce looked for no others; or 0 */
};

/* Number of problems kept, including notes; users do not read longer lists. */
#define NUCE_PROBLEMS_KEPT 20

/* Makes an empty list; path is borrowed for as long as *problems lives. Freed with
 * nuce_problems_fini. */
void nuce_problems_init(struct nuce_problems *problems, const char *path);
void nuce_problems_fini(struct nuce_problems *problems);

/* Adds a problem at a place of the file, unless the same one exists there. Unprintable bytes in the
 * message become question marks, because it quotes the file. */
void nuce_problems_add(struct nuce_problems *problems, int64_t line, int64_t column,
                       const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Adds a note about something that the user may not have intended, although it is accepted. */
void nuce_problems_note(struct nuce_problems *problems, int64_t line, int64_t column,
                        const char *format, ...) __attribute__((format(printf, 4, 5)));

/* True if there is no problem, so that the file can be used; notes do not count. */
int nuce_problems_none(const struct nuce_problems *problems);

/* Prints each problem as a line `path:line:column: message`, a note as `...: note: message`, in the
 * order of the file, folded to the width of a terminal. Then reports that the search stopped, if it
 * did. */
void nuce_problems_print(struct nuce_problems *problems, FILE *out);

/* Users write these files by hand: a longer one is a mistake. */
#define NUCE_YAML_LONGEST (1 << 20)

/* A parsed document with its nodes. loaded is 1 if there is a document, which nuce_yaml_fini
 * frees. */
struct nuce_yaml {
    yaml_document_t document;
    int loaded;
};

/* Parses `length` bytes at text. Adds mistakes to problems. After a mistake *out is empty (its root
 * NULL), unless the document could be loaded and further checks make sense. Freed with
 * nuce_yaml_fini. */
void nuce_yaml_parse(const char *text, size_t length, struct nuce_yaml *out,
                     struct nuce_problems *problems);
void nuce_yaml_fini(struct nuce_yaml *yaml);

/* The top node, or NULL if there is none. Borrowed, as all nodes are, until nuce_yaml_fini.
 * Functions take *yaml although they change nothing, because libyaml does. */
const yaml_node_t *nuce_yaml_root(struct nuce_yaml *yaml);

/* Items of a list or pairs of a mapping; 0 for a scalar. */
int64_t nuce_yaml_size(const yaml_node_t *node);

/* The index-th item of a list; key and value of the index-th pair of a mapping. */
const yaml_node_t *nuce_yaml_item(struct nuce_yaml *yaml, const yaml_node_t *list, int64_t index);
const yaml_node_t *nuce_yaml_key(struct nuce_yaml *yaml, const yaml_node_t *mapping, int64_t index);
const yaml_node_t *nuce_yaml_value(struct nuce_yaml *yaml, const yaml_node_t *mapping,
                                   int64_t index);

/* The value under key, or NULL. A linear search, because mappings here are short. */
const yaml_node_t *nuce_yaml_find(struct nuce_yaml *yaml, const yaml_node_t *mapping,
                                  const char *key);

int nuce_yaml_is_list(const yaml_node_t *node);
int nuce_yaml_is_mapping(const yaml_node_t *node);

/* True if node is one of YAML 1.2's nulls without quotes: ~, null, Null or NULL. */
int nuce_yaml_is_null(const yaml_node_t *node);

/* The text of a scalar, "~" for each null; NULL for other nodes. */
const char *nuce_yaml_text(const yaml_node_t *node);

/* "a list", "a mapping", "nothing" (an empty scalar, a null) or "a single value", for messages. */
const char *nuce_yaml_kind(const yaml_node_t *node);

/* The beginning of node, from 1. */
int64_t nuce_yaml_line(const yaml_node_t *node);
int64_t nuce_yaml_column(const yaml_node_t *node);

/* Adds a problem at node. */
void nuce_yaml_complain(struct nuce_problems *problems, const yaml_node_t *node, const char *format,
                        ...) __attribute__((format(printf, 3, 4)));

/* Returns nonzero if node is of that kind and has at least that number of items or pairs. If not,
 * adds a problem with expected, such as "slurm: expected a mapping", and the kind found. */
enum nuce_yaml_wanted { NUCE_YAML_LIST, NUCE_YAML_MAPPING };
int nuce_yaml_expect(struct nuce_problems *problems, const yaml_node_t *node,
                     enum nuce_yaml_wanted wanted, int64_t least, const char *expected);

#endif
