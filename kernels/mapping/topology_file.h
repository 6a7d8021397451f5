/* The common part of the readers of topology files: the switches, links and nodes read so far. */
#ifndef NUCE_TOPOLOGY_FILE_H
#define NUCE_TOPOLOGY_FILE_H

#include <stdint.h>

#include "base/error.h"
#include "base/scanner.h"
#include "mapping/topology.h"

/* The names of a topology file, numbered in the order of their first mention. */

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

/* The number of the length bytes at text. If they are new, a copy is added with a new number. */
int nuce_names_add(struct nuce_names *names, const char *text, int length);

/* Places point into the text, which is borrowed until nuce_topology_file_fini; all lists are owned.
 * The topology takes over the names at the end. */
struct nuce_topology_file {
    struct nuce_scanner scanner;       /* the reader's place */
    struct nuce_names switches, nodes; /* by number, in the order of their first lines */
    const char **place;                /* switches: place of the first mention of each, in the
                                          text */
    int64_t places;                    /* capacity */
    int *home;                         /* nodes: the switch of each */
    int64_t homes;
    int (*link)[2];          /* links: the two switches, the lower number first */
    const char **link_place; /* links: place in the text */
    int64_t links, link_capacity, link_places;
    int may_be_apart; /* several islands are allowed */
    const char *note; /* note for the topology */
};

/* Frees the content; the names that a topology took over are no longer in it. */
void nuce_topology_file_fini(struct nuce_topology_file *file);

/* The switch called word; adds it if there is none. */
nuce_status nuce_topology_file_switch(struct nuce_topology_file *file, struct nuce_word word,
                                      int *number, struct nuce_error *error);

/* Adds a link between two switches, whose text is at place; a duplicate is found at the end. */
nuce_status nuce_topology_file_link(struct nuce_topology_file *file, int a, int b,
                                    const char *place, struct nuce_error *error);

/* Adds the node with the length bytes at name, on switch home; place is its place in the text.
 * NUCE_BAD_INPUT if there is one of that name. */
nuce_status nuce_topology_file_node(struct nuce_topology_file *file, const char *name, int length,
                                    int home, const char *place, struct nuce_error *error);

/* Reads the lines of Slurm's topology.conf, or of `scontrol show topology`, into file. */
nuce_status nuce_topology_file_slurm(struct nuce_topology_file *file, struct nuce_error *error);

/* Finds the switches of a NETWORK FILE, the whole text of the scanner. */
nuce_status nuce_topology_file_measured(struct nuce_topology_file *file, struct nuce_error *error);

#endif
