/* nuce compare: two campaigns, environments or contenders, point by point. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "commands/subcommand.h"
#include "comparison/compare_print.h"
#include "db/store.h"
#include "support/record.h"
#include "support/text.h"
#include "support/units.h"

#define EXIT_REGRESSION 5

struct compare_arguments {
    const char *sides[2], *database;
    enum nuce_grid_format format;
    struct nuce_contrast_choice choice;
    double required; /* what all points must have been able to show; infinity: nothing */
    const char *threshold, *confidence, *require, *part; /* as given */
    int kind;                                            /* of kind_name */
};

static const char *kind_name(size_t index)
{
    static const char *const names[] = {"measured", "simulated", "modelled", NULL};

    return names[index];
}

/* In the order of enum nuce_contrast_unit. */
static const char *unit_name(size_t index)
{
    static const char *const names[] = {"auto", "runs", "samples", NULL};

    return names[index];
}

static const struct nuce_option options[] = {
    {.name = "threshold",
     .letter = 't',
     .type = NUCE_OPTION_TEXT,
     .offset = offsetof(struct compare_arguments, threshold),
     .preset = "5%",
     .argument = "PERCENT",
     .help = "exit with 5 where B is slower by more"},
    {.name = "confidence",
     .letter = 'C',
     .type = NUCE_OPTION_TEXT,
     .offset = offsetof(struct compare_arguments, confidence),
     .preset = "95%",
     .argument = "PERCENT",
     .help = "of intervals and of no false alarm"},
    {.name = "require",
     .letter = 'r',
     .type = NUCE_OPTION_TEXT,
     .offset = offsetof(struct compare_arguments, require),
     .argument = "PERCENT",
     .help = "fail where so much could not have been shown"},
    {.name = "kind",
     .letter = 'k',
     .type = NUCE_OPTION_WORD,
     .offset = offsetof(struct compare_arguments, kind),
     .preset = "measured",
     .argument = "KIND",
     .help = "measured, simulated or modelled",
     .choices = kind_name},
    {.name = "part",
     .letter = 'p',
     .type = NUCE_OPTION_TEXT,
     .offset = offsetof(struct compare_arguments, part),
     .argument = "PART",
     .help = "of a step: communication, computation, ..."},
    {.name = "unit",
     .letter = 'u',
     .type = NUCE_OPTION_WORD,
     .offset = offsetof(struct compare_arguments, choice.unit),
     .preset = "auto",
     .argument = "UNIT",
     .help = "auto, runs or samples",
     .choices = unit_name},
    {.name = "campaign",
     .letter = 'c',
     .type = NUCE_OPTION_TEXT,
     .offset = offsetof(struct compare_arguments, choice.campaign),
     .argument = "NAME",
     .help = "only runs of this campaign"},
    NUCE_CLI_DATABASE(struct compare_arguments),
    NUCE_CLI_FORMAT(struct compare_arguments),
    {.name = NULL},
};

static const char about[] =
    "Compare A and B: at each point that both have, how much slower or faster B is, how sure "
    "that is, and what the data could not have shown. A and B are campaigns (quick.1), "
    "environments (the beginning of an id of 'nuce show environments') or contenders: schedules, "
    "decompositions or placements (ac, 'greedy depth 4'); several campaigns or environments with "
    "commas between them are one "
    "side. Where a name could be two things, write campaign:NAME, environment:ID or "
    "contender:NAME.";

static const char after[] =
    "Points are the same when all else is equal: the point itself between campaigns and "
    "environments; problem, ranks and environment between contenders; the wait policy "
    "always. Runs that did not end well are left out.\n\n"
    "The difference is how much longer B takes: the Hodges-Lehmann estimate on logarithms, which "
    "is the median over all pairs of a value of A and one of B, with its interval; it is not the "
    "quotient of the two medians beside it. p is Mann and Whitney's with Holm's correction over "
    "all points. 'could show' is the smallest slow-down that would have been shown. What is "
    "compared are runs (the median of each) where there are enough of them: 4 a side for one "
    "point, 7 for 80, best run in turns, A, B, A, B. Of fewer runs the samples are compared, in "
    "blocks that their autocorrelation asks for; what changes from launch to launch is then "
    "unseen, so slower by more than the threshold is only what is so with its whole interval, and "
    "launches that began on a BUSY machine show nothing. '--unit runs' never compares samples, "
    "'--unit samples' does so on a busy machine, too, and says so. What is simulated or modelled "
    "is exact.\n\n"
    "The part compared is communication where it was timed, else the whole step; '--part step' "
    "takes the step always. Of what is modelled only communication is predicted.\n\n"
    "In json and csv numbers are in full: a_s and b_s are the medians in seconds; ratio, ratio_low "
    "and ratio_high are B / A (1.1: B takes 10 % longer) with the ends of its interval; detectable "
    "is what could be shown as a fraction (0.12 is 12 %); a_values and b_values count what unit "
    "says; busy is 1 where a launch began on a busy machine, despite_busy where '--unit samples' "
    "took it all the same; verdict is regression (B slower by more than the threshold, of "
    "contenders, too), slower, faster, no difference or cannot tell. What is unknown or infinite "
    "is empty, in json null.\n\n"
    "Exit status: 0 B is nowhere shown to be slower than A by more than the threshold, 5 B is "
    "slower by more than the threshold at some point (of campaigns and environments that is a "
    "regression), 1 no point in common, less than --require could have been shown, or failed, "
    "2 bad input or usage.";

