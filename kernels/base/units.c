/* Numbers with units as users write them: 4KiB, 10e6, 30s.
 *
 * Units are compared whole and with their case: "m" is a minute for durations and invalid for
 * bytes, "M" is a million for counts and a MiB for bytes. Values are doubles until the end, so
 * whole numbers are exact below 2^53. */
#include "base/units.h"

#include <ctype.h>
#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A unit after a number, and the factor of that number. "": no unit. */
struct unit {
    const char *name;
    double factor;
};

static const struct unit byte_units[] = {
    {"", 1},
    {"B", 1},
    {"kB", 1e3},
    {"KB", 1e3},
    {"MB", 1e6},
    {"GB", 1e9},
    {"TB", 1e12},
    {"KiB", 1024.0},
    {"MiB", 1048576.0},
    {"GiB", 1073741824.0},
    {"TiB", 1099511627776.0},
    {NULL, 0},
};

/* Further units that dd, split and truncate accept: a letter alone is a power of 1024. */
static const struct unit size_units[] = {
    {"k", 1024.0},           {"K", 1024.0},       {"Ki", 1024.0},       {"M", 1048576.0},
    {"Mi", 1048576.0},       {"G", 1073741824.0}, {"Gi", 1073741824.0}, {"T", 1099511627776.0},
    {"Ti", 1099511627776.0}, {NULL, 0},
};

static const struct unit count_units[] = {
    {"", 1},     {"k", 1e3},     {"K", 1e3},        {"M", 1e6},           {"G", 1e9},
    {"T", 1e12}, {"Ki", 1024.0}, {"Mi", 1048576.0}, {"Gi", 1073741824.0}, {"Ti", 1099511627776.0},
    {NULL, 0},
};

static const struct unit time_units[] = {
    {"", 1},   {"ns", 1e-9}, {"us", 1e-6}, {"ms", 1e-3}, {"s", 1},  {"sec", 1},
    {"m", 60}, {"min", 60},  {"h", 3600},  {"d", 86400}, {NULL, 0},
};

/* Blanks as isspace defines them in the locale "C", which no program of nuce leaves. */
static const char *skip_blanks(const char *text)
{
    while (isspace((unsigned char)*text))
        text++;
    return text;
}

/* Parses a decimal number at the start of text; only forms that both strtod and a reader take for
 * one (no hexadecimal, no inf, no nan, nothing beyond the range of a double). Never gives -0, which
 * would be a second way to write 0 in a canonical form. Returns the text after the number and
 * blanks, or NULL. */
static const char *units_parse_number(const char *text, double *out)
{
    const char *digits;
    char *end = NULL;

    text = skip_blanks(text);
    digits = text + (*text == '-' || *text == '+');
    if (!isdigit((unsigned char)*digits) && *digits != '.')
        return NULL;
    if (digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X'))
        return NULL;
    errno = 0;
    *out = strtod(text, &end) + 0.0;
    if (end == text || errno == ERANGE)
        return NULL;
    return skip_blanks(end);
}

/* Blanks after the unit do not count. */
static const struct unit *find_unit(const struct unit *units, const char *text)
{
    size_t length = strlen(text);

    while (length > 0 && isspace((unsigned char)text[length - 1]))
        length--;
    for (; units->name != NULL; units++) {
        if (strlen(units->name) == length && strncmp(units->name, text, length) == 0)
            return units;
    }
    return NULL;
}

/* The whole number that value is within rounding; else an error. text is quoted in the message. */
static nuce_status to_whole(const char *text, double value, const char *expected, int64_t *out,
                            struct nuce_error *error)
{
    double whole = round(value);

    /* From 2^53 on a double no longer distinguishes neighbours. */
    if (fabs(value) >= 0x1.0p53)
        return nuce_error_set(error, NUCE_BAD_INPUT, "'%s': expected %s, below 2^53", text,
                              expected);
    /* 4.35kB is 4350 bytes, though 4.35 * 1000 may miss that by a rounding error or two. */
    if (fabs(value - whole) > 2 * DBL_EPSILON * fabs(value))
        return nuce_error_set(error, NUCE_BAD_INPUT, "'%s': expected %s", text, expected);
    *out = (int64_t)whole;
    return NUCE_OK;
}

/* Searches both tables, the one with B first: no name is in both. */
nuce_status nuce_units_parse_bytes(const char *text, int64_t *out, struct nuce_error *error)
{
    static const char expected[] =
        "a whole number of bytes, such as 64, 16B, 4KiB (4K), 4kB or 1e6";
    double value;
    const char *rest = units_parse_number(text, &value);
    const struct unit *unit = rest == NULL ? NULL : find_unit(byte_units, rest);

    if (unit == NULL && rest != NULL)
        unit = find_unit(size_units, rest);
    if (unit == NULL || value < 0)
        return nuce_error_set(error, NUCE_BAD_INPUT, "'%s': expected %s", text, expected);
    return to_whole(text, value * unit->factor, expected, out, error);
}

nuce_status nuce_units_parse_count(const char *text, int64_t *out, struct nuce_error *error)
{
    static const char expected[] = "a whole number, such as 64, 1e6 or 4M";
    double value;
    const char *rest = units_parse_number(text, &value);
    const struct unit *unit = rest == NULL ? NULL : find_unit(count_units, rest);

    if (unit == NULL)
        return nuce_error_set(error, NUCE_BAD_INPUT, "'%s': expected %s", text, expected);
    return to_whole(text, value * unit->factor, expected, out, error);
}

nuce_status nuce_units_parse_real(const char *text, double *out, struct nuce_error *error)
{
    double value;
    const char *rest = units_parse_number(text, &value);
    int is_percent = rest != NULL && strcmp(rest, "%") == 0;

    if (rest == NULL || (*rest != '\0' && !is_percent))
        return nuce_error_set(error, NUCE_BAD_INPUT, "'%s': expected a number", text);
    *out = is_percent ? value / 100 : value;
    return NUCE_OK;
}

/* The units of bytes, without the single letters, which would be powers of 1024: networks count in
 * thousands. */
nuce_status nuce_units_parse_bandwidth(const char *text, double *out, struct nuce_error *error)
{
    double value;
    const char *rest = units_parse_number(text, &value);
    const struct unit *unit = rest == NULL ? NULL : find_unit(byte_units, rest);

    if (unit == NULL || !(value > 0) || !isfinite(value * unit->factor))
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "'%s': expected more than 0 bytes per second, such as 125e6 or "
                              "125MB",
                              text);
    *out = value * unit->factor;
    return NUCE_OK;
}

