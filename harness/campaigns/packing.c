/* From points to jobs.
 *
 * Steps: points with the same workload and rank count, a shape, share jobs. Points that differ only
 * in what is compared form a group. They meet in one race, in all its launches, one after the other
 * on the same nodes. With job-per-launch each launch is a group of its own. The n-th launches of
 * all races are packed separately, so that no job gets two launches of one race. The groups,
 * longest first, go to the first job with enough room. Jobs of a shape with similar time limits
 * become one array.
 *
 * Cost: n log n for n points. First fit decreasing makes at most 11/9 as many jobs as the best
 * packing, plus 6/9 (Dosa 2007). Next fit would be simpler, but may take 1.69 times as many.
 * Limits: the time of a point is not known in advance, so its limit of sampling counts. */
#include "campaigns/packing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/int.h"
#include "base/text.h"
#include "campaigns/ending.h"
#include "points/launch_factors.h"

/* The time of a point in addition to its sampling. Set-up, warm-up and verification of the shipped
 * meshes and patterns take less. On slow networks the warm-up grows with the samples. */
#define POINT_S 1.0
#define POINT_SHARE 0.1

/* Time from the start of a job to its first point: the launcher, MPI_Init, the description of the
 * environment. */
#define START_S 30.0

/* "The signal may be sent up to 60 seconds earlier than specified": sbatch(1), --signal. */
#define EARLY_S 60.0

/* The length to which jobs are filled, and the time that they request in addition to their
 * estimate, if no time is given. The time of a step is not known in advance: on 8 nodes with ports
 * of 5 to 50 MB/s, steps of 2 s took more than twice as long as a limit of 1 s suggests. Unused
 * time costs nothing; a job that Slurm ends costs a resume. */
#define FILL_S 3600.0
#define SLACK 2.0
#define SLACK_S 300.0

/* A point to be packed, one for each point of the wish; sorted by shape and instance, so that
 * neighbours make a group. point is its index in the campaign. */
struct item {
    int64_t point;
    const struct nuce_campaign_point *planned; /* the point itself */
    const json_t *factors; /* launch factors of the point; NULL: the default; borrowed */
    double estimate_s;     /* of one launch */
    int64_t launches;      /* that it needs */
    int is_spread;         /* each launch in a job of its own */
    char *instance;        /* params without what is compared; owned */
};

/* The points of one instance: a range of the items, and the job for them. A group is never divided,
 * because a race in two jobs would compare two sets of nodes. launches is the maximum over its
 * points. part is the number of its job within the turn. */
struct packing_group {
    int64_t first, count;
    double launch_s, estimate_s; /* of one launch, and of all */
    int64_t launches;
    int is_spread;
    int64_t turn; /* of a group of job-per-launch: the number of its launch, from 0 */
    int64_t part;
};

/* The data of one call of nuce_packing_make. All except out is freed at its end. */
struct packer {
    const struct nuce_profile *profile;
    int64_t most_tasks;
    double room_s; /* length to which a job can be filled */
    struct item *items;
    int64_t item_count;
    struct packing_group *groups;
    int64_t group_count;
    int64_t *launches; /* for each point: its launches in the part that it is put into */
    struct nuce_packing out;
    int64_t capacity; /* of out.packs */
};

/* Points. */

double nuce_packing_estimate(const struct nuce_campaign_point *point)
{
    const json_t *measure = json_object_get(point->line, "measure");
    const json_t *timeout = json_object_get(measure, "timeout");
    double limit_s = json_number_value(json_object_get(measure, "time-limit"));
    double seconds = limit_s * (1 + POINT_SHARE) + POINT_S;

    /* The time of a command is unknown; only its limit is known. */
    if (point->workload->is_command)
        return json_number_value(timeout);
    return json_is_number(timeout) && json_number_value(timeout) < seconds
               ? json_number_value(timeout)
               : seconds;
}

/* Compares workload, ranks and nodes: all that a job has in common. 0 means that both points can be
 * in one job. */
