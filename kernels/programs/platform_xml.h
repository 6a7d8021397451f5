/* The pieces of a platform file. Bandwidths in bytes per second, times in seconds, both written in
 * the fewest digits that give them back. The stream's errors are the caller's to look for. */
#ifndef NUCE_PLATFORM_XML_H
#define NUCE_PLATFORM_XML_H

#include <stdio.h>

#include "programs/platform.h"

/* Up to the zone: the declarations, the command, what the machine is, and the configuration. */
void nuce_platform_xml_print_head(const struct nuce_platform_ops *ops,
                                  const struct nuce_platform_input *input, FILE *stream);

/* The end of the file. */
void nuce_platform_xml_print_tail(FILE *stream);

/* The smallest number of digits that gives value back, then unit. */
void nuce_platform_xml_print_number(double value, const char *unit, FILE *stream);

/* The latency of a route on which a lone message of B bytes is to take startup + B / bandwidth,
 * bandwidth that of its slowest link: SMPI 3.32 sends 16 bytes more than the message has (tag,
 * destination, communicator), which would come on top. At least 0. */
double nuce_platform_xml_latency(double startup, double bandwidth);

/* The rest of a link whose id has been begun: one capacity, whichever way messages go. */
void nuce_platform_xml_print_shared(double bandwidth, double latency, FILE *stream);

/* A link, called prefix and number, whose two directions do not share: _UP and _DOWN of it. */
void nuce_platform_xml_print_duplex(const char *prefix, int number, double bandwidth,
                                    double latency, FILE *stream);

/* <cluster>, SimGrid's own topology: hosts node-0 .. node-(ranks - 1), every link with the same
 * bandwidth and latency both ways. topology: attributes of it, "" for one crossbar. */
void nuce_platform_xml_print_cluster(const struct nuce_platform_ops *ops, int ranks,
                                     double bandwidth, double latency, const char *topology,
                                     FILE *stream);

#endif
