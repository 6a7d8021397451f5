/* The table of platforms, made from platforms.def, and the checks that all of them share.
 *
 * A platform is one file and one row of platforms.def. Everything is checked before the first
 * line is written, so every written file is complete. Head, the platform's own zone, and tail
 * then go to the stream. Source: SimGrid, "Platform Description". */
#include "programs/platform.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"

#define NUCE_REGISTRY platform
#define NUCE_REGISTRY_ROWS "programs/platforms.def"
#include "base/registry.inc"

#define PLATFORMS (sizeof nuce_platforms / sizeof *nuce_platforms - 1)

/* The list in messages has all names, in the order of the table. */
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

/* A platform of a network requires one, a platform of a topology requires that, others take
 * neither. Then checks the number of hosts against these, and the platform's own rule. */
static nuce_status platform_check(const struct nuce_platform_ops *ops,
                                  const struct nuce_platform_input *input, struct nuce_error *error)
{
    int is_network = ops->ranks == 0 && !ops->is_routed;

    if (is_network && input->network == NULL)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "--network: not given: %s is the machine of a NETWORK FILE",
                              ops->name);
    if (!is_network && input->network != NULL)
        return nuce_error_set(
            error, NUCE_BAD_INPUT,
            "--network: '%s': %s has links of its own: expected no network, or uneven",
            input->network_name, ops->name);
    if (ops->is_routed && input->routing == NULL)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "--topology: not given: %s is the machine of a topology", ops->name);
    if (!ops->is_routed && input->routing != NULL)
        return nuce_error_set(
            error, NUCE_BAD_INPUT,
            "--topology: %s has switches of its own: expected no topology, or irregular",
            ops->name);
    if (input->network != NULL && input->ranks != input->network->ranks)
        return nuce_error_set(error, NUCE_BAD_INPUT, "--ranks: '%d': the network is of %d ranks",
                              input->ranks, input->network->ranks);
    if (input->routing != NULL && input->ranks != input->routing->topology->nodes)
        return nuce_error_set(error, NUCE_BAD_INPUT, "--ranks: '%d': the topology has %d nodes",
                              input->ranks, input->routing->topology->nodes);
    if (ops->most > 0 && input->ranks > ops->most)
        return nuce_error_set(error, NUCE_BAD_INPUT, "--ranks: '%d': a %s has at most %d",
                              input->ranks, ops->called, ops->most);
    return ops->check == NULL ? NUCE_OK : ops->check(input->ranks, error);
}

/* SimGrid's XML that all platforms share. Its configuration turns off SimGrid's additions to the
 * times of links. */

/* Larger than any link here, but finite, because SimGrid does not read infinity. A message of a
 * rank to itself needs no wire, as in nuce_network_seconds. */
#define LOOPBACK "1e15"

/* SMPI 3.32 adds these bytes to each message: one of 0 bytes takes the latency and 16 /
 * bandwidth. */
#define ENVELOPE_BYTES 16

/* Settings of every platform, named as in SimGrid 3.32 ("Configuring SimGrid",
 * https://simgrid.org/doc/latest/Configuring_SimGrid.html). smpirun itself chooses the network
 * model, SMPI, and a precision of 1e-9 s: options of a command line override this file.
 * - factors: bandwidth and latency as written, for every size. SMPI's own factors were fitted to
 *   one cluster (Stampede), LV08's to TCP.
 * - TCP-gamma: no TCP window limits a flow to window / round trip; 0 is not a limit.
 * - weight-S: a message's share of a link depends only on its latency, in inverse proportion,
 *   and not on the bandwidths along its way.
 * - crosstraffic: no acknowledgements that take 5 % of the way back.
 * - simulate-computation: the program's own computing takes no time, so times do not depend on
 *   the machine that simulates. host-speed is not used then, but SMPI warns if it is not set.
 * - thresholds: a message waits for its receive, and its send for the last byte. This is a
 *   rendezvous, with which SMPI's nonblocking collectives fail; nuce's programs call none here.
 *   A send that is done earlier would also stay in a list that SimGrid reads at the end of each
 *   message.
 * - os, ois, or, init: only the links take time in a call.
 * - wtime: reading the clock advances it a little, or a loop that waits for a time would not
 *   end.
 * - grow-injected-times: every poll takes as long as the previous one.
 * - coll-selector: collectives as in MPICH, except those that nuce measures nothing with: SMPI's
 *   have every rank send its node to every other before the first of them. */
static const struct {
    const char *id, *value;
} settings[] = {
    {"network/bandwidth-factor", "1"},
    {"network/latency-factor", "1"},
    {"smpi/bw-factor", "0:1"},
    {"smpi/lat-factor", "0:1"},
    {"network/TCP-gamma", "0"},
    {"network/weight-S", "0"},
    {"network/crosstraffic", "0"},
    {"network/loopback-bw", LOOPBACK},
    {"network/loopback-lat", "0"},
    {"smpi/simulate-computation", "no"},
    {"smpi/host-speed", "1Gf"},
    {"smpi/async-small-thresh", "0"},
    {"smpi/send-is-detached-thresh", "0"},
    {"smpi/os", "0:0:0"},
    {"smpi/ois", "0:0:0"},
    {"smpi/or", "0:0:0"},
    {"smpi/init", "0"},
    {"smpi/wtime", "1e-8"},
    {"smpi/grow-injected-times", "no"},
    {"smpi/coll-selector", "mpich"},
    {"smpi/allgather", "bruck"},
    {"smpi/allgatherv", "GB"},
    {"smpi/allreduce", "rdb"},
    {"smpi/bcast", "binomial_tree"},
};

