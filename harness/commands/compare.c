/* nuce compare: two campaigns, environments, contenders or MPI libraries, point by point.
 * results/sides.h finds the meaning of the two names, results/contrast.h computes the numbers, and
 * compare_print.c prints sentences and tables. Here are the options, and the exit status, which
 * scripts and CI rely on: 0 same or better, 1 worse, 2 not compared, 3 inconclusive. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/record.h"
#include "base/units.h"
#include "campaigns/cli.h"
#include "commands/subcommand.h"
#include "db/store.h"
#include "results/compare_print.h"
#include "results/foreign.h"

struct compare_arguments {
    const char *sides[2], *database; /* A and B as the user wrote them */
    enum nuce_grid_format format;
    struct nuce_contrast_choice choice;
    double required; /* the slow-down that all points must be able to show; infinity: none */
    const char *threshold, *confidence, *require, *part; /* as the user wrote them */
    int kind;                                            /* index into kinds */
};

/* The kinds of runs in the database (result.kind); one comparison has runs of one kind only. */
static const char *const kinds[] = {"measured", "simulated", "modelled", NULL};

static const struct nuce_option options[] = {
    NUCE_OPTION(TEXT, "threshold", offsetof(struct compare_arguments, threshold), "5%", "PERCENT",
                "slow-down from which on B is worse", .letter = 't'),
    NUCE_OPTION(TEXT, "confidence", offsetof(struct compare_arguments, confidence), "95%",
                "PERCENT", "confidence of each interval and of all verdicts together",
                .letter = 'C'),
    NUCE_OPTION(TEXT, "require", offsetof(struct compare_arguments, require), NULL, "PERCENT",
                "slow-down that must be detectable, else the exit status is 3", .letter = 'r'),
    NUCE_OPTION(WORD, "kind", offsetof(struct compare_arguments, kind), "measured", "KIND",
                "kind of runs: measured, simulated or modelled", .letter = 'k', .words = kinds),
    NUCE_OPTION(TEXT, "part", offsetof(struct compare_arguments, part), NULL, "PART",
                "part of a step: communication, computation, step, ...; default: the part "
                "that is raced"),
    NUCE_OPTION(TEXT, "campaign", offsetof(struct compare_arguments, choice.campaign), NULL, "NAME",
                "campaign to take runs of, or a sweep (its newest campaign); default: all",
                .letter = 'c'),
    NUCE_CLI_DATABASE(struct compare_arguments),
    NUCE_CLI_FORMAT(struct compare_arguments),
    {.name = NULL},
};

/* The texts of --help before the options, and after them. */
static const char about[] =
    "Compare A and B: at each point that both have, the ratio of B's time to A's, and how sure "
    "that is. A and B are campaigns (quick.1), "
    "environments (four digits or more of an id of 'nuce show environments'), contenders: "
    "schedules, "
    "decompositions or placements (ac, 'greedy in-flight 4'), or ways to start ranks that a sweep "
    "has set: MPI libraries (mpich, openmpi), nodes=4, UCX_TLS=tcp; several campaigns or "
    "environments with "
    "commas between them are one "
    "side. Where a name could be two things, write campaign:NAME, environment:ID, "
    "contender:NAME or mpi=NAME. Or A and B are files that other benchmarks wrote, with commas "
    "between those of one side: tables of OSU or IMB, JSON of hyperfine (--export-json), "
    "performance logs of ReFrame.";

