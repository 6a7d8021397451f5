/* SimGrid's XML: what is the same on every platform, above all its configuration, which turns off
 * what SimGrid adds of its own to the times of links. */
#include "programs/platform_xml.h"

#include <stdlib.h>
#include <string.h>

/* More than any link here, and not infinite, which SimGrid does not read: a message of a rank to
 * itself needs no wire, as in nuce_network_seconds. */
#define LOOPBACK "1e15"

/* What SMPI 3.32 adds to each message: one of 0 bytes takes the latency and 16 / bandwidth. */
#define ENVELOPE_BYTES 16

/* What holds on every platform, in SimGrid 3.32's words ("Configuring SimGrid",
 * https://simgrid.org/doc/latest/Configuring_SimGrid.html). smpirun itself chooses the network
 * model, SMPI, and a precision of 1e-9 s: what is given on a command line wins over this.
 *
 * factors: bandwidth and latency as they are written, for every size; SMPI's own were fitted to
 *     one cluster (Stampede), LV08's to TCP.
 * TCP-gamma: no window of TCP limits a flow to window / round trip; 0 is no limit.
 * weight-S: a message's part of a shared link does not depend on the bandwidths along its way,
 *     only, in inverse proportion, on its latency.
 * crosstraffic: no acknowledgements that take 5 % of the way back.
 * simulate-computation: the program's own computing takes no time, so that times depend on no
 *     machine it runs on; host-speed is not used then, but SMPI warns where it is not set.
 * thresholds: a message waits for its receive, and its send for the last byte: a rendezvous, on
 *     which SMPI's nonblocking collectives cannot rely; nuce's programs make none here. A send that
 *     is done before also stays in a list that SimGrid goes through at the end of each message.
 * os, ois, or, init: nothing besides the links takes time in a call.
 * wtime: looking at the clock moves it a little, or a loop that waits for a time would not end.
 * grow-injected-times: every poll as long as the one before.
 * coll-selector: collectives as in MPICH, but for those that nuce measures nothing with: SMPI's
 *     have every rank tell every other its node before the first of them. */
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

static void print_setting(const char *id, const char *value, FILE *stream)
{
    fprintf(stream, "    <prop id=\"%s\" value=\"%s\"/>\n", id, value);
}

/* A poll takes time, or a program that polls would never let simulated time pass. */
static void print_poll(const char *id, double seconds, FILE *stream)
{
    fprintf(stream, "    <prop id=\"%s\" value=\"", id);
    nuce_platform_xml_print_number(seconds, "", stream);
    fprintf(stream, "\"/>\n");
}

/* Whether name can stand in a comment, which must not hold two dashes, and in a shell. */
static int can_stand_in_comment(const char *name)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "._/-";

    return strspn(name, plain) == strlen(name) && strstr(name, "--") == NULL && name[0] != '-';
}

/* With the short options: no comment may hold the two dashes of the long ones. */
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

void nuce_platform_xml_print_head(const struct nuce_platform_ops *ops,
                                  const struct nuce_platform_input *input, FILE *stream)
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
        print_setting(settings[i].id, settings[i].value, stream);
    print_poll("smpi/test", ops->poll_s, stream);
    print_poll("smpi/iprobe", ops->poll_s, stream);
    fprintf(stream, "  </config>\n");
}

void nuce_platform_xml_print_tail(FILE *stream)
{
    fprintf(stream, "</platform>\n");
}

void nuce_platform_xml_print_number(double value, const char *unit, FILE *stream)
{
    char digits[32];

    /* 17 give every double back. */
    for (int precision = 1; precision <= 17; precision++) {
        double back;

        snprintf(digits, sizeof digits, "%.*g", precision, value);
        back = strtod(digits, NULL);
        if (!(back < value) && !(back > value))
            break;
    }
    fprintf(stream, "%s%s", digits, unit);
}

double nuce_platform_xml_latency(double startup, double bandwidth)
{
    double latency = startup - ENVELOPE_BYTES / bandwidth;

    return latency > 0 ? latency : 0;
}

void nuce_platform_xml_print_shared(double bandwidth, double latency, FILE *stream)
{
    fprintf(stream, "\" bandwidth=\"");
    nuce_platform_xml_print_number(bandwidth, "Bps\" latency=\"", stream);
    nuce_platform_xml_print_number(latency, "s\" sharing_policy=\"SHARED\"/>\n", stream);
}

void nuce_platform_xml_print_duplex(const char *prefix, int number, double bandwidth,
                                    double latency, FILE *stream)
{
    fprintf(stream, "    <link id=\"%s%d\" bandwidth=\"", prefix, number);
    nuce_platform_xml_print_number(bandwidth, "Bps\" latency=\"", stream);
    nuce_platform_xml_print_number(latency, "s\" sharing_policy=\"SPLITDUPLEX\"/>\n", stream);
}

void nuce_platform_xml_print_cluster(const struct nuce_platform_ops *ops, int ranks,
                                     double bandwidth, double latency, const char *topology,
                                     FILE *stream)
{
    fprintf(stream,
            "  <cluster id=\"%s\" prefix=\"node-\" suffix=\"\" radical=\"0-%d\" "
            "speed=\"%s\"%s%s\n           bw=\"",
            ops->name, ranks - 1, ops->speed, topology[0] == '\0' ? "" : "\n           ", topology);
    nuce_platform_xml_print_number(bandwidth, "Bps\" lat=\"", stream);
    nuce_platform_xml_print_number(latency, "s\" sharing_policy=\"SPLITDUPLEX\"\n", stream);
    fprintf(stream, "           loopback_bw=\"" LOOPBACK "Bps\" loopback_lat=\"0s\"/>\n");
}
