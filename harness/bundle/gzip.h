/* Files that may be packed by gzip, whole in memory. */
#ifndef NUCE_GZIP_H
#define NUCE_GZIP_H

#include <stddef.h>

/* Of a file that is larger than anybody reads through. */
#define NUCE_GZIP_MOST_BYTES (1 << 30)

/* The content of the file at path, unpacked where it is gzip's: a new string of *length bytes and a
 * NUL. NULL where it is larger than NUCE_GZIP_MOST_BYTES, damaged, or cannot be read. */
char *nuce_gzip_read(const char *path, size_t *length);

#endif
