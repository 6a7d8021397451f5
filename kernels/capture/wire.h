/* Numbers and texts one behind the other: the content of a capture file. A number takes 7 bits of
 * each byte, least first, the 8th says that more follow. */
#ifndef NUCE_WIRE_H
#define NUCE_WIRE_H

#include <stdint.h>

#include "base/error.h"

/* What is written or read, one column. A writer's grows; a reader's has data and length set and
 * begins at 0. */
struct nuce_wire {
    unsigned char *data; /* owned by a writer, borrowed by a reader */
    int64_t length, capacity, at;
    /* a reader came to the end, or to what cannot be; a writer had no memory. Stays once set */
    int is_bad;
};

/* Writers. A number of nuce_wire_put is not negative; a signed one is zigzag (0, -1, 1, -2, ...),
 * so that small ones are short either way; a text is its length and its bytes. */
void nuce_wire_put(struct nuce_wire *wire, int64_t number); /* >= 0 */
void nuce_wire_put_signed(struct nuce_wire *wire, int64_t number);
void nuce_wire_put_text(struct nuce_wire *wire, const char *text);

/* A number of low .. high; low, and is_bad, where there is none such. A signed one may be any,
 * which the caller checks. A text is at most size - 1 bytes and is zero-ended. */
int64_t nuce_wire_get(struct nuce_wire *wire, int64_t low, int64_t high);
int64_t nuce_wire_get_signed(struct nuce_wire *wire);
void nuce_wire_get_text(struct nuce_wire *wire, char *text, size_t size);

/* A number of elements that the rest of the bytes can have, each at least one: so a damaged count
 * cannot make the reader allocate more than the file's length. */
int64_t nuce_wire_get_count(struct nuce_wire *wire);

#endif
