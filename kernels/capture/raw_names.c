/* Names of what a raw file numbers.
 *
 * The order is that of the enumerations in raw.h; what is printed, and read by users of captures,
 * are these names. */
#include "capture/raw.h"

const char *nuce_raw_kind_name(int kind)
{
#define KIND_NAME(name) #name,
    static const char *const names[] = {NUCE_RAW_KINDS(KIND_NAME)};
#undef KIND_NAME

    return kind > NUCE_RAW_NO_KIND && kind < NUCE_RAW_KINDS_END ? names[kind - 1] : NULL;
}
