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

/* Nodes of a mesh, and whether it says where they are; reads it whole, so everything wrong with it
 * is found here. */
nuce_status nuce_facts_mesh_nodes(struct nuce_facts *facts, const char *name, int64_t *out,
                                  struct nuce_error *error);
nuce_status nuce_facts_mesh_has_coordinates(struct nuce_facts *facts, const char *name, bool *out,
                                            struct nuce_error *error);

/* The same of a network: a preset and a word of words.h by its name. */
nuce_status nuce_facts_network_identity(struct nuce_facts *facts, const char *name,
                                        const char **out, struct nuce_error *error);

/* Ranks of a NETWORK FILE, which it reads whole; 0 for a preset: as many as one likes. */
nuce_status nuce_facts_network_ranks(struct nuce_facts *facts, const char *name, int *out,
                                     struct nuce_error *error);

/* Nodes of a topology file, and how many of them at most switches join; reads it whole. */
nuce_status nuce_facts_topology_nodes(struct nuce_facts *facts, const char *path, int *out,
                                      struct nuce_error *error);
nuce_status nuce_facts_topology_joined(struct nuce_facts *facts, const char *path, int *out,
                                       struct nuce_error *error);

/* The next file, from *at (0 at first) on, that has something which is not used, such as weights:
 * its name, and in *note what it is. NULL: no other that was read. */
const char *nuce_facts_next_note(const struct nuce_facts *facts, int64_t *at, const char **note);

/* Writes each of them to stderr, as a note of program. */
void nuce_facts_print_notes(const struct nuce_facts *facts, const char *program);

/* Ranks of a COM file; reads it whole. */
nuce_status nuce_facts_com_ranks(struct nuce_facts *facts, const char *path, int *out,
                                 struct nuce_error *error);

/* The nodes that ranks of an application were on; nodes 0: of some that is not known. */
struct nuce_told_nodes {
    int nodes;
    int most; /* ranks on one of them */
};

/* Ranks of a pattern of a capture, which it reads whole, and their nodes; call as nuce_capture_find
 * takes it. */
nuce_status nuce_facts_capture_ranks(struct nuce_facts *facts, const char *path, const char *call,
                                     int *out, struct nuce_error *error);
nuce_status nuce_facts_capture_nodes(struct nuce_facts *facts, const char *path, const char *call,
                                     struct nuce_told_nodes *out, struct nuce_error *error);

#endif
