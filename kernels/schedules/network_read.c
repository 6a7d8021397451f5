/* NETWORK FILES, by a table of the words that lines begin with; a line that begins with none of
 * them is a pair. Each kind of line is a function of its own, so that a new kind is a row.
 *
 * O(characters), and 16 ranks^2 bytes where pairs differ. Of a file in which anything is wrong
 * nothing is kept. */
#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/data.h"
#include "base/int.h"
#include "base/text.h"
#include "base/text_file.h"
#include "schedules/network_file.h"

/* `any`: as many as are asked for. */
static nuce_status read_rank_count(struct nuce_scanner *scanner, int ranks,
                                   struct nuce_network *network, struct nuce_error *error)
{
    const char *start = scanner->at;
    struct nuce_word word;
    int64_t value;

    if (nuce_scanner_word(scanner, "the number of ranks", &word, error) == NUCE_OK &&
        nuce_word_is(word, "any")) {
        network->is_any = 1;
        network->ranks = ranks > 0 ? ranks : 1;
        return NUCE_OK;
    }
    scanner->at = start;
    if (nuce_scanner_integer(scanner, "the number of ranks", 1, NUCE_NETWORK_MAX_RANKS, &value,
                             error) != NUCE_OK)
        return error->status;
    network->ranks = nuce_int(value);
    return NUCE_OK;
}

/* The line `ranks P`; ranks > 0: which P must be. */
static nuce_status network_read_header(struct nuce_scanner *scanner, int ranks,
                                       struct nuce_network *network, struct nuce_error *error)
{
    struct nuce_word word;

    if (!nuce_scanner_skip_lines(scanner, '#'))
        return nuce_scanner_fail(scanner, scanner->at, error,
                                 "the file ends here: expected 'ranks P'");
    nuce_scanner_word(scanner, "'ranks P'", &word, error);
    if (!nuce_word_is(word, "ranks"))
        return nuce_scanner_fail(scanner, word.text, error, "'%.*s': expected 'ranks P'",
                                 nuce_word_quoted(word), word.text);
    if (read_rank_count(scanner, ranks, network, error) != NUCE_OK ||
        nuce_scanner_line_end(scanner, "'ranks P'", error) != NUCE_OK)
        return error->status;
    if (ranks > 0 && network->ranks != ranks)
        return nuce_scanner_fail(scanner, word.text, error, "a network of %d ranks: expected %d",
                                 network->ranks, ranks);
    return NUCE_OK;
}

nuce_status nuce_network_file_quantity(struct nuce_scanner *scanner, const char *what, int positive,
                                       double *out, struct nuce_error *error)
{
    const char *place;
    double value;

    nuce_scanner_has_word(scanner);
    place = scanner->at;
    if (nuce_scanner_real(scanner, what, &value, error) != NUCE_OK)
        return error->status;
    if (value < 0 || (positive && value == 0))
        return nuce_scanner_fail(scanner, place, error, "'%g': expected %s, %s 0", value, what,
                                 positive ? "more than" : "at least");
    *out = value;
    return NUCE_OK;
}

/* A rank (or node), named `what` in messages. */
static nuce_status read_rank(struct nuce_scanner *scanner, const char *what,
                             const struct nuce_network_file *file, int count, int *out,
                             struct nuce_error *error)
{
    int64_t value;

    if (nuce_scanner_integer(scanner, what, 0, file->network.is_any ? INT_MAX : count - 1, &value,
                             error) != NUCE_OK)
        return error->status;
    if (file->network.is_any)
        return nuce_scanner_fail(scanner, scanner->at, error,
                                 "%lld in a file of any number of ranks: expected %s to be 'all'",
                                 (long long)value, what);
    *out = nuce_int(value);
    return NUCE_OK;
}

nuce_status nuce_network_file_which(struct nuce_scanner *scanner, const char *what,
                                    const struct nuce_network_file *file, int count, int *first,
                                    int *end, struct nuce_error *error)
{
    const char *start = scanner->at;
    struct nuce_word word;

    *first = 0;
    *end = count;
    if (nuce_scanner_word(scanner, what, &word, error) != NUCE_OK)
        return error->status;
    if (nuce_word_is(word, "all"))
        return NUCE_OK;
    scanner->at = start;
    if (read_rank(scanner, what, file, count, first, error) != NUCE_OK)
        return error->status;
    *end = *first + 1;
    return NUCE_OK;
}

