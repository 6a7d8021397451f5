/* What was learnt from files that points name, so that thousands of points read each file once. */
#ifndef NUCE_FACTS_H
#define NUCE_FACTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

struct nuce_facts;

/* An empty memory, freed with nuce_facts_destroy, which accepts NULL. Used by one thread. */
struct nuce_facts *nuce_facts_create(void);
void nuce_facts_destroy(struct nuce_facts *facts);

/* How canonical forms name the mesh or COM file that the user calls name: a shipped mesh by its
 * name, a file as BASENAME@SHA-256, so that the same content is the same point wherever it lies.
 * *out is borrowed from facts. NUCE_BAD_INPUT: it cannot be read; nothing is remembered of it
 * then. */
nuce_status nuce_facts_mesh_identity(struct nuce_facts *facts, const char *name, const char **out,
                                     struct nuce_error *error);
nuce_status nuce_facts_file_identity(struct nuce_facts *facts, const char *path, const char **out,
                                     struct nuce_error *error);

/* The same of a network, of which a preset and a word of words.h stand by their names. */
nuce_status nuce_facts_network_identity(struct nuce_facts *facts, const char *name,
                                        const char **out, struct nuce_error *error);

/* The nodes that ranks of an application were on; nodes 0: of some that is not known. */
struct nuce_told_nodes {
    int nodes;
    int most; /* ranks on one of them */
};

/* What is known of a file that was read whole. */
struct nuce_fact {
    char *name;
    char *identity;               /* NULL: not asked for yet */
    int64_t size;                 /* -1: not read yet; nodes of a mesh or topology, else ranks */
    bool has_coordinates;         /* of a mesh */
    int joined;                   /* nodes of a topology's largest island */
    const char *note;             /* what of it is not used; NULL: nothing */
    struct nuce_told_nodes nodes; /* of a pattern of a capture */
};

/* Each reads the file whole, so that everything wrong with it is found here: a mesh; a NETWORK FILE
 * (size 0 of a preset: as many ranks as one likes); a topology; a COM file; a pattern of a capture,
 * call as nuce_capture_find takes it. Borrowed until the next call; NULL with *error. */
const struct nuce_fact *nuce_facts_mesh(struct nuce_facts *facts, const char *name,
                                        struct nuce_error *error);
const struct nuce_fact *nuce_facts_network(struct nuce_facts *facts, const char *name,
                                           struct nuce_error *error);
const struct nuce_fact *nuce_facts_topology(struct nuce_facts *facts, const char *path,
                                            struct nuce_error *error);
const struct nuce_fact *nuce_facts_com(struct nuce_facts *facts, const char *path,
                                       struct nuce_error *error);
const struct nuce_fact *nuce_facts_capture(struct nuce_facts *facts, const char *path,
                                           const char *call, struct nuce_error *error);

/* The next file, from *at (0 at first) on, that has something which is not used, such as weights:
 * its name, and in *note what it is. NULL: no other that was read. */
const char *nuce_facts_next_note(const struct nuce_facts *facts, int64_t *at, const char **note);

/* Writes each of them to stderr, as a note of program. */
void nuce_facts_print_notes(const struct nuce_facts *facts, const char *program);

#endif