/* A poll takes time, or simulated time would never pass in a program that polls. */
static void print_poll(const char *id, double seconds, FILE *stream)
{
    fprintf(stream, "    <prop id=\"%s\" value=\"", id);
    nuce_platform_print_number(seconds, "", stream);
    fprintf(stream, "\"/>\n");
}

/* True if name is valid in a comment, which must not contain two dashes, and in a shell. */
static int can_stand_in_comment(const char *name)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "._/-";

    return strspn(name, plain) == strlen(name) && strstr(name, "--") == NULL && name[0] != '-';
}

/* Uses the short options: a comment cannot contain the two dashes of the long ones. */
static void print_command(const struct nuce_platform_ops *ops,
                          const struct nuce_platform_input *input, FILE *stream)
{
    fprintf(stream, "<!-- nuce-model platform %s", ops->name);
    if (input->network != NULL && input->network_name != NULL) {
        fprintf(stream, " -n %s",
                can_stand_in_comment(input->network_name) ? input->network_name : "FILE");
        if (input->network->is_any)
            fprintf(stream, " -r %d", input->network->ranks);
    } else if (input->routing == NULL) {
        fprintf(stream, " -r %d", input->ranks);
    } else {
        fprintf(stream, " %s", input->drawn == NULL ? "-t FILE" : input->drawn);
    }
    fprintf(stream, " -->\n");
}

static void print_head(const struct nuce_platform_ops *ops, const struct nuce_platform_input *input,
                       FILE *stream)
{
    fprintf(stream, "<?xml version='1.0'?>\n");
    print_command(ops, input, stream);
    fprintf(stream,
            "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
            "<!-- %s. Source: %s. Computing takes no time. -->\n"
            "<platform version=\"4.1\">\n"
            "  <config>\n",
            ops->summary, ops->source);
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        fprintf(stream, "    <prop id=\"%s\" value=\"%s\"/>\n", settings[i].id, settings[i].value);
    print_poll("smpi/test", ops->poll_s, stream);
    print_poll("smpi/iprobe", ops->poll_s, stream);
    fprintf(stream, "  </config>\n");
}

void nuce_platform_print_number(double value, const char *unit, FILE *stream)
{
    char digits[32];

    /* 17 digits reproduce every double. */
    for (int precision = 1; precision <= 17; precision++) {
        double back;

        snprintf(digits, sizeof digits, "%.*g", precision, value);
        back = strtod(digits, NULL);
        if (!(back < value) && !(back > value))
            break;
    }
    fprintf(stream, "%s%s", digits, unit);
}

double nuce_platform_latency(double startup, double bandwidth)
{
    double latency = startup - ENVELOPE_BYTES / bandwidth;

    return latency > 0 ? latency : 0;
}

void nuce_platform_print_shared(double bandwidth, double latency, FILE *stream)
{
    fprintf(stream, "\" bandwidth=\"");
    nuce_platform_print_number(bandwidth, "Bps\" latency=\"", stream);
    nuce_platform_print_number(latency, "s\" sharing_policy=\"SHARED\"/>\n", stream);
}

void nuce_platform_print_duplex(const char *prefix, int number, double bandwidth, double latency,
                                FILE *stream)
{
    fprintf(stream, "    <link id=\"%s%d\" bandwidth=\"", prefix, number);
    nuce_platform_print_number(bandwidth, "Bps\" latency=\"", stream);
    nuce_platform_print_number(latency, "s\" sharing_policy=\"SPLITDUPLEX\"/>\n", stream);
}

void nuce_platform_print_cluster(const struct nuce_platform_ops *ops, int ranks, double bandwidth,
                                 double latency, const char *topology, FILE *stream)
{
    fprintf(stream,
            "  <cluster id=\"%s\" prefix=\"node-\" suffix=\"\" radical=\"0-%d\" "
            "speed=\"%s\"%s%s\n           bw=\"",
            ops->name, ranks - 1, ops->speed, topology[0] == '\0' ? "" : "\n           ", topology);
    nuce_platform_print_number(bandwidth, "Bps\" lat=\"", stream);
    nuce_platform_print_number(latency, "s\" sharing_policy=\"SPLITDUPLEX\"\n", stream);
    fprintf(stream, "           loopback_bw=\"" LOOPBACK "Bps\" loopback_lat=\"0s\"/>\n");
}

/* ranks 0: the number of hosts of the network, the topology or the platform itself. */
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
    print_head(ops, &given, stream);
    ops->print(ops, &given, stream);
    fprintf(stream, "</platform>\n");
    return NUCE_OK;
}
