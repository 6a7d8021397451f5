/* What the readers of topology files share: the switches, links and nodes read so far. */
#ifndef NUCE_TOPOLOGY_FILE_H
#define NUCE_TOPOLOGY_FILE_H

#include <stdint.h>

#include "base/error.h"
#include "base/scanner.h"
#include "mapping/topology.h"

/* The names of a topology file, numbered as they are first met. */

/* All zero: empty. */
struct nuce_names {
    char **name; /* count, owned */
    int count;
    int64_t capacity;
    int *slot; /* slots: numbers + 1, 0: free; a hash table with linear probing */
    int64_t slots;
};

/* Frees the names and empties *names; accepts an empty (all zero) one. */
void nuce_names_fini(struct nuce_names *names);

/* The number of the length bytes at text, or -1. */
int nuce_names_find(const struct nuce_names *names, const char *text, int length);

/* The number of the length bytes at text, a new one and a copy of them if they were not there. */
int nuce_names_add(struct nuce_names *names, const char *text, int length);

/* Places point into the text, which is borrowed until nuce_topology_file_fini; all lists are owned.
 * Names go over to the topology in the end. */
struct nuce_topology_file {
    struct nuce_scanner scanner;       /* where the reader is */
    struct nuce_names switches, nodes; /* by number, in the order of their first lines */
    const char **place;                /* switches: where each was first named, in the text */
    int64_t places;                    /* capacity */
    int *home;                         /* nodes: the switch of each */
    int64_t homes;
    int (*link)[2];          /* links: the two switches, the lower number first */
    const char **link_place; /* links: where in the text */
    int64_t links, link_capacity, link_places;
    int may_be_apart; /* several islands are no slip */
    const char *note; /* of the topology */
};

/* Frees what was read; the names that a topology took over are no longer in it. */
void nuce_topology_file_fini(struct nuce_topology_file *file);

/* The switch called word, a new one if there is none. */
nuce_status nuce_topology_file_switch(struct nuce_topology_file *file, struct nuce_word word,
                                      int *number, struct nuce_error *error);

/* A link between two switches, which stands at place; twice the same is found at the end. */
nuce_status nuce_topology_file_link(struct nuce_topology_file *file, int a, int b,
                                    const char *place, struct nuce_error *error);

/* The node of the length bytes at name, on switch home; place is where in the text.
 * NUCE_BAD_INPUT if there has been one of that name. */
nuce_status nuce_topology_file_node(struct nuce_topology_file *file, const char *name, int length,
                                    int home, const char *place, struct nuce_error *error);

/* The lines of Slurm's topology.conf, or of `scontrol show topology`, into file. */
nuce_status nuce_topology_file_slurm(struct nuce_topology_file *file, struct nuce_error *error);

/* The switches that a NETWORK FILE, the whole text of the scanner, tells of. */
nuce_status nuce_topology_file_measured(struct nuce_topology_file *file, struct nuce_error *error);

/* Hierarchical clustering by average linkage (Sokal and Michener, University of Kansas Science
 * Bulletin 38, 1958: UPGMA). */
/* Two clusters become one: those that hold the elements a and b. */
struct nuce_linkage_merge {
    int a, b;
    double height; /* the mean distance between an element of the one and one of the other */
};

/* Merges count elements until one cluster is left: merge[0 .. count - 2], by ascending height.
 * distance, count x count and symmetric, is written over. Time O(count^2) by chains of nearest
 * neighbours (Murtagh, The Computer Journal 26(4), 1983). */
void nuce_topology_linkage(double *distance, int count, struct nuce_linkage_merge *merge);

#endif
