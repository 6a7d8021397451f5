/* Options as rows of a table. The same row sets a value from text or JSON, writes it back, and
 * knows its preset, so that sweeps, command lines and points cannot differ.
 *
 * A row is an offset into a struct and a type. Members are reached through bytes and copied with
 * memcpy, for any struct. All tables are static data that ends with a row without a name. A look-up
 * walks through one, some tens of rows; nothing here is on a measured path.
 *
 * A sweep, a command line and a line of a plan all call nuce_option_set with a text.
 * nuce_option_json writes a text that nuce_option_set_json reads back to the same bits (%.17g for
 * reals), since the hash of a point is over its text. */
#include "base/option.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"
#include "base/units.h"

const struct nuce_option *nuce_option_find(const struct nuce_option *table, const char *name)
{
    for (; table->name != NULL; table++) {
        if (strcmp(table->name, name) == 0)
            return table;
    }
    return NULL;
}

const struct nuce_option *nuce_option_compared(const struct nuce_option *table)
{
    for (; table->name != NULL; table++) {
        if (table->flags & NUCE_OPTION_COMPARED)
            return table;
    }
    return NULL;
}

int nuce_option_may_race(const struct nuce_option *option)
{
    return (option->flags & (NUCE_OPTION_COMPARED | NUCE_OPTION_TUNING | NUCE_OPTION_RACED)) != 0;
}

int nuce_option_is_compared(const struct nuce_option *option, const json_t *compare)
{
    const json_t *name;
    size_t i;

    if (compare == NULL)
        return (option->flags & (NUCE_OPTION_COMPARED | NUCE_OPTION_TUNING)) != 0;
    json_array_foreach(compare, i, name)
    {
        if (strcmp(json_string_value(name), option->name) == 0)
            return 1;
    }
    return 0;
}

json_t *nuce_option_instance(const struct nuce_option *table, json_t *params, const json_t *compare)
{
    json_t *instance = json_copy(params);

    for (; instance != NULL && table->name != NULL; table++) {
        if (nuce_option_is_compared(table, compare))
            json_object_del(instance, table->name);
    }
    return instance;
}

const char *nuce_option_ended(const char *name)
{
    static const char *const one_pattern = "removed: draw several patterns with instances or seed";
    static const char *const ended[][2] = {
        {"algorithm", "removed: say schedule, decomposition or placement"},
        {"as_long", "renamed: say ratio"},
        {"bound_s", "renamed: say lower_bound_s"},
        {"ci", "renamed: say target-ci"},
        {"control", "renamed: say noise"},
        {"density", "renamed: say degree"},
        {"depth", "renamed: say in-flight"},
        {"found", "renamed: say metrics"},
        {"heat", "renamed: say race"},
        {"limit", "renamed: say time-limit"},
        {"max", "renamed: say max-samples"},
        {"min", "renamed: say min-samples"},
        {"spread", "renamed: say job-per-launch"},
        {"together", "renamed: say zip"},
        {"twin", "renamed: say duplicate"},
        {"unit", "renamed: say item-bytes"},
        {"window", "renamed: say in-flight"},
        {"anonymous", "removed: 'nuce export result' has the times without hosts and users"},
        {"drift", one_pattern},
        {"drift-of", one_pattern},
        {"over_bound", "renamed: say ratio_to_bound"},
        {"results", "renamed: say metrics"},
        {"reuse", "removed: each pattern has a schedule of its own"},
        {"sign", "removed: ssh-keygen -Y sign -n nuce -f KEY BUNDLE"},
        {"signers",
         "removed: ssh-keygen -Y verify -n nuce -f SIGNERS -I NAME -s BUNDLE.sig <BUNDLE"},
        {"steps", one_pattern},
        {"upkeep", "removed: each pattern has a schedule of its own"},
    };

    for (size_t i = 0; i < sizeof ended / sizeof *ended; i++) {
        if (strcmp(name, ended[i][0]) == 0)
            return ended[i][1];
    }
    return NULL;
}

const char *nuce_option_choice(const struct nuce_option *option, size_t index)
{
    if (option->words != NULL)
        return option->words[index];
    return option->choices == NULL ? NULL : option->choices(index);
}

void nuce_option_presets(const struct nuce_option *table, void *params)
{
    struct nuce_error error;

    for (; table->name != NULL; table++) {
        if (table->preset != NULL)
            NUCE_ASSERT(nuce_option_set(table, params, table->preset, &error) == NUCE_OK);
    }
}

