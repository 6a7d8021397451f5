/* The table of platforms, made from platforms.def, and what is checked of all of them before a line
 * is written.
 *
 * A platform is one file and one row of platforms.def. Everything is checked before the first line
 * is written, so that a file which is there is whole; then head, the platform's own zone, and tail
 * go to the stream. Source: SimGrid, "Platform Description". */
#include "programs/platform.h"

#include <string.h>

#include "base/text.h"
#include "programs/platform_xml.h"

#define NUCE_REGISTRY platform
#define NUCE_REGISTRY_ROWS "programs/platforms.def"
#include "base/registry.inc"

#define PLATFORMS (sizeof nuce_platforms / sizeof *nuce_platforms - 1)

/* The list in messages is of all names, in the order of the table. */
nuce_status nuce_platform_find(const char *name, const struct nuce_platform_ops **out,
                               struct nuce_error *error)
{
    const char *names[PLATFORMS];
    const char *nearest;
    char list[256] = "";

    for (size_t i = 0; i < PLATFORMS; i++) {
        size_t length = strlen(list);

        names[i] = nuce_platforms[i]->name;
        if (strcmp(names[i], name) == 0) {
            *out = nuce_platforms[i];
            return NUCE_OK;
        }
        snprintf(list + length, sizeof list - length, "%s%s",
                 i == 0 ? "" : (i + 1 < PLATFORMS ? ", " : " or "), names[i]);
    }
    nearest = nuce_text_nearest(name, names, PLATFORMS);
    if (nearest != NULL)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "'%s': unknown platform (did you mean '%s'?): expected %s", name,
                              nearest, list);
    return nuce_error_set(error, NUCE_BAD_INPUT, "'%s': unknown platform: expected %s", name, list);
}

/* A platform that stands for a network needs one, one of a topology needs that, others take
 * neither. The number of hosts against what was given, then the platform's own rule. */
static nuce_status platform_check(const struct nuce_platform_ops *ops,
                                  const struct nuce_platform_input *input, struct nuce_error *error)
{
    int is_network = ops->ranks == 0 && !ops->is_routed;

    if (is_network && input->network == NULL)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "--network: not given: %s is the machine of a NETWORK FILE",
                              ops->name);
    if (!is_network && input->network != NULL)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "--network: '%s': %s has links of its own: left out, or uneven",
                              input->network_name, ops->name);
    if (ops->is_routed && input->routing == NULL)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "--topology: not given: %s is the machine of a topology", ops->name);
    if (!ops->is_routed && input->routing != NULL)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "--topology: %s has switches of its own: left out, or irregular",
                              ops->name);
    if (input->network != NULL && input->ranks != input->network->ranks)
        return nuce_error_set(error, NUCE_BAD_INPUT, "--ranks: '%d': the network is of %d ranks",
                              input->ranks, input->network->ranks);
    if (input->routing != NULL && input->ranks != input->routing->topology->nodes)
        return nuce_error_set(error, NUCE_BAD_INPUT, "--ranks: '%d': the topology has %d nodes",
                              input->ranks, input->routing->topology->nodes);
    return ops->check(input->ranks, error);
}

/* ranks 0: as many hosts as the network, the topology or the platform itself has. */
nuce_status nuce_platform_print(const struct nuce_platform_ops *ops,
                                const struct nuce_platform_input *input, FILE *stream,
                                struct nuce_error *error)
{
    struct nuce_platform_input given = *input;

    if (given.ranks < 0)
        return nuce_error_set(error, NUCE_BAD_INPUT, "--ranks: '%d': expected at least 1",
                              given.ranks);
    if (given.ranks == 0)
        given.ranks = given.network != NULL   ? given.network->ranks
                      : given.routing != NULL ? given.routing->topology->nodes
                                              : ops->ranks;
    if (platform_check(ops, &given, error) != NUCE_OK)
        return error->status;
    nuce_platform_xml_print_head(ops, &given, stream);
    ops->print(ops, &given, stream);
    nuce_platform_xml_print_tail(stream);
    return NUCE_OK;
}