/* A bandwidth of 0 marks pairs without a line so far. */
static nuce_status read_pair(struct nuce_scanner *scanner, struct nuce_network_file *file,
                             struct nuce_error *error)
{
    struct nuce_network *network = &file->network;
    const char *place = scanner->at;
    double startup = 0, bandwidth = 0;
    int i = 0, j = 0;
    size_t pair;

    if (read_rank(scanner, "the source rank", file, network->ranks, &i, error) != NUCE_OK ||
        read_rank(scanner, "the destination rank", file, network->ranks, &j, error) != NUCE_OK ||
        nuce_network_file_quantity(scanner, "the startup in seconds", 0, &startup, error) !=
            NUCE_OK ||
        nuce_network_file_quantity(scanner, "the bandwidth in bytes per second", 1, &bandwidth,
                                   error) != NUCE_OK ||
        nuce_scanner_line_end(scanner, "a pair", error) != NUCE_OK)
        return error->status;
    if (i == j)
        return nuce_scanner_fail(scanner, place, error,
                                 "rank %d to itself: expected two different ranks", i);
    if (!file->has_pairs && nuce_network_allocate_pairs(network, error) != NUCE_OK)
        return error->status;
    file->has_pairs = 1;
    pair = (size_t)i * (size_t)network->ranks + (size_t)j;
    if (network->pair_bandwidth[pair] > 0)
        return nuce_scanner_fail(scanner, place, error, "a second line for the pair %d %d", i, j);
    network->pair_startup[pair] = startup;
    network->pair_bandwidth[pair] = bandwidth;
    return NUCE_OK;
}

int nuce_network_is_host(const char *text, int length)
{
    if (length < 1 || length >= NUCE_HOST_BYTES)
        return 0;
    for (int k = 0; k < length; k++) {
        char c = text[k];

        if (!(c >= 'A' && c <= 'Z') && !(c >= 'a' && c <= 'z') && !(c >= '0' && c <= '9') &&
            c != '.' && c != '_' && c != '-')
            return 0;
    }
    return 1;
}

/* Whether word is a time as records write them; such times compare as texts. */
static int is_time(struct nuce_word word)
{
    static const char form[] = "0000-00-00T00:00:00.000Z";

    if (word.length != (int)sizeof form - 1)
        return 0;
    for (int k = 0; k < word.length; k++) {
        char c = word.text[k];

        if (form[k] == '0' ? c < '0' || c > '9' : c != form[k])
            return 0;
    }
    return 1;
}

/* ranks values, made on first use; those not given are preset. */
static void network_want(double **values, int ranks, double preset)
{
    if (*values != NULL)
        return;
    *values = nuce_allocate(ranks, sizeof **values);
    for (int i = 0; i < ranks; i++)
        (*values)[i] = preset;
}

/* What a port carries, or inf: not known. */
static nuce_status read_capacity(struct nuce_scanner *scanner, const char *what, double *out,
                                 struct nuce_error *error)
{
    const char *start = scanner->at;
    struct nuce_word word;

    if (nuce_scanner_word(scanner, what, &word, error) != NUCE_OK)
        return error->status;
    if (nuce_word_is(word, "inf")) {
        *out = INFINITY;
        return NUCE_OK;
    }
    scanner->at = start;
    return nuce_network_file_quantity(scanner, what, 1, out, error);
}

nuce_status nuce_network_file_capacities(struct nuce_scanner *scanner, const char *of, double *out,
                                         double *in, struct nuce_error *error)
{
    if (read_capacity(scanner, "the bytes per second that it sends", out, error) != NUCE_OK ||
        read_capacity(scanner, "the bytes per second that it receives", in, error) != NUCE_OK)
        return error->status;
    return nuce_scanner_line_end(scanner, of, error);
}

static nuce_status read_port(struct nuce_scanner *scanner, struct nuce_network_file *file,
                             struct nuce_error *error)
{
    struct nuce_network *network = &file->network;
    double out = 0, in = 0;
    int first = 0, end = 0;

    if (nuce_network_file_which(scanner, "the rank of a port", file, network->ranks, &first, &end,
                                error) != NUCE_OK ||
        nuce_network_file_capacities(scanner, "a port", &out, &in, error) != NUCE_OK)
        return error->status;
    network_want(&network->out, network->ranks, INFINITY);
    network_want(&network->in, network->ranks, INFINITY);
    for (int i = first; i < end; i++) {
        network->out[i] = out;
        network->in[i] = in;
    }
    return NUCE_OK;
}

