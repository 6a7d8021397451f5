/* Reads what may be gzip'd, by zlib, which reads other files as they are. Stops as soon as it is
 * too much: a few kilobytes can unpack to gigabytes. */
#include "bundle/gzip.h"

#include <stdio.h>
#include <stdlib.h>
#include <zlib.h>

/* That the file was cut off only gzclose says, so its answer counts as well. */
char *nuce_gzip_read(const char *path, size_t *length)
{
    enum { BLOCK = 1 << 16 };
    gzFile file = gzopen(path, "rb");
    char *text = NULL, *block = malloc(BLOCK);
    FILE *stream = open_memstream(&text, length);
    int got = file != NULL && block != NULL && stream != NULL ? 1 : -1;
    long long total = 0;

    while (got > 0 && total < NUCE_GZIP_MOST_BYTES) {
        got = gzread(file, block, BLOCK);
        if (got > 0)
            total += (long long)fwrite(block, 1, (size_t)got, stream);
    }
    if (file != NULL && gzclose(file) != Z_OK)
        got = -1;
    free(block);
    if (stream != NULL && fclose(stream) == 0 && got == 0)
        return text;
    free(text);
    return NULL;
}
