/* What UTF-8 is (RFC 3629), and which of its characters would steer a terminal. */
#include "support/printable.h"

#include <stddef.h>
#include <string.h>

/* The bytes of the UTF-8 character that text begins with, 0 if it begins with none (RFC 3629; the
 * ends of ranges that it excludes, such as surrogates, are excluded too). */
static size_t character_length(const unsigned char *text)
{
    unsigned char low = 0x80, high = 0xbf;
    size_t length;

    if (*text < 0x80)
        return 1;
    if (*text < 0xc2 || *text > 0xf4)
        return 0;
    length = *text < 0xe0 ? 2 : *text < 0xf0 ? 3 : 4;
    if (*text == 0xe0)
        low = 0xa0;
    else if (*text == 0xf0)
        low = 0x90;
    else if (*text == 0xed)
        high = 0x9f;
    else if (*text == 0xf4)
        high = 0x8f;
    for (size_t i = 1; i < length; i++) {
        if (text[i] < low || text[i] > high)
            return 0;
        low = 0x80;
        high = 0xbf;
    }
    return length;
}

/* U+0080 to U+009F control terminals too. */
static int is_control(const unsigned char *text)
{
    return (*text < 0x20 && *text != '\n') || *text == 0x7f || (*text == 0xc2 && text[1] < 0xa0);
}

void nuce_printable_make(char *text)
{
    while (*text != '\0') {
        size_t length = character_length((const unsigned char *)text);

        if (length == 0 || is_control((const unsigned char *)text)) {
            memset(text, '?', length > 0 ? length : 1);
            length = length > 0 ? length : 1;
        }
        text += length;
    }
}
