/* Tuning files: reading, refusals with their place, finding rules, and reading back written files
 * unchanged. */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/text_file.h"
#include "cases.h"
#include "schedules/tuning_file.h"

#define HEAD "nuce-tuning 1\nmachine: x86_64 AMD EPYC # the laptop\nmpi: MPICH 4.0.2\n"

static nuce_status parse(const char *text, struct nuce_tuning_file *out, struct nuce_error *error)
{
    return nuce_tuning_file_parse("t", text, strlen(text), out, error);
}

static void test_read(void **state)
{
    struct nuce_tuning_file file = {0};
    struct nuce_error error;

    assert_int_equal(
        parse("# evidence\n" HEAD
              "alltoallv ranks=8 call-time=31us pattern=0123456789abcdef schedule=tuna radix=2 "
              "ratio=0.65 # why\n"
              "\nalltoallw ranks=4 bytes=16..256 degree=0..7 schedule=library\n",
              &file, &error),
        NUCE_OK);
    assert_string_equal(file.machine, "x86_64 AMD EPYC");
    assert_string_equal(file.mpi, "MPICH 4.0.2");
    assert_int_equal(file.count, 2);
    assert_string_equal(file.rules[0].schedule->name, "tuna");
    assert_int_equal(file.rules[0].tuning.radix, 2);
    assert_string_equal(file.rules[0].tuning.within, nuce_tuning_preset.within);
    assert_true(file.rules[0].fingerprint == UINT64_C(0x0123456789abcdef));
    assert_true(file.rules[0].call_time_s == 31e-6 && file.rules[0].ratio == 0.65);
    assert_true(file.rules[1].is_class);
    assert_true(file.rules[1].ratio == 0);
    assert_null(file.rules[1].schedule);
    assert_int_equal(file.rules[1].bytes.high, 256);
    nuce_tuning_file_fini(&file);
}

static const struct damaged {
    const char *text, *message;
} damages[] = {
    {"", "t:1:1: the file ends; expected nuce-tuning 1"},
    {"nuce-tunings 1\n", "t:1:1: 'nuce-tunings': expected nuce-tuning 1"},
    {"nuce-tuning 2\n", "t:1:13: "},
    {"nuce-tuning 1 x\n", "t:1:15: "},
    {"nuce-tuning 1\nmachine:\n", "t:2:1: 'machine:': expected a name behind it"},
    {HEAD "mpi: b\n", "t:4:1: 'mpi:': expected once"},
    {HEAD "alltoall ranks=8\n", "t:4:1: 'alltoall': expected machine:, mpi:, or a call"},
    {HEAD "alltoallv ranks\n", "t:4:11: 'ranks': expected NAME=VALUE"},
    {HEAD "alltoallv ranks=0 \n", "t:4:17: '0': expected a number of ranks"},
    {HEAD "alltoallv ranks=8x\n", "t:4:17: '8x': expected a number of ranks"},
    {HEAD "alltoallv ranks=99999999999999999999\n", "expected a number of ranks"},
    {HEAD "alltoallv ranks=8 ranks=8\n", "t:4:19: 'ranks': expected once"},
    {HEAD "alltoallv pattern=0123456789ABCDEF\n",
     "t:4:19: '0123456789ABCDEF': expected the finger"},
    {HEAD "alltoallv pattern=123\n", "t:4:19: '123': expected the fingerprint"},
    {HEAD "alltoallv bytes=256..16\n", "t:4:17: '256..16': expected a range"},
    {HEAD "alltoallv bytes=16-256\n", "t:4:17: '16-256': expected a range"},
    {HEAD "alltoallv degree=..2\n", "t:4:18: '..2': expected a range"},
    {HEAD "alltoallv ranks=8 schedule=tunas\n", "t:4:28: 'tunas': expected a schedule for any"},
    {HEAD "alltoallv ranks=8 schedule=pdgemr2d\n", "t:4:28: 'pdgemr2d': expected a schedule"},
    {HEAD "alltoallv ranks=8 schedule=ac radix=2\n", "t:4:31: 'radix': expected an option that"},
    {HEAD "alltoallv ranks=8 radix=2 schedule=tuna\n", "t:4:19: 'radix': expected an option that"},
    {HEAD "alltoallv ranks=8 schedule=tuna radix=1\n", "t:4:39: "},
    {HEAD "alltoallv ranks=8 schedule=tuna radix=2 radix=2\n", "t:4:41: 'radix': expected once"},
    {HEAD "alltoallv ranks=8 schedule=tuna speed=2\n", "t:4:33: 'speed': expected CALL"},
    {HEAD "alltoallv ranks=8 schedule=ac\n", "t:4:10: 'alltoallv': expected CALL ranks=P"},
    {HEAD "alltoallv ranks=8 bytes=1..2 schedule=ac\n", "t:4:10: 'alltoallv': expected CALL"},
    {HEAD "alltoallv ranks=8 pattern=0123456789abcdef degree=1..2 schedule=ac\n", "t:4:10: "},
    {HEAD "alltoallv call-time=0s\n", "t:4:21: call-time: "},
    {HEAD "alltoallv call-time=1us call-time=1us\n", "t:4:25: 'call-time': expected once"},
    {HEAD "alltoallv ratio=nan\n", "t:4:17: ratio: "},
    {HEAD "alltoallv ranks=8 bytes=1..2 degree=1..2 schedule=ac ratio=0.5\n",
     "both or none of call"},
    {HEAD "alltoallv ranks=8 pattern=0123456789abcdef schedule=ac\n"
          "alltoallv ranks=8 pattern=0123456789abcdef schedule=tuna\n",
     "t:5:1: '0123456789abcdef': a second rule"},
};

