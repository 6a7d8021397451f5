/* Contenders in turns. Slow changes of a machine, such as its temperature or a neighbour's load,
 * then affect all contenders alike, and a launch gives each a ratio to the reference.
 *
 * Points whose commands are the same, rows of one printed table, share a run. A turn is one run;
 * the turns of points that differ in nothing but contender and row are a block, and mixed. */
#include "campaigns/turns.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/allocate.h"
#include "base/clock.h"
#include "base/hash.h"
#include "base/record.h"
#include "base/rng.h"
#include "base/text.h"
#include "campaigns/command.h"
#include "campaigns/ending.h"
#include "campaigns/start.h"
#include "points/machine.h"
#include "points/point.h"

/* Starts of a null command, of which the shortest counts, and the share of a command's time from
 * which that is said. */
#define NULL_STARTS 3
#define START_SHARE 0.1
#define NULL_TIMEOUT_S 10

/* One run of a command in a launch. */
struct turn {
    json_t *contender; /* its params but for the row of its table, and its launch factors */
    json_t *words;
    char *null; /* the null command of words, as JSON; NULL: it has none */
    int64_t block;
    int is_duplicate;
    int place; /* in the order of its block */
    char started[NUCE_TIME_BYTES];
    struct nuce_command_end end;
};

/* A point of a launch; its turns are indices. */
struct entrant {
    int64_t index; /* of the campaign's points */
    struct nuce_point point;
    int64_t turn, duplicate; /* -1: no duplicate, it is not its race's reference */
    char race[NUCE_HASH_BYTES];
    json_t *instance; /* what all contenders of its block have in common, owned */
    json_t *record;   /* of its run, owned; NULL: not made yet */
};

struct round {
    struct nuce_turns *turns;
    struct nuce_start start;
    struct entrant *entrants; /* start.count of them */
    struct turn *all;
    int64_t count, capacity;
    const struct turn *stopped; /* by a signal, one of all; NULL: none, all have ended */
    uint64_t seed;
    char job[NUCE_JOB_BYTES];
    double others_cpus;
};

static const struct nuce_program_params *params_of(const struct entrant *entrant)
{
    return entrant->point.params;
}

/* The number of the turn of the contender in the block; a new one, which takes words over, if there
 * is none. Contenders with the same words are two: whoever races a command against itself wants two
 * runs. */
static int64_t find_turn(struct round *round, const struct nuce_point *point, json_t *words,
                         int64_t block, int is_duplicate)
{
    json_t *contender = json_copy(point->canonical), *null;

    json_object_del(contender, "at");
    for (int64_t i = 0; i < round->count; i++) {
        const struct turn *turn = &round->all[i];

        if (turn->block == block && turn->is_duplicate == is_duplicate &&
            json_equal(turn->contender, contender)) {
            json_decref(contender);
            json_decref(words);
            return i;
        }
    }
    nuce_allocate_more((void **)&round->all, &round->capacity, round->count + 1,
                       sizeof *round->all);
    null = nuce_command_null(words);
    round->all[round->count] =
        (struct turn){.contender = contender,
                      .words = words,
                      .null = null != NULL ? json_dumps(null, JSON_COMPACT) : NULL,
                      .block = block,
                      .is_duplicate = is_duplicate};
    json_decref(null);
    return round->count++;
}

/* The first entrant that differs from this one in nothing but contender and row of its table. */
static int64_t find_block(const struct round *round, int64_t number)
{
    int64_t block = 0;

    while (!json_equal(round->entrants[block].instance, round->entrants[number].instance))
        block++;
    return block;
}

/* The id of an entrant's race. Programs have little in common but their folder, so the reference is
 * part of it: the noise of one command is not that of another. */
static nuce_status name_race(struct entrant *entrant, const struct entrant *reference,
                             struct nuce_error *error)
{
    char *text;

    if (nuce_point_race(&entrant->point, entrant->race, error) != NUCE_OK)
        return error->status;
    text = nuce_text_format("%s %s", entrant->race, reference->point.id);
    nuce_hash(text, strlen(text), entrant->race);
    free(text);
    return NUCE_OK;
}