static int by_shape(const struct item *a, const struct item *b)
{
    static const char *const counts[] = {"nodes", "ntasks-per-node"};
    int left_ranks = a->planned->ranks, right_ranks = b->planned->ranks;
    int order = strcmp(a->planned->workload->name, b->planned->workload->name);

    if (order == 0)
        order = (left_ranks > right_ranks) - (left_ranks < right_ranks);
    for (int i = 0; order == 0 && i < 2; i++) {
        int64_t left = nuce_launch_count(a->factors, counts[i]);
        int64_t right = nuce_launch_count(b->factors, counts[i]);

        order = (left > right) - (left < right);
    }
    return order;
}

/* The order of items: shape, instance, then the place in the plan. The plan has the reference of a
 * race first, and this keeps it first. */
static int by_instance(const void *left, const void *right)
{
    const struct item *a = left, *b = right;
    int order = by_shape(a, b);

    if (order == 0)
        order = strcmp(a->instance, b->instance);
    return order != 0 ? order : (a->point > b->point) - (a->point < b->point);
}

/* Makes the items of the wish, sorted, and room for as many groups. A point gets the number of
 * launches in the wish, or all that it lacks. Its instance includes its launch factors: points that
 * are started differently are not of one race. */
static void read_items(struct packer *p, const struct nuce_campaign *campaign,
                       const struct nuce_packing_wish *wish)
{
    p->items = nuce_allocate(wish->count, sizeof *p->items);
    p->groups = nuce_allocate(wish->count, sizeof *p->groups);
    for (; p->item_count < wish->count; p->item_count++) {
        int64_t index = wish->points[p->item_count];
        const struct nuce_campaign_point *point = &campaign->points[index];
        json_t *factors = json_object_get(point->line, "launch");
        json_t *instance = nuce_campaign_instance(point);
        json_t *whole = json_pack("[o, O?]", instance, factors);

        if (point->workload->is_command)
            json_object_del(instance, "at"); /* rows of one table share their runs */
        p->items[p->item_count] = (struct item){
            .point = index,
            .planned = point,
            .factors = factors,
            .estimate_s = nuce_packing_estimate(point),
            .launches = wish->launches != NULL ? wish->launches[index] : nuce_campaign_lacks(point),
            .is_spread = json_is_true(
                json_object_get(json_object_get(point->line, "measure"), "job-per-launch")),
            .instance = json_dumps(whole, JSON_COMPACT | JSON_SORT_KEYS)};
        json_decref(whole);
    }
    qsort(p->items, (size_t)wish->count, sizeof *p->items, by_instance);
}

static const char *row_of(const struct item *item)
{
    const char *row =
        json_string_value(json_object_get(json_object_get(item->planned->line, "params"), "at"));

    return row != NULL ? row : "";
}

/* Adds a launch of the item, whose group begins with first. Commands run once for all rows of their
 * table, and the reference twice. */
static void add_launch(struct packing_group *group, const struct item *first,
                       const struct item *item)
{
    int is_command = item->planned->workload->is_command;

    if (!is_command || strcmp(row_of(item), row_of(first)) == 0)
        group->launch_s += (is_command && item == first ? 2 : 1) * item->estimate_s;
}

/* Makes groups in the order of the items; those of one shape are neighbours. The time of a group is
 * the time of one launch of all its points, times the maximum of their launches. Points that lack
 * fewer launches make it shorter in fact, so the estimate stays an upper bound. A race that ends
 * when it is known has a budget, which is less than all its launches at their time limits. */
static void make_groups(struct packer *p)
{
    for (int64_t i = 0; i < p->item_count; i++) {
        const struct item *item = &p->items[i];
        struct packing_group *group;

        if (i == 0 || by_shape(item - 1, item) != 0 ||
            strcmp(item[-1].instance, item->instance) != 0)
            p->groups[p->group_count++] = (struct packing_group){.first = i};
        group = &p->groups[p->group_count - 1];
        group->count++;
        group->is_spread |= item->is_spread;
        add_launch(group, &p->items[group->first], item);
        group->launches = item->launches > group->launches ? item->launches : group->launches;
        group->estimate_s = group->launch_s * (double)group->launches;
        if (nuce_ending_is_by_result(item->planned))
            group->estimate_s = fmin(
                group->estimate_s, json_number_value(json_object_get(
                                       json_object_get(item->planned->line, "measure"), "budget")));
    }
}

