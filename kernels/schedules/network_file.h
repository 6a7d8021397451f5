/* The file of a network, between its readers and its writer. */
#ifndef NUCE_NETWORK_FILE_H
#define NUCE_NETWORK_FILE_H

#include "base/scanner.h"
#include "schedules/network.h"

/* Where and when a network was measured, without the rest of its file. */

/* As nuce_network_parse, but looks only at the lines `ranks`, `host` and `measured`: the network
 * has no pairs. */
nuce_status nuce_network_parse_origin(const char *name, const char *text, size_t length,
                                      struct nuce_network *out, struct nuce_error *error);

/* NETWORK FILES while they are read: what several kinds of lines share. */

/* What the lines so far say. network.tiers' arrays are of network.ranks each until the end. */
struct nuce_network_file {
    struct nuce_network network;
    struct nuce_network_cost {
        int is_given;
        double startup, bandwidth; /* seconds, bytes per second */
    } within, between;             /* of pairs without a line of their own */
    int has_pairs;                 /* a pair has a line */
    int most_node;  /* the highest node that a line `node` or `under` is about; -1: none */
    int most_group; /* the highest group that a line `uplink` is about; -1: none */
};

/* A finite number that is at least 0, or (positive) more than 0, called what in messages. */
nuce_status nuce_network_file_quantity(struct nuce_scanner *scanner, const char *what, int positive,
                                       double *out, struct nuce_error *error);

/* One of count ranks (or nodes), or `all`: *first .. *end - 1. */
nuce_status nuce_network_file_which(struct nuce_scanner *scanner, const char *what,
                                    const struct nuce_network_file *file, int count, int *first,
                                    int *end, struct nuce_error *error);

/* What a port carries out and in, or inf: not known; then the line ends. */
nuce_status nuce_network_file_capacities(struct nuce_scanner *scanner, const char *of, double *out,
                                         double *in, struct nuce_error *error);

/* The lines of the tiers, each behind its first word, up to the end of the line. On failure file is
 * to be thrown away. */
nuce_status nuce_network_file_on(struct nuce_scanner *scanner, struct nuce_network_file *file,
                                 struct nuce_error *error);
nuce_status nuce_network_file_block(struct nuce_scanner *scanner, struct nuce_network_file *file,
                                    struct nuce_error *error);
nuce_status nuce_network_file_rail(struct nuce_scanner *scanner, struct nuce_network_file *file,
                                   struct nuce_error *error);
nuce_status nuce_network_file_inside(struct nuce_scanner *scanner, struct nuce_network_file *file,
                                     struct nuce_error *error);
nuce_status nuce_network_file_node(struct nuce_scanner *scanner, struct nuce_network_file *file,
                                   struct nuce_error *error);
nuce_status nuce_network_file_under(struct nuce_scanner *scanner, struct nuce_network_file *file,
                                    struct nuce_error *error);
nuce_status nuce_network_file_group(struct nuce_scanner *scanner, struct nuce_network_file *file,
                                    struct nuce_error *error);
nuce_status nuce_network_file_uplink(struct nuce_scanner *scanner, struct nuce_network_file *file,
                                     struct nuce_error *error);
nuce_status nuce_network_file_within(struct nuce_scanner *scanner, struct nuce_network_file *file,
                                     struct nuce_error *error);
nuce_status nuce_network_file_between(struct nuce_scanner *scanner, struct nuce_network_file *file,
                                      struct nuce_error *error);

/* After all lines: nodes that have no rank, ranks that have no node, the same of groups and nodes,
 * and pairs without a line, are errors. Pairs get what is told of those within and between nodes.
 * name: of the file. */
nuce_status nuce_network_file_end(const char *name, struct nuce_network_file *file,
                                  struct nuce_error *error);

#endif