/* A field of a clock time: digits below limit. Returns the text after it, or NULL. */
static const char *parse_field(const char *text, unsigned long limit, double *out)
{
    unsigned long value;
    char *end = NULL;

    if (!isdigit((unsigned char)*text))
        return NULL;
    value = strtoul(text, &end, 10);
    *out = (double)value;
    return value < limit ? end : NULL;
}

#define FIELD_LIMIT 1000000000 /* of the first field; the others are below 60 */

/* Slurm's forms of times: MM:SS, HH:MM:SS, D-HH, D-HH:MM or D-HH:MM:SS. */
static int parse_clock(const char *text, double *out)
{
    double fields[3] = {0, 0, 0};
    double days = 0;
    int count = 1;

    if (strpbrk(text, ":-") == NULL)
        return 0;
    text = parse_field(text, FIELD_LIMIT, &fields[0]);
    if (text != NULL && *text == '-') {
        days = fields[0];
        text = parse_field(text + 1, FIELD_LIMIT, &fields[0]);
    } else if (text != NULL && strchr(text, ':') == strrchr(text, ':')) {
        fields[1] = fields[0]; /* one colon and no days: hours are absent */
        fields[0] = 0;
        count = 2;
    }
    while (text != NULL && *text == ':' && count < 3)
        text = parse_field(text + 1, 60, &fields[count++]);
    *out = 86400 * days + 3600 * fields[0] + 60 * fields[1] + fields[2];
    return text != NULL && *text == '\0';
}

nuce_status nuce_units_parse_duration(const char *text, double *out, struct nuce_error *error)
{
    double value;
    const char *rest = units_parse_number(text, &value);
    const struct unit *unit = rest == NULL ? NULL : find_unit(time_units, rest);

    if (unit != NULL && value >= 0 && isfinite(value * unit->factor)) {
        *out = value * unit->factor;
        return NUCE_OK;
    }
    if (parse_clock(text, &value)) {
        *out = value;
        return NUCE_OK;
    }
    return nuce_error_set(error, NUCE_BAD_INPUT,
                          "'%s': expected a duration, such as 250ms, 30s, 5min or 01:00:00", text);
}

/* The index of the largest unit: beyond TiB the number grows instead. */
#define BINARY_UNITS 5
static const char *const binary_units[BINARY_UNITS] = {"B", "KiB", "MiB", "GiB", "TiB"};

const char *nuce_units_format_bytes(int64_t bytes, char *buffer)
{
    int power = 0;

    while (power < BINARY_UNITS - 1 && bytes != 0 && bytes % 1024 == 0) {
        bytes /= 1024;
        power++;
    }
    snprintf(buffer, NUCE_UNITS_BYTES, "%lld%s", (long long)bytes, binary_units[power]);
    return buffer;
}

/* The number of decimals for three significant figures. */
static int units_decimals(double value)
{
    return value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
}

/* 1023.5 and more would be shown as 1024 of the smaller unit. */
const char *nuce_units_format_size(double bytes, char *buffer)
{
    double value = fabs(bytes);
    int power = 0;

    if (isnan(bytes)) {
        snprintf(buffer, NUCE_UNITS_BYTES, "-");
        return buffer;
    }
    for (; power < BINARY_UNITS - 1 && value >= 1023.5; power++)
        value /= 1024;
    snprintf(buffer, NUCE_UNITS_BYTES, "%s%.*f%s", bytes < 0 ? "-" : "",
             value == floor(value) ? 0 : units_decimals(value), value, binary_units[power]);
    return buffer;
}

#define HOURS_LIMIT 1e9 /* seconds; longer times are not written as hours */

/* 999.5 of a scale and more would be shown as 1000 of it, so the next scale is used, up to seconds.
 * From an hour on it uses hours and minutes. */
const char *nuce_units_format_seconds(double seconds, char *buffer)
{
    static const struct unit scales[] = {
        {"ns", 1e-9},
        {"us", 1e-6},
        {"ms", 1e-3},
        {"s", 1},
    };
    const char *sign = seconds < 0 ? "-" : "";
    int scale = 0;
    double value;

    if (isnan(seconds)) {
        snprintf(buffer, NUCE_UNITS_BYTES, "-");
        return buffer;
    }
    seconds = fabs(seconds);
    if (seconds >= HOURS_LIMIT) {
        snprintf(buffer, NUCE_UNITS_BYTES, "%s%.3gs", sign, seconds);
        return buffer;
    }
    if (seconds >= 3600) {
        long minutes = lround(seconds / 60);

        snprintf(buffer, NUCE_UNITS_BYTES, "%s%ldh%02ldm", sign, minutes / 60, minutes % 60);
        return buffer;
    }
    while (scale < 3 && seconds >= 999.5 * scales[scale].factor)
        scale++;
    value = seconds / scales[scale].factor;
    snprintf(buffer, NUCE_UNITS_BYTES, "%s%.*f%s", sign, units_decimals(value), value,
             scales[scale].name);
    return buffer;
}
