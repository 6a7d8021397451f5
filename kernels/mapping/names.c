/* Names and their numbers: an array of owned strings, and a hash table of numbers over it.
 *
 * Numbers stay what they are as names are added; the strings stay where they are, the arrays move
 * as they grow. Looking up and adding take O(length of the name), growing included. */
#include "mapping/names.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/int.h"
#include "base/rng.h"
#include "base/text.h"

void nuce_names_fini(struct nuce_names *names)
{
    for (int i = 0; i < names->count; i++)
        free(names->name[i]);
    free(names->name);
    free(names->slot);
    memset(names, 0, sizeof *names);
}

/* A byte at a time through the generator's mixer, so that names like n1 .. n9999 spread. */
static uint64_t names_hash(const char *text, int length)
{
    uint64_t value = (uint64_t)length;

    for (int i = 0; i < length; i++)
        value = nuce_rng_mix(value ^ (unsigned char)text[i]);
    return value;
}

/* Whether name, which ends in 0, is the length bytes at text, which do not. */
static int names_is_name(const char *name, const char *text, int length)
{
    return strncmp(name, text, (size_t)length) == 0 && name[length] == '\0';
}

/* The slot that holds the name, or the free one where it belongs. */
static int64_t names_find_slot(const struct nuce_names *names, const char *text, int length)
{
    int64_t place = (int64_t)(names_hash(text, length) & (uint64_t)(names->slots - 1));

    while (names->slot[place] != 0 &&
           !names_is_name(names->name[names->slot[place] - 1], text, length))
        place = (place + 1) & (names->slots - 1);
    return place;
}

int nuce_names_find(const struct nuce_names *names, const char *text, int length)
{
    return names->slots == 0 ? -1 : names->slot[names_find_slot(names, text, length)] - 1;
}

/* Twice the slots, or the first ones; at most half are in use. A power of 2, so that a hash becomes
 * a slot by its low bits. */
static void names_grow(struct nuce_names *names)
{
    int *old = names->slot;
    int64_t slots = names->slots == 0 ? 64 : 2 * names->slots;
    int *slot = nuce_allocate(slots, sizeof *slot);

    names->slot = slot;
    names->slots = slots;
    for (int i = 0; i < names->count; i++)
        slot[names_find_slot(names, names->name[i], nuce_int((int64_t)strlen(names->name[i])))] =
            i + 1;
    free(old);
}

/* Room is made before anything is entered: a failure leaves the names as they were. */
void nuce_names_add(struct nuce_names *names, const char *text, int length, int *number)
{
    char *copy;

    if (2 * ((int64_t)names->count + 1) > names->slots)
        names_grow(names);
    *number = names->slot[names_find_slot(names, text, length)] - 1;
    if (*number >= 0)
        return;
    nuce_allocate_more((void **)&names->name, &names->capacity, names->count + 1,
                       sizeof *names->name);
    copy = nuce_text_format("%.*s", (int)length, text);
    names->slot[names_find_slot(names, copy, length)] = names->count + 1;
    names->name[names->count] = copy;
    *number = names->count++;
}
