/* What the models say of one instance of an exchange: times worked out by hand, every transfer they
 * tell of held against the COM and the clock, and what cannot be asked. */
#include "instances.h"

/* The folder of all tests; a message takes a second, and one more for each byte. */
static int network_setup(void **state)
{
    folder_setup(state);
    file_write("some.network", "ranks any\nbetween 1 1\n");
    return 0;
}

static const struct nuce_model_question everything = {
    .network = "some.network", .of_schedule = 1, .of_workload = 1, .is_emitted = 1};

/* 0 sends 4 bytes to 1 and 2 to 2, 1 sends 6 to 0; rank 3 has nothing, and 2 keeps its own. */
static const char four[] = "4\n0 1 4\n0 2 2\n1 0 6\n2 2 99\n";

/* lp: distances 1, 2, 3 with i xor d as partner: 0 and 1 exchange first, 7 s, then 0 - 2, 3 s. */
static void test_by_hand(void **state)
{
    static const struct {
        const char *name;
        double value;
    } found[] = {
        {"messages", 4},
        {"makespan_s", 10},
        {"predicted_s", 10},
        /* Rank 0 sends for 5 + 3 s; no other port is as long busy. */
        {"single_port_bound_s", 8},
        {"makespan_ratio", 10.0 / 8},
    };
    struct answer answer;

    file_write("some.com", four);
    ask_alone(point_of("exchange 4 schedule=lp com=some.com"), &everything, &answer);
    for (size_t i = 0; i < COUNT(found); i++)
        assert_alike(answer_of(&answer, found[i].name), found[i].value);
    assert_string_equal(answer_text(&answer, "execution"), "loose");
    assert_memory_equal(answer_text(&answer, "network_taken"), "some.network@", 13);
    assert_true(answer_of(&answer, "schedule_s") >= 0);
    answer_fini(&answer);
}

/* One end of a transfer, as the models list it. */
struct told {
    int rank, peer, is_send;
    json_int_t phase, offset, bytes;
    double start, end;
};

static struct told told_of(const json_t *transfer)
{
    const char *direction;
    struct told told;

    assert_int_equal(json_unpack((json_t *)transfer, "{s:i, s:s, s:i, s:I, s:I, s:I, s:f, s:f}",
                                 "rank", &told.rank, "direction", &direction, "peer", &told.peer,
                                 "phase", &told.phase, "offset", &told.offset, "bytes", &told.bytes,
                                 "start", &told.start, "end", &told.end),
                     0);
    told.is_send = strcmp(direction, "send") == 0;
    return told;
}

/* Whether two ends are those of one transfer, at the same time. */
static int are_ends(const struct told *a, const struct told *b)
{
    return a->is_send != b->is_send && a->rank == b->peer && a->peer == b->rank &&
           a->phase == b->phase && a->offset == b->offset && a->bytes == b->bytes &&
           a->end == b->end;
}

/* Whether two transfers of one port are in it at once. */
static int share_a_port(const struct told *a, const struct told *b)
{
    return a->is_send == b->is_send && a->rank == b->rank && a->rank != a->peer &&
           b->rank != b->peer && fmin(a->end, b->end) - fmax(a->start, b->start) > 1e-9;
}

/* Every end has one other end; a transfer takes a second and its bytes; ports take one at a time
 * where single_port says so. Returns the seconds of all transfers over wires one after the other.
 */
static double check_transfers(const json_t *transfers, const char *schedule, int single_port)
{
    double sum = 0;

    for (size_t i = 0; i < json_array_size(transfers); i++) {
        struct told a = told_of(json_array_get(transfers, i));
        int other_ends = 0;

        for (size_t k = 0; k < json_array_size(transfers); k++) {
            struct told b = told_of(json_array_get(transfers, k));

            other_ends += are_ends(&a, &b);
            if (single_port && k != i && share_a_port(&a, &b))
                fail_msg("%s: two transfers at once through a port of rank %d", schedule, a.rank);
        }
        if (other_ends != 1)
            fail_msg("%s: rank %d, peer %d: %d other ends", schedule, a.rank, a.peer, other_ends);
        if (a.rank != a.peer && a.end - a.start < 1 + (double)a.bytes - 1e-9)
            fail_msg("%s: %d bytes in %g s", schedule, (int)a.bytes, a.end - a.start);
        sum += a.is_send && a.rank != a.peer ? 1 + (double)a.bytes : 0;
    }
    return sum;
}

