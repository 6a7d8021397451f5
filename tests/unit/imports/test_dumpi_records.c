/* The layouts of binary traces: each can be read to its end, the labels are those of sst-dumpi, and
 * what the importer asks of a call is there. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "imports/dumpi_calls.h"
#include "imports/dumpi_records.h"

#define LABELS 293

static int words_of(const char *layout)
{
    struct nuce_dumpi_word word;
    int words = 0;

    for (; nuce_dumpi_next_word(&layout, &word); words++) {
        assert_true(word.name_length > 0);
        assert_true(word.width == 1 || word.width == 2 || word.width == 4 || word.width == 8);
        assert_in_range(word.depth, 0, 3);
    }
    assert_int_equal(*layout, '\0');
    return words;
}

static void test_layouts_are_whole(void **state)
{
    int known = 0;

    (void)state;
    for (int label = 0; label < LABELS; label++) {
        const struct nuce_dumpi_record *record = nuce_dumpi_record_of(label);

        if (record == NULL)
            continue;
        known++;
        assert_true(strlen(record->name) < NUCE_DUMPI_NAME_BYTES);
        assert_true(words_of(record->layout) <= NUCE_DUMPI_MOST_ARGUMENTS);
        assert_int_equal(record->earlier != NULL, record->until > 0);
        if (record->earlier != NULL)
            assert_int_equal(words_of(record->earlier),
                             words_of(record->layout) + (strcmp(record->name, "MPI_Init") == 0));
    }
    /* But for MPI_Pcontrol and the label of all functions. */
    assert_int_equal(known, LABELS - 2);
    assert_null(nuce_dumpi_record_of(-1));
    assert_null(nuce_dumpi_record_of(LABELS));
    assert_true(nuce_dumpi_is_end(LABELS) && nuce_dumpi_is_end(290) && !nuce_dumpi_is_end(0));
}

/* Some of the enumeration, from its beginning to its end. */
static void test_labels(void **state)
{
    static const struct {
        int label;
        const char *name;
    } some[] = {
        {0, "MPI_Send"},          {12, "MPI_Irecv"},
        {52, "MPI_Barrier"},      {61, "MPI_Alltoallv"},
        {82, "MPI_Comm_rank"},    {105, "MPI_Cart_get"},
        {125, "MPI_Finalize"},    {155, "MPI_Alltoallw"},
        {171, "MPI_Init_thread"}, {216, "MPI_Request_get_status"},
        {230, "MPI_File_open"},   {281, "MPI_File_sync"},
        {282, "MPIO_Test"},       {289, "MPIO_Testsome"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof some / sizeof *some; i++)
        assert_string_equal(nuce_dumpi_record_of(some[i].label)->name, some[i].name);
}

static int layout_has(const char *layout, const char *name)
{
    struct nuce_dumpi_word word;

    while (nuce_dumpi_next_word(&layout, &word)) {
        if (strlen(name) == (size_t)word.name_length && memcmp(name, word.name, strlen(name)) == 0)
            return 1;
    }
    return 0;
}

static void test_has_what_is_asked_for(void **state)
{
    static const struct {
        const char *name, *arguments[6];
    } asked[] = {
        {"MPI_Isend", {"count", "datatype", "dest", "tag", "comm", "request"}},
        {"MPI_Recv", {"source", "tag", "comm", "status"}},
        {"MPI_Sendrecv", {"sendcount", "sendtype", "dest", "sendtag", "recvtag", "status"}},
        {"MPI_Sendrecv_replace", {"count", "datatype", "dest", "sendtag", "recvtag", "status"}},
        {"MPI_Waitsome", {"requests", "indices", "statuses"}},
        {"MPI_Testany", {"requests", "index", "flag", "status"}},
        {"MPI_Gatherv", {"sendcount", "sendtype", "root", "comm"}},
        {"MPI_Scatterv", {"sendcounts", "sendtype", "root", "comm"}},
        {"MPI_Reduce_scatter", {"recvcounts", "datatype", "comm"}},
        {"MPI_Comm_split", {"oldcomm", "color", "key", "newcomm"}},
        {"MPI_Intercomm_merge", {"comm", "newcomm"}},
        {"MPI_Cart_sub", {"oldcomm", "newcomm"}},
        {"MPI_Type_size", {"datatype", "size"}},
    };

    (void)state;
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
        const struct nuce_dumpi_record *record = NULL;

        for (int label = 0; label < LABELS; label++) {
            const struct nuce_dumpi_record *one = nuce_dumpi_record_of(label);

            if (one != NULL && strcmp(one->name, asked[i].name) == 0)
                record = one;
        }
        assert_non_null(record);
        for (int k = 0; k < 6 && asked[i].arguments[k] != NULL; k++)
            assert_true(layout_has(record->layout, asked[i].arguments[k]));
    }
}

static void test_words(void **state)
{
    const char *layout = "?argv:1[][] status{} n";
    struct nuce_dumpi_word word;

    (void)state;
    assert_true(nuce_dumpi_next_word(&layout, &word));
    assert_int_equal(word.name_length, 4);
    assert_true(word.is_at_root && !word.is_status && word.depth == 2 && word.width == 1);
    assert_true(nuce_dumpi_next_word(&layout, &word));
    assert_true(!word.is_at_root && word.is_status && word.depth == 1);
    assert_true(nuce_dumpi_next_word(&layout, &word));
    assert_true(word.width == 4 && word.depth == 0 && word.name[0] == 'n');
    assert_false(nuce_dumpi_next_word(&layout, &word));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_layouts_are_whole),
        cmocka_unit_test(test_labels),
        cmocka_unit_test(test_has_what_is_asked_for),
        cmocka_unit_test(test_words),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
