/* The models' answers for points that are put together from settings, asked as nuce-model asks. */
#include "../folder.h"
#include "../mapping/networks.h"
#include "../workloads/points.h"

#include "mapping/placement.h"
#include "programs/point_model.h"

/* More tables than any workload has, with that of the models and the end. */
#define TABLES_MOST 16

/* The answer to one question. */
struct answer {
    nuce_status status;
    struct nuce_error error;
    const struct nuce_result *tables[TABLES_MOST];
    struct nuce_metrics found;
    json_t *lists;
};

static void answer_fini(struct answer *answer)
{
    nuce_metrics_fini(&answer->found);
    json_decref(answer->lists);
}

/* Asks into *answer, where the tables then stay that its numbers are of. */
static void ask(const struct nuce_point *point, const struct nuce_model_question *question,
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
    nuce_metrics_init(answer->tables, &answer->found);
    answer->status = nuce_model_instance(point->workload, point->params, point->ranks, question,
                                         shared, &answer->found, answer->lists, &answer->error);
}

/* The same where nothing may be wrong and nothing is shared; the point is not needed any more. */
static void ask_alone(struct nuce_point point, const struct nuce_model_question *question,
                      struct answer *answer)
{
    struct nuce_model_shared shared = {0};

    ask(&point, question, &shared, answer);
    nuce_model_shared_fini(&shared);
    nuce_point_fini(&point);
    if (answer->status != NUCE_OK)
        fail_msg("%s", nuce_error_flatten(&answer->error));
}

/* Nonzero if it was found; and a number that was. */
static int answer_has(const struct answer *answer, const char *name)
{
    return json_object_get(answer->found.values, name) != NULL;
}

static double answer_of(const struct answer *answer, const char *name)
{
    if (!answer_has(answer, name))
        fail_msg("%s was not found", name);
    return json_number_value(json_object_get(answer->found.values, name));
}

/* That two numbers are the same but for rounding. */
#define assert_alike(a, b) assert_near(a, b, 1e-11 * fmax(fabs((double)(a)), fabs((double)(b))))

static const char *answer_text(const struct answer *answer, const char *name)
{
    return json_string_value(json_object_get(answer->found.values, name));
}

/* The folder of all tests; a message takes a second, and one more for each byte. */
static int files_setup(void **state)
{
    folder_setup(state);
    file_write("some.network", "ranks any\nbetween 1 1\n");
    file_write("pentagon", pentagon);
    return 0;
}

static const struct nuce_model_question everything = {
    .network = "some.network", .of_schedule = 1, .of_workload = 1, .is_emitted = 1};

/* 0 sends 4 bytes to 1 and 2 to 2, 1 sends 6 to 0; rank 3 has nothing, and 2 keeps its own. */
static const char four[] = "4\n0 1 4\n0 2 2\n1 0 6\n2 2 99\n";

/* Contenders share the content of files: the second one needs no file any more. */
static void test_shared(void **state)
{
    struct nuce_model_shared shared = {0};
    struct nuce_point first, second;
    struct answer alone, answer;

    file_write("some.com", four);
    first = point_of("exchange 4 schedule=lp com=some.com");
    second = point_of("exchange 4 schedule=greedy com=some.com");
    ask_alone(point_of("exchange 4 schedule=greedy com=some.com"), &everything, &alone);
    ask(&first, &everything, &shared, &answer);
    assert_ok(answer.status);
    answer_fini(&answer);
    assert_int_equal(unlink("some.com") | rename("some.network", "hidden"), 0);
    ask(&second, &everything, &shared, &answer);
    assert_ok(answer.status);
    assert_alike(answer_of(&answer, "makespan_s"), answer_of(&alone, "makespan_s"));
    assert_true(json_equal(answer.lists, alone.lists));
    answer_fini(&answer);
    answer_fini(&alone);
    nuce_model_shared_fini(&shared);
    nuce_model_shared_fini(&shared); /* it is empty now */
    ask(&second, &everything, &shared, &answer);
    assert_int_equal(answer.status, NUCE_BAD_INPUT);
    assert_int_equal(shared.is_made, 0);
    answer_fini(&answer);
    nuce_point_fini(&first);
    nuce_point_fini(&second);
    assert_int_equal(rename("hidden", "some.network"), 0);
}

/* A modelled record has the members of a run: its only time is the prediction, not the time of the
 * model. */
