/* The end of a log: what a program said last is near the reason why it ended. Only the last few
 * kilobytes are looked at, since a log may be of any length. */
#include "launch/log_tail.h"

#include <stdio.h>
#include <string.h>

#include "support/printable.h"

#define TAIL_BYTES 8192

/* Reads the end of the file; 0 where that cannot be done. */
static int log_tail_read(const char *path, char text[TAIL_BYTES + 1])
{
    FILE *file = fopen(path, "re");
    size_t length;

    if (file == NULL)
        return 0;
    if (fseeko(file, -TAIL_BYTES, SEEK_END) != 0)
        rewind(file);
    length = fread(text, 1, TAIL_BYTES, file);
    (void)fclose(file);
    text[length] = '\0';
    return 1;
}

void nuce_log_tail_print(const char *path, int most)
{
    char text[TAIL_BYTES + 1], *line, *last;
    int lines = 0;

    if (!log_tail_read(path, text))
        return;
    for (last = text + strlen(text); last > text && lines <= most; last--)
        lines += last[-1] == '\n';
    for (line = last > text ? last + 1 : text; (last = strchr(line, '\n')) != NULL;
         line = last + 1) {
        *last = '\0';
        nuce_printable_make(line);
        (void)printf("             | %s\n", line);
    }
}