/* Relative to no unit: speeds are compared with each other. Those not told are 1. */
static nuce_status read_speed(struct nuce_scanner *scanner, struct nuce_network_file *file,
                              struct nuce_error *error)
{
    struct nuce_network *network = &file->network;
    double speed = 0;
    int first = 0, end = 0;

    if (nuce_network_file_which(scanner, "the rank of a speed", file, network->ranks, &first, &end,
                                error) != NUCE_OK ||
        nuce_network_file_quantity(scanner, "the relative speed", 1, &speed, error) != NUCE_OK ||
        nuce_scanner_line_end(scanner, "a speed", error) != NUCE_OK)
        return error->status;
    network_want(&network->speed, network->ranks, 1);
    for (int i = first; i < end; i++)
        network->speed[i] = speed;
    return NUCE_OK;
}

/* Given once. */
static nuce_status read_gap(struct nuce_scanner *scanner, struct nuce_network_file *file,
                            struct nuce_error *error)
{
    const char *place = scanner->at;
    double gap = 0;

    if (nuce_network_file_quantity(scanner, "the gap in seconds", 1, &gap, error) != NUCE_OK ||
        nuce_scanner_line_end(scanner, "a gap", error) != NUCE_OK)
        return error->status;
    if (file->network.gap > 0)
        return nuce_scanner_fail(scanner, place, error, "a second gap");
    file->network.gap = gap;
    return NUCE_OK;
}

/* A rank is on one host: a second line of it is an error, as is one of more than 255 characters. */
static nuce_status read_host(struct nuce_scanner *scanner, struct nuce_network_file *file,
                             struct nuce_error *error)
{
    struct nuce_network *network = &file->network;
    struct nuce_word word;
    int i = 0;

    if (read_rank(scanner, "the rank of a host", file, network->ranks, &i, error) != NUCE_OK ||
        nuce_scanner_word(scanner, "the name of a host", &word, error) != NUCE_OK)
        return error->status;
    if (!nuce_network_is_host(word.text, word.length))
        return nuce_scanner_fail(
            scanner, word.text, error,
            "'%.*s': expected the name of a host, 1 to %d of A-Z a-z 0-9 . _ -",
            nuce_word_quoted(word), word.text, NUCE_HOST_BYTES - 1);
    if (nuce_scanner_line_end(scanner, "a host", error) != NUCE_OK)
        return error->status;
    if (network->host == NULL)
        network->host = nuce_allocate(network->ranks, sizeof *network->host);
    if (network->host[i].name[0] != '\0')
        return nuce_scanner_fail(scanner, word.text, error, "a second host of rank %d", i);
    memcpy(network->host[i].name, word.text, (size_t)word.length);
    return NUCE_OK;
}

/* Without a look at whether the day exists: times are compared as texts, which come in the order of
 * time in this form. */
static nuce_status read_measured(struct nuce_scanner *scanner, struct nuce_network_file *file,
                                 struct nuce_error *error)
{
    struct nuce_network *network = &file->network;
    struct nuce_word word;

    if (nuce_scanner_word(scanner, "the time of the measurement", &word, error) != NUCE_OK)
        return error->status;
    if (!is_time(word))
        return nuce_scanner_fail(scanner, word.text, error,
                                 "'%.*s': expected a time, such as 2026-11-21T10:00:00.123Z",
                                 nuce_word_quoted(word), word.text);
    if (nuce_scanner_line_end(scanner, "the time of the measurement", error) != NUCE_OK)
        return error->status;
    if (network->measured[0] != '\0')
        return nuce_scanner_fail(scanner, word.text, error, "a second time of the measurement");
    memcpy(network->measured, word.text, (size_t)word.length);
    return NUCE_OK;
}

/* The curve's points come in order, so that the least number of partners that does is found at
 * once. */
static nuce_status read_contention(struct nuce_scanner *scanner, struct nuce_network_file *file,
                                   struct nuce_error *error)
{
    struct nuce_network *network = &file->network;
    int last =
        network->contentions > 0 ? network->contention[network->contentions - 1].partners : 0;
    int64_t partners = 0, capacity = network->contentions;
    double relative = 0;

    if (nuce_scanner_integer(scanner, "the number of partners, ascending from 1", last + 1,
                             last == 0 ? 1 : NUCE_NETWORK_MAX_RANKS, &partners, error) != NUCE_OK ||
        nuce_network_file_quantity(scanner, "the throughput relative to one partner", 1, &relative,
                                   error) != NUCE_OK ||
        nuce_scanner_line_end(scanner, "a contention", error) != NUCE_OK)
        return error->status;
    nuce_allocate_more((void **)&network->contention, &capacity, capacity + 1,
                       sizeof *network->contention);
    network->contention[network->contentions++] =
        (struct nuce_contention){nuce_int(partners), relative};
    return NUCE_OK;
}

