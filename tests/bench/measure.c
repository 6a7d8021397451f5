/* Turns of ours and the reference, their medians, and the rows that are printed of them. */
#include <fcntl.h>
#include <jansson.h>
#include <malloc.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/allocate.h"
#include "base/statistics.h"
#include "base/units.h"
#include "bench.h"

#define LEAST_TURNS 5  /* unless the bench says so */
#define MOST_TURNS 201 /* enough for the interval; short benches end by this, long ones by time */

void nuce_bench_samples_fini(struct nuce_bench_samples *samples)
{
    free(samples->ours);
    free(samples->reference);
    *samples = (struct nuce_bench_samples){.count = 0};
}

static double now_s(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Makes VmHWM start again from the present resident size (proc(5): clear_refs, 5). If that is not
 * allowed, the peak covers the whole process so far: too much, never too little. */
static void reset_peak(void)
{
    int descriptor;

    malloc_trim(0);
    descriptor = open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC);
    if (descriptor >= 0) {
        (void)!write(descriptor, "5", 1);
        close(descriptor);
    }
}

/* The most memory that was resident, from VmHWM; 0 where there is no /proc. */
static int64_t peak_bytes(void)
{
    FILE *file = fopen("/proc/self/status", "r");
    long long kilobytes = 0;
    char line[256];

    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        if (sscanf(line, "VmHWM: %lld kB", &kilobytes) == 1)
            break;
    }
    if (file != NULL)
        fclose(file);
    return 1024 * (int64_t)kilobytes;
}

static double time_one(void (*run)(void *), const struct nuce_bench_case *what)
{
    double start = now_s(), taken;

    run(what->self);
    taken = now_s() - start;
    return what->excluded_s != NULL ? taken - *what->excluded_s : taken;
}

static void take_turn(const struct nuce_bench *bench, const struct nuce_bench_case *what,
                      struct nuce_bench_samples *out)
{
    out->ours[out->count] = time_one(bench->run_ours, what) / what->ours_units;
    out->reference[out->count] = time_one(bench->run_reference, what) / what->reference_units;
    out->count++;
}

void nuce_bench_measure(const struct nuce_bench *bench, double limit_s,
                        struct nuce_bench_samples *out)
{
    struct nuce_bench_case what = {.self = NULL, .ours_units = 1, .reference_units = 1};
    int64_t least = bench->is_single         ? 1
                    : bench->least_turns > 0 ? bench->least_turns
                                             : LEAST_TURNS;
    double start;

    bench->create(bench->of, &what);
    *out = (struct nuce_bench_samples){
        .ours = nuce_allocate(MOST_TURNS, sizeof *out->ours),
        .reference = nuce_allocate(MOST_TURNS, sizeof *out->reference),
    };
    if (!bench->is_single) {
        reset_peak();
        bench->run_ours(what.self);
        out->peak_bytes = what.held_bytes != NULL ? *what.held_bytes
                          : bench->is_command     ? 0
                                                  : peak_bytes();
        if (what.reference_bytes != NULL)
            out->reference_bytes = *what.reference_bytes;
        bench->run_reference(what.self);
    }
    start = now_s();
    while (out->count < least ||
           (!bench->is_single && out->count < MOST_TURNS && now_s() - start < limit_s))
        take_turn(bench, &what, out);
    bench->destroy(what.self);
}

static struct nuce_bench_estimate estimate(double *values, int64_t count)
{
    struct nuce_bench_estimate result;
    struct nuce_interval interval;

    nuce_statistics_sort(values, count);
    interval = nuce_statistics_median_interval(values, count, 0.95);
    result.median = nuce_statistics_median(values, count);
    result.low = interval.low;
    result.high = interval.high;
    return result;
}

void nuce_bench_evaluate(const struct nuce_bench *bench, const struct nuce_bench_samples *samples,
                         struct nuce_bench_result *out)
{
    double *values = nuce_allocate(samples->count, sizeof *values);

    *out = (struct nuce_bench_result){.bench = bench, .turns = samples->count};
    for (int64_t i = 0; i < samples->count; i++)
        values[i] = samples->ours[i] / samples->reference[i];
    out->ratio = estimate(values, samples->count);
    memcpy(values, samples->ours, (size_t)samples->count * sizeof *values);
    out->ours = estimate(values, samples->count);
    memcpy(values, samples->reference, (size_t)samples->count * sizeof *values);
    out->reference = estimate(values, samples->count);
    out->peak_bytes = samples->peak_bytes;
    out->reference_bytes = samples->reference_bytes;
    out->met = (bench->budget_s <= 0 || out->ours.median <= bench->budget_s) &&
               (bench->budget_ratio <= 0 || out->ratio.median <= bench->budget_ratio) &&
               (bench->budget_bytes == 0 || out->peak_bytes <= bench->budget_bytes);
    free(values);
}

#define COLUMNS 9
#define CELL 96

static const char *const headers[COLUMNS] = {"NAME",   "OURS", "REFERENCE", "RATIO",       "MEMORY",
                                             "BUDGET", "MET",  "TURNS",     "REFERENCE IS"};

static void print_seconds(const struct nuce_bench_estimate *times, char *cell)
{
    char median[NUCE_UNITS_BYTES], low[NUCE_UNITS_BYTES], high[NUCE_UNITS_BYTES];

    snprintf(cell, CELL, "%s [%s, %s]", nuce_units_format_seconds(times->median, median),
             nuce_units_format_seconds(times->low, low),
             nuce_units_format_seconds(times->high, high));
}

