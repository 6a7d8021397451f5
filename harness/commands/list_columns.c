/* The columns of tables, CSV and views, for `nuce list columns`. A row names the tables that have
 * the column, as a list with commas: views of the database (db/views.sql), views of `nuce show`,
 * `quick` (plots/queries/raced.sql: `nuce table quick`, `nuce show CAMPAIGN`), `compare`, `explain`
 * (a contender beside its reference) and `capture` (`nuce show FILE`). Behind `quick` or `compare`,
 * `text` and `csv` name the only format that has it; csv stands for json as well. Metrics, and the
 * heads of the tables that programs print when they are run by hand, come from the rows of results
 * that define them. */
#include "commands/list_keys.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "campaigns/cli.h"
#include "points/workload.h"

static const struct column {
    const char *where, *name, *unit, *meaning;
} columns[] = {
    /* clang-format off */
    {"quick, csv", "panel", NULL, "problem: workload, pattern, ranks and kind; a heading in text"},
    {"quick, csv", "at", NULL, "size as text: item-bytes or another key that varies; in the heading in text"},
    {"quick, csv", "size, x", NULL, "the same as a number; x: its place on the axis of the figure"},
    {"quick", "contender", NULL, "schedule, decomposition or placement, with its tuning"},
    {"quick, text", "time", "s", "time of the compared part, over all launches; to compare contenders, use their ratios"},
    {"quick, text", "*", NULL, "one of the fastest: none is faster beyond the noise; its own ratio's interval may lie above 1"},
    {"quick, text", "ratio [95 %]", NULL, "ratio to the reference with 95 % interval; the last row has the noise"},
    {"quick, text", "ratio_to_bound", NULL, "time / lower bound for the network of the point"},
    {"quick, text", "predicted", "s", "communication time by the cost model"},
    {"quick, text", "from_start", "s", "time from the common start to the last rank's end, less its packing; comparable to predicted"},
    {"quick, text", "schedule_cost", "s", "processor time of computing the schedule, once"},
    {"quick", "phases", NULL, "phases of the schedule"},
    {"quick", "launches", NULL, "launches of the race"},
    {"quick, csv", "ms, low_ms, high_ms", "ms", "time as in text, and its 95 % interval"},
    {"quick, csv", "predicted_ms, lower_bound_ms, schedule_ms", "ms", "predicted, lower bound and schedule_cost"},
    {"quick, csv", "ratio, ratio_low, ratio_high", NULL, "ratio to the reference and its 95 % interval"},
    {"quick, csv", "noise, noise_low, noise_high", NULL, "ratio of the reference to its duplicate and its 95 % interval"},
    {"quick, csv", "is_reference, is_best", NULL, "1: the reference of the race; 1: one of the fastest"},
    {"quick, csv", "messages", NULL, "messages of the pattern"},
    {"quick, csv", "bytes, longest_bytes", "bytes", "bytes of all messages; bytes of the longest one"},
    {"quick, csv", "instances, n", NULL, "random instances averaged; smallest number of samples of one"},
    {"quick, csv", "environment, kind", NULL, "machine and program (hash); measured, simulated or modelled"},

    {"explain", "contender", NULL, "reference and contender, with its tuning"},
    {"explain", "ratio", NULL, "ratio to the reference with 95 % interval"},
    {"explain", "phases", NULL, "phases of the schedule; empty for calls of a library"},
    {"explain", "transfers", NULL, "pieces sent by all ranks in a step; empty for calls of a library"},
    {"explain", "sent", "bytes", "bytes sent by all ranks to others in a step, with what they forward"},
    {"explain", "last_rank", NULL, "rank that ended last most often, in the newest launch"},
    {"explain", "late", "s", "time from the common start to the own start of the rank that ended last, mean over launches"},
    {"explain", "communication", "s", "exchange time of the rank that ended last, mean over launches"},
    {"explain", "step", "s", "time from the common start to the last rank's end, mean over launches; other parts: metrics last_*_s"},
    {"explain", "predicted", "s", "communication time by the cost model"},
    {"explain", "scheduling", "s", "processor time of computing the schedule, once; not part of the other times"},

    {"advise", "exchange, now", NULL, "problem as text; contender that stands for the call as it is"},
    {"advise", "advice, reason", NULL, "schedule with its options, or 'leave it'; why it is left"},
    {"advise", "candidate, rule", NULL, "simplest of the fastest, or none; candidate, 'library', or unknown: the race decides nothing"},
    {"advise", "now_is_called", NULL, "1: now is the call of the application or library; 0: the reference of the race"},
    {"advise", "ratio, ratio_low, ratio_high", NULL, "ratio of the candidate to now and its 95 % interval"},
    {"advise", "noise, noise_low, noise_high", NULL, "ratio of the reference to its duplicate and its 95 % interval"},
    {"advise", "cost_s, pays_after", NULL, "time of making the schedule, once, s; calls that make up for it, at the interval's unfavourable end"},
    {"advise", "calls", NULL, "calls of the application in its capture"},
    {"advise", "saved_s, saved_low_s, saved_high_s", "s", "time saved in an hour of the application, and its interval"},
    {"advise", "launches, busy, oversubscribed", NULL, "launches; those with other load; 1: more ranks than processors"},
    {"advise", "call, ranks, fingerprint, bytes, degree", NULL, "parts of the rule: call, ranks, pattern, mean bytes of a message, messages per rank"},
    {"advise", "class", NULL, "range of at least three patterns with one rule that no other contradicts"},
    {"advise", "schedule, params, knob", NULL, "schedule and parameters of the rule; nearest setting of the MPI library"},
    {"advise", "knob_told", NULL, "ratio of that setting where it raced, else the race to run"},
    {"advise", "machine, mpi, environment, campaigns, point", NULL, "origin of the races"},

    {"compare", "workload, contender, ranks", NULL, "workload, compared choice and number of ranks of the point"},
    {"compare", "part", NULL, "compared time: communication, own or step"},
    {"compare", "verdict", NULL, "worse, slower, faster, same or inconclusive; B relative to A"},
    {"compare, text", "KEY", NULL, "each key in which the points differ, under its own name"},
    {"compare, text", "A, B", "s", "times of both sides, under their names"},
    {"compare, text", "ratio [95 %]", NULL, "ratio of B to A, with the interval at the confidence of --confidence"},
    {"compare, text", "launches, campaigns", NULL, "number behind the verdict, A+B; one number if both sides raced"},
    {"compare, csv", "instance, point", NULL, "parameters without the compared keys, as JSON; hash of the point"},
    {"compare, csv", "environment", NULL, "machine and program (hash)"},
    {"compare, csv", "compared", NULL, "basis of the ratio: launches, races, campaigns or exact"},
    {"compare, csv", "a_launches, b_launches", NULL, "launches (or campaigns) of each side"},
    {"compare, csv", "a_s, b_s", "s", "times of both sides"},
    {"compare, csv", "ratio, ratio_low, ratio_high", NULL, "ratio of B to A and its interval"},
    {"compare, csv", "p, p_corrected", NULL, "p-value; the same corrected by Holm over all points"},
    {"compare, csv", "detectable", NULL, "smallest slow-down that would have been significant, as a fraction"},

    {"ratio, against, best, launch_ratio, round_ratio, noise, standing", "race", NULL, "race (hash): contenders of one problem; for computed times: the problem"},
    {"ratio, result, best, points, campaigns", "workload", NULL, "workload of the point"},
    {"ratio, result, best, points, runs", "ranks", NULL, "number of ranks"},
    {"ratio, result", "schedule, decomposition, placement", NULL, "those of the point; NULL if the workload has none"},
    {"ratio, result, against, best, standing, launch_ratio, round_ratio, pooled_run, points, runs", "point", NULL, "point (hash)"},
    {"ratio, result, against, best, standing, launch_ratio, noise, disturbed, disturbed_run, pooled_run, points, environments", "environment", NULL, "machine, library and program (hash)"},
    {"ratio, result, against, best, standing, launch_ratio, noise, pooled_run, points", "kind", NULL, "measured, simulated or modelled"},
    {"ratio, result, against, best, standing, launch_ratio, noise, pooled_run", "wait", NULL, "wait policy of the ranks: spin, yield or sleep"},
    {"ratio", "name", NULL, "contender with its tuning"},
    {"ratio, launch_ratio", "contender", NULL, "role in the race: reference, duplicate or contender"},
    {"result, best, points, runs", "contender", NULL, "schedule, decomposition or placement, with its tuning"},
    {"ratio, launch_ratio, round_ratio", "reference", NULL, "point of the reference (hash)"},
    {"ratio, against", "launches", NULL, "number of launches; NULL for computed times"},
    {"ratio, launch_ratio", "rounds", NULL, "number of rounds"},
    {"ratio, launch_ratio", "median_s", "s", "median time of the compared part; for several launches, their geometric mean, as the time in quick"},
    {"ratio, launch_ratio", "ratio", NULL, "time / time of the reference: geometric mean over launches, or median over rounds"},
    {"ratio, launch_ratio", "ratio_low, ratio_high", NULL, "95 % interval of ratio over launches, or over the rounds of one"},
    {"round_ratio", "ratio", NULL, "time / time of the reference in one round"},
    {"noise", "ratio", NULL, "ratio of the reference to its duplicate, over launches"},
    {"against", "ratio", NULL, "time / time of the baseline, geometric mean over launches"},
    {"against", "baseline", NULL, "point of the other contender (hash)"},
    {"against", "standard_error", NULL, "standard error of the logarithm of ratio; NULL for one launch"},
    {"against, noise", "reach", NULL, "half the 95 % interval of ratio, in logarithms; for noise: its distance from 1"},
    {"against", "rivals", NULL, "number of other contenders"},
    {"against, launch_ratio", "moot", NULL, "1: no result, since the step is too short or has no message"},
    {"against", "side", NULL, "1: slower; -1: faster; 0: no significant difference; NULL: moot or one launch"},
    {"ratio", "verdict", NULL, "faster, slower, same (interval within 5 % of 1) or inconclusive"},
    {"ratio, standing", "is_best", NULL, "1: one of the fastest, corrected for the number of contenders; NULL: undecided"},
    {"best, standing", "ratio_to_fastest", NULL, "time / shortest time of the race"},
    {"best, standing", "contenders", NULL, "number of contenders of the race"},
    {"best, result", "instance", NULL, "parameters without the compared keys, as JSON"},
    {"launch_ratio", "until_known", NULL, "1: the race ended as soon as it was known; 2: and this is its duplicate"},
    {"launch_ratio, result", "compared", NULL, "keys in which the contenders of the race differ"},
    {"launch_ratio, round_ratio, disturbed_run, pooled_run, sample, runs", "run", NULL, "run: one contender in one launch"},
    {"result, launch_ratio, round_ratio, disturbed, disturbed_run, campaigns, runs", "campaign", NULL, "campaign, NAME.K"},
    {"result, launch_ratio, round_ratio, disturbed_run, runs", "job", NULL, "launch within its campaign"},
    {"round_ratio", "round", NULL, "round of the launch, from 0"},
    {"round_ratio", "is_duplicate", NULL, "1: the duplicate of the reference"},
    {"disturbed", "id", NULL, "launch within its campaign"},
    {"disturbed", "facts, load", NULL, "facts about the launch as JSON; load average before it"},
    {"disturbed, disturbed_run", "processors", "processors", "processors of the machine"},
    {"disturbed, disturbed_run", "others", "processors", "processors that other processes kept busy; NULL: not measured"},
    {"disturbed, disturbed_run", "busy", NULL, "1: others exceeds a tenth of the processors"},
    {"sample", "number, place", NULL, "number of the sample (its round), from 0; turn in that round"},
    {"sample", "step_s", "s", "time from the common start to the last rank's end"},
    {"sample", "own_s", "s", "longest time of a rank from its own start to its end"},
    {"sample", "pack_s, communication_s, unpack_s, computation_s, rebalance_s, move_s", "s", "parts of the step, each its maximum over ranks"},

    {"samples", "campaign, launch, run", NULL, "campaign, NAME.K; launch within it; run (hash)"},
    {"samples", "kind, environment", NULL, "measured, simulated or modelled; machine, library and program (hash)"},
    {"samples", "workload, contender, ranks, mesh, item_bytes", NULL, "of the point"},
    {"samples", "point, problem", NULL, "point (hash); its parameters without the contender, as JSON"},
    {"samples", "round, place", NULL, "round of the launch, from 0; turn in that round"},
    {"samples", "seconds", "s", "compared time of the sample: communication, own or step"},
    {"samples", "step_s, communication_s", "s", "time from the common start to the last rank's end; longest exchange of a rank"},

    {"result, points", "pattern, mesh, graph, partition, item_bytes", NULL, "keys of the point (nuce list keys)"},
    {"result", "com, degree, instance_number, seed, overlap, network, lambda, in_flight", NULL, "keys of the point; instance_number: the key instance"},
    {"result", "params, metrics", NULL, "all keys of the point and all metrics of the newest run, as JSON"},
    {"result", "n, runs", NULL, "pooled samples and runs"},
    {"points, runs", "n", NULL, "number of samples"},
    {"result, runs", "stopped", NULL, "reason why sampling ended"},
    {"result", "min_samples", NULL, "samples wanted at least"},
    {"result", "criterion", NULL, "compared time: step, own or communication"},
    {"result", "ran_as", NULL, "call that ran in the place of a library's blocking collective: alltoallv (as MPI_Ialltoallv)"},
    {"result", "too_short", NULL, "1: the step is shorter than the uncertainty of its start"},
    {"result, points, runs", "oversubscribed", NULL, "1: more ranks than processors on a node; compare by ratio only"},
    {"result, points, runs", "step_s", "s", "time from the common start to the last rank's end, over all launches"},
    {"result, points, runs", "communication_s", "s", "longest exchange of a rank, over all launches"},
    {"result, points", "communication_low_s, communication_high_s", "s", "95 % interval of communication_s"},
    {"result", "own_s", "s", "longest time of a rank from its own start to its end, over all launches"},
    {"result", "computation_s, pack_s, unpack_s, rebalance_s, move_s", "s", "parts of the step, each its maximum over ranks, over all launches"},
    {"result, points", "schedule_s", "s", "processor time of computing the schedule, once"},
    {"result", "step_low_s, step_high_s, own_low_s, own_high_s, computation_low_s, computation_high_s, schedule_low_s, schedule_high_s, rebalance_low_s, rebalance_high_s, move_low_s, move_high_s", "s", "95 % intervals of these times"},
    {"result", "from_start_s", "s", "time from the common start to the last rank's end, less its packing; comparable to predicted_s"},
    {"result, runs", "started", NULL, "time at which the run, or the newest of them, started (UTC)"},
    {"result", "latest", NULL, "newest of the pooled runs"},
    {"points", "phases", NULL, "phases of the schedule"},
    {"runs", "status, message", NULL, "outcome of the run; its error message"},
    {"capture", "place, pattern", NULL, "place by time, as the key call of a sweep; pattern (hash)"},
    {"capture", "kind, quality", NULL, "MPI call; exact, merged or epoch (docs/capture-formats.md)"},
    {"capture", "ranks, calls, messages", NULL, "ranks of the communicator; calls of the pattern; messages of one call"},
    {"capture", "mean_bytes", "bytes", "mean bytes of a message"},
    {"capture", "share", NULL, "fraction of all ranks' time that these calls took"},
    {"capture", "duration_ns, skew_ns", "ns", "medians over calls: first start to last end; first to last start. Exact to 13 %: times are counted in classes, four for each power of two, so values repeat; this is not the clock's resolution"},
    {"campaigns", "created, planned, points", NULL, "time of creation; points planned; points with runs"},
    {"campaigns", "runs, ok, not_ok, interrupted", NULL, "runs: all, good, failed, and interrupted ones"},
    {"campaigns, environments", "latest", NULL, "start of the newest run (UTC)"},
    {"environments", "jobs, runs", NULL, "launches and runs"},
    {"environments", "described", NULL, "description of the environment, as JSON"},
    {"environments", "campaigns, key, value, environments", NULL, "campaigns; below: each property, its value, and environments with that value"},
    /* clang-format on */
};

