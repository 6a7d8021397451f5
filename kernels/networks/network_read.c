#include <math.h>
#include <stdlib.h>

#include "data.h"
#include "memory.h"
#include "network.h"
#include "scanner.h"
#include "text_file.h"

static nuce_status read_header(struct nuce_scanner *scanner, int ranks,
                               struct nuce_network *network, struct nuce_error *error)
{
    struct nuce_word word;
    int64_t value;

    if (!nuce_scanner_skip_lines(scanner, '#'))
        return nuce_scanner_fail(scanner, scanner->at, error,
                                 "the file ends here: expected 'ranks P'");
    (void)nuce_scanner_word(scanner, "'ranks P'", &word, error);
    if (!nuce_word_is(word, "ranks"))
        return nuce_scanner_fail(scanner, word.text, error, "'%.*s': expected 'ranks P'",
                                 nuce_word_quoted(word), word.text);
    if (nuce_scanner_integer(scanner, "the number of ranks", 1, NUCE_NETWORK_MAX_RANKS, &value,
                             error) != NUCE_OK ||
        nuce_scanner_line_end(scanner, "'ranks P'", error) != NUCE_OK)
        return error->status;
    if (ranks > 0 && value != ranks)
        return nuce_scanner_fail(scanner, word.text, error, "a network of %lld ranks: expected %d",
                                 (long long)value, ranks);
    network->ranks = nuce_int(value);
    return NUCE_OK;
}

/* A pair that has not been read yet has bandwidth 0. */
static nuce_status allocate(struct nuce_network *network, struct nuce_error *error)
{
    int64_t pairs = (int64_t)network->ranks * network->ranks;

    network->pair_startup = nuce_allocate(pairs, sizeof(double), error);
    if (network->pair_startup == NULL)
        return error->status;
    network->pair_bandwidth = nuce_allocate(pairs, sizeof(double), error);
    return network->pair_bandwidth == NULL ? error->status : NUCE_OK;
}

/* A number that is at least 0, or more than 0. */
static nuce_status read_quantity(struct nuce_scanner *scanner, const char *what, int positive,
                                 double *out, struct nuce_error *error)
{
    const char *place;
    double value;

    (void)nuce_scanner_has_word(scanner);
    place = scanner->at;
    if (nuce_scanner_real(scanner, what, &value, error) != NUCE_OK)
        return error->status;
    if (value < 0 || (positive && value == 0))
        return nuce_scanner_fail(scanner, place, error, "'%g': expected %s, %s 0", value, what,
                                 positive ? "more than" : "at least");
    *out = value;
    return NUCE_OK;
}

static nuce_status read_rank(struct nuce_scanner *scanner, const char *what, int ranks, int *out,
                             struct nuce_error *error)
{
    int64_t value;

    if (nuce_scanner_integer(scanner, what, 0, ranks - 1, &value, error) != NUCE_OK)
        return error->status;
    *out = nuce_int(value);
    return NUCE_OK;
}

static nuce_status read_pair(struct nuce_scanner *scanner, struct nuce_network *network,
                             struct nuce_error *error)
{
    const char *place = scanner->at;
    double startup = 0, bandwidth = 0;
    int i = 0, j = 0;
    size_t pair;

    if (read_rank(scanner, "the source rank", network->ranks, &i, error) != NUCE_OK ||
        read_rank(scanner, "the destination rank", network->ranks, &j, error) != NUCE_OK ||
        read_quantity(scanner, "the startup in seconds", 0, &startup, error) != NUCE_OK ||
        read_quantity(scanner, "the bandwidth in bytes per second", 1, &bandwidth, error) !=
            NUCE_OK ||
        nuce_scanner_line_end(scanner, "a pair", error) != NUCE_OK)
        return error->status;
    if (i == j)
        return nuce_scanner_fail(scanner, place, error,
                                 "rank %d to itself: expected two different ranks", i);
    pair = (size_t)i * (size_t)network->ranks + (size_t)j;
    if (network->pair_bandwidth[pair] > 0)
        return nuce_scanner_fail(scanner, place, error, "a second line for the pair %d %d", i, j);
    network->pair_startup[pair] = startup;
    network->pair_bandwidth[pair] = bandwidth;
    return NUCE_OK;
}

