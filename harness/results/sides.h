/* What `nuce compare` and `nuce env diff` set side by side: campaigns, environments, contenders
 * (schedules, decompositions, placements) or ways to start ranks (MPI libraries, numbers of nodes,
 * variables), as the user names them. */
#ifndef NUCE_SIDES_H
#define NUCE_SIDES_H

#include "base/error.h"
#include "base/option.h"
#include "db/store.h"

enum nuce_side_class {
    NUCE_SIDE_CAMPAIGN,    /* by its name, such as quick.1, or the path of its folder */
    NUCE_SIDE_ENVIRONMENT, /* by the beginning of its id */
    NUCE_SIDE_CONTENDER,   /* by its name as tables have it, such as "greedy depth 4" */
    NUCE_SIDE_WAY,         /* what a sweep set, KEY=VALUE, such as "mpi=openmpi"; or "openmpi" */
    NUCE_SIDE_CLASSES,
};

#define NUCE_SIDE_LABEL_BYTES 14

/* One of the two. Released with nuce_side_fini. */
struct nuce_side {
    enum nuce_side_class class;
    char *ids;  /* JSON array of strings: whole ids */
    char *name; /* all of them as people read them: "accept.1, accept.3"; environments cut short */
    int count;  /* of ids */
    /* Of a way: the parameter of the problem that it sets; else "". */
    char key[NUCE_NAME_BYTES];
    /* What tables call it, from nuce_sides_find: its name if both sides have one that is short,
     * else "A" or "B". */
    char label[NUCE_SIDE_LABEL_BYTES];
};

/* "campaign", "environment", "contender" and "way", in that order. */
extern const char *const nuce_side_classes[];

/* Looks up text: one name, or several campaigns or environments with commas between them, which are
 * taken together. Before each may stand what it is: "campaign:quick.1"; only of that class it is
 * looked for then. NUCE_BAD_INPUT: there is none, or it could be more than one thing (the message
 * says which). *out is released with nuce_side_fini. */
nuce_status nuce_side_find(struct nuce_store *store, const char *text, struct nuce_side *out,
                           struct nuce_error *error);
void nuce_side_fini(struct nuce_side *side);

/* Looks up both; NUCE_BAD_INPUT also when they are of different classes, ways of different
 * keys, or have something in common. On success both are released with nuce_side_fini. */
nuce_status nuce_sides_find(struct nuce_store *store, const char *a_text, const char *b_text,
                            struct nuce_side *a, struct nuce_side *b, struct nuce_error *error);

#endif