enum { COLUMNS = sizeof columns / sizeof *columns, TABLE_BYTES = 32 };

/* Takes the first table of *where, with its format if it has one; 0 at the end. */
static int take_table(const char **where, char table[TABLE_BYTES])
{
    size_t length = strcspn(*where, ",");

    if (strncmp(*where + length, ", csv", 5) == 0 || strncmp(*where + length, ", text", 6) == 0)
        length += 2 + strcspn(*where + length + 2, ",");
    snprintf(table, TABLE_BYTES, "%.*s", (int)length, *where);
    *where += length;
    *where += strspn(*where, ", ");
    return length > 0;
}

/* Nonzero for two columns of one table, in whatever format. */
static int is_same_table(const char *a, const char *b)
{
    size_t length = strcspn(a, ",");

    return strcspn(b, ",") == length && strncmp(a, b, length) == 0;
}

/* Adds a row for the column if it is one of the table. */
static void add_of_table(const struct column *column, const char *table, struct nuce_grid *grid)
{
    char its[TABLE_BYTES];

    for (const char *where = column->where; take_table(&where, its);) {
        if (is_same_table(its, table))
            nuce_cli_add(grid,
                         (const char *const[]){its, column->name, column->unit, column->meaning});
    }
}

/* Adds the columns of the table that the workload's program prints (kernels/run/print.c): the keys
 * that vary, what is compared, its ratio, and each result with a head. */
