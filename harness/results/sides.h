/* The two sides of `nuce compare` and `nuce env diff`: campaigns, environments, contenders
 * (schedules, decompositions, placements) or ways to start ranks (MPI libraries, numbers of nodes,
 * variables), as the user names them. */
#ifndef NUCE_SIDES_H
#define NUCE_SIDES_H

#include "base/error.h"
#include "base/option.h"
#include "db/store.h"

enum nuce_side_class {
    NUCE_SIDE_CAMPAIGN,    /* by its name, such as quick.1, or the path of its folder */
    NUCE_SIDE_ENVIRONMENT, /* by the beginning of its id; four digits unless its class is named */
    NUCE_SIDE_CONTENDER,   /* by its name in tables, such as "greedy in-flight 4" */
    NUCE_SIDE_WAY,         /* a sweep's setting, KEY=VALUE, such as "mpi=openmpi"; or "openmpi" */
    NUCE_SIDE_FILE,        /* of another benchmark, by its path (results/foreign.h) */
    NUCE_SIDE_CLASSES,
};

#define NUCE_SIDE_LABEL_BYTES 14

/* One side. Released with nuce_side_fini. */
struct nuce_side {
    enum nuce_side_class class;
    char *ids;  /* JSON array of strings: whole ids */
    char *name; /* all names, formatted for people: "accept.1, accept.3"; ids of environments cut
                   short */
    int count;  /* number of ids */
    /* For a way: the parameter that it sets; else "". */
    char key[NUCE_NAME_BYTES];
    /* Its name in tables, from nuce_sides_find: the real name if both sides have one that is short,
     * else "A" or "B". */
    char label[NUCE_SIDE_LABEL_BYTES];
    char *again; /* for files: the options with which 'nuce race' measures such values; else NULL */
};

/* "campaign", "environment", "contender", "way" and "file", in that order. */
extern const char *const nuce_side_classes[];

/* Looks up text: one name, or several campaigns or environments with commas between them, which are
 * used together. A class may precede the name, "campaign:quick.1"; only that class is searched
 * then. Contenders and ways are those of campaign; NULL: of all. NUCE_BAD_INPUT: it does not exist,
 * or is ambiguous (the message shows how). *out is released with nuce_side_fini. */
nuce_status nuce_side_find(struct nuce_store *store, const char *text, const char *campaign,
                           struct nuce_side *out, struct nuce_error *error);
void nuce_side_fini(struct nuce_side *side);

/* Looks up both; NUCE_BAD_INPUT also when they are of different classes, ways of different keys, or
 * have something in common. On success both are released with nuce_side_fini. */
nuce_status nuce_sides_find(struct nuce_store *store, const char *a_text, const char *b_text,
                            const char *campaign, struct nuce_side *a, struct nuce_side *b,
                            struct nuce_error *error);

#endif