static void *option_member(const struct nuce_option *option, void *params)
{
    return (char *)params + option->offset;
}

static const void *const_member(const struct nuce_option *option, const void *params)
{
    return (const char *)params + option->offset;
}

/* The number of names of a CHOICE that a message lists and among which it finds the nearest. The
 * rest of a longer list is omitted. That refuses no value. */
#define CHOICES_SHOWN 64

/* A choice without a list (its names come from elsewhere, such as the pattern of a capture) is only
 * checked for its form. Names in lists fit NUCE_NAME_BYTES: a longer one is a bug. An unknown name
 * is refused with the list of the known ones and the nearest of them. */
static nuce_status set_choice(const struct nuce_option *option, char *out, const char *text,
                              struct nuce_error *error)
{
    const char *names[CHOICES_SHOWN], *name, *nearest;
    char list[1024] = "";
    size_t count = 0, used = 0;

    if (nuce_option_choice(option, 0) == NULL && !nuce_text_is_name(text))
        return nuce_error_refuse(error, option->name, "'%.60s': expected %s", text,
                                 option->argument);
    if (nuce_option_choice(option, 0) == NULL) {
        NUCE_ASSERT(nuce_text_copy(out, NUCE_NAME_BYTES, text));
        return NUCE_OK;
    }
    for (size_t i = 0; (name = nuce_option_choice(option, i)) != NULL; i++) {
        if (strcmp(name, text) == 0) {
            NUCE_ASSERT(nuce_text_copy(out, NUCE_NAME_BYTES, text));
            return NUCE_OK;
        }
    }
    for (; count < CHOICES_SHOWN && nuce_option_choice(option, count) != NULL; count++) {
        int length;

        names[count] = nuce_option_choice(option, count);
        length =
            snprintf(list + used, sizeof list - used, "%s%s", count > 0 ? ", " : "", names[count]);
        used = used + (size_t)length < sizeof list ? used + (size_t)length : sizeof list - 1;
    }
    nearest = nuce_text_nearest(text, names, count);
    if (nearest != NULL)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "unknown %s '%s' (did you mean '%s'?); expected one of: %s",
                              option->name, text, nearest, list);
    return nuce_error_set(error, NUCE_BAD_INPUT, "unknown %s '%s'; expected one of: %s",
                          option->name, text, list);
}

/* Opens and looks up nothing. The reader of a FILE, on rank 0, checks that it exists, so that a
 * line of a plan can be read on a machine without the file. */
static nuce_status option_set_text(const struct nuce_option *option, char *out, const char *text,
                                   struct nuce_error *error)
{
    size_t room = option->room > 0 ? option->room : NUCE_PATH_BYTES;

    if (*text == '\0')
        return nuce_error_refuse(error, option->name, "expected %s, got nothing", option->argument);
    if (!nuce_text_copy(out, room, text))
        return nuce_error_refuse(error, option->name, "longer than %zu bytes: '%.60s...'", room - 1,
                                 text);
    return NUCE_OK;
}

/* Two bounds. POSITIVE is for quantities that may be arbitrarily small but not 0 (a bandwidth, a
 * factor), which have no minimum. NaN is refused before. */
static nuce_status check_minimum(const struct nuce_option *option, double value, const char *text,
                                 struct nuce_error *error)
{
    if ((option->flags & NUCE_OPTION_POSITIVE) && !(value > 0))
        return nuce_error_refuse(error, option->name, "'%s': expected more than 0", text);
    if (value < option->minimum)
        return nuce_error_refuse(error, option->name, "'%s': expected at least %g", text,
                                 option->minimum);
    return NUCE_OK;
}

/* "auto" is kept as 0 where it is the preset, else as -1: neither is a value that a user would want
 * of such an option. It is written back as "auto". */
static int64_t auto_of(const struct nuce_option *option)
{
    return option->preset != NULL && strcmp(option->preset, "auto") == 0 ? 0 : -1;
}

/* Counts and bytes are parsed from real numbers below 2^53, so that holding them against a minimum
 * as doubles is exact. */
static nuce_status set_whole(const struct nuce_option *option, void *params, const char *text,
                             struct nuce_error *error)
{
    int may_be_auto = option->flags & NUCE_OPTION_AUTO;
    int64_t value = auto_of(option);

