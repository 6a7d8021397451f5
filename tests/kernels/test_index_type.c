/* Datatypes of index sets pick the same bytes, in the same order, as packing does, and count beyond
 * int. */
#include "../unit/layouts/reference.h"

#include "run/check.h"
#include "run/index_type.h"

#define INSTANCES 400

static void check_message(const struct nuce_index_set *set, int k, const unsigned char *array)
{
    int64_t bytes = nuce_index_set_bytes(set, k);
    unsigned char *wanted = malloc((size_t)bytes), *found = malloc((size_t)bytes);
    MPI_Datatype type;
    int at = 0, size;

    nuce_index_type(set, k, &type);
    NUCE_MPI(MPI_Type_size(type, &size));
    assert_int_equal(size, bytes);
    nuce_index_set_pack(set, k, array, wanted);
    NUCE_MPI(MPI_Pack(array, 1, type, found, size, &at, MPI_COMM_SELF));
    assert_int_equal(at, size);
    assert_memory_equal(found, wanted, (size_t)bytes);
    NUCE_MPI(MPI_Type_free(&type));
    free(wanted);
    free(found);
}

static void check_rank(const struct nuce_redistribution *r, int rank, enum nuce_index_side side,
                       struct nuce_rng *rng)
{
    int64_t bytes = side == NUCE_SENDS ? nuce_redistribution_bytes_before(r, rank)
                                       : nuce_redistribution_bytes_after(r, rank);
    unsigned char *array = malloc((size_t)bytes + 1);
    struct nuce_index_set set;

    for (int64_t i = 0; i < bytes; i++)
        array[i] = (unsigned char)nuce_rng_below(rng, 256);
    nuce_index_set_create(r, rank, side, &set);
    for (int k = 0; k < nuce_index_set_peers(&set); k++)
        check_message(&set, k, array);
    nuce_index_set_fini(&set);
    free(array);
}

static void test_random(void **state)
{
    struct nuce_rng rng = nuce_rng_create(23, 0);

    for (int n = 0; n < INSTANCES; n++) {
        struct nuce_redistribution r = test_draw_redistribution(&rng);

        for (int rank = 0; rank < nuce_redistribution_ranks(&r); rank++) {
            check_rank(&r, rank, NUCE_SENDS, &rng);
            check_rank(&r, rank, NUCE_RECEIVES, &rng);
        }
    }
}

/* Size and true extent of the message of rank 0 to, or from, rank 1. */
static void check_large(const struct nuce_redistribution *r, enum nuce_index_side side,
                        int64_t extent)
{
    MPI_Count size, first, found;
    struct nuce_index_set set;
    MPI_Datatype type;
    int k;

    nuce_index_set_create(r, 0, side, &set);
    k = nuce_index_set_find(&set, 1);
    assert_true(k >= 0);
    nuce_index_type(&set, k, &type);
    NUCE_MPI(MPI_Type_size_x(type, &size));
    NUCE_MPI(MPI_Type_get_true_extent_x(type, &first, &found));
    assert_int_equal(size, nuce_index_set_bytes(&set, k));
    assert_int_equal(found, extent);
    NUCE_MPI(MPI_Type_free(&type));
    nuce_index_set_fini(&set);
}

/* Blocks, repeats and elements of more than an int counts. */
static void test_large(void **state)
{
    const int64_t half = INT64_C(3) << 31;
    /* One block a rank becomes single elements in turn: every second of rank 0's goes to rank 1. */
    struct nuce_redistribution deal = test_vector(2 * half, 8, half, 2, 1, 2);
    /* Not a multiple of the type's unit. */
    struct nuce_redistribution odd = test_vector(2 * half, 8, half - 2, 2, 1, 2);
    /* All from rank 0 to two ranks, half each. */
    struct nuce_redistribution cut = test_vector(2 * half, 8, 2 * half, 2, half, 2);
    /* Two elements of 6 GiB. */
    struct nuce_redistribution swap = test_vector(2, half, 2, 2, 1, 2);

    check_large(&deal, NUCE_SENDS, 8 * (half - 1));
    check_large(&deal, NUCE_RECEIVES, 8 * half / 2);
    check_large(&odd, NUCE_SENDS, 8 * (half + 1)); /* rank 0 has 4 more behind */
    check_large(&cut, NUCE_SENDS, 8 * half);
    check_large(&swap, NUCE_SENDS, half);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_large),
    };
    int failed;

    NUCE_MPI(MPI_Init(&argc, &argv));
    NUCE_MPI(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    failed = cmocka_run_group_tests(tests, NULL, NULL);
    NUCE_MPI(MPI_Finalize());
    return failed;
}