/* Chooses the points of a launch and their turns. Freed with round_fini, also on failure. */
static nuce_status round_init(struct nuce_turns *turns, int64_t first, struct round *out,
                              struct nuce_error *error)
{
    struct nuce_campaign *campaign = turns->campaign;
    struct nuce_facts *facts = nuce_facts_create();
    const struct entrant *reference = NULL;

    *out = (struct round){.turns = turns};
    nuce_start_choose(campaign, first, 0, &out->start);
    out->entrants = nuce_allocate(out->start.count, sizeof *out->entrants);
    nuce_machine_name_job(out->job);
    out->seed = (uint64_t)nuce_record_time_ms();
    error->status = NUCE_OK;
    for (int64_t i = 0; error->status == NUCE_OK && i < out->start.count; i++) {
        struct entrant *entrant = &out->entrants[i];
        const struct nuce_campaign_point *point = &campaign->points[out->start.points[i]];
        int is_reference = i == 0 || campaign->points[out->start.points[i - 1]].race != point->race;
        json_t *words;

        entrant->index = out->start.points[i];
        entrant->duplicate = -1;
        entrant->instance = nuce_campaign_instance(point);
        json_object_del(entrant->instance, "at");
        if (nuce_point_from_json(point->line, facts, &entrant->point, error) != NUCE_OK)
            break;
        reference = is_reference ? entrant : reference;
        if (name_race(entrant, reference, error) != NUCE_OK)
            break;
        words = nuce_command_words(params_of(entrant), entrant->point.launch, point->ranks, error);
        if (words == NULL)
            break;
        if (is_reference)
            entrant->duplicate =
                find_turn(out, &entrant->point, json_incref(words), find_block(out, i), 1);
        entrant->turn = find_turn(out, &entrant->point, words, find_block(out, i), 0);
    }
    nuce_facts_destroy(facts);
    return error->status;
}

static void round_fini(struct round *round)
{
    for (int64_t i = 0; i < round->count; i++) {
        json_decref(round->all[i].contender);
        json_decref(round->all[i].words);
        free(round->all[i].null);
        nuce_command_end_fini(&round->all[i].end);
    }
    for (int64_t i = 0; i < round->start.count; i++) {
        nuce_point_fini(&round->entrants[i].point);
        json_decref(round->entrants[i].instance);
        json_decref(round->entrants[i].record);
    }
    free(round->all);
    free(round->entrants);
    nuce_start_fini(&round->start);
}

/* Adds the programs that the words name, by their SHA-256: a rebuilt one is another environment.
 * Any word counts that execvp would find, in the command's own folder. */
static void describe_words(const json_t *words, const char *directory, json_t *programs)
{
    const json_t *word;
    size_t i;

    json_array_foreach(words, i, word)
    {
        const char *text = json_string_value(word);
        int is_path = strchr(text, '/') != NULL;
        char *path = is_path && *text != '/' ? nuce_text_format("%s/%s", directory, text)
                                             : nuce_process_find(text);
        struct nuce_error ignored;
        char hash[NUCE_HASH_BYTES];

        if (*text != '\0' && *text != '-' && path != NULL && access(path, X_OK) == 0 &&
            json_object_get(programs, text) == NULL &&
            nuce_hash_file(path, hash, &ignored) == NUCE_OK)
            json_object_set_new(programs, text, json_string(hash));
        free(path);
    }
}

/* Those of all points of the campaign, so that each session describes the same. */
static json_t *describe_programs(const struct nuce_campaign *campaign)
{
    json_t *programs = json_object();

    for (int64_t i = 0; i < campaign->count; i++) {
        struct nuce_error ignored;
        struct nuce_point point;
        json_t *words;

        if (nuce_point_from_json(campaign->points[i].line, NULL, &point, &ignored) != NUCE_OK)
            continue;
        words = nuce_command_words(point.params, point.launch, point.ranks, &ignored);
        describe_words(words, ((const struct nuce_program_params *)point.params)->directory,
                       programs);
        json_decref(words);
        nuce_point_fini(&point);
    }
    return programs;
}

