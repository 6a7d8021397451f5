/* Branch and bound over decompositions made strip by strip. A strip for the next weights is cut off
 * the left or the top of the rest of the array and divided among them. */
#ifndef NUCE_STRIP_SEARCH_H
#define NUCE_STRIP_SEARCH_H

#include "instances/array_problem.h"

/* More parts are refused: the recursion is as deep as there are strips, and each depth lists up to
 * 2 p choices. */
#define NUCE_STRIP_SEARCH_MOST_PARTS 1000

struct nuce_strip {
    int first, end;      /* the weights in it */
    int across;          /* 1: cut off the left, its parts one above the other; 0: off the top */
    struct nuce_box box; /* of the array lying down */
};

/* The rest to decompose. */
struct nuce_strip_rest {
    int first; /* the weights from here on */
    struct nuce_box box;
    int across, least; /* values that the rule stored: see nuce_strip_rule */
};

/* The strips that a search may cut off. */
struct nuce_strip_rule {
    /* True if a strip of the weights up to end - 1, cut across, may come next; end == parts: the
     * whole rest. remaining: the remainder of the side that it divides. */
    int (*allows)(const struct nuce_strip_rest *rest, int parts, int across, int end,
                  double remaining);
    /* Sets across and least of after, the rest without that strip, which is not empty. */
    void (*follow)(const struct nuce_strip *strip, struct nuce_strip_rest *after);
};

/* Any strip. */
extern const struct nuce_strip_rule nuce_strip_rule_any;

/* Strips by the rule of tile.c. */
extern const struct nuce_strip_rule nuce_strip_rule_tile;

struct nuce_strip_path {
    int count;
    struct nuce_strip *strips; /* room for as many as there are parts */
    double cost;               /* infinite: none is known */
    int is_settled;            /* nothing that the rule allows is cheaper */
};

/* No path yet. Freed with nuce_strip_path_fini. */
void nuce_strip_path_init(const struct nuce_array_problem *problem, struct nuce_strip_path *out);
void nuce_strip_path_fini(struct nuce_strip_path *path);

/* Finds the cheapest path of rule if it is cheaper than path->cost; else changes only is_settled of
 * path. Gives up, with the best path so far, after some ten millions of strips. */
void nuce_strip_search(const struct nuce_array_problem *problem, const struct nuce_strip_rule *rule,
                       struct nuce_strip_path *path);

/* Puts the strips of path, which has some (path->cost is finite), into out. */
void nuce_strip_path_put(const struct nuce_array_problem *problem,
                         const struct nuce_strip_path *path, struct nuce_decomposition *out);

#endif
