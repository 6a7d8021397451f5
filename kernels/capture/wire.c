/* Numbers of variable length, as in LEB128: 7 bits a byte, least first. */
#include "capture/wire.h"

#include <string.h>

#include "base/allocate.h"

static void put_byte(struct nuce_wire *wire, unsigned byte)
{
    void *data = wire->data;

    if (wire->is_bad) {
        wire->is_bad = 1;
        return;
    }
    nuce_allocate_more(&data, &wire->capacity, wire->length + 1, 1);
    wire->data = data;
    wire->data[wire->length++] = (unsigned char)byte;
}

static void put_bits(struct nuce_wire *wire, uint64_t bits)
{
    for (; bits >= 128; bits >>= 7)
        put_byte(wire, (unsigned)(bits & 127) | 128);
    put_byte(wire, (unsigned)bits);
}

void nuce_wire_put(struct nuce_wire *wire, int64_t number)
{
    NUCE_ASSERT(number >= 0);
    put_bits(wire, (uint64_t)number);
}

void nuce_wire_put_signed(struct nuce_wire *wire, int64_t number)
{
    put_bits(wire, ((uint64_t)number << 1) ^ (number < 0 ? UINT64_MAX : 0));
}

void nuce_wire_put_text(struct nuce_wire *wire, const char *text)
{
    size_t length = strlen(text);

    nuce_wire_put(wire, (int64_t)length);
    for (size_t i = 0; i < length; i++)
        put_byte(wire, (unsigned char)text[i]);
}

/* At most 10 bytes; 0 and is_bad where the number does not end. */
static uint64_t get_bits(struct nuce_wire *wire)
{
    uint64_t bits = 0;

    for (int shift = 0; shift < 64; shift += 7) {
        unsigned byte;

        if (wire->at >= wire->length)
            break;
        byte = wire->data[wire->at++];
        bits |= (uint64_t)(byte & 127) << shift;
        if (byte < 128)
            return bits;
    }
    wire->is_bad = 1;
    return 0;
}

int64_t nuce_wire_get(struct nuce_wire *wire, int64_t low, int64_t high)
{
    uint64_t bits = get_bits(wire);

    if (bits > INT64_MAX || (int64_t)bits < low || (int64_t)bits > high)
        wire->is_bad = 1;
    return wire->is_bad ? low : (int64_t)bits;
}

int64_t nuce_wire_get_signed(struct nuce_wire *wire)
{
    uint64_t bits = get_bits(wire);

    return (int64_t)((bits >> 1) ^ ((bits & 1) != 0 ? UINT64_MAX : 0));
}

void nuce_wire_get_text(struct nuce_wire *wire, char *text, size_t size)
{
    int64_t length = nuce_wire_get(wire, 0, (int64_t)size - 1);

    if (length > wire->length - wire->at) {
        wire->is_bad = 1;
        length = 0;
    }
    memcpy(text, wire->data + wire->at, (size_t)length);
    text[length] = '\0';
    wire->at += length;
}

int64_t nuce_wire_get_count(struct nuce_wire *wire)
{
    return nuce_wire_get(wire, 0, wire->length - wire->at);
}
