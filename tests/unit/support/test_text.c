/* Names, words, the nearest of several, and safe printing. */
#include "../test.h"

#include <stdlib.h>

#include "base/printable.h"
#include "base/text.h"

static void test_nearest(void **state)
{
    static const char *const names[] = {"ac", "lp", "rs-n", "rs-nh", "alltoallv", "neighbor"};
    char text[400];

    assert_string_equal(nuce_text_nearest("alltoalv", names, 6), "alltoallv");
    assert_string_equal(nuce_text_nearest("nieghbour", names, 6), "neighbor");
    assert_string_equal(nuce_text_nearest("rsn", names, 6), "rs-n");
    assert_string_equal(nuce_text_nearest("ca", names, 6), "ac");
    assert_null(nuce_text_nearest("greedy", names, 6));
    assert_null(nuce_text_nearest("xyz", names, 6));
    assert_null(nuce_text_nearest("ac", names, 0));
    memset(text, 'a', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    assert_null(nuce_text_nearest(text, names, 6));
}

static void test_is_name(void **state)
{
    static const char *const good[] = {"a", "exchange-table7", "A_b.c-9", "7"};
    static const char *const bad[] = {"",         ".",   "..",   ".x",   "-x",  "a b",
                                      "a/b",      "a\n", "a'b",  "$(x)", "a;b", "`x`",
                                      "\303\244", "a*",  "a\"b", "a\\b", "a|b", "~"};
    char text[66];

    for (size_t i = 0; i < COUNT(good); i++)
        assert_true(nuce_text_is_name(good[i]));
    for (size_t i = 0; i < COUNT(bad); i++)
        assert_false(nuce_text_is_name(bad[i]));
    memset(text, 'x', 65);
    text[65] = '\0';
    assert_false(nuce_text_is_name(text));
    text[64] = '\0';
    assert_true(nuce_text_is_name(text));
}

/* Bytes that terminals interpret, or that JSON cannot hold, are removed; letters stay. */
static void test_printable(void **state)
{
    static const char *const cases[][2] = {
        {"a line\nand another", "a line\nand another"},
        {"\033[31mred\a\t\x7f", "?[31mred???"},
        {"gr\xc3\xb6\xc3\x9f"
         "er",
         "gr\xc3\xb6\xc3\x9f"
         "er"},
        {"cut \xe2\x82", "cut ??"},
        {"\xff\xfe\x80", "???"},
        {"\xc0\xaf \xed\xa0\x80", "?? ???"},
        {"\xc2\x9b"
         "31m",
         "??31m"},
        {"\xf0\x9f\x98\x80\xf5", "\xf0\x9f\x98\x80?"},
        {"a\xe2\x80\xae"
         "b\xe2\x81\xa6\xe2\x80\xa8\xd8\x9c",
         "a???b????????"},
        {"na\xe2\x80\x93me", "na\xe2\x80\x93me"},
        {"", ""},
    };
    char text[64];

    for (size_t i = 0; i < COUNT(cases); i++) {
        assert_true(nuce_text_copy(text, sizeof text, cases[i][0]));
        nuce_printable_make(text);
        assert_string_equal(text, cases[i][1]);
    }
}

/* A message of several lines: none of them begins as ours do. */
static void test_put(void **state)
{
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    char name[] = "a\nnuce: done\x1b";

    assert_non_null(stream);
    nuce_printable_put("\x1b[2J\nnuce: all is well\n", stream);
    nuce_printable_put(NULL, stream);
    assert_int_equal(fclose(stream), 0);
    assert_string_equal(text, "?[2J\n  nuce: all is well\n?");
    free(text);
    nuce_printable_make_line(name);
    assert_string_equal(name, "a?nuce: done?");
}

static void test_word(void **state)
{
    const char *text = "  one two-2  longer ", *nothing = NULL;
    char word[6];

    assert_true(nuce_text_word(&text, word, sizeof word));
    assert_string_equal(word, "one");
    assert_true(nuce_text_word(&text, word, sizeof word));
    assert_string_equal(word, "two-2");
    assert_true(nuce_text_word(&text, word, sizeof word));
    assert_string_equal(word, "longe");
    assert_false(nuce_text_word(&text, word, sizeof word));
    assert_false(nuce_text_word(&nothing, word, sizeof word));
}

static void test_library(void **state)
{
    static const char *const cases[][2] = {
        {"MPICH Version: 4.2.1", "MPICH 4.2.1"},
        {"MPICH Version:      4.2.1\nMPICH Release date: today", "MPICH 4.2.1"},
        {"Open MPI v5.0.7, package: Debian OpenMPI, ident: 5.0.7, repo rev: v5.0.7, Feb 14, 2025",
         "Open MPI 5.0.7"},
        {"SMPI Version 3.32. Copyright The Simgrid Team 2007-2022", "SMPI Version 3.32"},
        {"Intel(R) MPI Library 2021.5 for Linux* OS", "Intel(R) MPI Library 2021.5 for Linux* OS"},
        {"some very long name", "some very long name"},
        {"", ""},
    };
    char name[64], small[5];

    for (size_t i = 0; i < COUNT(cases); i++)
        assert_string_equal(nuce_text_library(cases[i][0], name, sizeof name), cases[i][1]);
    assert_string_equal(nuce_text_library("MPICH Version: 4.2.1", small, sizeof small), "MPIC");
}

RUN(test_nearest, test_is_name, test_printable, test_put, test_word, test_library)
