/* Shows the progress of a campaign on one line. A terminal gets a rewritten line a few times a
 * second. A file gets a line now and then, so that a log of hours stays short. The time left
 * follows from the mean of the runs so far, whose instances come in random order.
 *
 * "\r\033[K" goes to the first column and erases to the end of the line (ECMA-48, EL). */
#include "campaigns/progress.h"

#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/printable.h"
#include "base/text.h"
#include "base/units.h"
#include "campaigns/inputs.h"

/* Minimum time between two lines: on a terminal, and in a file. */
#define TERMINAL_SECONDS 0.2
#define PLAIN_SECONDS 15.0

/* A rewritten line must not wrap: its maximum width on a terminal of unknown width. */
#define SHOWN_COLUMNS 90

/* Starts as if a line had just been shown: a campaign that ends at once shows none. */
void nuce_progress_init(struct nuce_progress *progress, FILE *out, int64_t total)
{
    double now = nuce_clock();

    *progress = (struct nuce_progress){.out = out,
                                       .terminal = isatty(fileno(out)),
                                       .start_s = now,
                                       .shown_s = now,
                                       .total = total};
}

/* race: text in place of the point's contender, if the whole race races; NULL: the contender.
 * Options are written as users write them, without flags that are not set. A new string. */
static char *describe_as(const struct nuce_campaign_point *point, const char *race)
{
    const json_t *params = json_object_get(point->line, "params");
    const struct nuce_option *compared = nuce_option_compared(point->workload->options);
    const char *separator = ":", *name = race, *factor;
    char *text = nuce_text_format("%d rank%s", point->ranks, nuce_text_plural(point->ranks));
    json_t *set;

    if (race == NULL && compared != NULL)
        name = json_string_value(json_object_get(params, compared->name));
    /* First, because the line may be cut: points differ by it most. */
    if (name != NULL) {
        nuce_text_append(&text, ": %s", name);
        separator = ",";
    }
    json_object_foreach(json_object_get(point->line, "launch"), factor, set)
    {
        if (json_is_integer(set))
            nuce_text_append(&text, "%s %s %lld", separator, factor,
                             (long long)json_integer_value(set));
        else
            nuce_text_append(&text, "%s %s %s", separator, factor,
                             json_is_string(set) ? json_string_value(set) : "not set");
        separator = ",";
    }
    for (const struct nuce_option *row = point->workload->options; row->name != NULL; row++) {
        const json_t *value = json_object_get(params, row->name);
        const char *word = json_string_value(value);
        char buffer[NUCE_UNITS_BYTES];

        if (value == NULL || row == compared)
            continue;
        /* Users know only the name of a copy in the campaign. */
        if (word != NULL && row->type == NUCE_OPTION_FILE && nuce_inputs_is_name(word))
            word = strrchr(word, '/') + 1;
        if (word == NULL && row->type == NUCE_OPTION_BYTES)
            word = nuce_units_format_bytes(json_integer_value(value), buffer);
        if (word != NULL)
            nuce_text_append(&text, "%s %s %s", separator, row->name, word);
        else if (json_is_number(value))
            nuce_text_append(&text, "%s %s %g", separator, row->name, json_number_value(value));
        else if (json_is_true(value))
            nuce_text_append(&text, "%s %s", separator, row->name);
        separator = ",";
    }
    return text;
}

char *nuce_progress_describe(const struct nuce_campaign_point *point)
{
    return describe_as(point, NULL);
}

/* In a race the line names all contenders, because each has its turn in every round. The time left
 * is missing before the first point is done. A line on a terminal has one character less than the
 * window: some terminals wrap after one in the last column. */
void nuce_progress_show(struct nuce_progress *progress, const struct nuce_progress_now *now)
{
    double now_s = nuce_clock(), elapsed_s = now_s - progress->start_s;
    int64_t done = progress->done, to_do = progress->total - done;
    char left[NUCE_UNITS_BYTES + 16] = "", buffer[NUCE_UNITS_BYTES], head[128];
    char launch[64] = "", race[128], *what;
    int columns = INT_MAX;

    if (now_s - progress->shown_s < (progress->terminal ? TERMINAL_SECONDS : PLAIN_SECONDS))
        return;
    progress->shown_s = now_s;
    if (now->launches > 1)
        snprintf(launch, sizeof launch, ", launch %lld of %lld", (long long)now->launch,
                 (long long)now->launches);
    snprintf(race, sizeof race, "%lld contenders race%s", (long long)now->contenders, launch);
    what = now->point == NULL     ? nuce_text_duplicate("between points")
           : now->contenders <= 1 ? nuce_progress_describe(now->point)
                                  : describe_as(now->point, race);
    if (done > 0 && to_do > 0 && !progress->is_open)
        snprintf(left, sizeof left, ", about %s left",
                 nuce_units_format_seconds(elapsed_s / (double)done * (double)to_do, buffer));
    snprintf(head, sizeof head, "%lld/%lld%s  ", (long long)done, (long long)progress->total, left);
    if (progress->terminal) {
        struct winsize window;
        int is_known = ioctl(fileno(progress->out), TIOCGWINSZ, &window) == 0 && window.ws_col > 0;

        columns = (is_known ? window.ws_col - 1 : SHOWN_COLUMNS) - (int)strlen(head);
    }
    fprintf(progress->out, "%s%s%.*s%s", progress->terminal ? "\r\033[K" : "", head,
            columns > 0 ? columns : 0, what, progress->terminal ? "" : "\n");
    fflush(progress->out);
    free(what);
}

void nuce_progress_say(struct nuce_progress *progress, const char *format, ...)
{
    va_list arguments;
    char *text;

    if (progress->terminal)
        fputs("\r\033[K", progress->out);
    va_start(arguments, format);
    text = nuce_text_format_list(format, arguments);
    va_end(arguments);
    nuce_printable_fold(text, nuce_printable_columns(progress->out), 0, 2, progress->out);
    free(text);
    fputc('\n', progress->out);
    fflush(progress->out);
}

void nuce_progress_end(struct nuce_progress *progress)
{
    if (progress->terminal)
        fputs("\r\033[K", progress->out);
    fflush(progress->out);
}
