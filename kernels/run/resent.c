/* Two lines of the counters begin with "Tcp:", one of names and one of values in the same order. */
#include "run/resent.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "run/simulation.h"

#define MOST_LINE 1024
#define MOST_WORD 32

/* Puts the next line of file that begins with "Tcp:" into line; 0: there is none. */
static int tcp_line(FILE *file, char line[MOST_LINE])
{
    while (fgets(line, MOST_LINE, file) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        if (strncmp(line, "Tcp:", 4) == 0)
            return 1;
    }
    return 0;
}

/* The value at the same place as its name among names; -1: no such name. */
static int64_t value_named(const char *names, const char *values, const char *name)
{
    char key[MOST_WORD], value[MOST_WORD], *end;

    while (nuce_text_word(&names, key, sizeof key) &&
           nuce_text_word(&values, value, sizeof value)) {
        long long number;

        if (strcmp(key, name) != 0)
            continue;
        errno = 0;
        number = strtoll(value, &end, 10);
        return errno == 0 && end != value && *end == '\0' && number >= 0 ? number : -1;
    }
    return -1;
}

int64_t nuce_resent_segments(const char *path)
{
    /* A simulated network loses nothing, and the counters are those of this machine. */
    FILE *file = nuce_simulation_is_on() ? NULL : fopen(path, "re");
    char names[MOST_LINE], values[MOST_LINE];
    int64_t found = -1;

    if (file == NULL)
        return -1;
    if (tcp_line(file, names) && tcp_line(file, values))
        found = value_named(names, values, "RetransSegs");
    fclose(file);
    return found;
}