static const char after[] =
    "Points are the same when all else is equal: the point itself between campaigns and "
    "environments; problem, ranks and environment between contenders; all but the compared setting "
    "between ways to start, within one campaign; the wait policy always. Runs that did not "
    "end well are left out.\n\n"
    "The unit is the launch, so each interval contains the variation between launches. "
    "Contenders are compared where they met in one race: the ratio of each launch, by its rounds. "
    "Campaigns, environments and ways to start have launches of their own: the median of each "
    "launch counts, and the interval is Welch's. Intervals of races that end as soon as they are "
    "known allow for that ('nuce race'). If both sides have several campaigns, the unit is the "
    "campaign, by the mean of its launches. The interval then contains changes of the machine: run "
    "A, B three times. In files a launch is each time of hyperfine, each line of a log, and each "
    "table; if both sides have several files with several launches, the unit is the file. One "
    "launch per side shows nothing. Simulated and modelled times are exact.\n\n"
    "The verdict of each point is worse (B is shown to be slower by more than the threshold), "
    "slower, faster, same (the interval lies within the threshold) or inconclusive. The first "
    "three "
    "hold for all points together: p is corrected by Holm's method. The geometric mean over all "
    "points has its own interval.\n\n"
    "The part compared is the one by which the contenders of the workload race, communication or "
    "the whole step; '--part step' takes another. The model predicts communication only.\n\n"
    "In json and csv numbers are in full: a_s and b_s are seconds, the geometric means over "
    "launches, or campaigns, of the median; ratio, ratio_low and ratio_high are B / A (1.1: B "
    "takes 10 % longer) "
    "with the ends of its interval; detectable is the smallest slow-down that would have been "
    "shown, as a fraction (0.12 is 12 %); a_launches and b_launches count the unit in compared: "
    "launches, campaigns, files or races; exact has none. a_value and b_value are in unit, which "
    "is s for "
    "times; a_s and b_s are empty for others. A value that is unknown or infinite is empty, "
    "in json null.\n\n"
    "Exit status: 0 B is the same or better: no point is worse, and all of them, or their "
    "geometric mean, are shown not to be slower by more than the threshold; 1 B is worse at some "
    "point, or in the geometric mean; 3 inconclusive: too few launches, or less than --require "
    "could have been shown; 2 bad "
    "input or usage, no point in common, or failed.";

/* Sets *out from text, "5%" or "0.05"; keeps its default if text is NULL. Refuses negative values,
 * and texts that are no number. A number of 1 or more without % is a mistake for one with it: with
 * a threshold of 500 %, every comparison would pass. name: of the option, for messages. */
static nuce_status set_fraction(const char *name, const char *text, double *out,
                                struct nuce_error *error)
{
    size_t length = text != NULL ? strlen(text) : 0;
    int percent = length > 0 && text[length - 1] == '%';
    char number[64];
    double value;

    if (text == NULL)
        return NUCE_OK;
    snprintf(number, sizeof number, "%.*s", (int)(length - (size_t)percent), text);
    if (length - (size_t)percent >= sizeof number ||
        nuce_units_parse_real(number, &value, error) != NUCE_OK)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "--%s: '%s': expected a percentage such as 5%%, or 0.05", name, text);
    if (!percent && value >= 1)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "--%s: '%s' is %g %%: expected a percentage such as 5%%, or 0.05",
                              name, text, 100 * value);
    *out = percent ? value / 100 : value;
    if (!(*out >= 0))
        return nuce_error_set(error, NUCE_BAD_INPUT, "--%s: '%s': expected 0 or more", name, text);
    return NUCE_OK;
}

/* Order: options, the database (reading only), the meaning of A and B, the numbers, the output.
 * Every failure ends with status 2, so that 1 means "worse" and nothing else. A confidence above
 * 99.99 % would need an impractical number of launches. One below 50 % is probably the error
 * probability, given by mistake. */