static void test_recorded(void **state)
{
    struct nuce_model_question question = everything;
    struct answer answer;

    file_write("some.com", four);
    question.is_recorded = 1;
    question.is_emitted = 0;
    ask_alone(point_of("exchange 4 schedule=best com=some.com"), &question, &answer);
    assert_true(answer_has(&answer, "predicted_s"));
    assert_false(answer_has(&answer, "schedule_s") || answer_has(&answer, "makespan_s") ||
                 answer_has(&answer, "execution"));
    assert_int_equal(json_object_size(answer.lists), 0);
    answer_fini(&answer);
    for (question.is_recorded = 0; question.is_recorded < 2; question.is_recorded++) {
        ask_alone(point_of("exchange 4 schedule=rs-nh com=some.com"), &question, &answer);
        assert_int_equal(answer_has(&answer, "heap_s"), !question.is_recorded);
        answer_fini(&answer);
    }
    question.of_schedule = 0;
    ask_alone(point_of("exchange 4 schedule=rs-nh com=some.com"), &question, &answer);
    assert_int_equal(json_object_size(answer.found.values), 0);
    answer_fini(&answer);
}

/* The given execution is used. Waiting for the phase of all ranks is never faster than waiting for
 * the rank's own phase. */
static void test_execution(void **state)
{
    static const enum nuce_execution executions[] = {NUCE_LOOSE, NUCE_BARRIER};
    static const char *const names[] = {"loose", "barrier"};
    struct nuce_model_question question = everything;
    double makespan_s[2];

    for (int i = 0; i < 2; i++) {
        struct answer answer;

        question.execution = &executions[i];
        ask_alone(point_of("exchange 7 schedule=rs-n pattern=skewed"), &question, &answer);
        assert_string_equal(answer_text(&answer, "execution"), names[i]);
        makespan_s[i] = answer_of(&answer, "makespan_s");
        answer_fini(&answer);
    }
    assert_true(makespan_s[0] > 0 && makespan_s[0] < makespan_s[1]);
}

/* One of the candidates is chosen, none is faster, and each takes as long as it does alone. */
static void test_candidates(void **state)
{
    struct answer answer, alone;
    const json_t *candidate;
    size_t index;
    int chosen = 0;

    file_write("some.com", "5\n0 1 9\n0 2 1\n3 2 7\n4 2 2\n2 0 5\n1 3 8\n");
    ask_alone(point_of("exchange 5 schedule=best com=some.com choices=lp,greedy,rs-n,lpt"),
              &everything, &answer);
    assert_int_equal(json_array_size(json_object_get(answer.lists, "candidates")), 4);
    json_array_foreach(json_object_get(answer.lists, "candidates"), index, candidate)
    {
        double makespan = json_number_value(json_object_get(candidate, "makespan"));

        ask_alone(point_of("exchange 5 schedule=%s com=some.com",
                           json_string_value(json_object_get(candidate, "name"))),
                  &everything, &alone);
        assert_alike(makespan, answer_of(&alone, "makespan_s"));
        assert_true(makespan >= answer_of(&answer, "makespan_s"));
        if (json_integer_value(json_object_get(candidate, "chosen"))) {
            assert_alike(makespan, answer_of(&answer, "makespan_s"));
            chosen++;
        }
        answer_fini(&alone);
    }
    assert_int_equal(chosen, 1);
    answer_fini(&answer);
}

static const struct nuce_model_question of_placement = {.network = "cm5", .of_workload = 1};

/* Edges of a COM weigh the bytes of both directions, and a rank without messages is left out of the
 * mean. */
static void test_com(void **state)
{
    int node[4], one, two;
    struct answer answer;

    file_write("some.com", "4\n0 1 10\n1 0 4\n0 2 100\n");
    ask_alone(point_of("mapping 4 placement=rm com=some.com topology=pentagon routing=shortest"),
              &of_placement, &answer);
    for (size_t i = 0; i < 4; i++)
        node[i] =
            (int)json_integer_value(json_array_get(json_object_get(answer.lists, "processors"), i));
    /* Nodes are in a circle of five, as the switches are: neighbours differ by 1 or 4. */
    one = abs(node[0] - node[1]) % 3 == 1 ? 1 : 2;
    two = abs(node[0] - node[2]) % 3 == 1 ? 1 : 2;
    assert_alike(answer_of(&answer, "cardinality"), 14. * one + 100 * two);
    assert_alike(answer_of(&answer, "latency_0_s"),
                 ((14 * nuce_placement_delay(one) + 100 * nuce_placement_delay(two)) / 114 +
                  nuce_placement_delay(one) + nuce_placement_delay(two)) /
                     3);
    answer_fini(&answer);
}

RUN_IN(files_setup, folder_teardown, test_shared, test_recorded, test_candidates, test_execution,
       test_com)
