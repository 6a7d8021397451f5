/* Emulated speeds that change during a run: "100:8,4,2,1/200:1,1,1,1" lists iterations and the
 * speeds from each on. A rank is slowed by extra work in each sweep; the fastest speed of all
 * periods has none. Changes ascend and lie within the run. The text is rewritten in its shortest
 * form, so that the same changes are the same point. O(changes x ranks), as each change has a speed
 * for every rank. */
#include "points/stencil_periods.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/text.h"
#include "base/units.h"
#include "points/stencil_instance.h"

#define OPTION "speeds-after"

void nuce_speed_periods_fini(struct nuce_speed_periods *periods)
{
    free(periods->from);
    free(periods->speeds);
    memset(periods, 0, sizeof *periods);
}

/* The number of changes in the text: ITERATION:LIST, with a / between two. */
static int count_changes(const char *text)
{
    int count = text[0] != '\0';

    for (; *text != '\0'; text++)
        count += *text == '/';
    return count;
}

/* Takes the next change from *rest: its iteration, and in *list the text after it. */
static nuce_status next_change(char **rest, int64_t *iteration, char **list,
                               struct nuce_error *error)
{
    char *word = strsep(rest, "/");

    *list = strchr(word, ':');
    if (*list == NULL)
        return nuce_error_refuse(error, OPTION,
                                 "'%s': expected ITERATION:LIST, such as 100:8,4,2,1", word);
    *(*list)++ = '\0';
    if (nuce_units_parse_count(word, iteration, error) != NUCE_OK)
        return nuce_error_about(error, OPTION);
    return NUCE_OK;
}

nuce_status nuce_speed_periods_init(const struct nuce_stencil_params *params, int ranks,
                                    struct nuce_speed_periods *out, struct nuce_error *error)
{
    int count = 1 + count_changes(params->speeds_after);
    struct nuce_speed_periods periods = {.count = count};
    char copy[NUCE_PATH_BYTES], *rest = copy, *list;

    periods.from = nuce_allocate(count, sizeof *periods.from);
    periods.speeds = nuce_allocate((int64_t)count * ranks, sizeof *periods.speeds);
    error->status = nuce_stencil_speeds(params, ranks, periods.speeds, error);
    snprintf(copy, sizeof copy, "%s", params->speeds_after);
    for (int k = 1; error->status == NUCE_OK && k < count; k++) {
        error->status = next_change(&rest, &periods.from[k], &list, error);
        if (error->status == NUCE_OK)
            error->status = nuce_stencil_list_read(OPTION, list, ranks,
                                                   periods.speeds + (int64_t)k * ranks, error);
        if (error->status == NUCE_OK &&
            (periods.from[k] <= periods.from[k - 1] || periods.from[k] >= params->iterations))
            nuce_error_refuse(error, OPTION,
                              "'%lld': expected iterations that ascend, from 1 to one "
                              "less than the %lld of the run",
                              (long long)periods.from[k], (long long)params->iterations);
    }
    if (error->status != NUCE_OK) {
        nuce_speed_periods_fini(&periods);
        return error->status;
    }
    for (int64_t k = 0; k < (int64_t)count * ranks; k++)
        periods.most = fmax(periods.most, periods.speeds[k]);
    *out = periods;
    return NUCE_OK;
}

double nuce_speed_periods_extra(const struct nuce_speed_periods *periods, int period, int rank,
                                int ranks)
{
    return periods->most / periods->speeds[(int64_t)period * ranks + rank] - 1;
}

nuce_status nuce_stencil_periods_complete(struct nuce_stencil_params *params, int ranks,
                                          struct nuce_error *error)
{
    char copy[NUCE_PATH_BYTES], again[NUCE_PATH_BYTES] = "", *rest = copy;
    int changes = count_changes(params->speeds_after);
    int64_t every = params->look_every, look;
    struct nuce_speed_periods periods;
    size_t length = 0;

    /* Changing speeds are emulated from the beginning: without a list all ranks begin equal. */
    if (changes > 0 && params->emulate_speeds[0] == '\0') {
        for (int i = 0; i < ranks && length + 2 < sizeof params->emulate_speeds; i++)
            length += (size_t)snprintf(params->emulate_speeds + length,
                                       sizeof params->emulate_speeds - length, i == 0 ? "1" : ",1");
    }
    if (params->emulate_speeds[0] != '\0' &&
        nuce_stencil_list_normalise("emulate-speeds", params->emulate_speeds,
                                    sizeof params->emulate_speeds, error) != NUCE_OK)
        return error->status;
    snprintf(copy, sizeof copy, "%s", params->speeds_after);
    length = 0;
    for (int k = 0; k < changes; k++) {
        char list[NUCE_PATH_BYTES], *text;
        int64_t iteration;

        if (next_change(&rest, &iteration, &text, error) != NUCE_OK)
            return error->status;
        nuce_text_copy(list, sizeof list, text);
        if (nuce_stencil_list_normalise(OPTION, list, sizeof list, error) != NUCE_OK)
            return error->status;
        length += (size_t)snprintf(again + length, sizeof again - length, "%s%lld:%s",
                                   k == 0 ? "" : "/", (long long)iteration, list);
        if (length >= sizeof again)
            return nuce_error_refuse(error, OPTION, "longer than %d bytes: '%.60s...'",
                                     NUCE_PATH_BYTES - 1, params->speeds_after);
    }
    nuce_text_copy(params->speeds_after, sizeof params->speeds_after, again);
    if (nuce_speed_periods_init(params, ranks, &periods, error) != NUCE_OK)
        return error->status;
    /* The array is cut again at the first look whose sweeps are all after the first change. The
     * look at or after the change may still include sweeps from before it; the next one does
     * not. */
    look = changes > 0 ? (periods.from[1] + every - 1) / every * every + every : 0;
    nuce_speed_periods_fini(&periods);
    if (strcmp(params->rebalance, NUCE_REBALANCE_NEVER) == 0)
        return NUCE_OK;
    if (params->allow_empty)
        return nuce_error_refuse(error, "allow-empty",
                                 "not with rebalance: a rank without cells has no "
                                 "measurable rate");
    if (every >= params->iterations)
        return nuce_error_refuse(error, "look-every",
                                 "'%lld': expected less than the %lld iterations: rebalance needs "
                                 "iterations > look-every (default 10)",
                                 (long long)every, (long long)params->iterations);
    if (strcmp(params->rebalance, NUCE_REBALANCE_AFTER_CHANGE) != 0)
        return NUCE_OK;
    if (changes == 0)
        return nuce_error_refuse(error, "rebalance",
                                 "'" NUCE_REBALANCE_AFTER_CHANGE
                                 "': expected speeds that change: " OPTION);
    if (look >= params->iterations)
        return nuce_error_refuse(error, "iterations",
                                 "'%lld': expected more than %lld, where the speeds after "
                                 "the change are first known",
                                 (long long)params->iterations, (long long)look);
    return NUCE_OK;
}
