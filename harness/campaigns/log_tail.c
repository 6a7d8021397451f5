/* The end of a log: what a program said last is near the reason why it ended. Only the last few
 * kilobytes are looked at, since a log may be of any length. */
#include "campaigns/log_tail.h"

#include <stdio.h>
#include <string.h>

#include "base/printable.h"
#include "base/text_file.h"

#define TAIL_BYTES 8192

/* Where the last so many lines begin; the last one need not have ended. */
static char *last_lines(char *text, long length, int most)
{
    char *at = text + length - (length > 0 && text[length - 1] == '\n');

    while (at > text && most > 0) {
        at--;
        most -= *at == '\n';
    }
    return *at == '\n' ? at + 1 : at;
}

void nuce_log_tail_print(const char *path, int most)
{
    char text[TAIL_BYTES + 1];
    long length = nuce_text_read_end(path, text, sizeof text);

    if (length <= 0)
        return;
    for (char *line = last_lines(text, length, most); *line != '\0';) {
        size_t ends = strcspn(line, "\n");
        char *next = line + ends + (line[ends] == '\n');

        line[ends] = '\0';
        nuce_printable_make(line);
        printf("             | %s\n", line);
        line = next;
    }
}
