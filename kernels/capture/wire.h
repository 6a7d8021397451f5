/* Numbers and texts one behind the other: the content of a capture file. A number takes 7 bits of
 * each byte, least first, the 8th says that more follow. */
#ifndef NUCE_WIRE_H
#define NUCE_WIRE_H

#include <stdint.h>

#include "support/error.h"

struct nuce_wire {
    unsigned char *data; /* owned by a writer, borrowed by a reader */
    int64_t length, capacity, at;
    int is_bad; /* a reader came to the end, or to what cannot be; a writer had no memory */
};

void nuce_wire_put(struct nuce_wire *wire, int64_t number); /* >= 0 */
void nuce_wire_put_signed(struct nuce_wire *wire, int64_t number);
void nuce_wire_put_text(struct nuce_wire *wire, const char *text);

/* A number of low .. high; low, and is_bad, where there is none such. */
int64_t nuce_wire_get(struct nuce_wire *wire, int64_t low, int64_t high);
int64_t nuce_wire_get_signed(struct nuce_wire *wire);
void nuce_wire_get_text(struct nuce_wire *wire, char *text, size_t size);

/* A number of elements that the rest of the bytes can have, each at least one. */
int64_t nuce_wire_get_count(struct nuce_wire *wire);

#endif
