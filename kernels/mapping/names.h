/* The names of a topology file, numbered as they are first met. */
#ifndef NUCE_NAMES_H
#define NUCE_NAMES_H

#include <stdint.h>

#include "base/error.h"

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
void nuce_names_add(struct nuce_names *names, const char *text, int length, int *number);

#endif
