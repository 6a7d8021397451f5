/* Inside bundle: names that tell who measured and where, and what stands for them.
 *
 * A host is "node1", a user "user1", an absolute path "/path1", and so on, numbered as they were
 * first named: the same name is the same everywhere in a bundle, and in another one it is not. */
#ifndef NUCE_PSEUDONYMS_H
#define NUCE_PSEUDONYMS_H

#include <jansson.h>
#include <stdint.h>

#include "support/error.h"

enum nuce_pseudonym_kind {
    NUCE_PSEUDONYM_HOST,
    NUCE_PSEUDONYM_USER,
    NUCE_PSEUDONYM_CLUSTER,
    NUCE_PSEUDONYM_LINE, /* of a script, which may say anything */
    NUCE_PSEUDONYM_PATH,
    NUCE_PSEUDONYM_KINDS
};

struct nuce_pseudonyms {
    json_t *names; /* original in lower case -> pseudonym */
    json_t *paths; /* the same of paths */
    /* pseudonyms of each kind: that of the last one has this number */
    int64_t count[NUCE_PSEUDONYM_KINDS];
    size_t longest; /* of the names, bytes */
};

/* Nothing is known yet. Freed with nuce_pseudonyms_fini. */
nuce_status nuce_pseudonyms_init(struct nuce_pseudonyms *out, struct nuce_error *error);

/* What stands for name from now on, and for a host's without its domain; borrowed, NULL when out of
 * memory. "" and names of one byte stand for themselves. */
const char *nuce_pseudonyms_add(struct nuce_pseudonyms *pseudonyms, enum nuce_pseudonym_kind kind,
                                const char *name);

/* text with the names that were added replaced where they stand as words (between bytes that are
 * neither letters nor digits), in upper or lower case, a host's with the domain behind it, and with
 * absolute paths of two components and more replaced, up to a blank. A new string; NULL when out of
 * memory. */
char *nuce_pseudonyms_text(struct nuce_pseudonyms *pseudonyms, const char *text);

/* The same of paths alone: for texts in which a word may be a key or an algorithm. */
char *nuce_pseudonyms_paths(struct nuce_pseudonyms *pseudonyms, const char *text);

/* Whether text, of length bytes, has neither names nor absolute paths in it; or no names. */
int nuce_pseudonyms_are_absent(const struct nuce_pseudonyms *pseudonyms, const char *text,
                               size_t length);
int nuce_pseudonyms_names_are_absent(const struct nuce_pseudonyms *pseudonyms, const char *text,
                                     size_t length);

/* Applies change (one of the two above) to each text in value, at any depth. A new reference; NULL
 * when out of memory. */
json_t *nuce_pseudonyms_json(struct nuce_pseudonyms *pseudonyms, const json_t *value,
                             char *(*change)(struct nuce_pseudonyms *pseudonyms, const char *text));

/* Frees all; accepts an all zero one. */
void nuce_pseudonyms_fini(struct nuce_pseudonyms *pseudonyms);

#endif
