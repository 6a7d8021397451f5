/* What the models say of points that are put together from settings, asked as nuce-model asks. */
#ifndef NUCE_TEST_INSTANCES_H
#define NUCE_TEST_INSTANCES_H

#include "../folder.h"
#include "../workloads/points.h"

#include "programs/point_model.h"

/* More tables than any workload has, with that of the models and the end. */
#define TABLES_MOST 16

/* The answer to one question. */
struct answer {
    nuce_status status;
    struct nuce_error error;
    const struct nuce_result *tables[TABLES_MOST];
    struct nuce_found found;
    json_t *lists;
};

static inline void answer_fini(struct answer *answer)
{
    nuce_found_fini(&answer->found);
    json_decref(answer->lists);
}

/* Asks into *answer, where the tables then stay that its numbers are of. */
static inline void ask(const struct nuce_point *point, const struct nuce_model_question *question,
                       struct nuce_model_shared *shared, struct answer *answer)
{
    int count = 0;

    memset(answer, 0, sizeof *answer);
    answer->tables[count++] = nuce_model_results;
    for (int i = 0; point->workload->results[i] != NULL; i++) {
        assert_true(count < TABLES_MOST - 1);
        answer->tables[count++] = point->workload->results[i];
    }
    answer->lists = json_object();
    nuce_found_init(answer->tables, &answer->found);
    answer->status = nuce_model_instance(point->workload, point->params, point->ranks, question,
                                         shared, &answer->found, answer->lists, &answer->error);
}

/* The same where nothing may be wrong and nothing is shared; the point is not needed any more. */
static inline void ask_alone(struct nuce_point point, const struct nuce_model_question *question,
                             struct answer *answer)
{
    struct nuce_model_shared shared = {0};

    ask(&point, question, &shared, answer);
    nuce_model_shared_fini(&shared);
    nuce_point_fini(&point);
    if (answer->status != NUCE_OK)
        fail_msg("%s", nuce_error_flatten(&answer->error));
}

/* Whether it was found, and a number that was. */
static inline int answer_has(const struct answer *answer, const char *name)
{
    return json_object_get(answer->found.values, name) != NULL;
}

static inline double answer_of(const struct answer *answer, const char *name)
{
    if (!answer_has(answer, name))
        fail_msg("%s was not found", name);
    return json_number_value(json_object_get(answer->found.values, name));
}

/* That two numbers are the same but for rounding. */
#define assert_alike(a, b) assert_near(a, b, 1e-11 * fmax(fabs((double)(a)), fabs((double)(b))))

static inline const char *answer_text(const struct answer *answer, const char *name)
{
    return json_string_value(json_object_get(answer->found.values, name));
}

#endif
