/* How the processes of a point are started, as far as sweeps vary it. */
#include "points/launch_factors.h"

#include <string.h>

/* The characters that begin names of environment variables, and all characters of such names. No
 * option begins with one of the first. */
#define CAPITALS "ABCDEFGHIJKLMNOPQRSTUVWXYZ_"
#define LETTERS CAPITALS "abcdefghijklmnopqrstuvwxyz0123456789"

#define AT(member) offsetof(struct nuce_launch_factors, member)

const struct nuce_option nuce_launch_options[] = {
    NUCE_OPTION(COUNT, "nodes", AT(nodes), NULL, "N", "nodes of the job that runs the point",
                .flags = NUCE_OPTION_LAUNCH, .minimum = 1),
    NUCE_OPTION(COUNT, "ntasks-per-node", AT(tasks_per_node), NULL, "N",
                "maximum ranks per node of that job", .flags = NUCE_OPTION_LAUNCH, .minimum = 1),
    NUCE_OPTION(LIST, "mpi", AT(mpi), NULL, "NAME",
                "MPI library whose build of the programs runs (nuce doctor)",
                .flags = NUCE_OPTION_LAUNCH),
    {.name = NULL},
};

const struct nuce_option nuce_launch_variable = {
    .type = NUCE_OPTION_LIST, .offset = AT(variable), .flags = NUCE_OPTION_LAUNCH};

nuce_status nuce_launch_check_variable(const char *name, struct nuce_error *error)
{
    if (strspn(name, CAPITALS) == 0 || strspn(name, LETTERS) != strlen(name) ||
        strlen(name) >= NUCE_NAME_BYTES)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "environment: '%s': expected the name of a variable: letters, digits "
                              "and underscores, a capital first, such as UCX_TLS",
                              name);
    if (strncmp(name, "SLURM_", 6) == 0)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "environment: '%s': Slurm sets its own variables in each job", name);
    return NUCE_OK;
}

nuce_status nuce_launch_check(const json_t *factors, struct nuce_error *error)
{
    const char *name;
    json_t *value;

    /* A factor must have the type of its row; for a variable null means that it is not set. */
    if (!json_is_object(factors))
        return nuce_error_set(error, NUCE_BAD_INPUT, "launch: expected an object");
    json_object_foreach((json_t *)factors, name, value)
    {
        const struct nuce_option *row = nuce_option_find(nuce_launch_options, name);
        int is_count = row != NULL && row->type == NUCE_OPTION_COUNT;

        if (row == NULL && nuce_launch_check_variable(name, error) != NUCE_OK)
            return error->status;
        if (is_count ? !json_is_integer(value) || json_integer_value(value) < 1
                     : !json_is_string(value) && (row != NULL || !json_is_null(value)))
            return nuce_error_set(error, NUCE_BAD_INPUT, "launch: %s: expected %s", name,
                                  is_count ? "a whole number of at least 1" : "a text");
    }
    return NUCE_OK;
}

int64_t nuce_launch_count(const json_t *factors, const char *name)
{
    return json_integer_value(json_object_get(factors, name));
}

int nuce_launch_is_same(const json_t *factors, const json_t *other)
{
    return factors == other || json_equal(factors, other);
}