/* The lines that begin with a word. */
static const struct {
    const char *word;
    nuce_status (*read)(struct nuce_scanner *, struct nuce_network_file *, struct nuce_error *);
    int tells_origin; /* where and when it was measured */
} lines[] = {
    {"port", read_port, 0},
    {"speed", read_speed, 0},
    {"host", read_host, 1},
    {"measured", read_measured, 1},
    {"contention", read_contention, 0},
    {"gap", read_gap, 0},
    {"on", nuce_network_file_on, 0},
    {"block", nuce_network_file_block, 0},
    {"rail", nuce_network_file_rail, 0},
    {"inside", nuce_network_file_inside, 0},
    {"node", nuce_network_file_node, 0},
    {"under", nuce_network_file_under, 0},
    {"group", nuce_network_file_group, 0},
    {"uplink", nuce_network_file_uplink, 0},
    {"within", nuce_network_file_within, 0},
    {"between", nuce_network_file_between, 0},
};

/* A line of a pair begins with a rank, so that another word is a slip for one of lines. */
static nuce_status unknown_line(struct nuce_scanner *scanner, struct nuce_word word,
                                struct nuce_error *error)
{
    enum { COUNT = sizeof lines / sizeof *lines };
    const char *names[COUNT], *nearest;
    char found[64], list[256] = "";
    size_t used = 0;

    for (size_t i = 0; i < COUNT; i++) {
        names[i] = lines[i].word;
        used +=
            (size_t)snprintf(list + used, sizeof list - used, "%s%s", i > 0 ? ", " : "", names[i]);
    }
    snprintf(found, sizeof found, "%.*s", nuce_word_quoted(word), word.text);
    nearest = nuce_text_nearest(found, names, COUNT);
    return nuce_scanner_fail(scanner, word.text, error,
                             "unknown line '%s'%s%s%s; expected one of: %s, or the ranks of a pair",
                             found, nearest != NULL ? " (did you mean '" : "",
                             nearest != NULL ? nearest : "", nearest != NULL ? "'?)" : "", list);
}

/* only_origin: skips lines that tell neither where nor when, without looking at their numbers,
 * which is what makes a folder of large networks quick to look through. */
static nuce_status network_read_line(struct nuce_scanner *scanner, int only_origin,
                                     struct nuce_network_file *file, struct nuce_error *error)
{
    const char *start = scanner->at;
    struct nuce_word word;

    nuce_scanner_word(scanner, "a line of a network", &word, error);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        if (nuce_word_is(word, lines[i].word) && (!only_origin || lines[i].tells_origin))
            return lines[i].read(scanner, file, error);
    }
    if (only_origin) {
        nuce_scanner_next_line(scanner);
        return NUCE_OK;
    }
    if (isalpha((unsigned char)*word.text))
        return unknown_line(scanner, word, error);
    scanner->at = start;
    return read_pair(scanner, file, error);
}

/* The first line tells the number of ranks, which all others are checked against. */
static nuce_status network_parse(struct nuce_scanner *scanner, int ranks, int only_origin,
                                 struct nuce_network *out, struct nuce_error *error)
{
    struct nuce_network_file file = {.most_node = -1, .most_group = -1};
    nuce_status status;

    scanner->comment = '#';
    status = network_read_header(scanner, ranks, &file.network, error);
    while (status == NUCE_OK && nuce_scanner_skip_lines(scanner, '#'))
        status = network_read_line(scanner, only_origin, &file, error);
    if (status == NUCE_OK && !only_origin)
        status = nuce_network_file_end(scanner->path, &file, error);
    if (status == NUCE_OK)
        *out = file.network;
    else
        nuce_network_fini(&file.network);
    return status;
}

nuce_status nuce_network_parse(const char *name, const char *text, size_t length, int ranks,
                               struct nuce_network *out, struct nuce_error *error)
{
    struct nuce_scanner scanner;

    nuce_scanner_init(&scanner, name, text, length);
    return network_parse(&scanner, ranks, 0, out, error);
}

/* ranks 0: whatever number the file is for. */
nuce_status nuce_network_parse_origin(const char *name, const char *text, size_t length,
                                      struct nuce_network *out, struct nuce_error *error)
{
    struct nuce_scanner scanner;

    nuce_scanner_init(&scanner, name, text, length);
    return network_parse(&scanner, 0, 1, out, error);
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