    if (!may_be_auto || strcmp(text, "auto") != 0) {
        nuce_status status = option->type == NUCE_OPTION_BYTES
                                 ? nuce_units_parse_bytes(text, &value, error)
                                 : nuce_units_parse_count(text, &value, error);
        const struct nuce_error found = *error;

        if (status != NUCE_OK && may_be_auto)
            return nuce_error_refuse(error, option->name, "%s, or auto", found.message);
        if (status != NUCE_OK)
            return nuce_error_about(error, option->name);
        if (check_minimum(option, (double)value, text, error) != NUCE_OK)
            return error->status;
    }
    memcpy(option_member(option, params), &value, sizeof value);
    return NUCE_OK;
}

static nuce_status option_set_real(const struct nuce_option *option, void *params, const char *text,
                                   struct nuce_error *error)
{
    double value;
    nuce_status status = option->type == NUCE_OPTION_DURATION
                             ? nuce_units_parse_duration(text, &value, error)
                             : nuce_units_parse_real(text, &value, error);

    if (status != NUCE_OK)
        return nuce_error_about(error, option->name);
    if (check_minimum(option, value, text, error) != NUCE_OK)
        return error->status;
    memcpy(option_member(option, params), &value, sizeof value);
    return NUCE_OK;
}

/* Bandwidths in bytes per second, durations in seconds; each end may have its own unit. */
static nuce_status set_range(const struct nuce_option *option, void *params, const char *text,
                             struct nuce_error *error)
{
    struct nuce_range range;

    if (nuce_range_parse(text,
                         option->type == NUCE_OPTION_BANDWIDTHS ? nuce_units_parse_bandwidth
                                                                : nuce_units_parse_duration,
                         &range, error) != NUCE_OK)
        return nuce_error_about(error, option->name);
    memcpy(option_member(option, params), &range, sizeof range);
    return NUCE_OK;
}

/* A CHOICE is stored as the name's text, a WORD as its number in the list, because programs switch
 * on it. The lists are short and part of nuce, so a message holds the whole list. */
static nuce_status set_word(const struct nuce_option *option, void *params, const char *text,
                            struct nuce_error *error)
{
    char list[256] = "";
    size_t used = 0;

    for (int i = 0; nuce_option_choice(option, (size_t)i) != NULL; i++) {
        const char *next = nuce_option_choice(option, (size_t)i + 1);

        if (strcmp(nuce_option_choice(option, (size_t)i), text) == 0) {
            memcpy(option_member(option, params), &i, sizeof i);
            return NUCE_OK;
        }
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s",
                                 i == 0         ? ""
                                 : next == NULL ? " or "
                                                : ", ",
                                 nuce_option_choice(option, (size_t)i));
        NUCE_ASSERT(used < sizeof list);
    }
    return nuce_error_refuse(error, option->name, "'%s': expected %s", text, list);
}

/* JSON and YAML write flags as true and false (YAML 1.2 also as True and TRUE); people use all of
 * these. */
static nuce_status set_flag(const struct nuce_option *option, void *params, const char *text,
                            struct nuce_error *error)
{
    static const char *const no_yes[][2] = {
        {"false", "true"},
        {"no", "yes"},
        {"off", "on"},
        {"0", "1"},
    };

    for (size_t i = 0; i < sizeof no_yes / sizeof *no_yes; i++) {
        for (int value = 0; value < 2; value++) {
            if (strcasecmp(text, no_yes[i][value]) == 0) {
                memcpy(option_member(option, params), &value, sizeof value);
                return NUCE_OK;
            }
        }
    }
    return nuce_error_refuse(error, option->name, "'%s': expected true or false", text);
}

/* A TEXT is not copied, because argv lives as long as the program. All other values are copied into
 * the member. */
nuce_status nuce_option_set(const struct nuce_option *option, void *params, const char *text,
                            struct nuce_error *error)
{
    switch (option->type) {
    case NUCE_OPTION_CHOICE:
        return set_choice(option, option_member(option, params), text, error);
    case NUCE_OPTION_FILE:
    case NUCE_OPTION_LIST:
        return option_set_text(option, option_member(option, params), text, error);
    case NUCE_OPTION_COUNT:
    case NUCE_OPTION_BYTES:
        return set_whole(option, params, text, error);
    case NUCE_OPTION_REAL:
    case NUCE_OPTION_DURATION:
        return option_set_real(option, params, text, error);
    case NUCE_OPTION_BANDWIDTHS:
    case NUCE_OPTION_DURATIONS:
        return set_range(option, params, text, error);
    case NUCE_OPTION_WORD:
        return set_word(option, params, text, error);
    case NUCE_OPTION_TEXT:
        memcpy(option_member(option, params), &text, sizeof text);
        return NUCE_OK;
    case NUCE_OPTION_FLAG:
        break;
    }
    return set_flag(option, params, text, error);
}