/* All bytes of the COM are sent once, by whom they are from to whom they are for. */
static void check_bytes(const json_t *transfers, const char *schedule, int ranks,
                        const json_int_t *com)
{
    json_int_t left[64];

    memcpy(left, com, (size_t)(ranks * ranks) * sizeof *com);
    for (size_t i = 0; i < json_array_size(transfers); i++) {
        struct told told = told_of(json_array_get(transfers, i));

        if (told.is_send)
            left[told.rank * ranks + told.peer] -= told.bytes;
    }
    for (int k = 0; k < ranks * ranks; k++) {
        if (left[k] != 0)
            fail_msg("%s: %d bytes are left from %d to %d", schedule, (int)left[k], k / ranks,
                     k % ranks);
    }
}

/* A third of the pairs exchange up to 9 bytes, ranks themselves too. */
static void draw_com(struct nuce_rng *rng, int ranks, json_int_t *com, char *text, size_t room)
{
    size_t at = (size_t)snprintf(text, room, "%d\n", ranks);

    for (int k = 0; k < ranks * ranks; k++) {
        com[k] = nuce_rng_below(rng, 3) == 0 ? 1 + (json_int_t)nuce_rng_below(rng, 9) : 0;
        if (com[k] > 0)
            at += (size_t)snprintf(text + at, room - at, "%d %d %d\n", k / ranks, k % ranks,
                                   (int)com[k]);
    }
}

/* One schedule of one COM. Returns 1 if it was modelled in time. */
static int check_schedule(const char *schedule, int ranks, const json_int_t *com)
{
    struct nuce_model_shared shared = {0};
    struct nuce_point point;
    struct nuce_error error = {0};
    struct answer answer;
    char text[128];
    int is_timed = 0;

    snprintf(text, sizeof text, "exchange %d schedule=%s com=some.com", ranks, schedule);
    if (point_make(text, &point, &error) != NUCE_OK) {
        nuce_point_fini(&point);
        return 0; /* only for arrays, or for a power of two */
    }
    ask(&point, &everything, &shared, &answer);
    if (answer.status == NUCE_OK && json_object_get(answer.lists, "transfers") != NULL) {
        const json_t *transfers = json_object_get(answer.lists, "transfers");
        int forwards = json_object_get(json_array_get(transfers, 0), "parcels") != NULL;
        int is_fluid = strcmp(answer_text(&answer, "execution"), "fluid") == 0;
        double sum = check_transfers(transfers, schedule, !is_fluid);
        double makespan = answer_of(&answer, "makespan_s");

        is_timed = 1;
        if (!forwards)
            check_bytes(transfers, schedule, ranks, com);
        if (makespan > sum + 1e-9 ||
            (!forwards && !is_fluid && makespan < answer_of(&answer, "single_port_bound_s") - 1e-9))
            fail_msg("%s: %g s, at least %g and at most %g", schedule, makespan,
                     answer_of(&answer, "single_port_bound_s"), sum);
    } else if (answer.status != NUCE_OK) {
        assert_int_equal(answer.status, NUCE_BAD_INPUT);
        assert_true(answer.error.message[0] != '\0');
    }
    answer_fini(&answer);
    nuce_model_shared_fini(&shared);
    nuce_point_fini(&point);
    return is_timed;
}

/* Every schedule there is, for few ranks and primes. */
static void test_every_schedule(void **state)
{
    static const int ranks[] = {1, 2, 3, 5, 8};
    struct nuce_rng rng = nuce_rng_create(3, 0);
    int timed = 0;

    for (size_t i = 0; i < COUNT(ranks); i++) {
        json_int_t com[64];
        char text[1024];
        const char *name;

        draw_com(&rng, ranks[i], com, text, sizeof text);
        file_write("some.com", text);
        for (size_t k = 0; (name = nuce_schedule_name(k)) != NULL; k++)
            timed += check_schedule(name, ranks[i], com);
    }
    assert_true(timed >= 100); /* the others are dynamic, or not for such an exchange */
}

