#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "mapping/processes.h"

static struct nuce_processes mesh(int a, int b, int c)
{
    int side[NUCE_SIDES] = {a, b, c};
    struct nuce_processes processes;
    struct nuce_error error;

    assert_int_equal(nuce_processes_mesh(side, &processes, &error), NUCE_OK);
    return processes;
}

static void test_sides(void **state)
{
    int side[NUCE_SIDES];
    struct nuce_error error;
    static const char *const bad[] = {"",    "0x4", "4x",   "x4",      "4x4x4x4", "-4x4",
                                      "4 4", "4X4", "+4x4", "9999999", "4x4y"};

    (void)state;
    assert_int_equal(nuce_processes_read_sides("16x8", side, &error), NUCE_OK);
    assert_int_equal(side[0] * 10000 + side[1] * 100 + side[2], 160801);
    assert_int_equal(nuce_processes_read_sides("2x3x4", side, &error), NUCE_OK);
    assert_int_equal(side[2], 4);
    assert_int_equal(nuce_processes_read_sides("100", side, &error), NUCE_OK);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(nuce_processes_read_sides(bad[i], side, &error), NUCE_BAD_INPUT);
    side[0] = side[1] = side[2] = 1 << 20;
    assert_int_equal(nuce_processes_mesh(side, &(struct nuce_processes){0}, &error),
                     NUCE_BAD_INPUT);
}

static void test_mesh(void **state)
{
    struct nuce_processes processes = mesh(3, 4, 2);

    (void)state;
    assert_int_equal(processes.ranks, 24);
    assert_int_equal(processes.start[24], 2 * (2 * 8 + 3 * 6 + 12));
    /* 0 at the corner; 10 = (1, 1, 0) inside two sides. */
    assert_int_equal(processes.start[1], 3);
    assert_int_equal(processes.neighbor[0], 1);
    assert_int_equal(processes.neighbor[1], 2);
    assert_int_equal(processes.neighbor[2], 8);
    assert_int_equal(processes.start[11] - processes.start[10], 5);
    nuce_processes_fini(&processes);
}

static void test_halves(void **state)
{
    struct nuce_block block = {.low = {2, 0, 1}, .size = {3, 5, 5}}, half[2];

    (void)state;
    nuce_block_halve(&block, half);
    assert_int_equal(half[0].size[1], 3);
    assert_int_equal(half[1].size[1], 2);
    assert_int_equal(half[1].low[1], 3);
    assert_int_equal(half[1].low[2], 1);
    assert_int_equal(nuce_block_volume(&half[0]) + nuce_block_volume(&half[1]), 75);
}

static int steps(const struct nuce_processes *processes, int a, int b)
{
    const int *side = processes->side;

    return abs(a / (side[1] * side[2]) - b / (side[1] * side[2])) +
           abs(a / side[2] % side[1] - b / side[2] % side[1]) + abs(a % side[2] - b % side[2]);
}

/* Every process once, for any sides; and where they are even each step goes to a neighbour. */
static void test_curve(void **state)
{
    (void)state;
    for (int a = 1; a <= 9; a++) {
        for (int b = 1; b <= 9; b++) {
            for (int c = 1; c <= 5; c++) {
                struct nuce_processes processes = mesh(a, b, c);
                int *order = calloc((size_t)processes.ranks, sizeof *order);
                char *is_met = calloc((size_t)processes.ranks, 1);
                int jumps = 0;

                assert_true(order != NULL && is_met != NULL);
                nuce_processes_curve(&processes, order);
                for (int k = 0; k < processes.ranks; k++) {
                    assert_false(is_met[order[k]]);
                    is_met[order[k]] = 1;
                    jumps += k > 0 && steps(&processes, order[k - 1], order[k]) > 1;
                }
                if (a % 2 == 0 && b % 2 == 0 && (c == 1 || c % 2 == 0))
                    assert_int_equal(jumps, 0);
                free(order);
                free(is_met);
                nuce_processes_fini(&processes);
            }
        }
    }
}

/* Both directions of a pair are one edge, no process talks to itself. */
static void test_pattern(void **state)
{
    static const struct nuce_message messages[] = {{0, 1, 5}, {1, 0, 7}, {2, 2, 100}, {3, 0, 2}};
    struct nuce_pattern pattern;
    struct nuce_processes processes;
    struct nuce_error error;

    (void)state;
    assert_int_equal(nuce_pattern_init(4, messages, 4, &pattern, &error), NUCE_OK);
    assert_int_equal(nuce_processes_pattern(&pattern, &processes, &error), NUCE_OK);
    assert_int_equal(processes.start[4], 4);
    assert_int_equal(processes.start[3] - processes.start[2], 0);
    assert_int_equal(processes.neighbor[0], 1);
    assert_true(processes.weight[0] > 11.9 && processes.weight[0] < 12.1);
    assert_int_equal(processes.neighbor[1], 3);
    nuce_processes_fini(&processes);
    nuce_pattern_fini(&pattern);
}

/* A ring whose numbers are mixed up: on the line, halves are connected. */
static void test_line(void **state)
{
    enum { RANKS = 64 };
    struct nuce_message messages[RANKS];
    struct nuce_pattern pattern;
    struct nuce_processes processes;
    struct nuce_error error;
    int cut = 0;

    (void)state;
    for (int i = 0; i < RANKS; i++)
        messages[i] = (struct nuce_message){i * 29 % RANKS, (i + 1) * 29 % RANKS, 1};
    assert_int_equal(nuce_pattern_init(RANKS, messages, RANKS, &pattern, &error), NUCE_OK);
    assert_int_equal(nuce_processes_pattern(&pattern, &processes, &error), NUCE_OK);
    for (int half = 0; half < 2; half++) {
        for (int k = 0; k < RANKS / 2; k++) {
            int rank = processes.at[half * RANKS / 2 + k];

            for (int64_t m = processes.start[rank]; m < processes.start[rank + 1]; m++) {
                int other = 0;

                while (processes.at[other] != processes.neighbor[m])
                    other++;
                cut += other / (RANKS / 2) != half;
            }
        }
    }
    assert_int_equal(cut, 4);
    nuce_processes_fini(&processes);
    nuce_pattern_fini(&pattern);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sides), cmocka_unit_test(test_mesh),    cmocka_unit_test(test_halves),
        cmocka_unit_test(test_curve), cmocka_unit_test(test_pattern), cmocka_unit_test(test_line),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
