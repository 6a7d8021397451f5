/* The NETWORK FILE reader: whatever the bytes, it returns a network as network.h promises, or a
 * message that names the place; and its lines about the measurement, read alone, give the same. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "fuzz.h"
#include "schedules/network.h"

/* Memory for a network grows with the square of its rank count: refusing more than this keeps a run
 * quick, and goes through the reader's own check. */
#define MOST_RANKS 256

static void check_ranks(const struct nuce_network *network)
{
    for (int i = 0; i < network->ranks; i++) {
        NUCE_ASSERT(nuce_network_port_out(network, i) > 0);
        NUCE_ASSERT(nuce_network_port_in(network, i) > 0);
        NUCE_ASSERT(network->speed == NULL ||
                    (network->speed[i] > 0 && isfinite(network->speed[i])));
        NUCE_ASSERT(network->host == NULL ||
                    memchr(network->host[i].name, '\0', NUCE_HOST_BYTES) != NULL);
        for (int j = 0; j < network->ranks; j++) {
            double startup = nuce_network_startup(network, i, j);
            double bandwidth = nuce_network_bandwidth(network, i, j);

            NUCE_ASSERT(i == j || (startup >= 0 && isfinite(startup)));
            NUCE_ASSERT(i == j || (bandwidth > 0 && isfinite(bandwidth)));
        }
    }
}

static void check(const struct nuce_network *network)
{
    int partners = 0;

    NUCE_ASSERT(network->ranks >= 1);
    NUCE_ASSERT(network->measured[0] == '\0' || strlen(network->measured) == 24);
    for (int k = 0; k < network->contentions; k++) {
        NUCE_ASSERT(network->contention[k].partners > partners);
        NUCE_ASSERT(network->contention[k].relative > 0);
        partners = network->contention[k].partners;
    }
    NUCE_ASSERT(nuce_network_depth(network) >= 1);
    check_ranks(network);
}

/* A network that reads as a whole has an origin that reads as well, the same. */
static void check_origin(const uint8_t *data, size_t size, const struct nuce_network *network)
{
    struct nuce_network origin = {0};
    struct nuce_error error = {0};
    nuce_status status =
        nuce_network_parse_origin("fuzz.network", (const char *)data, size, &origin, &error);

    NUCE_ASSERT(status == NUCE_OK || network->ranks == 0);
    if (network->ranks > 0) {
        NUCE_ASSERT(origin.ranks == network->ranks);
        NUCE_ASSERT(strcmp(origin.measured, network->measured) == 0);
        NUCE_ASSERT((origin.host == NULL) == (network->host == NULL));
    }
    nuce_network_fini(&origin);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    int ranks = fuzz_is_beyond(data, size, MOST_RANKS) ? MOST_RANKS : 0;
    struct nuce_network network = {0};
    struct nuce_error error = {0};

    if (nuce_network_parse("fuzz.network", (const char *)data, size, ranks, &network, &error) ==
        NUCE_OK) {
        check(&network);
    } else {
        NUCE_ASSERT(error.status == NUCE_BAD_INPUT);
        NUCE_ASSERT(strncmp(nuce_error_flatten(&error), "fuzz.network:", strlen("fuzz.network:")) ==
                    0);
    }
    if (ranks == 0)
        check_origin(data, size, &network);
    nuce_network_fini(&network);
    return 0;
}