/* Contenders share what is read: the second one needs no file any more. */
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

/* A record has what a run has, so no time that the model took and none but the prediction. */
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

/* The execution that is asked for is taken, and to wait for all ranks' phase is never faster than
 * to wait for one's own. */
static void test_execution(void **state)
{
    struct nuce_rng rng = nuce_rng_create(3, 1);
    struct nuce_model_question question = everything;

    for (int draw = 0; draw < 8; draw++) {
        double makespan_s[2];
        json_int_t com[64];
        char text[1024];

        draw_com(&rng, 7, com, text, sizeof text);
        file_write("some.com", text);
        for (int i = 0; i < 2; i++) {
            enum nuce_execution execution = i == 0 ? NUCE_LOOSE : NUCE_BARRIER;
            struct answer answer;

            question.execution = &execution;
            ask_alone(point_of("exchange 7 schedule=rs-n com=some.com"), &question, &answer);
            assert_string_equal(answer_text(&answer, "execution"), i == 0 ? "loose" : "barrier");
            makespan_s[i] = answer_of(&answer, "makespan_s");
            answer_fini(&answer);
        }
        assert_true(makespan_s[0] > 0 && makespan_s[0] <= makespan_s[1] + 1e-12);
    }
}

/* On emulated links messages are so long that they take as long as on the drawn network: 10 bytes
 * at 2 bytes/s are 40 of links of 8 bytes/s, and both take 5 s. */
static void test_emulated(void **state)
{
    struct answer answer;

    file_write("some.com", "2\n0 1 10\n1 1 10\n");
    ask_alone(point_of("exchange 2 schedule=lp com=some.com network=emulated bandwidth=2 "
                       "startup=3s link-bandwidth=8"),
              &everything, &answer);
    assert_int_equal(answer_of(&answer, "bytes"), 50); /* what a rank keeps stays */
    assert_alike(answer_of(&answer, "makespan_s"), 8);
    answer_fini(&answer);
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

/* What is refused, and the option that is to blame; nothing is left of what was begun. */
static void refuse(const struct nuce_point *point, const char *network, const char *subject,
                   const char *says)
{
    struct nuce_model_question question = {.network = network, .of_schedule = 1};
    struct nuce_model_shared shared = {0};
    struct answer answer;

    ask(point, &question, &shared, &answer);
    assert_int_equal(answer.status, NUCE_BAD_INPUT);
    assert_string_equal(answer.error.subject, subject);
    assert_says(&answer.error, says);
    assert_int_equal(shared.is_made, 0);
    assert_null(shared.pattern.row);
    assert_null(shared.network_name);
    answer_fini(&answer);
}

static void test_refused(void **state)
{
    struct nuce_point point, measured;
    char path[NUCE_PATH_BYTES + 40];

    file_write("some.com", four);
    file_write("five", "ranks 5\nbetween 1 1\n");
    point = point_of("exchange 4 schedule=lp com=some.com");
    measured = point_of("exchange 4 schedule=lp com=some.com network=measured");
    memset(path, 'x', sizeof path - 1);
    path[sizeof path - 1] = '\0';
    refuse(&point, path, "network", "longer than");
    path[NUCE_PATH_BYTES - 1] = '\0'; /* just short enough, and no file */
    refuse(&point, path, "", "File name too long");
    refuse(&point, "none", "", "No such file");
    refuse(&point, "five", "", "5");
    refuse(&measured, "cm5", "network", "known only on the hosts");
    file_write("some.com", "3\n0 1 4\n");
    refuse(&point, "cm5", "", "3");
    nuce_point_fini(&measured);
    nuce_point_fini(&point);
}

RUN_TESTS(network_setup, folder_teardown, CASE(test_by_hand), CASE(test_every_schedule),
          CASE(test_shared), CASE(test_recorded), CASE(test_candidates), CASE(test_refused),
          CASE(test_execution), CASE(test_emulated))
