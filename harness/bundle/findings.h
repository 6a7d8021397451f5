/* What is wrong with a bundle, thing by thing. */
#ifndef NUCE_FINDINGS_H
#define NUCE_FINDINGS_H

#include <stdint.h>

#include "support/error.h"

enum nuce_finding_kind {
    NUCE_FINDING_ALTERED, /* not what was bundled */
    NUCE_FINDING_INVALID, /* not what nuce writes */
};

/* "altered" and "invalid". */
const char *nuce_finding_name(enum nuce_finding_kind kind);

struct nuce_finding {
    enum nuce_finding_kind kind;
    char *file;   /* within the bundle, or the bundle itself */
    int64_t line; /* 0: the file as a whole */
    char *problem;
};

struct nuce_findings {
    struct nuce_finding *list;
    int64_t count, capacity;
};

/* Adds one. NUCE_FAILED: out of memory. */
nuce_status nuce_findings_add(struct nuce_findings *findings, enum nuce_finding_kind kind,
                              const char *file, int64_t line, struct nuce_error *error,
                              const char *format, ...) __attribute__((format(printf, 6, 7)));

/* How many there are of a kind. */
int64_t nuce_findings_of(const struct nuce_findings *findings, enum nuce_finding_kind kind);

/* Frees the list; accepts an all zero one. */
void nuce_findings_fini(struct nuce_findings *findings);

#endif