/* Longest first; of equal groups the first in the plan. */
static int by_length(const void *left, const void *right, void *context)
{
    const struct packing_group *a = left, *b = right;
    const struct item *items = context;

    if (a->estimate_s != b->estimate_s)
        return a->estimate_s < b->estimate_s ? 1 : -1;
    return (items[a->first].point > items[b->first].point) -
           (items[a->first].point < items[b->first].point);
}

/* Gives each of count groups of one shape the number of its part, and returns the number of parts.
 * The groups are longest first, and no two share a race. Groups that are too long come first and
 * get the first numbers.
 *
 * First fit: a tournament over the jobs by their remaining room finds the first with enough, in
 * logarithmic time. Node k has the children 2k and 2k + 1; 1 is the root, job j the node leaves +
 * j. most_s[k] is the largest room, in seconds, of a job below node k. The search never reaches
 * leaves beyond the jobs: there are as many jobs as groups, so an unused one with enough room
 * always remains. */
static int64_t packing_place(struct packer *p, struct packing_group *groups, int64_t count)
{
    int64_t parts = 0, leaves = 1;
    double *most_s;

    while (leaves < count)
        leaves *= 2;
    most_s = nuce_allocate(2 * leaves, sizeof *most_s);
    for (int64_t k = 1; k < 2 * leaves; k++)
        most_s[k] = p->room_s;
    for (int64_t i = 0; i < count; i++) {
        int64_t k = 1;

        if (groups[i].estimate_s > p->room_s) {
            k = leaves + i;
            most_s[k] = 0;
            p->out.too_long += p->profile->time_s > 0;
        } else {
            while (k < leaves)
                k = most_s[2 * k] >= groups[i].estimate_s ? 2 * k : 2 * k + 1;
            most_s[k] -= groups[i].estimate_s;
        }
        groups[i].part = k - leaves;
        parts = groups[i].part >= parts ? groups[i].part + 1 : parts;
        for (k /= 2; k >= 1; k /= 2)
            most_s[k] = fmax(most_s[2 * k], most_s[2 * k + 1]);
    }
    free(most_s);
    return parts;
}

static int packing_by_number(const void *a, const void *b)
{
    int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;

    return (left > right) - (left < right);
}

/* Longest first; of equal parts the one with the earlier point of the plan, so that the same
 * campaign always makes the same jobs. */
static int by_part_length(const void *left, const void *right)
{
    const struct nuce_packing_part *a = left, *b = right;

    if (a->estimate_s != b->estimate_s)
        return a->estimate_s < b->estimate_s ? 1 : -1;
    return packing_by_number(&a->points[0], &b->points[0]);
}

static void parts_fini(struct nuce_packing_part *parts, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        free(parts[i].points);
        free(parts[i].launches);
    }
    free(parts);
}

/* Fills the parts with the points of their groups. Counts first, so that each list is allocated
 * once; then adds the points group by group, and sorts them into the order of the plan. p->launches
 * carries the launches of each point over that sort: in one turn a point is in one part only. */
