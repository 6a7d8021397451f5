/* Words and numbers of a text, and the place where something else stands. */
#include "../test.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/scanner.h"

/* A copy of text without the byte that ends it, so that a read beyond it is seen by the sanitizers.
 */
struct scene {
    char *text;
    struct nuce_scanner scanner;
    struct nuce_error error;
};

static void scene_init(struct scene *scene, const char *text)
{
    size_t length = strlen(text);

    memset(scene, 0, sizeof *scene);
    scene->text = malloc(length + (length == 0));
    assert_non_null(scene->text);
    memcpy(scene->text, text, length);
    nuce_scanner_init(&scene->scanner, "some.file", scene->text, length);
}

static void scene_fini(struct scene *scene)
{
    free(scene->text);
}

static void expect_word(struct scene *scene, const char *wanted)
{
    struct nuce_word word;

    assert_true(nuce_scanner_has_word(&scene->scanner));
    assert_ok(nuce_scanner_word(&scene->scanner, "a word", &word, &scene->error));
    assert_true(nuce_word_is(word, wanted));
}

static void expect_error(const struct scene *scene, int64_t line, int64_t column, const char *says)
{
    assert_int_equal(scene->error.status, NUCE_BAD_INPUT);
    assert_string_equal(scene->error.path, "some.file");
    assert_int_equal(scene->error.line, line);
    assert_int_equal(scene->error.column, column);
    assert_string_equal(scene->error.message, says);
}

/* A byte order mark is no part of the first word, nor of its column; of what is less, each byte. */
static void test_mark(void **state)
{
    struct scene scene;
    int64_t value;

    scene_init(&scene, "\xef\xbb\xbf"
                       "4 x");
    assert_ok(nuce_scanner_integer(&scene.scanner, "a rank", 0, 9, &value, &scene.error));
    assert_int_equal(value, 4);
    assert_int_equal(nuce_scanner_integer(&scene.scanner, "a rank", 0, 9, &value, &scene.error),
                     NUCE_BAD_INPUT);
    expect_error(&scene, 1, 3, "'x' is not a whole number; expected a rank, 0 to 9");
    scene_fini(&scene);
    scene_init(&scene, "\xef\xbb\xbf");
    assert_false(nuce_scanner_has_word(&scene.scanner));
    scene_fini(&scene);
    scene_init(&scene, "\xef\xbb");
    expect_word(&scene, "\xef\xbb");
    scene_fini(&scene);
}

/* LF, CR LF and CR alone end a line, and lines are counted by all of them. */
static void test_line_ends(void **state)
{
    struct scene scene;
    int64_t value;

    scene_init(&scene, "1\r2 \r\n\r3\n\r x\r");
    expect_word(&scene, "1");
    assert_false(nuce_scanner_has_word(&scene.scanner));
    assert_true(nuce_scanner_next_line(&scene.scanner));
    expect_word(&scene, "2");
    assert_false(nuce_scanner_has_word(&scene.scanner));
    assert_true(nuce_scanner_skip_lines(&scene.scanner, '#'));
    expect_word(&scene, "3");
    assert_true(nuce_scanner_skip_lines(&scene.scanner, '#'));
    assert_int_equal(nuce_scanner_integer(&scene.scanner, "a rank", 0, 9, &value, &scene.error),
                     NUCE_BAD_INPUT);
    expect_error(&scene, 6, 2, "'x' is not a whole number; expected a rank, 0 to 9");
    assert_false(nuce_scanner_next_line(&scene.scanner));
    scene_fini(&scene);
}

/* What only a file can have that counts from 0 and not from 1, or the other way round. */
static void test_index(void **state)
{
    static const struct {
        const char *text;
        int first;
        const char *says; /* NULL: it is good */
    } cases[] = {
        {"1", 1, NULL},
        {"4", 1, NULL},
        {"0", 0, NULL},
        {"0", 1, "0 is out of range; expected a node, 1 to 4: this format counts from 1"},
        {"4", 0, "4 is out of range; expected a node, 0 to 3: this format counts from 0"},
        {"5", 1, "5 is out of range; expected a node, 1 to 4"},
        {"-1", 0, "-1 is out of range; expected a node, 0 to 3"},
        {"x", 1, "'x' is not a whole number; expected a node, 1 to 4"},
    };

    for (size_t k = 0; k < COUNT(cases); k++) {
        struct scene scene;
        int64_t value = -77;

        scene_init(&scene, cases[k].text);
        assert_int_equal(
            nuce_scanner_index(&scene.scanner, "a node", cases[k].first, 4, &value, &scene.error),
            cases[k].says == NULL ? NUCE_OK : NUCE_BAD_INPUT);
        if (cases[k].says == NULL)
            assert_int_equal(value, *cases[k].text - '0');
        else
            expect_error(&scene, 1, 1, cases[k].says);
        scene_fini(&scene);
    }
}