/* Opens the file of records, and describes where the launches run; once a session. */
static nuce_status turns_begin(struct nuce_turns *turns, struct nuce_error *error)
{
    json_t *described;
    char *path, *text;

    if (turns->facts != NULL) {
        json_error_t problem;

        turns->told = json_load_file(turns->facts, 0, &problem);
        if (turns->told == NULL)
            nuce_error_set(error, NUCE_FAILED, "%s: %s", turns->facts, problem.text);
    }
    described = nuce_machine_describe();
    json_object_set_new(described, "programs", describe_programs(turns->campaign));
    json_object_set(described, "cluster", json_object_get(turns->told, "cluster"));
    /* Numbers as a record has them, so that its readers compute the same hash. */
    text = json_dumps(described, JSON_REAL_PRECISION(NUCE_JSONL_PRECISION));
    turns->described = text != NULL ? json_loads(text, 0, NULL) : NULL;
    free(text);
    json_decref(described);
    text = json_dumps(turns->described, JSON_COMPACT | JSON_SORT_KEYS);
    path = nuce_campaign_file(turns->campaign, "records", turns->label, ".jsonl");
    if (text == NULL)
        nuce_error_set(error, NUCE_FAILED, "the environment cannot be written as JSON");
    else if (turns->facts == NULL || turns->told != NULL)
        nuce_hash(text, strlen(text), turns->environment);
    for (int64_t i = 0; i < turns->campaign->count && error->status == NUCE_OK; i++) {
        const char *before = nuce_ending_environment(&turns->campaign->points[i]);

        if (before == NULL || strcmp(before, turns->environment) == 0)
            continue;
        nuce_progress_say(turns->progress,
                          "the programs or the machine have changed since the earlier launches, "
                          "which do not count any more: the race starts anew ('nuce env diff %.8s "
                          "%.8s' shows the changes)",
                          before, turns->environment);
        break;
    }
    if (error->status == NUCE_OK)
        error->status = nuce_jsonl_create(path, &turns->writer, error);
    free(text);
    free(path);
    return error->status;
}

/* The record of the job: a launch is one, as the database counts launches by their jobs. */
static nuce_status write_job(const struct round *round, struct nuce_error *error)
{
    struct nuce_turns *turns = round->turns;
    json_t *record = nuce_record_create("job", round->job, error), *facts;
    char host[HOST_NAME_MAX + 1] = "";

    if (record == NULL)
        return error->status;
    gethostname(host, sizeof host);
    facts = nuce_machine_facts();
    json_object_set_new(facts, "hosts", json_pack("[o]", nuce_machine_text(host)));
    json_object_set(facts, "launch", json_object_get(turns->told, "launch"));
    json_object_update_new(record, json_pack("{s:s, s:s, s:o, s:O}", "campaign",
                                             turns->campaign->id, "environment", turns->environment,
                                             "facts", facts, "described", turns->described));
    error->status = nuce_jsonl_write(&turns->writer, record, error);
    json_decref(record);
    return error->status;
}

static nuce_status write_begin(const struct round *round, const struct entrant *entrant,
                               const char *started, struct nuce_error *error)
{
    json_t *record = nuce_point_begin_record(&entrant->point, round->job, started, error);

    if (record == NULL)
        return error->status;
    error->status = nuce_jsonl_write(&round->turns->writer, record, error);
    json_decref(record);
    return error->status;
}

/* Processor seconds of all ended children, and of this process. */
static double used_s(void)
{
    struct rusage own, children;

    getrusage(RUSAGE_SELF, &own);
    getrusage(RUSAGE_CHILDREN, &children);
    return (double)(own.ru_utime.tv_sec + own.ru_stime.tv_sec + children.ru_utime.tv_sec +
                    children.ru_stime.tv_sec) +
           1e-6 * (double)(own.ru_utime.tv_usec + own.ru_stime.tv_usec + children.ru_utime.tv_usec +
                           children.ru_stime.tv_usec);
}