static void packing_fill(const struct packer *p, const struct packing_group *groups, int64_t count,
                         struct nuce_packing_part *parts, int64_t part_count)
{
    for (int64_t i = 0; i < count; i++) {
        parts[groups[i].part].count += groups[i].count;
        parts[groups[i].part].estimate_s += groups[i].estimate_s;
    }
    for (int64_t k = 0; k < part_count; k++) {
        parts[k].points = nuce_allocate(parts[k].count, sizeof *parts[k].points);
        parts[k].launches = nuce_allocate(parts[k].count, sizeof *parts[k].launches);
        parts[k].count = 0;
    }
    for (int64_t i = 0; i < count; i++) {
        struct nuce_packing_part *part = &parts[groups[i].part];

        for (int64_t j = 0; j < groups[i].count; j++) {
            const struct item *item = &p->items[groups[i].first + j];

            part->points[part->count++] = item->point;
            /* A point with job-per-launch runs once in each turn, until it has had its launches. */
            p->launches[item->point] =
                groups[i].is_spread ? item->launches > groups[i].turn : item->launches;
        }
    }
    for (int64_t k = 0; k < part_count; k++) {
        qsort(parts[k].points, (size_t)parts[k].count, sizeof *parts[k].points, packing_by_number);
        for (int64_t j = 0; j < parts[k].count; j++)
            parts[k].launches[j] = p->launches[parts[k].points[j]];
    }
}

/* Jobs. */

/* The time limit that a part requests, in seconds. A multiple of 60, because Slurm counts minutes.
 * A profile's time holds for all jobs; without one the limit follows from the estimate. */
static int64_t time_for(const struct nuce_profile *profile, double estimate_s)
{
    double needed_s = estimate_s + START_S + (double)profile->warning_s;

    if (profile->time_s > 0)
        return (profile->time_s + 59) / 60 * 60;
    return (int64_t)ceil(fmax(SLACK * estimate_s + SLACK_S, needed_s) / 60) * 60;
}

int64_t nuce_packing_warning_s(const struct nuce_profile *profile, int64_t time_s)
{
    return profile->warning_s < time_s / 4 ? profile->warning_s : time_s / 4;
}

/* A point's own nodes and tasks override the profile's. More nodes, or more tasks per node, than
 * ranks are cut to the ranks. If one of the two is missing, it follows from the other, rounded up;
 * if both are, Slurm chooses. */
nuce_status nuce_packing_shape(const struct nuce_profile *profile, int ranks, const json_t *factors,
                               struct nuce_pack *pack, struct nuce_error *error)
{
    int64_t own_nodes = nuce_launch_count(factors, "nodes");
    int64_t own_tasks = nuce_launch_count(factors, "ntasks-per-node");
    int64_t wanted = own_nodes > 0 ? own_nodes : profile->nodes, nodes, tasks;

    if (own_nodes > ranks)
        return nuce_error_set(
            error, NUCE_BAD_INPUT,
            "nodes: %lld for the %d ranks of some points: expected at most one per rank",
            (long long)own_nodes, ranks);
    if ((own_nodes > 0 || own_tasks > 0) && profile->hosts != NULL)
        return nuce_error_set(
            error, NUCE_BAD_INPUT,
            "nodes, ntasks-per-node: cannot be swept with a hostfile, which places each rank");
    tasks = own_tasks > 0 ? own_tasks : profile->tasks_per_node;
    nodes = wanted < ranks ? wanted : ranks;
    tasks = tasks < ranks ? tasks : ranks;
    if (nodes > 0 && tasks > 0 && nodes * tasks < ranks)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "nodes: %lld with ntasks-per-node: %lld hold %lld ranks: expected "
                              "room for the %d of some points",
                              (long long)wanted, (long long)tasks, (long long)(nodes * tasks),
                              ranks);
    if (nodes == 0 && tasks > 0)
        nodes = (ranks + tasks - 1) / tasks;
    if (tasks == 0 && nodes > 0)
        tasks = (ranks + nodes - 1) / nodes;
    pack->nodes = nuce_int(nodes);
    pack->tasks_per_node = nuce_int(tasks);
    return NUCE_OK;
}

void nuce_packing_say_nodes(const struct nuce_pack *pack, const struct nuce_profile *profile,
                            char text[NUCE_PACKING_NODES_BYTES])
{
    text[0] = '\0';
    if (profile->hosts == NULL && profile->nodes > pack->nodes && pack->nodes == pack->ranks)
        snprintf(text, NUCE_PACKING_NODES_BYTES, ", on %d node%s (nodes: %lld are more than ranks)",
                 pack->nodes, pack->nodes == 1 ? "" : "s", (long long)profile->nodes);
}

