/* nuce-platform FILE RANKS PRECISION: writes the hosts of a SimGrid platform for ranks 0 to
 * RANKS - 1, a name per line, to standard output. A platform is checked with it before a
 * simulation. smpirun runs it on one rank, because reading a platform needs the simulator.
 * SimGrid itself reports errors in the file. The exit status is 2 if there are too few hosts,
 * two of them have no route, or PRECISION is too coarse for their latencies (seconds; 0: not
 * given). O(RANKS^2) routes. */
#include <mpi.h>
#include <simgrid/host.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/units.h"

/* For qsort: orders names that end in numbers by the numbers, n2 before n10. */
static int platform_by_name(const void *a, const void *b)
{
    return strverscmp(sg_host_get_name(*(const_sg_host_t const *)a),
                      sg_host_get_name(*(const_sg_host_t const *)b));
}

/* The shortest latency must be at least this multiple of the precision, because ends within the
 * precision are treated as simultaneous. On a fat tree of 0.5 us, a precision of a fifth
 * shortens times by up to 7 %, and one of three tenths lengthens them up to 1.4 times. */
#define LEAST_PRECISIONS 5

/* Checks that every two hosts have a route with a latency long enough for the precision. Returns
 * the exit status: 0, or that of bad input, with a message that names the two hosts. */
static int check_routes(const char *file, const sg_host_t *hosts, size_t ranks, double precision)
{
    char text[NUCE_UNITS_BYTES], most[NUCE_UNITS_BYTES];

    for (size_t k = 0; k < ranks * ranks; k++) {
        sg_host_t from = hosts[k / ranks], to = hosts[k % ranks];
        xbt_dynar_t links;
        double latency;
        int is_missing;

        if (from == to)
            continue;
        /* SimGrid returns a route without links if a zone has none. */
        links = xbt_dynar_new(sizeof(void *), NULL);
        sg_host_get_route(from, to, links);
        is_missing = xbt_dynar_is_empty(links);
        xbt_dynar_free(&links);
        if (is_missing) {
            fprintf(stderr, "%s: no route from host '%s' to host '%s'\n", file,
                    sg_host_get_name(from), sg_host_get_name(to));
            return nuce_error_exit_status(NUCE_BAD_INPUT);
        }
        latency = sg_host_get_route_latency(from, to);
        if (precision * LEAST_PRECISIONS <= latency * (1 + 1e-9))
            continue;
        fprintf(stderr,
                "%s: precision: '%s': expected at most %s, a fifth of the latency from "
                "host '%s' to host '%s'\n",
                file, nuce_units_format_seconds(precision, text),
                nuce_units_format_seconds(latency / LEAST_PRECISIONS, most), sg_host_get_name(from),
                sg_host_get_name(to));
        return nuce_error_exit_status(NUCE_BAD_INPUT);
    }
    return 0;
}

int main(int argc, char **argv)
{
    struct nuce_error error;
    double precision;
    sg_host_t *hosts;
    size_t count;
    int64_t ranks;
    int status;

    if (argc != 4 || nuce_units_parse_duration(argv[3], &precision, &error) != NUCE_OK) {
        fprintf(stderr, "Usage: smpirun -np 1 -platform FILE nuce-platform FILE RANKS PRECISION\n");
        return nuce_error_exit_status(NUCE_BAD_INPUT);
    }
    if (nuce_units_parse_count(argv[2], &ranks, &error) != NUCE_OK || ranks < 1) {
        fprintf(stderr, "nuce-platform: '%s': expected a number of ranks, at least 1\n", argv[2]);
        return nuce_error_exit_status(NUCE_BAD_INPUT);
    }
    MPI_Init(&argc, &argv);
    count = sg_host_count();
    hosts = sg_host_list();
    if (count < (size_t)ranks) {
        fprintf(stderr, "%s: %zu hosts: expected at least %zu, one per rank\n", argv[1], count,
                (size_t)ranks);
        status = nuce_error_exit_status(NUCE_BAD_INPUT);
    } else {
        qsort(hosts, count, sizeof *hosts, platform_by_name);
        status = check_routes(argv[1], hosts, (size_t)ranks, precision);
        for (int64_t i = 0; status == 0 && i < ranks; i++)
            printf("%s\n", sg_host_get_name(hosts[i]));
    }
    free(hosts);
    fflush(stdout);
    MPI_Finalize();
    return status;
}
