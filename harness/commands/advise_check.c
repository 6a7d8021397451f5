/* The race judges all rules together that replaced a call: which of them did it, it cannot tell. So
 * they hold or go together. Rules of other ranks or patterns, which it did not try, stay.
 *
 * Order: the rules in use; the race; the file. */
#include "commands/advise_check.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/allocate.h"
#include "base/data.h"
#include "base/safe_file.h"
#include "base/text.h"
#include "base/text_file.h"
#include "campaigns/script.h"
#include "commands/subcommand.h"
#include "schedules/tuning_file.h"

extern const struct nuce_subcommand nuce_subcommand_apply;

/* True if the line of a tuning file is a rule that is also in `used`, the text of another one. */
static int is_used(const char *line, int length, const char *used)
{
    struct nuce_tuning_file own = {0};
    char *text = nuce_text_format("nuce-tuning 1\n%.*s\n", length, line);
    struct nuce_text_print rule;
    struct nuce_error ignored;
    int is_one;

    nuce_text_print_begin(&rule);
    fputc('\n', rule.file);
    if (nuce_tuning_file_parse("", text, strlen(text), &own, &ignored) == NUCE_OK && own.count == 1)
        nuce_tuning_rule_print(&own.rules[0], rule.file);
    nuce_text_print_end(&rule);
    is_one = own.count == 1 && strstr(used, rule.text) != NULL;
    nuce_tuning_file_fini(&own);
    free(rule.text);
    free(text);
    return is_one;
}

static int64_t count_used(const char *text, const char *used)
{
    int64_t count = 0;

    for (const char *line = text; *line != '\0'; line += *line == '\n') {
        int length = (int)strcspn(line, "\n");

        count += is_used(line, length, used);
        line += length;
    }
    return count;
}

/* Runs the application once under the file, by 'nuce apply', with its output. *used gets the text
 * of a tuning file of the rules that replaced calls; text: the file's; *count: their number.
 * NUCE_FAILED: none did, or the application failed. */
static nuce_status find_used(const char *path, const char *text, char *const *words, char **used,
                             int64_t *count, struct nuce_error *error)
{
    const struct nuce_subcommand *apply = &nuce_subcommand_apply;
    struct nuce_subcommand_call call = {.arguments = nuce_allocate(1, apply->arguments_bytes),
                                        .behind = (char **)words};
    char *beside = nuce_text_format("%s.XXXXXX", path);
    int empty = mkstemp(beside);
    const char *const given[][2] = {{"tuning", path}, {"used", beside}};

    /* The file itself is replaced in this folder: better refused now than behind the race. */
    if (empty < 0) {
        nuce_error_set(error, NUCE_FAILED, "%s: %s", beside, strerror(errno));
        free(beside);
        free(call.arguments);
        return error->status;
    }
    close(empty);
    for (size_t i = 0; i < sizeof given / sizeof *given; i++)
        NUCE_ASSERT(nuce_option_set(nuce_option_find(apply->options, given[i][0]), call.arguments,
                                    given[i][1], error) == NUCE_OK);
    if (apply->run(&call, error) == NUCE_OK && call.ended != 0)
        nuce_error_set(error, NUCE_FAILED,
                       "%s: the application ended with status %d under it: nothing was withdrawn",
                       path, call.ended);
    if (error->status == NUCE_OK && nuce_text_read(beside, used, NULL, error) == NUCE_OK)
        *count = count_used(text, *used);
    if (error->status == NUCE_OK && *count == 0)
        nuce_error_set(error, NUCE_FAILED,
                       "%s: it replaced no call of the application: nothing to check", path);
    unlink(beside);
    free(beside);
    free(call.arguments);
    return error->status;
}

/* Appends the words, in the notation of a shell. */
static void append_words(char **text, char *const *words)
{
    for (; *words != NULL; words++) {
        char *quoted = nuce_script_quote(*words);

        nuce_text_append(text, "%s%s", *text != NULL ? " " : "", quoted);
        free(quoted);
    }
}

static nuce_status race(const char *path, char *const *words, const struct nuce_race_option *given,
                        struct nuce_race_verdict *out, struct nuce_error *error)
{
    char *nuce = nuce_data_program_path("nuce", error), *commands[2] = {NULL, NULL};

    if (nuce != NULL) {
        append_words(&commands[0], words);
        append_words(&commands[1], (char *[]){nuce, NULL});
        nuce_text_append(&commands[1], " apply --tuning");
        append_words(&commands[1], (char *[]){(char *)path, NULL});
        nuce_text_append(&commands[1], " --");
        append_words(&commands[1], words);
        nuce_race_two(given, commands, out, error);
    }
    free(nuce);
    free(commands[0]);
    free(commands[1]);
    return error->status;
}