/* Moves the parts, longest first, into packs, each of which becomes one array. The tasks of an
 * array share one time limit. If that follows from the estimate, a pack excludes parts shorter than
 * half of the limit. A part that requests more time than it needs may start later, because Slurm
 * fills gaps between large jobs with those that end in time. A moved part is left empty in the
 * list, which its owner frees. */
static void add_packs(struct packer *p, const struct nuce_pack *shape,
                      struct nuce_packing_part *parts, int64_t count)
{
    for (int64_t first = 0, length; first < count; first += length) {
        struct nuce_pack pack = *shape;

        pack.time_s = time_for(p->profile, parts[first].estimate_s);
        for (length = 1; first + length < count && length < p->most_tasks &&
                         2 * time_for(p->profile, parts[first + length].estimate_s) >= pack.time_s;)
            length++;
        pack.parts = nuce_allocate(length, sizeof *pack.parts);
        nuce_allocate_more((void **)&p->out.packs, &p->capacity, p->out.count + 1, sizeof pack);
        for (; pack.count < length; pack.count++) {
            pack.parts[pack.count] = parts[first + pack.count];
            parts[first + pack.count] = (struct nuce_packing_part){.count = 0};
        }
        p->out.packs[p->out.count++] = pack;
    }
}

/* Packs the groups of one shape, turn by turn until none has a launch left. The first turn gives
 * each group a job; later turns hold only groups of job-per-launch, one turn for each launch. Parts
 * of different turns are never joined: that keeps two launches of such a race apart. The shape's
 * nodes come from its first item, because all items have the same. */
static nuce_status pack_shape(struct packer *p, const struct packing_group *groups, int64_t count,
                              struct nuce_error *error)
{
    const struct item *item = &p->items[groups[0].first];
    struct nuce_pack shape = {.workload = item->planned->workload, .ranks = item->planned->ranks};
    struct packing_group *chosen;
    struct nuce_packing_part *parts = NULL;
    int64_t part_count = 0, capacity = 0, more = count;

    if (nuce_packing_shape(p->profile, shape.ranks, item->factors, &shape, error) != NUCE_OK)
        return error->status;
    chosen = nuce_allocate(count, sizeof *chosen);
    for (int64_t turn = 0; more > 0; turn++) {
        int64_t first = part_count, of_turn = 0;

        for (int64_t i = 0; i < count; i++) {
            if (turn > 0 && (!groups[i].is_spread || groups[i].launches <= turn))
                continue;
            chosen[of_turn] = groups[i];
            chosen[of_turn].turn = turn;
            if (groups[i].is_spread)
                chosen[of_turn].estimate_s = groups[i].launch_s;
            of_turn++;
        }
        qsort_r(chosen, (size_t)of_turn, sizeof *chosen, by_length, p->items);
        more = packing_place(p, chosen, of_turn);
        nuce_allocate_more((void **)&parts, &capacity, first + more, sizeof *parts);
        for (; part_count < first + more; part_count++)
            parts[part_count] = (struct nuce_packing_part){.count = 0};
        packing_fill(p, chosen, of_turn, &parts[first], more);
    }
    free(chosen);
    qsort(parts, (size_t)part_count, sizeof *parts, by_part_length);
    add_packs(p, &shape, parts, part_count);
    parts_fini(parts, part_count);
    return NUCE_OK;
}

/* The longest job is submitted first, so that the last one in the queue ends soon after it
 * starts. */
static int by_longest_part(const void *left, const void *right)
{
    const struct nuce_pack *a = left, *b = right;

    return by_part_length(&a->parts[0], &b->parts[0]);
}

/* room_s is in seconds of estimates. If the time limit is too short for start and warning, half of
 * it is used. A race is cramped if one launch of it may not fit between the start of its job and
 * the signal. This applies only if the profile sets the time; else a job requests what it needs. */