static void print_budget(const struct nuce_bench *bench, char *cell)
{
    char seconds[NUCE_UNITS_BYTES];

    snprintf(cell, CELL, "%s",
             bench->budget_s > 0 ? nuce_units_format_seconds(bench->budget_s, seconds) : "-");
    if (bench->budget_ratio > 0)
        snprintf(cell, CELL, "ratio %.3g", bench->budget_ratio);
    if (bench->budget_bytes > 0) {
        int is_alone = bench->budget_s <= 0 && bench->budget_ratio <= 0;
        size_t at = is_alone ? 0 : strlen(cell);

        snprintf(cell + at, CELL - at, "%s%.0f MB", is_alone ? "" : ", ",
                 (double)bench->budget_bytes / 1e6);
    }
}

static void fill_cells(const struct nuce_bench_result *result, char cells[COLUMNS][CELL])
{
    const struct nuce_bench *bench = result->bench;
    int has_budget = bench->budget_s > 0 || bench->budget_ratio > 0 || bench->budget_bytes > 0;

    snprintf(cells[0], CELL, "%s", bench->name);
    print_seconds(&result->ours, cells[1]);
    print_seconds(&result->reference, cells[2]);
    snprintf(cells[3], CELL, "%.3g [%.3g, %.3g]", result->ratio.median, result->ratio.low,
             result->ratio.high);
    snprintf(cells[4], CELL, "-");
    if (result->peak_bytes > 0)
        snprintf(cells[4], CELL, "%.1f MB", (double)result->peak_bytes / 1e6);
    if (result->reference_bytes > 0)
        snprintf(cells[4] + strlen(cells[4]), CELL - strlen(cells[4]), ", reference %.1f MB",
                 (double)result->reference_bytes / 1e6);
    print_budget(bench, cells[5]);
    snprintf(cells[6], CELL, "%s", !has_budget ? "-" : result->met ? "yes" : "NO");
    snprintf(cells[7], CELL, "%lld", (long long)result->turns);
    snprintf(cells[8], CELL, "%s", bench->reference);
}

/* Characters of each column but the last, which ends the line; names are as long as the longest. */
static const int widths[COLUMNS - 1] = {0, 28, 28, 22, 28, 14, 3, 5};

static void print_cells(const struct nuce_bench *const *benches, int count,
                        const char *const cells[COLUMNS])
{
    size_t longest = 0;

    for (int i = 0; i < count; i++)
        longest = strlen(benches[i]->name) > longest ? strlen(benches[i]->name) : longest;
    printf("%-*s ", (int)longest, cells[0]);
    for (int i = 1; i < COLUMNS - 1; i++)
        printf("%-*s ", widths[i], cells[i]);
    printf("%s\n", cells[COLUMNS - 1]);
}

static json_t *estimate_json(const struct nuce_bench_estimate *times)
{
    return json_pack("{s:f, s:f, s:f}", "median", times->median, "low", times->low, "high",
                     times->high);
}

static void print_json(const struct nuce_bench_result *result)
{
    const struct nuce_bench *bench = result->bench;
    json_t *line = json_pack(
        "{s:s, s:o, s:o, s:o, s:I, s:I, s:I, s:f, s:f, s:I, s:b, s:s, s:s}", "name", bench->name,
        "ours_s", estimate_json(&result->ours), "reference_s", estimate_json(&result->reference),
        "ratio", estimate_json(&result->ratio), "turns", (json_int_t)result->turns, "peak_bytes",
        (json_int_t)result->peak_bytes, "reference_bytes", (json_int_t)result->reference_bytes,
        "budget_s", bench->budget_s, "budget_ratio", bench->budget_ratio, "budget_bytes",
        (json_int_t)bench->budget_bytes, "met", result->met, "ours_is", bench->summary,
        "reference_is", bench->reference);

    json_dumpf(line, stdout, JSON_COMPACT);
    putchar('\n');
    json_decref(line);
}

static void print_csv(const struct nuce_bench_result *result)
{
    const struct nuce_bench_estimate *parts[] = {&result->ours, &result->reference, &result->ratio};

    printf("%s", result->bench->name);
    for (size_t i = 0; i < 3; i++)
        printf(",%.9g,%.9g,%.9g", parts[i]->median, parts[i]->low, parts[i]->high);
    printf(",%lld,%lld,%g,%lld,%d,%g,%lld\n", (long long)result->turns,
           (long long)result->peak_bytes, result->bench->budget_s,
           (long long)result->bench->budget_bytes, result->met, result->bench->budget_ratio,
           (long long)result->reference_bytes);
}

void nuce_bench_print_head(const struct nuce_bench *const *benches, int count,
                           enum nuce_grid_format format)
{
    if (format == NUCE_GRID_TEXT)
        print_cells(benches, count, headers);
    if (format == NUCE_GRID_CSV)
        printf("name,ours_s,ours_low_s,ours_high_s,reference_s,reference_low_s,"
               "reference_high_s,ratio,ratio_low,ratio_high,turns,peak_bytes,budget_s,"
               "budget_bytes,met,budget_ratio,reference_bytes\n");
    fflush(stdout);
}

void nuce_bench_print_row(const struct nuce_bench *const *benches, int count,
                          const struct nuce_bench_result *result, enum nuce_grid_format format)
{
    char cells[COLUMNS][CELL];
    const char *texts[COLUMNS];

    if (format == NUCE_GRID_TEXT) {
        fill_cells(result, cells);
        for (int i = 0; i < COLUMNS; i++)
            texts[i] = cells[i];
        print_cells(benches, count, texts);
    } else if (format == NUCE_GRID_CSV) {
        print_csv(result);
    } else {
        print_json(result);
    }
    if (fflush(stdout) != 0 || ferror(stdout))
        MUST(nuce_error_set(&error, NUCE_FAILED, "cannot print the result"));
}
