/* Facts about files that points name, so that thousands of points read each file once. */
#ifndef NUCE_FACTS_H
#define NUCE_FACTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

struct nuce_facts;

/* Makes an empty memory of facts, freed with nuce_facts_destroy, which accepts NULL. Used by one
 * thread. */
struct nuce_facts *nuce_facts_create(void);
void nuce_facts_destroy(struct nuce_facts *facts);

/* The canonical name of the mesh or COM file that the user calls name. A shipped mesh has its own
 * name, a file BASENAME@SHA-256, so that the same content is the same point in any folder. *out is
 * borrowed from facts. NUCE_BAD_INPUT: it cannot be read; then nothing is stored. */
nuce_status nuce_facts_mesh_identity(struct nuce_facts *facts, const char *name, const char **out,
                                     struct nuce_error *error);
nuce_status nuce_facts_file_identity(struct nuce_facts *facts, const char *path, const char **out,
                                     struct nuce_error *error);

/* The same for a network; a preset or a word of words.h keeps its name. */
nuce_status nuce_facts_network_identity(struct nuce_facts *facts, const char *name,
                                        const char **out, struct nuce_error *error);

/* The nodes of an application's ranks; nodes 0: the nodes of some ranks are not known. */
struct nuce_told_nodes {
    int nodes;
    int most; /* most ranks on one node */
};

/* Facts about a file that was read completely. */
struct nuce_fact {
    char *name;
    char *identity;               /* NULL: not requested yet */
    int64_t size;                 /* -1: not read yet; nodes of a mesh or topology, else ranks */
    int64_t cells;                /* of a mesh; -1: not read as a dual graph yet */
    bool has_coordinates;         /* of a mesh */
    int joined;                   /* nodes of a topology's largest island */
    const char *note;             /* unused content of the file; NULL: none */
    struct nuce_told_nodes nodes; /* for a pattern of a capture */
};

/* Each reads the whole file, so that all its errors are found here: a mesh (is_dual: cells is known
 * then, else size); a NETWORK FILE (size 0 for a preset, which is for any number of ranks); a
 * topology; a COM file; a pattern of a capture, call as in nuce_capture_find. Borrowed until the
 * next call; NULL with *error. */
const struct nuce_fact *nuce_facts_mesh(struct nuce_facts *facts, const char *name, int is_dual,
                                        struct nuce_error *error);
const struct nuce_fact *nuce_facts_network(struct nuce_facts *facts, const char *name,
                                           struct nuce_error *error);
const struct nuce_fact *nuce_facts_topology(struct nuce_facts *facts, const char *path,
                                            struct nuce_error *error);
const struct nuce_fact *nuce_facts_com(struct nuce_facts *facts, const char *path,
                                       struct nuce_error *error);
const struct nuce_fact *nuce_facts_capture(struct nuce_facts *facts, const char *path,
                                           const char *call, struct nuce_error *error);

/* The name of the next file, from *at (0 at first) on, with content that is not used, such as
 * weights; *note describes that content. NULL: there is no further one. */
const char *nuce_facts_next_note(const struct nuce_facts *facts, int64_t *at, const char **note);

/* Writes a note on each such file to stderr, in the name of program. */
void nuce_facts_print_notes(const struct nuce_facts *facts, const char *program);

#endif