nuce_status nuce_packing_make(const struct nuce_campaign *campaign,
                              const struct nuce_packing_wish *wish,
                              const struct nuce_profile *profile, int64_t most_tasks,
                              struct nuce_packing *out, struct nuce_error *error)
{
    struct packer p = {.profile = profile, .most_tasks = most_tasks, .room_s = FILL_S};
    int64_t time_s = profile->time_s > 0 ? time_for(profile, 0) : 0;
    double warning_s = (double)nuce_packing_warning_s(profile, time_s);
    nuce_status status = NUCE_OK;

    if (profile->time_s > 0)
        p.room_s = fmax((double)profile->time_s / 2,
                        (double)profile->time_s - (double)profile->warning_s - START_S);
    read_items(&p, campaign, wish);
    p.launches = nuce_allocate(campaign->count, sizeof *p.launches);
    make_groups(&p);
    for (int64_t i = 0; i < p.group_count; i++)
        p.out.cramped +=
            time_s > 0 && START_S + p.groups[i].launch_s + warning_s + EARLY_S > (double)time_s;
    /* Groups are sorted by shape. */
    for (int64_t first = 0, next; status == NUCE_OK && first < p.group_count; first = next) {
        const struct item *item = &p.items[p.groups[first].first];

        for (next = first + 1; next < p.group_count; next++) {
            if (by_shape(item, &p.items[p.groups[next].first]) != 0)
                break;
        }
        status = pack_shape(&p, &p.groups[first], next - first, error);
    }
    for (int64_t i = 0; i < p.item_count; i++)
        free(p.items[i].instance);
    free(p.items);
    free(p.groups);
    free(p.launches);
    if (status != NUCE_OK) {
        nuce_packing_fini(&p.out);
        return status;
    }
    if (p.out.count > 0)
        qsort(p.out.packs, (size_t)p.out.count, sizeof *p.out.packs, by_longest_part);
    *out = p.out;
    return NUCE_OK;
}

nuce_status nuce_packing_make_all(const struct nuce_campaign *campaign,
                                  const struct nuce_profile *profile, int64_t array_size,
                                  struct nuce_packing *out, struct nuce_error *error)
{
    int64_t *points = nuce_allocate(campaign->count, sizeof *points);
    struct nuce_packing_wish all = {.points = points, .count = campaign->count};

    for (int64_t i = 0; i < campaign->count; i++)
        points[i] = i;
    error->status =
        nuce_packing_make(campaign, &all, profile, array_size > 1 ? array_size : 1, out, error);
    free(points);
    return error->status;
}

int64_t nuce_packing_count_points(const struct nuce_pack *pack, unsigned char *seen)
{
    int64_t points = 0;

    for (int64_t k = 0; k < pack->count; k++) {
        for (int64_t i = 0; i < pack->parts[k].count; i++) {
            points += !seen[pack->parts[k].points[i]];
            seen[pack->parts[k].points[i]] = 1;
        }
    }
    return points;
}

char *nuce_packing_advice(const struct nuce_packing *packing, const struct nuce_profile *profile)
{
    int64_t time_s = time_for(profile, 0);

    if (packing->cramped == 0)
        return NULL;
    return nuce_text_format(
        "time: %lld s may be too short for a launch of %lld race%s: a job also needs about %.0f s "
        "to start, and must stop %lld s before its end (by Slurm up to %.0f s earlier); 'nuce "
        "resume' repeats a race that was not done",
        (long long)time_s, (long long)packing->cramped, nuce_text_plural(packing->cramped), START_S,
        (long long)nuce_packing_warning_s(profile, time_s), EARLY_S);
}

void nuce_packing_fini(struct nuce_packing *packing)
{
    for (int64_t i = 0; i < packing->count; i++)
        parts_fini(packing->packs[i].parts, packing->packs[i].count);
    free(packing->packs);
    *packing = (struct nuce_packing){.count = 0};
}
