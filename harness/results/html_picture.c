/* A picture of gnuplot's on a page.
 *
 * As an image and not as elements of the page: a browser runs no script of an image and loads
 * nothing for it, so that nobody has to know what an SVG file can hold; and pictures keep their
 * ids, which are the same in all of gnuplot's, to themselves. The page's policy (html_page.c)
 * allows images from data: alone. */
#include <openssl/evp.h>
#include <stdlib.h>
#include <string.h>

#include "results/html.h"
#include "support/allocate.h"

/* What of the height a picture has above its panels for the title and below for the footer. */
#define BANDS 0.14

/* Base64 makes 4 characters of each 3 bytes, in blocks that are whole, and this many bytes fit. */
#define MOST_BYTES (1 << 30)

nuce_status nuce_html_picture(FILE *file, const char *svg, int width, int height, const char *label,
                              struct nuce_error *error)
{
    size_t length = strlen(svg);
    unsigned char *base64;

    if (length > MOST_BYTES)
        return nuce_error_set(error, NUCE_BAD_INPUT, "a picture of %zu bytes", length);
    base64 = nuce_allocate((int64_t)(length + 2) / 3 * 4 + 1, 1, error);
    if (base64 == NULL)
        return error->status;
    (void)EVP_EncodeBlock(base64, (const unsigned char *)svg, (int)length);
    (void)fputs("<img alt=\"", file);
    nuce_html_text(file, label);
    (void)fprintf(file,
                  "\" style=\"aspect-ratio: %d / %.0f\" src=\"data:image/svg+xml;base64,%s\"/>",
                  width, (1 - BANDS) * height, (const char *)base64);
    free(base64);
    return NUCE_OK;
}