/* Runs the null command of a turn, if it has one and it was not measured yet. A failure measures
 * nothing: an option of the launcher may need the application. */
static nuce_status measure_null(struct round *round, const struct turn *turn,
                                const struct entrant *entrant, struct nuce_error *error)
{
    struct nuce_turns *turns = round->turns;
    struct nuce_program_params params = *params_of(entrant);
    int is_compared = strcmp(params.metric, NUCE_METRIC_WALL) == 0 && params.series == 0;
    double least_s = INFINITY;
    json_t *words;

    error->status = NUCE_OK;
    if (turn->null == NULL || json_object_get(turns->nulls, turn->null) != NULL)
        return NUCE_OK;
    words = json_loads(turn->null, 0, NULL);
    params.expect[0] = '\0';
    for (int i = 0; error->status == NUCE_OK && i < NULL_STARTS; i++) {
        struct nuce_command_end end;

        nuce_command_run(&params, words, NULL_TIMEOUT_S, turns->signals, &end);
        if (strcmp(end.status, "ok") == 0)
            least_s = fmin(least_s, end.wall_s);
        if (strcmp(end.status, "interrupted") == 0)
            nuce_error_set(error, NUCE_INTERRUPTED, "stopped by a signal");
        nuce_command_end_fini(&end);
    }
    json_decref(words);
    /* null where it failed: it is not tried again. */
    json_object_set_new(turns->nulls, turn->null,
                        isfinite(least_s) ? json_real(least_s) : json_null());
    if (is_compared && isfinite(least_s) && least_s > START_SHARE * turn->end.wall_s)
        nuce_progress_say(turns->progress,
                          "the start alone takes %.3g s of %.3g s, which the race compares as "
                          "well: %s. A metric that the program prints leaves it out",
                          least_s, turn->end.wall_s, turn->null);
    return error->status;
}

/* The entrant that a turn is of; some may share it. */
static const struct entrant *entrant_of(const struct round *round, int64_t turn)
{
    int64_t i = 0;

    while (round->entrants[i].turn != turn && round->entrants[i].duplicate != turn)
        i++;
    return &round->entrants[i];
}

/* Runs the turns, block by block, each block in an order of its own, until a signal stops one. */
static nuce_status run_turns(struct round *round, int is_recorded, struct nuce_error *error)
{
    struct nuce_rng rng = nuce_rng_create(round->seed, 0);
    int *order = nuce_allocate(round->count, sizeof *order);
    double begin_s = nuce_clock(), busy_s = nuce_machine_busy_s(), own_s = used_s();
    double elapsed_s;

    for (int64_t block = 0; block < round->start.count && round->stopped == NULL; block++) {
        int64_t members = 0, contenders = 0;

        for (int64_t i = 0; i < round->count; i++) {
            if (round->all[i].block != block)
                continue;
            order[members++] = (int)i;
            contenders += !round->all[i].is_duplicate;
        }
        nuce_rng_shuffle(&rng, order, members);
        for (int64_t i = 0; i < members && error->status == NUCE_OK && round->stopped == NULL;
             i++) {
            struct turn *turn = &round->all[order[i]];
            const struct entrant *entrant = entrant_of(round, order[i]);
            const struct nuce_campaign_point *point =
                &round->turns->campaign->points[entrant->index];
            struct nuce_progress_now now = {.point = point,
                                            .contenders = contenders,
                                            .launch = nuce_campaign_good(point) + 1,
                                            .launches = point->wanted};

            nuce_progress_show(round->turns->progress, &now);
            turn->place = (int)i;
            nuce_record_time_now(turn->started);
            if (is_recorded && write_begin(round, entrant, turn->started, error) != NUCE_OK)
                break;
            nuce_command_run(params_of(entrant), turn->words, entrant->point.measure.timeout,
                             round->turns->signals, &turn->end);
            if (strcmp(turn->end.status, "interrupted") == 0)
                round->stopped = turn;
        }
    }
    free(order);
    elapsed_s = nuce_clock() - begin_s;
    /* Under Slurm its daemons start the ranks: their work cannot be told from that of others. */
    round->others_cpus =
        elapsed_s < NUCE_MACHINE_LEAST_S || getenv("SLURM_JOB_ID") != NULL
            ? NAN
            : fmax(nuce_machine_busy_s() - busy_s - (used_s() - own_s), 0) / elapsed_s;
    return error->status;
}