/* Refused as a whole, with the place. */
static void test_damaged(void **state)
{
    for (size_t i = 0; i < sizeof damages / sizeof *damages; i++) {
        struct nuce_tuning_file file = {0};
        struct nuce_error error;

        assert_int_equal(parse(damages[i].text, &file, &error), NUCE_BAD_INPUT);
        if (strstr(nuce_error_flatten(&error), damages[i].message) == NULL)
            fail_msg("%s: %s", damages[i].message, nuce_error_flatten(&error));
        assert_null(file.rules);
    }
}

/* Any beginning of a file is read or refused, and so is one with a changed byte. */
static void test_torn(void **state)
{
    static const char text[] =
        HEAD "alltoallv ranks=8 pattern=0123456789abcdef schedule=rs-nh tau=1us phi=2e-9 "
             "call-time=1us ratio=0.5\n"
             "alltoallv ranks=8 bytes=1..2 degree=1..2 schedule=best choices=ac,lp\n";

    for (size_t i = 0; i < 2 * sizeof text - 2; i++) {
        size_t at = i % (sizeof text - 1);
        char *copy = nuce_text_duplicate(text);
        struct nuce_tuning_file file = {0};
        struct nuce_error error;

        copy[at] = '\0';
        nuce_tuning_file_parse("t", copy, i == at ? at : sizeof text - 1, &file, &error);
        if (i != at && text[at] != '\n' && text[at] != ' ' && at >= sizeof HEAD - 1)
            assert_int_equal(error.status, NUCE_BAD_INPUT);
        nuce_tuning_file_fini(&file);
        free(copy);
    }
}

static void test_round_trip(void **state)
{
    static const char *const rules =
        "alltoallv ranks=8 pattern=0123456789abcdef schedule=tuna radix=2 call-time=3.1e-05s "
        "ratio=0.654321\n"
        "alltoallv ranks=8 pattern=0000000000000001 schedule=rs-nh tau=1.0000000000000001e-05s "
        "phi=2.3333333333333331e-09\n"
        "neighbor_alltoallv ranks=16 pattern=ffffffffffffffff schedule=two-level node-ranks=4 "
        "within=lp\n"
        "alltoallw ranks=2 bytes=0..256 degree=1..1 schedule=library\n"
        "alltoallv ranks=2 bytes=1..9 degree=0..1 schedule=best choices=ac,lp\n";
    char *text = nuce_text_format(HEAD "%s", rules);
    struct nuce_tuning_file file = {0};
    struct nuce_text_print printed;
    struct nuce_error error;

    assert_int_equal(parse(text, &file, &error), NUCE_OK);
    nuce_text_print_begin(&printed);
    for (int64_t i = 0; i < file.count; i++)
        nuce_tuning_rule_print(&file.rules[i], printed.file);
    nuce_text_print_end(&printed);
    assert_string_equal(printed.text, rules);
    nuce_tuning_file_fini(&file);
    free(printed.text);
    free(text);
}

/* A pattern goes before a class, the first class before the others; ranks and call must be
 * those of the rule. */
static void test_find(void **state)
{
    struct nuce_tuning_call call = {"alltoallv", 8, 0xab, 16.5, 4};
    struct nuce_tuning_file file = {0};
    struct nuce_error error;

    assert_int_equal(parse(HEAD "alltoallv ranks=8 bytes=16..17 degree=4..7 schedule=lp\n"
                                "alltoallv ranks=8 bytes=1..99 degree=1..7 schedule=ac\n"
                                "alltoallv ranks=8 pattern=00000000000000ab schedule=tuna\n",
                           &file, &error),
                     NUCE_OK);
    assert_ptr_equal(nuce_tuning_file_find(&file, &call), &file.rules[2]);
    call.fingerprint = 0xac;
    assert_ptr_equal(nuce_tuning_file_find(&file, &call), &file.rules[0]);
    call.bytes = 17.5;
    assert_ptr_equal(nuce_tuning_file_find(&file, &call), &file.rules[1]);
    call.degree = 7.5;
    assert_null(nuce_tuning_file_find(&file, &call));
    call = (struct nuce_tuning_call){"alltoallv", 7, 0xab, 16.5, 4};
    assert_null(nuce_tuning_file_find(&file, &call));
    call = (struct nuce_tuning_call){"alltoallw", 8, 0xab, 16.5, 4};
    assert_null(nuce_tuning_file_find(&file, &call));
    nuce_tuning_file_fini(&file);
}

/* Ranks add up their rows to the same number, in any order; one byte or one end more is another. */
static void test_fingerprint(void **state)
{
    OWNED(pattern) pattern = pattern_of(4, "2>0:5 0>2:7 0>0:3");
    OWNED(pattern) other = pattern_of(4, "2>0:5 0>2:7 0>0:4");
    OWNED(pattern) turned = pattern_of(4, "0>2:5 2>0:7 0>0:3");
    uint64_t sum = nuce_pattern_fingerprint_message(0, 2, 7) +
                   nuce_pattern_fingerprint_message(2, 0, 5) +
                   nuce_pattern_fingerprint_message(0, 0, 3);

    assert_true(nuce_pattern_fingerprint(&pattern) == sum);
    assert_true(nuce_pattern_fingerprint(&other) != sum);
    assert_true(nuce_pattern_fingerprint(&turned) != sum);
    /* Part of files that users keep: never changed. */
    assert_true(nuce_pattern_fingerprint_message(0, 1, 64) == UINT64_C(0x09a2044e132cfcc2));
}

RUN(test_read, test_damaged, test_torn, test_round_trip, test_find, test_fingerprint)
