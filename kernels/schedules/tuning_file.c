/* Reading, writing and asking tuning files. A file is refused as a whole: half of an advice would
 * look like all of it. */
#include "schedules/tuning_file.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/data.h"
#include "base/int.h"
#include "base/scanner.h"
#include "base/text.h"
#include "base/text_file.h"

#define FORMAT_NAME "nuce-tuning"
#define FORMAT_VERSION 1
#define LIBRARY "library"
#define RULE                                                                                       \
    "CALL ranks=P pattern=HEX or bytes=A..B degree=A..B, schedule=NAME, and both or none of "      \
    "call-time=T ratio=X"

const char *const nuce_tuning_calls[] = {"alltoallv", "alltoallw", "neighbor_alltoallv",
                                         "neighbor_alltoallw", NULL};

/* clang-format off */
const struct nuce_option nuce_tuning_options[] = {
#define NUCE_TUNING(bit_, type_, member_, value_, name_, preset_, argument_, help_, flags_, ...)   \
    NUCE_OPTION(type_, name_, offsetof(struct nuce_tuning, member_), preset_, argument_, help_,    \
                .flags = NUCE_OPTION_TUNING | (flags_), .uses = NUCE_USES_##bit_, __VA_ARGS__),
#include "schedules/tuning.inc"
#undef NUCE_TUNING
    {.name = NULL},
};
/* clang-format on */

/* The parts of a rule that were read; with those of options, each at most once. */
enum rule_key {
    KEY_RANKS,
    KEY_PATTERN,
    KEY_BYTES,
    KEY_DEGREE,
    KEY_SCHEDULE,
    KEY_CALL_TIME,
    KEY_RATIO,
    KEYS
};
static const char *const key_names[KEYS] = {"ranks",    "pattern",   "bytes", "degree",
                                            "schedule", "call-time", "ratio"};

/* Those of the races. */
static const struct nuce_option raced[] = {
    NUCE_OPTION(DURATION, "call-time", offsetof(struct nuce_tuning_rule, call_time_s), NULL, "T",
                "time of a call without the rule", .flags = NUCE_OPTION_POSITIVE),
    NUCE_OPTION(REAL, "ratio", offsetof(struct nuce_tuning_rule, ratio), NULL, "X",
                "time under the rule to that", .flags = NUCE_OPTION_POSITIVE),
};

/* A word of a rule, NAME=VALUE, as strings. */
struct rule_word {
    const char *at, *value_at; /* in the text, for messages */
    char name[NUCE_NAME_BYTES], value[NUCE_PATH_BYTES];
};

static nuce_status take_word(struct nuce_scanner *scanner, struct rule_word *out,
                             struct nuce_error *error)
{
    struct nuce_word word = {0};
    const char *sign;

    if (nuce_scanner_word(scanner, RULE, &word, error) != NUCE_OK)
        return error->status;
    sign = memchr(word.text, '=', (size_t)word.length);
    if (sign == NULL || sign - word.text >= NUCE_NAME_BYTES ||
        word.text + word.length - sign > NUCE_PATH_BYTES ||
        memchr(word.text, '\0', (size_t)word.length) != NULL)
        return nuce_scanner_fail(scanner, word.text, error, "'%.*s': expected NAME=VALUE",
                                 nuce_word_quoted(word), word.text);
    out->at = word.text;
    out->value_at = sign + 1;
    snprintf(out->name, sizeof out->name, "%.*s", (int)(sign - word.text), word.text);
    snprintf(out->value, sizeof out->value, "%.*s", (int)(word.text + word.length - sign - 1),
             sign + 1);
    return NUCE_OK;
}

/* A whole number in low .. high at *text, which moves behind it. */
static int take_number(const char **text, int64_t low, int64_t high, int64_t *out)
{
    char *end;

    if (**text < '0' || **text > '9' || strspn(*text, "0123456789") > 18)
        return 0;
    *out = strtoll(*text, &end, 10);
    *text = end;
    return *out >= low && *out <= high;
}

static nuce_status set_span(const struct nuce_scanner *scanner, const struct rule_word *word,
                            struct nuce_tuning_span *out, struct nuce_error *error)
{
    const char *text = word->value;
    int is_good = take_number(&text, 0, INT64_MAX, &out->low) && strncmp(text, "..", 2) == 0;

    text += is_good ? 2 : 0;
    if (!is_good || !take_number(&text, out->low, INT64_MAX, &out->high) || *text != '\0')
        return nuce_scanner_fail(scanner, word->value_at, error,
                                 "'%.60s': expected a range of whole numbers, such as 16..256",
                                 word->value);
    return NUCE_OK;
}

/* Sets the part of the rule that the word names. */
static nuce_status set_key(const struct nuce_scanner *scanner, const struct rule_word *word,
                           enum rule_key key, struct nuce_tuning_rule *rule,
                           struct nuce_error *error)
{
    const char *text = word->value;
    struct nuce_error reason;
    int64_t number;
    char *end;

    switch (key) {
    case KEY_RANKS:
        if (!take_number(&text, 1, NUCE_PATTERN_MAX_RANKS, &number) || *text != '\0')
            return nuce_scanner_fail(scanner, word->value_at, error,
                                     "'%.60s': expected a number of ranks, 1 to %d", word->value,
                                     NUCE_PATTERN_MAX_RANKS);
        rule->ranks = nuce_int(number);
        return NUCE_OK;
    case KEY_PATTERN:
        rule->fingerprint = strtoull(text, &end, 16);
        if (strlen(text) != 16 || strspn(text, "0123456789abcdef") != 16)
            return nuce_scanner_fail(scanner, word->value_at, error,
                                     "'%.60s': expected the fingerprint of a pattern, 16 "
                                     "hexadecimal digits",
                                     word->value);
        return NUCE_OK;
    case KEY_BYTES:
        return set_span(scanner, word, &rule->bytes, error);
    case KEY_DEGREE:
        return set_span(scanner, word, &rule->degree, error);
    case KEY_CALL_TIME:
    case KEY_RATIO:
        if (nuce_option_set(&raced[key - KEY_CALL_TIME], rule, text, &reason) != NUCE_OK)
            return nuce_scanner_fail(scanner, word->value_at, error, "%s",
                                     nuce_error_flatten(&reason));
        return NUCE_OK;
    default:
        rule->schedule = nuce_schedule_find(text);
        if (strcmp(text, LIBRARY) != 0 &&
            (rule->schedule == NULL || rule->schedule->needs > NUCE_NEEDS_GROUPS))
            return nuce_scanner_fail(scanner, word->value_at, error,
                                     "'%.60s': expected a schedule for any pattern ('nuce list "
                                     "schedules'), or " LIBRARY,
                                     word->value);
        return NUCE_OK;
    }
}

/* Options come after the schedule, which must use them. */
static nuce_status set_option(const struct nuce_scanner *scanner, const struct rule_word *word,
                              struct nuce_tuning_rule *rule, unsigned *given,
                              struct nuce_error *error)
{
    const struct nuce_option *option = nuce_option_find(nuce_tuning_options, word->name);
    struct nuce_error reason;

    if (option == NULL)
        return nuce_scanner_fail(scanner, word->at, error,
                                 "'%.60s': expected " RULE ", or an option of the schedule",
                                 word->name);
    if (rule->schedule == NULL || (rule->schedule->uses & option->uses) == 0)
        return nuce_scanner_fail(
            scanner, word->at, error,
            "'%.60s': expected an option that the schedule in front of it uses", word->name);
    if (*given & option->uses)
        return nuce_scanner_fail(scanner, word->at, error, "'%.60s': expected once", word->name);
    *given |= option->uses;
    if (nuce_option_set(option, &rule->tuning, word->value, &reason) != NUCE_OK)
        return nuce_scanner_fail(scanner, word->value_at, error, "%s", nuce_error_flatten(&reason));
    return NUCE_OK;
}

/* Reads the words behind the call. */
static nuce_status read_rule(struct nuce_scanner *scanner, struct nuce_tuning_rule *rule,
                             struct nuce_error *error)
{
    const char *start = scanner->at;
    unsigned options = 0;
    int given[KEYS] = {0};
    struct rule_word word;

    while (nuce_scanner_has_word(scanner)) {
        int key = 0;

        if (take_word(scanner, &word, error) != NUCE_OK)
            return error->status;
        while (key < KEYS && strcmp(word.name, key_names[key]) != 0)
            key++;
        if (key < KEYS && given[key]++ > 0)
            return nuce_scanner_fail(scanner, word.at, error, "'%s': expected once", word.name);
        if (key < KEYS ? set_key(scanner, &word, key, rule, error) != NUCE_OK
                       : set_option(scanner, &word, rule, &options, error) != NUCE_OK)
            return error->status;
    }
    rule->is_class = !given[KEY_PATTERN];
    if (!given[KEY_RANKS] || !given[KEY_SCHEDULE] || given[KEY_BYTES] != rule->is_class ||
        given[KEY_DEGREE] != rule->is_class || given[KEY_CALL_TIME] != given[KEY_RATIO])
        return nuce_scanner_fail(scanner, start, error, "'%s': expected " RULE, rule->call);
    return NUCE_OK;
}

/* Adds the rule; a second one for the same pattern would never be found. */
static nuce_status add_rule(const struct nuce_scanner *scanner, const char *start,
                            const struct nuce_tuning_rule *rule, struct nuce_tuning_file *file,
                            struct nuce_error *error)
{
    for (int64_t i = 0; i < file->count && !rule->is_class; i++) {
        const struct nuce_tuning_rule *other = &file->rules[i];

        if (!other->is_class && other->fingerprint == rule->fingerprint &&
            other->ranks == rule->ranks && strcmp(other->call, rule->call) == 0)
            return nuce_scanner_fail(scanner, start, error,
                                     "'%016" PRIx64
                                     "': a second rule for this pattern: expected one",
                                     rule->fingerprint);
    }
    nuce_allocate_more((void **)&file->rules, &file->capacity, file->count + 1, sizeof *rule);
    file->rules[file->count++] = *rule;
    return NUCE_OK;
}

/* The rest of the line up to a comment, without blanks around it: a new string in *out. */
static nuce_status read_text(struct nuce_scanner *scanner, const char *start, char **out,
                             struct nuce_error *error)
{
    const char *begin, *end;

    if (*out != NULL)
        return nuce_scanner_fail(scanner, start, error, "'%.*s': expected once",
                                 (int)(scanner->at - start), start);
    if (!nuce_scanner_has_word(scanner))
        return nuce_scanner_fail(scanner, start, error, "'%.*s': expected a name behind it",
                                 (int)(scanner->at - start), start);
    begin = end = scanner->at;
    while (nuce_scanner_has_word(scanner)) {
        struct nuce_word word;

        if (nuce_scanner_word(scanner, "a name", &word, error) != NUCE_OK)
            return error->status;
        end = word.text + word.length;
    }
    *out = nuce_text_format("%.*s", (int)(end - begin), begin);
    return NUCE_OK;
}

/* One line that is not blank. */
static nuce_status read_line(struct nuce_scanner *scanner, struct nuce_tuning_file *file,
                             struct nuce_error *error)
{
    struct nuce_tuning_rule rule = {.tuning = nuce_tuning_preset};
    struct nuce_word word;
    int call = 0;

    if (nuce_scanner_word(scanner, "a call", &word, error) != NUCE_OK)
        return error->status;
    if (nuce_word_is(word, "machine:"))
        return read_text(scanner, word.text, &file->machine, error);
    if (nuce_word_is(word, "mpi:"))
        return read_text(scanner, word.text, &file->mpi, error);
    while (nuce_tuning_calls[call] != NULL && !nuce_word_is(word, nuce_tuning_calls[call]))
        call++;
    if (nuce_tuning_calls[call] == NULL)
        return nuce_scanner_fail(scanner, word.text, error,
                                 "'%.*s': expected machine:, mpi:, or a call: alltoallv, "
                                 "alltoallw, neighbor_alltoallv or neighbor_alltoallw",
                                 nuce_word_quoted(word), word.text);
    NUCE_ASSERT(nuce_text_copy(rule.call, sizeof rule.call, nuce_tuning_calls[call]));
    if (read_rule(scanner, &rule, error) != NUCE_OK)
        return error->status;
    return add_rule(scanner, word.text, &rule, file, error);
}

nuce_status nuce_tuning_file_parse(const char *name, const char *text, size_t length,
                                   struct nuce_tuning_file *out, struct nuce_error *error)
{
    struct nuce_tuning_file file = {0};
    struct nuce_word word = {0};
    struct nuce_scanner scanner;
    int64_t version = 0;

    nuce_scanner_init(&scanner, name, text, length);
    scanner.comment = '#';
    nuce_scanner_skip_lines(&scanner, '#');
    error->status = nuce_scanner_word(&scanner, FORMAT_NAME " 1", &word, error);
    if (error->status == NUCE_OK && !nuce_word_is(word, FORMAT_NAME))
        nuce_scanner_fail(&scanner, word.text, error, "'%.*s': expected " FORMAT_NAME " 1",
                          nuce_word_quoted(word), word.text);
    if (error->status == NUCE_OK)
        error->status = nuce_scanner_integer(&scanner, "the version", FORMAT_VERSION,
                                             FORMAT_VERSION, &version, error);
    if (error->status == NUCE_OK)
        error->status = nuce_scanner_line_end(&scanner, FORMAT_NAME " 1", error);
    while (error->status == NUCE_OK && nuce_scanner_skip_lines(&scanner, '#'))
        error->status = read_line(&scanner, &file, error);
    if (error->status != NUCE_OK) {
        nuce_tuning_file_fini(&file);
        return error->status;
    }
    file.machine = file.machine == NULL ? nuce_text_duplicate("") : file.machine;
    file.mpi = file.mpi == NULL ? nuce_text_duplicate("") : file.mpi;
    *out = file;
    return NUCE_OK;
}

nuce_status nuce_tuning_file_read(const char *path, struct nuce_tuning_file *out,
                                  struct nuce_error *error)
{
    size_t length;
    char *text;

    if (nuce_data_check_file(path, "a tuning file", error) != NUCE_OK ||
        nuce_text_read(path, &text, &length, error) != NUCE_OK)
        return error->status;
    error->status = nuce_tuning_file_parse(path, text, length, out, error);
    free(text);
    return error->status;
}

void nuce_tuning_file_fini(struct nuce_tuning_file *file)
{
    free(file->machine);
    free(file->mpi);
    free(file->rules);
    *file = (struct nuce_tuning_file){0};
}

void nuce_tuning_file_print_head(const char *machine, const char *mpi, FILE *out)
{
    fprintf(out, FORMAT_NAME " %d\n", FORMAT_VERSION);
    if (*machine != '\0')
        fprintf(out, "machine: %s\n", machine);
    if (*mpi != '\0')
        fprintf(out, "mpi: %s\n", mpi);
}

/* Reals in full, so that they are read back to the same bits. */
static void print_option(const struct nuce_option *option, const struct nuce_tuning *tuning,
                         FILE *out)
{
    const char *member = (const char *)tuning + option->offset;

    fprintf(out, " %s=", option->name);
    if (option->type == NUCE_OPTION_COUNT)
        fprintf(out, "%" PRId64, *(const int64_t *)(const void *)member);
    else if (option->type == NUCE_OPTION_REAL || option->type == NUCE_OPTION_DURATION)
        fprintf(out, "%.17g%s", *(const double *)(const void *)member,
                option->type == NUCE_OPTION_DURATION ? "s" : "");
    else
        fputs(member, out);
}

void nuce_tuning_rule_print(const struct nuce_tuning_rule *rule, FILE *out)
{
    fprintf(out, "%s ranks=%d", rule->call, rule->ranks);
    if (rule->is_class)
        fprintf(out, " bytes=%" PRId64 "..%" PRId64 " degree=%" PRId64 "..%" PRId64,
                rule->bytes.low, rule->bytes.high, rule->degree.low, rule->degree.high);
    else
        fprintf(out, " pattern=%016" PRIx64, rule->fingerprint);
    fprintf(out, " schedule=%s", rule->schedule == NULL ? LIBRARY : rule->schedule->name);
    for (const struct nuce_option *row = nuce_tuning_options;
         rule->schedule != NULL && row->name != NULL; row++) {
        if ((row->uses & rule->schedule->uses) != 0 && nuce_option_is_set(row, &rule->tuning))
            print_option(row, &rule->tuning, out);
    }
    if (rule->ratio > 0)
        fprintf(out, " call-time=%.6gs ratio=%.6g", rule->call_time_s, rule->ratio);
    fputc('\n', out);
}

static int contains(struct nuce_tuning_span span, double value)
{
    return value >= (double)span.low && value <= (double)span.high;
}

const struct nuce_tuning_rule *nuce_tuning_file_find(const struct nuce_tuning_file *file,
                                                     const struct nuce_tuning_call *call)
{
    const struct nuce_tuning_rule *class = NULL;

    for (int64_t i = 0; i < file->count; i++) {
        const struct nuce_tuning_rule *rule = &file->rules[i];

        if (rule->ranks != call->ranks || strcmp(rule->call, call->name) != 0)
            continue;
        if (!rule->is_class && rule->fingerprint == call->fingerprint)
            return rule;
        if (class == NULL && rule->is_class && contains(rule->bytes, call->bytes) &&
            contains(rule->degree, call->degree))
            class = rule;
    }
    return class;
}
