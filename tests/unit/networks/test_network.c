#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "network.h"

/* cmocka compares floats only. */
static void assert_near(double found, double expected, double tolerance)
{
    assert_true(fabs(found - expected) <= tolerance);
}

static nuce_status parse(const char *text, int ranks, struct nuce_network *out,
                         struct nuce_error *error)
{
    return nuce_network_parse("x.net", text, strlen(text), ranks, out, error);
}

static void test_good(void **state)
{
    static const char text[] = "# links\nranks 2 # two\n0 1 1e-3 1e6\n1 0 2e-3 4e6\n"
                               "port 1 5e6 6e6\nspeed 0 0.5\n";
    struct nuce_network network;
    struct nuce_error error = {0};
    double startup, per_byte;

    (void)state;
    assert_int_equal(parse(text, 2, &network, &error), NUCE_OK);
    assert_int_equal(network.ranks, 2);
    assert_near(nuce_network_seconds(&network, 0, 1, 1000), 2e-3, 1e-15);
    assert_near(nuce_network_seconds(&network, 1, 0, 8000), 4e-3, 1e-15);
    assert_true(nuce_network_seconds(&network, 1, 1, 8000) == 0);
    assert_true(isinf(nuce_network_port_out(&network, 0)));
    assert_near(nuce_network_port_out(&network, 1), 5e6, 0);
    assert_near(nuce_network_port_in(&network, 1), 6e6, 0);
    assert_near(network.speed[0], 0.5, 0);
    assert_near(network.speed[1], 1, 0);
    nuce_network_means(&network, &startup, &per_byte);
    assert_near(startup, 1.5e-3, 1e-15);
    assert_near(per_byte, (1e-6 + 0.25e-6) / 2, 1e-18);
    nuce_network_fini(&network);
}

/* tau 0.299 ms and phi 0.2389 us per byte. */
static void test_preset(void **state)
{
    struct nuce_network network;
    struct nuce_error error = {0};

    (void)state;
    assert_int_equal(nuce_network_preset("cm5", 32, &network, &error), NUCE_OK);
    assert_near(nuce_network_seconds(&network, 3, 4, 1024), 0.299e-3 + 1024 * 0.2389e-6, 1e-12);
    nuce_network_fini(&network);
    assert_int_equal(nuce_network_preset("cm6", 32, &network, &error), NUCE_BAD_INPUT);
    assert_string_equal(error.message, "network: 'cm6': expected cm5 or a NETWORK FILE");
    assert_true(nuce_network_is_preset("cm5"));
    assert_false(nuce_network_is_preset("cm55"));
}

static const struct bad {
    const char *text;
    const char *message;
} bad_inputs[] = {
    {"",                            "x.net:1:1: the file ends here: expected 'ranks P'"                     },
    {"2\n",                         "x.net:1:1: '2': expected 'ranks P'"                                    },
    {"ranks 0\n",                   "x.net:1:7: 0 is out of range; expected the number of ranks, 1 to 16384"},
    {"ranks 3\n",                   "x.net:1:1: a network of 3 ranks: expected 2"                           },
    {"ranks 2\n0 1 1 1\n",          "x.net: no line for the pair 1 0: expected one for every ordered pair"  },
    {"ranks 2\n0 1 1 1\n0 1 1 1\n", "x.net:3:1: a second line for the pair 0 1"                             },
    {"ranks 2\n0 0 1 1\n",          "x.net:2:1: rank 0 to itself: expected two different ranks"             },
    {"ranks 2\n0 2 1 1\n",          "x.net:2:3: 2 is out of range; expected the destination rank, 0 to 1"   },
    {"ranks 2\n0 1 -1 1\n",         "x.net:2:5: '-1': expected the startup in seconds, at least 0"          },
    {"ranks 2\n0 1 1 0\n",
     "x.net:2:7: '0': expected the bandwidth in bytes per second, more than 0"                              },
    {"ranks 2\n0 1 1 1e999\n",
     "x.net:2:7: '1e999' is not a finite number; expected the bandwidth in bytes per second"                },
    {"ranks 2\n0 1 1\n",            "x.net:2:6: the line ends; expected the bandwidth in bytes per second"  },
    {"ranks 2\n0 1 1 1 1\n",        "x.net:2:9: '1' is too much; expected a pair only"                      },
    {"ranks 2\nport 0 1\n",
     "x.net:2:9: the line ends; expected the bytes per second that it receives"                             },
    {"ranks 2\nprot 0 1 1\n",       "x.net:2:1: 'prot' is not a whole number; expected the source rank"     },
    {"ranks 2\nspeed 0 0\n",        "x.net:2:9: '0': expected the relative speed, more than 0"              },
};

static void test_bad(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof bad_inputs / sizeof *bad_inputs; i++) {
        struct nuce_network network;
        struct nuce_error error = {0};

        assert_int_equal(parse(bad_inputs[i].text, 2, &network, &error), NUCE_BAD_INPUT);
        assert_string_equal(error.message, bad_inputs[i].message);
    }
}

static void test_bad_uniform(void **state)
{
    struct nuce_network network;
    struct nuce_error error = {0};

    (void)state;
    assert_int_equal(nuce_network_uniform(4, -1, 1, &network, &error), NUCE_BAD_INPUT);
    assert_int_equal(nuce_network_uniform(4, NAN, 1, &network, &error), NUCE_BAD_INPUT);
    assert_int_equal(nuce_network_uniform(4, 0, 0, &network, &error), NUCE_BAD_INPUT);
    assert_int_equal(nuce_network_uniform(4, 0, INFINITY, &network, &error), NUCE_BAD_INPUT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_good),
        cmocka_unit_test(test_preset),
        cmocka_unit_test(test_bad),
        cmocka_unit_test(test_bad_uniform),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
