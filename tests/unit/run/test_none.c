/* Executors that this MPI, or this program, does not have: an error that says what is missing, and
 * nothing to destroy. */
#include "../test.h"

#include "run/engine.h"

/* Those of the files *_none.c, which this test links whatever the library picks. */
static const struct {
    const char *name, *says;
} absent[] = {
    {"neighbor", "this MPI has no neighbourhood collectives that do not block"},
    {"neighbor-persistent", "this MPI has no persistent neighbourhood collectives"},
    {"rma", "SimGrid has no windows on a machine whose sends wait"},
    {"pdgemr2d", "libscalapack-mpich-dev"},
};

static const struct nuce_executor_ops *find(const char *name)
{
    for (int i = 0; nuce_executors[i] != NULL; i++) {
        if (strcmp(nuce_executors[i]->name, name) == 0)
            return nuce_executors[i];
    }
    return NULL;
}

static void test_absent(void **state)
{
    for (size_t i = 0; i < COUNT(absent); i++) {
        const struct nuce_executor_ops *ops = find(absent[i].name);
        struct nuce_error error = {0};

        assert_non_null(ops);
        assert_int_equal(ops->build(NULL, NULL, &error), NUCE_BAD_INPUT);
        if (strstr(error.message, absent[i].says) == NULL)
            fail_msg("'%s' does not say '%s'", error.message, absent[i].says);
    }
}

RUN(test_absent)