/* Adds one sample, of a turn that ended ok, to the record, or as its duplicate. Returns NUCE_OK, or
 * NUCE_BAD_INPUT without a metric in the output. */
static nuce_status add_sample(json_t *record, const struct entrant *entrant,
                              const struct turn *turn, struct nuce_error *error)
{
    double value, cost;

    if (nuce_command_metric(params_of(entrant), &turn->end, &value, &cost, error) != NUCE_OK)
        return error->status;
    if (turn->is_duplicate) {
        json_object_set_new(record, "duplicate",
                            json_pack("{s:[f], s:[i]}", "step", cost, "place", turn->place));
    } else {
        json_object_set_new(record, "samples", json_pack("{s:[f]}", "step", cost));
        json_object_set_new(record, "place", json_pack("[i]", turn->place));
        json_object_set_new(record, "metrics",
                            json_pack("{s:f, s:f}", "value", value, "command_s", turn->end.wall_s));
    }
    return NUCE_OK;
}

/* The turn that says how the entrant's run ended; NULL: it has no run. A reference whose duplicate
 * went wrong has gone wrong itself: they are one command. In the block that was stopped the others
 * have no partner, and what failed may have got the same signal. */
static const struct turn *telling_turn(const struct round *round, const struct entrant *entrant)
{
    const struct turn *turn = &round->all[entrant->turn];
    const struct turn *other = entrant->duplicate < 0 ? turn : &round->all[entrant->duplicate];

    if (round->stopped != NULL && turn->block >= round->stopped->block)
        return turn == round->stopped || other == round->stopped ? round->stopped : NULL;
    return strcmp(turn->end.status, "ok") == 0 && strcmp(other->end.status, "ok") != 0 ? other
                                                                                       : turn;
}

/* Makes the record of one point of the launch and notes it in the campaign. */
static nuce_status note_run(struct round *round, struct entrant *entrant, struct nuce_error *error)
{
    struct nuce_turns *turns = round->turns;
    struct nuce_campaign_point *planned = &turns->campaign->points[entrant->index];
    const struct turn *turn = telling_turn(round, entrant);
    int64_t lacked = nuce_campaign_lacks(planned);
    const char *status, *message;
    struct nuce_error why = {0};
    json_t *record, *metrics, *null_s;
    char *what;

    error->status = NUCE_OK;
    if (turn == NULL)
        return NUCE_OK;
    status = turn->end.status;
    message = turn->end.message;
    record = nuce_point_run_record(&entrant->point, round->job, turns->campaign->id, "measured",
                                   status, turn->started, error);
    if (record == NULL)
        return error->status;
    json_object_set_new(record, "samples", json_pack("{s:[]}", "step"));
    if (strcmp(status, "ok") == 0 &&
        (add_sample(record, entrant, turn, &why) != NUCE_OK ||
         (entrant->duplicate >= 0 &&
          add_sample(record, entrant, &round->all[entrant->duplicate], &why) != NUCE_OK))) {
        status = "failed";
        message = nuce_error_flatten(&why);
        json_object_set_new(record, "status", json_string(status));
        json_object_set_new(record, "samples", json_pack("{s:[]}", "step"));
        json_object_del(record, "place");
        json_object_del(record, "duplicate");
    }
    if (entrant->point.compare != NULL) {
        char *compared = json_dumps(entrant->point.compare, JSON_COMPACT);

        json_object_set_new(record, "compared", json_string(compared));
        free(compared);
    }
    json_object_update_new(record, json_pack("{s:s*, s:f, s:s, s:I, s:s, s:i}", "message", message,
                                             "wall_s", turn->end.wall_s, "race", entrant->race,
                                             "order_seed", (json_int_t)round->seed, "criterion",
                                             "step", "min_samples", 1));
    metrics = json_object_get(record, "metrics");
    null_s = turn->null != NULL ? json_object_get(turns->nulls, turn->null) : NULL;
    if (metrics != NULL && json_is_real(null_s))
        json_object_set(metrics, "null_s", null_s);
    if (metrics != NULL && !isnan(round->others_cpus))
        json_object_set_new(metrics, "others_cpus", json_real(round->others_cpus));
    entrant->record = record;
    if (nuce_record_check_run(record, error) != NUCE_OK)
        return error->status;
    nuce_ending_note(planned, round->job, record, turns->environment);
    nuce_campaign_note(turns->campaign, entrant->index, record);
    if (strcmp(status, "ok") == 0) {
        turns->progress->done += lacked - nuce_campaign_lacks(planned);
        return NUCE_OK;
    }
    what = nuce_progress_describe(planned);
    nuce_progress_say(turns->progress, "%s: %s%s%s", status, what, message != NULL ? ": " : "",
                      message != NULL ? message : "");
    free(what);
    if (turn != round->stopped) {
        turns->progress->done += lacked;
        planned->attempted = 1;
    }
    return NUCE_OK;
}