static nuce_status compare_command(struct nuce_subcommand_call *call, struct nuce_error *error)
{
    struct compare_arguments *arguments = call->arguments;
    struct nuce_store store = {.lock = -1};
    struct nuce_side a = {0}, b = {0};
    struct nuce_contrast contrast = {0};
    struct nuce_grid grid = {0};
    int is_text = arguments->format == NUCE_GRID_TEXT;
    struct nuce_contrast_choice *choice = &arguments->choice;
    char *same = NULL, *campaign = NULL;
    int part = 0, are_files;
    nuce_status status;

    arguments->required = INFINITY;
    if (set_fraction("threshold", arguments->threshold, &choice->threshold, error) != NUCE_OK ||
        set_fraction("require", arguments->require, &arguments->required, error) != NUCE_OK ||
        set_fraction("confidence", arguments->confidence, &choice->confidence, error) != NUCE_OK)
        return error->status;
    if (!(choice->confidence >= 0.5 && choice->confidence <= 0.9999))
        return nuce_error_set(error, NUCE_BAD_INPUT, "--confidence: '%s': expected 50%% to 99.99%%",
                              arguments->confidence);
    while (arguments->part != NULL && nuce_record_sample_parts[part] != NULL &&
           strcmp(nuce_record_sample_parts[part], arguments->part) != 0)
        part++;
    if (arguments->part != NULL && nuce_record_sample_parts[part] == NULL)
        return nuce_error_set(
            error, NUCE_BAD_INPUT,
            "--part: '%s': expected a part of a step, such as step or communication",
            arguments->part);
    choice->part = arguments->part;
    choice->kind = kinds[arguments->kind];
    are_files =
        nuce_foreign_is_side(arguments->sides[0]) || nuce_foreign_is_side(arguments->sides[1]);
    if (are_files && choice->campaign != NULL)
        return nuce_error_set(error, NUCE_BAD_INPUT, "--campaign: expected none beside files");
    status = are_files ? nuce_foreign_open(arguments->sides, &store, &a, &b, error)
                       : nuce_store_open_reading(arguments->database, &store, error);
    if (status == NUCE_OK && choice->campaign != NULL) {
        campaign = nuce_store_campaign(&store, choice->campaign, error);
        choice->campaign = campaign;
        status = campaign != NULL ? NUCE_OK : error->status;
    }
    if (status == NUCE_OK && !are_files)
        status = nuce_sides_find(&store, arguments->sides[0], arguments->sides[1], choice->campaign,
                                 &a, &b, error);
    if (status == NUCE_OK)
        status = nuce_contrast_make(&store, &a, &b, &arguments->choice, &contrast, error);
    if (status == NUCE_OK) {
        nuce_compare_say_left_out(&contrast, &arguments->choice);
        if (contrast.rule.points == 0)
            status = nuce_error_set(
                error, NUCE_BAD_INPUT,
                "nothing to compare: %s and %s have no point with %s times in common",
                arguments->sides[0], arguments->sides[1], arguments->choice.kind);
        else if (is_text)
            nuce_compare_table(&contrast, &grid, &same);
        else
            nuce_compare_rows(&contrast, &grid);
    }
    status = nuce_cli_print(&grid, arguments->format, status, error);
    if (status == NUCE_OK) {
        if (is_text) {
            nuce_compare_say_legend(&contrast, same, stdout);
            fputc('\n', stdout);
        }
        nuce_compare_say_verdict(&contrast, arguments->required, is_text ? stdout : stderr);
        call->ended = (int)nuce_compare_outcome(&contrast, arguments->required);
    }
    free(same);
    free(campaign);
    nuce_contrast_fini(&contrast);
    nuce_side_fini(&a);
    nuce_side_fini(&b);
    nuce_store_close(&store);
    return status;
}

const struct nuce_subcommand nuce_subcommand_compare = {
    .name = "compare",
    .summary = "compare two campaigns, MPI libraries, contenders or files",
    .about = about,
    .after = after,
    .examples =
        NUCE_EXAMPLES({"nuce compare quick.1 quick.2", "compare two campaigns, point by point"},
                      {"nuce compare mpi=mpich mpi=openmpi --campaign accept.1 --threshold 10%",
                       "compare two MPI libraries; slower by up to 10 % is not worse"},
                      {"nuce compare old.txt new.txt", "compare two outputs of osu_latency"}),
    .operands = {.usage = "A B",
                 .least = 2,
                 .most = 2,
                 .expected = "two things to compare, A and B"},
    .options = options,
    .arguments_bytes = sizeof(struct compare_arguments),
    .operand = offsetof(struct compare_arguments, sides),
    .fails_as = 2,
    .run = compare_command,
};