json_t *nuce_option_json(const struct nuce_option *option, const void *params)
{
    const void *at = const_member(option, params);
    struct nuce_range range;
    char both[64];
    const char *text;
    int64_t whole;
    double real;
    int flag;

    switch (option->type) {
    case NUCE_OPTION_CHOICE:
    case NUCE_OPTION_FILE:
    case NUCE_OPTION_LIST:
        return json_string(at);
    case NUCE_OPTION_COUNT:
    case NUCE_OPTION_BYTES:
        memcpy(&whole, at, sizeof whole);
        return whole == auto_of(option) && (option->flags & NUCE_OPTION_AUTO) ? json_string("auto")
                                                                              : json_integer(whole);
    case NUCE_OPTION_REAL:
    case NUCE_OPTION_DURATION:
        memcpy(&real, at, sizeof real);
        return json_real(real);
    case NUCE_OPTION_BANDWIDTHS:
    case NUCE_OPTION_DURATIONS:
        memcpy(&range, at, sizeof range);
        if (range.low >= range.high)
            return json_real(range.low);
        snprintf(both, sizeof both, "%.17g..%.17g", range.low, range.high);
        return json_string(both);
    case NUCE_OPTION_WORD:
        memcpy(&flag, at, sizeof flag);
        return json_string(nuce_option_choice(option, (size_t)flag));
    case NUCE_OPTION_TEXT:
        memcpy(&text, at, sizeof text);
        return text == NULL ? json_null() : json_string(text);
    case NUCE_OPTION_FLAG:
        break;
    }
    memcpy(&flag, at, sizeof flag);
    return json_boolean(flag);
}

/* Goes through text, so that JSON is checked by the same code as users' texts. %.17g gives back the
 * same double; integers beyond 2^53 are refused there. */
nuce_status nuce_option_set_json(const struct nuce_option *option, void *params,
                                 const json_t *value, struct nuce_error *error)
{
    char text[64];

    if (json_is_string(value))
        return nuce_option_set(option, params, json_string_value(value), error);
    if (json_is_integer(value))
        snprintf(text, sizeof text, "%lld", (long long)json_integer_value(value));
    else if (json_is_real(value))
        snprintf(text, sizeof text, "%.17g", json_real_value(value));
    else if (json_is_boolean(value))
        snprintf(text, sizeof text, "%s", json_is_true(value) ? "true" : "false");
    else
        return nuce_error_refuse(error, option->name, "expected a single value");
    return nuce_option_set(option, params, text, error);
}

/* The number of bytes of a member to compare. Texts are compared as strings: bytes after their end
 * do not count. */
static size_t member_size(const struct nuce_option *option)
{
    switch (option->type) {
    case NUCE_OPTION_CHOICE:
        return NUCE_NAME_BYTES;
    case NUCE_OPTION_FILE:
    case NUCE_OPTION_LIST:
        return NUCE_PATH_BYTES;
    case NUCE_OPTION_COUNT:
    case NUCE_OPTION_BYTES:
        return sizeof(int64_t);
    case NUCE_OPTION_REAL:
    case NUCE_OPTION_DURATION:
        return sizeof(double);
    case NUCE_OPTION_BANDWIDTHS:
    case NUCE_OPTION_DURATIONS:
        return sizeof(struct nuce_range);
    case NUCE_OPTION_TEXT:
        return sizeof(const char *);
    case NUCE_OPTION_WORD:
    case NUCE_OPTION_FLAG:
        break;
    }
    return sizeof(int);
}

/* Sets the preset into a member of its own, at offset 0 of a buffer that any member fits into, and
 * compares the two. So another spelling of the preset ("1e3" and "1000") does not count as set. */
int nuce_option_is_set(const struct nuce_option *option, const void *params)
{
    const char *at = const_member(option, params);
    _Alignas(max_align_t) char preset[NUCE_PATH_BYTES] = {0};
    struct nuce_option row = *option;
    struct nuce_error error;

    row.offset = 0;
    if (row.preset != NULL)
        NUCE_ASSERT(nuce_option_set(&row, preset, row.preset, &error) == NUCE_OK);
    if (option->type <= NUCE_OPTION_LIST)
        return strcmp(at, preset) != 0;
    return memcmp(at, preset, member_size(option)) != 0;
}
