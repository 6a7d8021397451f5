/* Campaigns for tests: in memory, and in the folder c. */
#ifndef NUCE_MAKE_CAMPAIGN_H
#define NUCE_MAKE_CAMPAIGN_H

#include "../folder.h"
#include "base/allocate.h"
#include "campaigns/campaign.h"
#include "campaigns/config.h"
#include "campaigns/profile_keys.h"
#include "campaigns/queue.h"
#include "campaigns/submission.h"

/* The values that tell points apart. */
struct point_of {
    int ranks;
    int instance;
    const char *schedule;
    double limit_s, timeout_s;
};

/* Adds a point as a plan would hold it; its id is its index as 64 hexadecimal digits. Freed with
 * nuce_campaign_fini. */
static inline void add_point(struct nuce_campaign *campaign, const struct point_of *what)
{
    struct nuce_campaign_point point = {
        .ranks = what->ranks, .wanted = 1, .workload = nuce_workload_find("exchange")};
    char line[512];

    snprintf(point.id, sizeof point.id, "%064llx", (unsigned long long)campaign->count);
    snprintf(line, sizeof line,
             "{\"measure\":{\"time-limit\":%.9g,\"timeout\":%.9g},\"params\":{\"schedule\":\"%s\""
             ",\"instance\":%d,\"pattern\":\"uniform\"},\"point\":\"%s\",\"ranks\":%d,"
             "\"workload\":\"exchange\"}",
             what->limit_s, what->timeout_s, what->schedule, what->instance, point.id, what->ranks);
    point.line = json_loads(line, 0, NULL);
    assert_non_null(point.line);
    if (campaign->by_id == NULL)
        campaign->by_id = json_object();
    json_object_set_new(campaign->by_id, point.id, json_integer((json_int_t)campaign->count));
    nuce_allocate_more((void **)&campaign->points, &campaign->capacity, campaign->count + 1,
                       sizeof point);
    campaign->points[campaign->count++] = point;
}

/* Makes the campaign c/s.K of the sweep s.yaml, which is written here. */
static inline void create_campaign(const char *sweep, struct nuce_campaign *out)
{
    struct nuce_problems problems;
    struct nuce_config config;

    file_write("s.yaml", sweep);
    assert_ok(nuce_config_load("s.yaml", 0, &nuce_slurm_judge, &config, &problems, ANY_ERROR));
    assert_ok(nuce_campaign_create("c", &config, NULL, out, ANY_ERROR));
    nuce_config_fini(&config);
    nuce_problems_fini(&problems);
}

/* A campaign without points, in the current folder, with its submissions.
 */
struct scene {
    struct nuce_campaign campaign;
    struct nuce_profile profile;
    struct nuce_submissions submissions;
    struct nuce_queue queue;
    struct nuce_queue_job jobs[8]; /* of the queue */
    json_t *argv;
    struct folder folder;
};

static inline struct scene *scene_enter(void **state)
{
    struct scene *scene = calloc(1, sizeof *scene);

    *state = scene;
    scene->folder = folder_enter();
    scene->campaign = (struct nuce_campaign){.lock = -1, .path = strdup(scene->folder.path)};
    strcpy(scene->campaign.name, "a.1");
    scene->submissions.next = 1;
    scene->queue.jobs = scene->jobs;
    nuce_profile_init(&scene->profile);
    return scene;
}

/* For cmocka. */
static inline int scene_leave(void **state)
{
    struct scene *scene = *state;

    folder_leave(&scene->folder);
    json_decref(scene->argv);
    nuce_submissions_fini(&scene->submissions);
    nuce_profile_fini(&scene->profile);
    nuce_campaign_fini(&scene->campaign);
    free(scene);
    return 0;
}

/* The indices of all points; freed by the caller. */
static inline int64_t *all_points(const struct nuce_campaign *campaign)
{
    int64_t *points = nuce_allocate(campaign->count, sizeof *points);

    assert_non_null(points);
    for (int64_t i = 0; i < campaign->count; i++)
        points[i] = i;
    return points;
}

#endif