/* "1.01x [0.97, 1.05], 12 launches, campaign check.1"; a new string. */
static char *evidence(const struct nuce_race_verdict *verdict)
{
    double middle = verdict->ratios.middle, reach = verdict->ratios.reach;
    char *said = NULL;

    if (verdict->ratios.count > 0)
        nuce_text_append(&said, "%.2fx", exp(middle));
    if (verdict->ratios.count > 0 && isfinite(reach))
        nuce_text_append(&said, " [%.2f, %.2f]", exp(middle - reach), exp(middle + reach));
    nuce_text_append(&said, "%s%lld launch%s, campaign %s", said != NULL ? ", " : "",
                     (long long)verdict->ratios.count, verdict->ratios.count == 1 ? "" : "es",
                     verdict->campaign);
    return said;
}

/* Turns the used rules of the file into comments, below one that says why. text: the file before
 * the race; another one now was not raced. */
static nuce_status withdraw(const char *path, const char *text, const char *used,
                            const char *reason, struct nuce_error *error)
{
    char *now = NULL, *whole = realpath(path, NULL);
    struct nuce_text_print out;
    char date[sizeof "2026-01-01"];
    time_t seconds = time(NULL);
    struct tm day;

    if (whole == NULL || nuce_text_read(whole, &now, NULL, error) != NUCE_OK ||
        strcmp(now, text) != 0) {
        free(now);
        free(whole);
        return nuce_error_set(error, NUCE_FAILED,
                              "%s: it has changed during the race: nothing was withdrawn", path);
    }
    strftime(date, sizeof date, "%Y-%m-%d", gmtime_r(&seconds, &day));
    nuce_text_print_begin(&out);
    for (const char *line = text, *next; *line != '\0'; line = next) {
        int length = (int)strcspn(line, "\n");

        next = line + length + (line[length] == '\n');
        if (is_used(line, length, used))
            fprintf(out.file, "# withdrawn %s: %s\n#   ", date, reason);
        fprintf(out.file, "%.*s\n", length, line);
    }
    nuce_text_print_end(&out);
    nuce_safe_write_path(whole, out.text, out.length, error);
    free(out.text);
    free(now);
    free(whole);
    return error->status;
}

/* Outcomes of the race of the application under the rules; all but the first withdraw them. */
static const char *finding(const struct nuce_race_verdict *verdict)
{
    return verdict->has_failed                   ? "fails"
           : verdict->known == NUCE_KNOWN_FASTER ? "is faster"
           : verdict->known == NUCE_KNOWN_SLOWER ? "is slower"
           : verdict->known == NUCE_KNOWN_SAME   ? "is as fast as without"
                                                 : "is not shown to be faster";
}

nuce_status nuce_advise_check(const char *path, char *const *words,
                              const struct nuce_race_option *options, int *ended,
                              struct nuce_error *error)
{
    struct nuce_race_verdict verdict = {0};
    char *text = NULL, *used = NULL, *said = NULL, *reason = NULL;
    const char *unjudged;
    int64_t count = 0;

    if (nuce_race_check(options, error) != NUCE_OK ||
        nuce_text_read(path, &text, NULL, error) != NUCE_OK ||
        find_used(path, text, words, &used, &count, error) != NUCE_OK ||
        race(path, words, options, &verdict, error) != NUCE_OK)
        goto done;
    *ended = verdict.ended;
    unjudged = verdict.ended == nuce_error_exit_status(NUCE_INTERRUPTED)
                   ? "the race was interrupted"
               : verdict.is_useless ? "the application fails without its rules"
               : verdict.ratios.count == 0 && !verdict.has_failed ? "nothing was measured"
                                                                  : NULL;
    if (unjudged != NULL) {
        printf("%s: nothing was withdrawn: %s\n", path, unjudged);
        goto done;
    }
    said = evidence(&verdict);
    reason = nuce_text_format("the application %s: %s", finding(&verdict), said);
    if (!verdict.has_failed && verdict.known == NUCE_KNOWN_FASTER) {
        printf("%s: %lld rule%s hold%s: %s\n", path, (long long)count, nuce_text_plural(count),
               count == 1 ? "s" : "", reason);
        goto done;
    }
    if (withdraw(path, text, used, reason, error) == NUCE_OK)
        printf("%s: %lld rule%s withdrawn: %s\n", path, (long long)count, nuce_text_plural(count),
               reason);
    if (verdict.ended == 0)
        *ended = 1;
done:
    free(verdict.campaign);
    free(text);
    free(used);
    free(said);
    free(reason);
    return error->status;
}