static void add_of_program(const struct nuce_workload_ops *workload, struct nuce_grid *grid)
{
    char *table =
        nuce_text_format("%s%s%s, text", workload->program, workload->subcommand != NULL ? " " : "",
                         workload->subcommand != NULL ? workload->subcommand : "");

    nuce_cli_add(grid, (const char *const[]){table, "KEY", NULL,
                                             "each key in which the rows differ, and the compared "
                                             "one, under its own name"});
    if (nuce_option_compared(workload->options) != NULL)
        nuce_cli_add(grid, (const char *const[]){table, "ratio", NULL,
                                                 "ratio to the reference, the first row, with 95 % "
                                                 "interval; the line below has the noise"});
    for (const struct nuce_result *const *rows = workload->results; *rows != NULL; rows++) {
        for (const struct nuce_result *row = *rows; row->name != NULL; row++) {
            if (row->head != NULL)
                nuce_cli_add(grid, (const char *const[]){table, row->head,
                                                         *row->unit != '\0' ? row->unit : NULL,
                                                         row->meaning});
        }
    }
    nuce_cli_add(grid, (const char *const[]){table, "95 % interval", "s",
                                             "interval of the time to its left"});
    free(table);
}

/* A column of several tables has a row in each of them. Tables follow in the order of their first
 * columns. */
