/* What the readers of topology files share: the switches, links and nodes read so far. */
#ifndef NUCE_TOPOLOGY_FILE_H
#define NUCE_TOPOLOGY_FILE_H

#include "base/scanner.h"
#include "mapping/names.h"
#include "mapping/topology.h"

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

#endif
