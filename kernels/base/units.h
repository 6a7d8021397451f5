/* Quantities as people write them: "4KiB", "4M", "1e6", "30s", "01:00:00". */
#ifndef NUCE_UNITS_H
#define NUCE_UNITS_H

#include <stdint.h>

#include "base/error.h"

/* Each parses the whole of text and writes *out on success; else NUCE_BAD_INPUT with the value and
 * the expected form. Blanks around number and unit are allowed, other text is not. */

/* Bytes: a number, then nothing, B, kB or KB, MB, GB, TB (1000s) or KiB, MiB, GiB, TiB (1024s). As
 * in dd and truncate, k or K, M, G, T and Ki, Mi, Gi, Ti are 1024s too. The result is a whole
 * number, at least 0 and below 2^53. */
nuce_status nuce_units_parse_bytes(const char *text, int64_t *out, struct nuce_error *error);

/* A count: a number, then nothing, k or K, M, G, T (1000s) or Ki, Mi, Gi, Ti (1024s): "4M" is
 * 4000000. The result is a whole number, possibly negative, less than 2^53 in size. */
nuce_status nuce_units_parse_count(const char *text, int64_t *out, struct nuce_error *error);

/* A finite number, or a percentage: "2%" is 0.02. */
nuce_status nuce_units_parse_real(const char *text, double *out, struct nuce_error *error);

/* Bytes per second, more than 0: a finite number, or one with a unit of bytes ("10MB"). */
nuce_status nuce_units_parse_bandwidth(const char *text, double *out, struct nuce_error *error);

/* Seconds: a number, then ns, us, ms, s or sec, m or min, h or d (none: seconds), or Slurm's MM:SS,
 * HH:MM:SS, D-HH, D-HH:MM and D-HH:MM:SS. At least 0. */
nuce_status nuce_units_parse_duration(const char *text, double *out, struct nuce_error *error);

/* "16B", "4KiB", "3MiB": the largest unit of 1024 that leaves a whole number. buffer holds at least
 * NUCE_UNITS_BYTES; returns it. */
#define NUCE_UNITS_BYTES 32
const char *nuce_units_format_bytes(int64_t bytes, char *buffer);

/* "16B", "2.08KiB", "24.9MiB": any number of bytes, three figures; NaN is "-". */
const char *nuce_units_format_size(double bytes, char *buffer);

/* "1.23us", "45.6ms", "7.89s", "2h03m": three figures. Negative values have a minus; NaN is "-". */
const char *nuce_units_format_seconds(double seconds, char *buffer);

#endif