nuce_status nuce_list_columns(struct nuce_grid *grid, struct nuce_error *error)
{
    static const char *const names[] = {"table", "column", "unit", "meaning"};
    struct nuce_grid metrics = {0};
    nuce_status status = nuce_list_metrics(&metrics, error);
    char table[TABLE_BYTES];

    nuce_grid_init(4, names, grid);
    for (int i = 0; i < COLUMNS; i++) {
        for (const char *where = columns[i].where; take_table(&where, table);) {
            int64_t row = 0;

            while (row < grid->rows && !is_same_table(nuce_grid_cell(grid, row, 0)->text, table))
                row++;
            if (row < grid->rows)
                continue;
            for (int k = i; k < COLUMNS; k++)
                add_of_table(&columns[k], table, grid);
        }
    }
    for (int k = 0; nuce_workloads[k] != NULL; k++) {
        if (nuce_workloads[k]->program != NULL && !nuce_workloads[k]->is_command)
            add_of_program(nuce_workloads[k], grid);
    }
    for (int64_t i = 0; i < metrics.rows; i++) {
        const char *unit = nuce_grid_text(&metrics, i, "unit");

        nuce_cli_add(grid, (const char *const[]){"metrics", nuce_grid_text(&metrics, i, "name"),
                                                 *unit != '\0' ? unit : NULL,
                                                 nuce_grid_text(&metrics, i, "meaning")});
    }
    nuce_grid_fini(&metrics);
    return status;
}
