/* Branch and bound over decompositions made strip by strip: a strip of the next weights is cut off
 * the left or the top of what is left of the array and divided among them. */
#ifndef NUCE_STRIP_SEARCH_H
#define NUCE_STRIP_SEARCH_H

#include "instances/array_problem.h"

/* More are refused: the recursion is as deep as there are strips, and each depth lists up to 2 p
 * choices. */
#define NUCE_STRIP_SEARCH_MOST_PARTS 1000

struct nuce_strip {
    int first, end;      /* the weights in it */
    int across;          /* 1: cut off the left, its parts one above the other; 0: off the top */
    struct nuce_box box; /* of the array lying down */
};

/* What is left to decompose. */
struct nuce_strip_rest {
    int first; /* the weights from here on */
    struct nuce_box box;
    int across, least; /* what the rule left there: see nuce_strip_rule */
};

/* Which strips a search may cut off. */
struct nuce_strip_rule {
    /* Whether a strip of the weights up to end - 1, cut across, may come next; end == parts: all
     * that is left. remaining: of the side that it divides, what it leaves. */
    int (*allows)(const struct nuce_strip_rest *rest, int parts, int across, int end,
                  double remaining);
    /* Sets across and least of after, the rest when such a strip is gone, which is not empty. */
    void (*follow)(const struct nuce_strip *strip, struct nuce_strip_rest *after);
};

/* Any strip. */
extern const struct nuce_strip_rule nuce_strip_rule_any;

/* Strips as tile.c says. */
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

/* Finds the cheapest path of rule if it is cheaper than path->cost; else leaves path as it is but
 * for is_settled. Gives up, with the best found so far, when it has looked at some ten millions of
 * strips. */
void nuce_strip_search(const struct nuce_array_problem *problem, const struct nuce_strip_rule *rule,
                       struct nuce_strip_path *path);

/* Draws the strips of path, which has some (path->cost is finite), into out. */
void nuce_strip_path_put(const struct nuce_array_problem *problem,
                         const struct nuce_strip_path *path, struct nuce_decomposition *out);

#endif
