#include "units.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct unit {
    const char *name;
    double factor;
};

static const struct unit byte_units[] = {
    {"",    1              },
    {"B",   1              },
    {"kB",  1e3            },
    {"KB",  1e3            },
    {"MB",  1e6            },
    {"GB",  1e9            },
    {"TB",  1e12           },
    {"KiB", 1024.0         },
    {"MiB", 1048576.0      },
    {"GiB", 1073741824.0   },
    {"TiB", 1099511627776.0},
    {NULL,  0              },
};

static const struct unit time_units[] = {
    {"",    1    },
    {"ns",  1e-9 },
    {"us",  1e-6 },
    {"ms",  1e-3 },
    {"s",   1    },
    {"sec", 1    },
    {"m",   60   },
    {"min", 60   },
    {"h",   3600 },
    {"d",   86400},
    {NULL,  0    },
};

/* Parses a decimal number at the start of text; only what strtod and a reader both take for one (no
 * hexadecimal, no inf, no nan). Returns the rest, or NULL. */
static const char *parse_number(const char *text, double *out)
{
    const char *digits = text;
    char *end = NULL;

    while (isspace((unsigned char)*text))
        text++;
    digits = text + (*text == '-' || *text == '+');
    if (!isdigit((unsigned char)*digits) && *digits != '.')
        return NULL;
    if (digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X'))
        return NULL;
    errno = 0;
    *out = strtod(text, &end);
    if (end == text || !isfinite(*out))
        return NULL;
    return end;
}

static const struct unit *find_unit(const struct unit *units, const char *text)
{
    size_t length;

    while (isspace((unsigned char)*text))
        text++;
    length = strlen(text);
    while (length > 0 && isspace((unsigned char)text[length - 1]))
        length--;
    for (; units->name != NULL; units++) {
        if (strlen(units->name) == length && strncmp(units->name, text, length) == 0)
            return units;
    }
    return NULL;
}

static nuce_status to_whole(const char *text, double value, const char *expected, int64_t *out,
                            struct nuce_error *error)
{
    /* Beyond 2^53 a double no longer tells neighbours apart. */
    if (value != floor(value) || fabs(value) > 0x1.0p53)
        return nuce_error_set(error, NUCE_BAD_INPUT, "'%s': expected %s", text, expected);
    *out = (int64_t)value;
    return NUCE_OK;
}

nuce_status nuce_parse_bytes(const char *text, int64_t *out, struct nuce_error *error)
{
    static const char expected[] = "a whole number of bytes, such as 64, 16B, 4KiB or 1e6";
    double value;
    const char *rest = parse_number(text, &value);
    const struct unit *unit = rest == NULL ? NULL : find_unit(byte_units, rest);

    if (unit == NULL || value < 0)
        return nuce_error_set(error, NUCE_BAD_INPUT, "'%s': expected %s", text, expected);
    return to_whole(text, value * unit->factor, expected, out, error);
}

nuce_status nuce_parse_count(const char *text, int64_t *out, struct nuce_error *error)
{
    static const char expected[] = "a whole number";
    double value;
    const char *rest = parse_number(text, &value);

    if (rest == NULL || *rest != '\0')
        return nuce_error_set(error, NUCE_BAD_INPUT, "'%s': expected %s", text, expected);
    return to_whole(text, value, expected, out, error);
}

nuce_status nuce_parse_real(const char *text, double *out, struct nuce_error *error)
{
    double value;
    const char *rest = parse_number(text, &value);

    if (rest == NULL || *rest != '\0')
        return nuce_error_set(error, NUCE_BAD_INPUT, "'%s': expected a number", text);
    *out = value;
    return NUCE_OK;
}

/* [D-]HH:MM:SS or MM:SS, as Slurm writes times. */
static int parse_clock(const char *text, double *out)
{
    unsigned long fields[3];
    unsigned long days = 0;
    int count = 0;
    char *end = NULL;

    if (!isdigit((unsigned char)*text))
        return 0;
    fields[count++] = strtoul(text, &end, 10);
    if (*end == '-' && isdigit((unsigned char)end[1])) {
        days = fields[0];
        fields[0] = strtoul(end + 1, &end, 10);
    }
    while (count < 3 && *end == ':' && isdigit((unsigned char)end[1]))
        fields[count++] = strtoul(end + 1, &end, 10);
    if (*end != '\0' || count < 2)
        return 0;
    for (int i = 1; i < count; i++) {
        if (fields[i] > 59)
            return 0;
    }
    *out = 86400.0 * (double)days;
    if (count == 3)
        *out += 3600.0 * (double)fields[0];
    *out += 60.0 * (double)fields[count - 2] + (double)fields[count - 1];
    return 1;
}

nuce_status nuce_parse_duration(const char *text, double *out, struct nuce_error *error)
{
    double value;
    const char *rest = parse_number(text, &value);
    const struct unit *unit = rest == NULL ? NULL : find_unit(time_units, rest);

    if (unit != NULL && value >= 0) {
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

const char *nuce_format_bytes(int64_t bytes, char *buffer)
{
    static const char *const names[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    int power = 0;

    while (power < 4 && bytes != 0 && bytes % 1024 == 0) {
        bytes /= 1024;
        power++;
    }
    (void)snprintf(buffer, NUCE_UNITS_BYTES, "%lld%s", (long long)bytes, names[power]);
    return buffer;
}

const char *nuce_format_seconds(double seconds, char *buffer)
{
    static const struct unit scales[] = {
        {"ns", 1e-9},
        {"us", 1e-6},
        {"ms", 1e-3},
        {"s",  1   },
    };
    int scale = 0;
    double value;

    if (isnan(seconds)) {
        (void)snprintf(buffer, NUCE_UNITS_BYTES, "-");
        return buffer;
    }
    if (seconds >= 3600) {
        long minutes = lround(seconds / 60);

        (void)snprintf(buffer, NUCE_UNITS_BYTES, "%ldh%02ldm", minutes / 60, minutes % 60);
        return buffer;
    }
    while (scale < 3 && seconds >= 999.5 * scales[scale].factor)
        scale++;
    value = seconds / scales[scale].factor;
    (void)snprintf(buffer, NUCE_UNITS_BYTES, "%.*f%s",
                   value < 9.995   ? 2
                   : value < 99.95 ? 1
                                   : 0,
                   value, scales[scale].name);
    return buffer;
}