static void test_integers(void **state)
{
    static const struct {
        const char *text;
        int64_t value; /* -77: it is refused */
        const char *says;
    } cases[] = {
        {"42", 42, NULL},
        {" 100 7", 100, NULL},
        {"-5", -5, NULL},
        {"007", 7, NULL},
        {" 101", -77, "101 is out of range; expected a node, -5 to 100"},
        {"-6", -77, "-6 is out of range; expected a node, -5 to 100"},
        {"99999999999999999999", -77,
         "99999999999999999999 is out of range; expected a node, -5 to 100"},
        {"4x", -77, "'4x' is not a whole number; expected a node, -5 to 100"},
        {"4.0", -77, "'4.0' is not a whole number; expected a node, -5 to 100"},
        {"-", -77, "'-' is not a whole number; expected a node, -5 to 100"},
        {"0x10", -77, "'0x10' is not a whole number; expected a node, -5 to 100"},
        {"", -77, "the file ends; expected a node"},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct scene scene;
        int64_t value = -77;

        scene_init(&scene, cases[i].text);
        nuce_scanner_integer(&scene.scanner, "a node", -5, 100, &value, &scene.error);
        assert_int_equal(value, cases[i].value);
        if (cases[i].says != NULL)
            expect_error(&scene, 1, (int64_t)strspn(cases[i].text, " ") + 1, cases[i].says);
        else
            assert_int_equal(scene.error.status, NUCE_OK);
        scene_fini(&scene);
    }
}

/* A count that is possible, but not in a file of this length. */
static void test_counts(void **state)
{
    struct scene scene;
    int64_t count = -77;

    scene_init(&scene, " 3 4 5");
    assert_ok(nuce_scanner_count(&scene.scanner, "nodes", 1, 4, 3, &count, &scene.error));
    assert_int_equal(count, 3);
    assert_int_equal(nuce_scanner_count(&scene.scanner, "nodes", 1, 4, 3, &count, &scene.error),
                     NUCE_BAD_INPUT);
    expect_error(&scene, 1, 4,
                 "the file is too short for 4 nodes; expected more of it: is it cut off?");
    assert_int_equal(nuce_scanner_count(&scene.scanner, "nodes", 1, 4, 3, &count, &scene.error),
                     NUCE_BAD_INPUT);
    expect_error(&scene, 1, 6, "5 is out of range; expected the number of nodes, 1 to 4");
    assert_int_equal(count, 3);
    scene_fini(&scene);
}

static void test_reals(void **state)
{
    static const struct {
        const char *text;
        double value; /* -77: it is refused */
    } cases[] = {
        {"1e6", 1e6},   {"-.5 x", -0.5},
        {"3", 3},       {"1.7976931348623157e308", 1.7976931348623157e308},
        {"1e309", -77}, {"inf", -77},
        {"nan", -77},   {"0x10", -77},
        {"1e", -77},    {"1,5", -77},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct scene scene;
        double value = -77;

        scene_init(&scene, cases[i].text);
        nuce_scanner_real(&scene.scanner, "a rate", &value, &scene.error);
        assert_near(value, cases[i].value, 1e-15 * fabs(value));
        assert_int_equal(strstr(scene.error.message, "is not a finite number; expected a rate") !=
                             NULL,
                         cases[i].value == -77);
        scene_fini(&scene);
    }
}

static void test_words(void **state)
{
    const struct nuce_word word = {"SwitchName", 6};

    assert_true(nuce_word_is(word, "Switch"));
    assert_false(nuce_word_is(word, "switch"));
    assert_true(nuce_word_is_nocase(word, "sWITCH"));
    assert_false(nuce_word_is_nocase(word, "SwitchName"));
    assert_false(nuce_word_is(word, ""));
    assert_int_equal(nuce_word_quoted(word), 6);
    assert_int_equal(nuce_word_quoted((struct nuce_word){NULL, 41}), 40);
}

RUN(test_mark, test_integers, test_reals, test_words, test_counts, test_line_ends, test_index)
