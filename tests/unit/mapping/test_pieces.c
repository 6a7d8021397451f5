/* What placements and topologies are made of: names, average linkage. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/rng.h"
#include "mapping/topology_file.h"

/* Within tolerance of what is wanted. */
static void expect_near(double found, double wanted, double tolerance)
{
    assert_true(fabs(found - wanted) <= tolerance);
}

/* Numbers in the order of arrival, kept while the table grows. */
static void test_names(void **state)
{
    struct nuce_names names = {0};
    char name[16];
    int number, length;

    (void)state;
    assert_int_equal(nuce_names_find(&names, "n0", 2), -1);
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < 500; i++) {
            length = snprintf(name, sizeof name, "n%d-", i);
            nuce_names_add(&names, name, length - 1, &number);
            assert_int_equal(number, i);
        }
    }
    assert_int_equal(names.count, 500);
    assert_string_equal(names.name[17], "n17");
    assert_int_equal(nuce_names_find(&names, "n499", 4), 499);
    assert_int_equal(nuce_names_find(&names, "n499", 3), 49);
    assert_int_equal(nuce_names_find(&names, "n500", 4), -1);
    nuce_names_fini(&names);
}

enum { POINTS = 12 };

/* The least mean distance between two of the clusters, which then are one. */
static double merge_nearest(const double *distance, int *cluster)
{
    double least = INFINITY;
    int from = 0, to = 0;

    for (int a = 0; a < POINTS; a++) {
        for (int b = 0; b < a; b++) {
            double sum = 0, pairs = 0;

            for (int i = 0; i < POINTS; i++) {
                for (int j = 0; j < POINTS; j++) {
                    if (cluster[i] == a && cluster[j] == b) {
                        sum += distance[i * POINTS + j];
                        pairs++;
                    }
                }
            }
            if (pairs > 0 && sum / pairs < least) {
                least = sum / pairs;
                from = a;
                to = b;
            }
        }
    }
    for (int i = 0; i < POINTS; i++)
        cluster[i] = cluster[i] == from ? to : cluster[i];
    return least;
}

/* As merging the nearest pair of all each time. */
static void test_linkage(void **state)
{
    double distance[POINTS * POINTS], kept[POINTS * POINTS];
    struct nuce_linkage_merge merge[POINTS - 1];

    (void)state;
    for (uint64_t draw = 0; draw < 20; draw++) {
        struct nuce_rng rng = nuce_rng_create(5, draw);
        int cluster[POINTS];

        for (int i = 0; i < POINTS; i++) {
            cluster[i] = i;
            for (int j = 0; j <= i; j++)
                distance[i * POINTS + j] = distance[j * POINTS + i] =
                    i == j ? 0 : 1 + nuce_rng_uniform(&rng);
        }
        memcpy(kept, distance, sizeof kept);
        nuce_linkage_average(distance, POINTS, merge);
        for (int k = 0; k < POINTS - 1; k++)
            expect_near(merge[k].height, merge_nearest(kept, cluster), 1e-12);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_linkage),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