/* ranks values, made on first use; those not given are preset. */
static nuce_status want(double **values, int ranks, double preset, struct nuce_error *error)
{
    if (*values != NULL)
        return NUCE_OK;
    *values = nuce_allocate(ranks, sizeof **values, error);
    if (*values == NULL)
        return error->status;
    for (int i = 0; i < ranks; i++)
        (*values)[i] = preset;
    return NUCE_OK;
}

static nuce_status read_port(struct nuce_scanner *scanner, struct nuce_network *network,
                             struct nuce_error *error)
{
    double out = 0, in = 0;
    int i = 0;

    if (read_rank(scanner, "the rank of a port", network->ranks, &i, error) != NUCE_OK ||
        read_quantity(scanner, "the bytes per second that it sends", 1, &out, error) != NUCE_OK ||
        read_quantity(scanner, "the bytes per second that it receives", 1, &in, error) != NUCE_OK ||
        nuce_scanner_line_end(scanner, "a port", error) != NUCE_OK ||
        want(&network->out, network->ranks, INFINITY, error) != NUCE_OK ||
        want(&network->in, network->ranks, INFINITY, error) != NUCE_OK)
        return error->status;
    network->out[i] = out;
    network->in[i] = in;
    return NUCE_OK;
}

static nuce_status read_speed(struct nuce_scanner *scanner, struct nuce_network *network,
                              struct nuce_error *error)
{
    double speed = 0;
    int i = 0;

    if (read_rank(scanner, "the rank of a speed", network->ranks, &i, error) != NUCE_OK ||
        read_quantity(scanner, "the relative speed", 1, &speed, error) != NUCE_OK ||
        nuce_scanner_line_end(scanner, "a speed", error) != NUCE_OK ||
        want(&network->speed, network->ranks, 1, error) != NUCE_OK)
        return error->status;
    network->speed[i] = speed;
    return NUCE_OK;
}

static nuce_status read_line(struct nuce_scanner *scanner, struct nuce_network *network,
                             struct nuce_error *error)
{
    const char *start = scanner->at;
    struct nuce_word word;

    (void)nuce_scanner_word(scanner, "a line of a network", &word, error);
    if (nuce_word_is(word, "port"))
        return read_port(scanner, network, error);
    if (nuce_word_is(word, "speed"))
        return read_speed(scanner, network, error);
    scanner->at = start;
    return read_pair(scanner, network, error);
}

static nuce_status check_pairs(const char *name, const struct nuce_network *network,
                               struct nuce_error *error)
{
    for (int i = 0; i < network->ranks; i++) {
        for (int j = 0; j < network->ranks; j++) {
            if (i != j && !(nuce_network_bandwidth(network, i, j) > 0))
                return nuce_error_set(error, NUCE_BAD_INPUT,
                                      "%s: no line for the pair %d %d: expected one for every "
                                      "ordered pair",
                                      name, i, j);
        }
    }
    return NUCE_OK;
}

nuce_status nuce_network_parse(const char *name, const char *text, size_t length, int ranks,
                               struct nuce_network *out, struct nuce_error *error)
{
    struct nuce_network network = {0};
    struct nuce_scanner scanner;
    nuce_status status;

    nuce_scanner_init(&scanner, name, text, length);
    scanner.comment = '#';
    status = read_header(&scanner, ranks, &network, error);
    if (status == NUCE_OK)
        status = allocate(&network, error);
    while (status == NUCE_OK && nuce_scanner_skip_lines(&scanner, '#'))
        status = read_line(&scanner, &network, error);
    if (status == NUCE_OK)
        status = check_pairs(name, &network, error);
    if (status == NUCE_OK)
        *out = network;
    else
        nuce_network_fini(&network);
    return status;
}

nuce_status nuce_network_read(const char *path, int ranks, struct nuce_network *out,
                              struct nuce_error *error)
{
    char *text = NULL;
    size_t length;
    nuce_status status;

    if (nuce_data_check_file(path, "a network file", error) != NUCE_OK ||
        nuce_text_read(path, &text, &length, error) != NUCE_OK)
        return error->status;
    status = nuce_network_parse(path, text, length, ranks, out, error);
    free(text);
    return status;
}