/* "5%" or "0.05". */
static nuce_status parse_fraction(const char *text, double *out, struct nuce_error *error)
{
    size_t length = strlen(text);
    int percent = length > 0 && text[length - 1] == '%';
    char number[64];
    double value;

    if (length - (size_t)percent < sizeof number) {
        memcpy(number, text, length - (size_t)percent);
        number[length - (size_t)percent] = '\0';
        if (nuce_units_parse_real(number, &value, error) == NUCE_OK) {
            *out = percent ? value / 100 : value;
            return NUCE_OK;
        }
    }
    return nuce_error_set(error, NUCE_BAD_INPUT, "'%s': expected a percentage such as 5%%, or 0.05",
                          text);
}

static nuce_status set_fraction(const char *name, const char *text, double *out,
                                struct nuce_error *error)
{
    if (text == NULL)
        return NUCE_OK;
    if (parse_fraction(text, out, error) != NUCE_OK)
        return nuce_error_prefix(error, "--%s", name);
    if (!(*out >= 0))
        return nuce_error_set(error, NUCE_BAD_INPUT, "--%s: '%s': expected 0 or more", name, text);
    return NUCE_OK;
}

/* What the options make of the choice. */
static nuce_status compare_choose(struct compare_arguments *arguments, struct nuce_error *error)
{
    struct nuce_contrast_choice *choice = &arguments->choice;
    int part = 0;

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
    choice->kind = kind_name((size_t)arguments->kind);
    return NUCE_OK;
}

static int has_regression(const struct nuce_contrast *contrast)
{
    for (int64_t i = 0; i < contrast->rule.points; i++) {
        if (contrast->points[i].result.verdict == NUCE_VERDICT_REGRESSION)
            return 1;
    }
    return 0;
}

/* What the points say, as an exit status; says which of them cannot say enough. */
static int compare_conclude(const struct compare_arguments *arguments,
                            const struct nuce_contrast *contrast, struct nuce_error *error)
{
    int64_t unable = 0;

    if (has_regression(contrast))
        return EXIT_REGRESSION;
    for (int64_t i = 0; i < contrast->rule.points; i++)
        unable += contrast->points[i].result.detectable > arguments->required;
    if (unable == 0)
        return 0;
    (void)nuce_error_set(
        error, NUCE_FAILED,
        "--require: at %lld of %lld points a slow-down of %g %% could not have been "
        "shown",
        (long long)unable, (long long)contrast->rule.points, 100 * arguments->required);
    return nuce_message_error(error);
}

/* Prints what is found; the exit status. */
static int compare_show(const struct compare_arguments *arguments,
                        const struct nuce_contrast *contrast, struct nuce_error *error)
{
    struct nuce_grid grid = {0};
    nuce_status status;
    int printed;

    nuce_compare_say_left_out(contrast, &arguments->choice);
    if (contrast->rule.points == 0) {
        (void)nuce_error_set(error, NUCE_FAILED,
                             "nothing to compare: %s and %s have no point with %s times in common",
                             arguments->sides[0], arguments->sides[1], arguments->choice.kind);
        return nuce_message_error(error);
    }
    status = arguments->format == NUCE_GRID_TEXT ? nuce_compare_table(contrast, &grid, error)
                                                 : nuce_compare_rows(contrast, &grid, error);
    printed = nuce_cli_print(&grid, arguments->format, status, error);
    if (printed != 0)
        return printed;
    if (arguments->format == NUCE_GRID_TEXT) {
        nuce_compare_print_legend(contrast);
        printed = nuce_cli_finish(0);
        if (printed != 0)
            return printed;
    }
    nuce_compare_say_verdict(contrast, &arguments->choice);
    return compare_conclude(arguments, contrast, error);
}

static int compare_command(int argc, char **argv)
{
    struct compare_arguments arguments = {.required = INFINITY};
    struct nuce_command_line line = {
        .about = about,
        .after = after,
        .operands = {.usage = "A B",
                     .least = 2,
                     .most = 2,
                     .expected = "two things to compare, A and B",
                     .into = arguments.sides},
        .groups = {{.rows = options, .params = &arguments}},
    };
    struct nuce_store store = {.lock = -1};
    struct nuce_side a = {0}, b = {0};
    struct nuce_contrast contrast = {0};
    struct nuce_error error;
    nuce_status status;
    int ended;

    nuce_command_line_parse(&line, argc, argv);
    status = compare_choose(&arguments, &error);
    if (status == NUCE_OK)
        status = nuce_store_open_reading(arguments.database, &store, &error);
    if (status == NUCE_OK)
        status = nuce_sides_find(&store, arguments.sides[0], arguments.sides[1], &a, &b, &error);
    if (status == NUCE_OK)
        status = nuce_contrast_make(&store, &a, &b, &arguments.choice, &contrast, &error);
    ended = status == NUCE_OK ? compare_show(&arguments, &contrast, &error)
                              : nuce_message_error(&error);
    nuce_contrast_fini(&contrast);
    nuce_side_fini(&a);
    nuce_side_fini(&b);
    nuce_store_close(&store);
    return ended;
}

const struct nuce_subcommand nuce_subcommand_compare = {
    .name = "compare",
    .summary =
        "what differs between two campaigns, environments or contenders, and how sure that is",
    .run = compare_command,
};