/* Writes the records of the launch, which tell if it was the last one of its race, and why. */
static nuce_status write_runs(struct round *round, struct nuce_error *error)
{
    struct nuce_turns *turns = round->turns;

    for (int64_t i = 0; i < round->start.count; i++) {
        const struct entrant *entrant = &round->entrants[i];
        const struct nuce_campaign_point *planned = &turns->campaign->points[entrant->index];

        if (entrant->record == NULL)
            continue;
        if (strcmp(json_string_value(json_object_get(entrant->record, "status")), "ok") == 0)
            json_object_set_new(
                entrant->record, "stopped",
                json_string(nuce_ending_is_by_result(planned) ? planned->ended : "launches"));
        if (nuce_jsonl_write(&turns->writer, entrant->record, error) != NUCE_OK)
            return error->status;
    }
    return nuce_jsonl_keep(&turns->writer, error);
}

nuce_status nuce_turns_launch(struct nuce_turns *turns, int64_t first, struct nuce_error *error)
{
    struct round round;
    int is_recorded;
    int64_t warm;

    if (turns->warm == NULL)
        turns->warm = json_object();
    if (round_init(turns, first, &round, error) != NUCE_OK)
        goto done;
    warm = json_integer_value(json_object_get(turns->warm, round.entrants[0].point.id));
    is_recorded = warm >= round.entrants[0].point.measure.warmup;
    if (turns->described == NULL && turns_begin(turns, error) != NUCE_OK)
        goto done;
    if (is_recorded && write_job(&round, error) != NUCE_OK)
        goto done;
    if (run_turns(&round, is_recorded, error) != NUCE_OK)
        goto done;
    for (int64_t i = 0; i < round.start.count && is_recorded && error->status == NUCE_OK; i++)
        error->status = note_run(&round, &round.entrants[i], error);
    if (is_recorded && error->status == NUCE_OK) {
        nuce_ending_apply(turns->campaign->points, turns->campaign->count);
        error->status = write_runs(&round, error);
    }
    if (error->status != NUCE_OK)
        goto done;
    if (round.stopped != NULL) {
        nuce_error_set(error, NUCE_INTERRUPTED, "stopped by a signal");
    } else if (!is_recorded) {
        json_object_set_new(turns->warm, round.entrants[0].point.id, json_integer(warm + 1));
    } else if (turns->nulls == NULL) {
        turns->nulls = json_object();
        for (int64_t i = 0; i < round.count && error->status == NUCE_OK; i++)
            error->status = measure_null(&round, &round.all[i], entrant_of(&round, i), error);
    }
done:
    round_fini(&round);
    return error->status;
}

void nuce_turns_fini(struct nuce_turns *turns)
{
    nuce_jsonl_close(&turns->writer);
    json_decref(turns->described);
    json_decref(turns->told);
    json_decref(turns->nulls);
    json_decref(turns->warm);
}
