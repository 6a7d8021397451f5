/* NETWORK FILES, by a table of the words that begin lines; any other line is a pair. Each kind of
 * line is a function, and its rows hold the differences between similar lines.
 *
 * Nodes and groups may be given in any order, rank by rank or by blocks, and their number is known
 * only at the end. Until then the arrays of the tiers have one entry per rank, because there cannot
 * be more nodes than ranks nor more groups than nodes. At the end they are checked as a whole for
 * gaps. O(characters), and 16 ranks^2 bytes if pairs differ. Nothing is kept of a file with an
 * error. */
#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/data.h"
#include "base/int.h"
#include "base/safe_file.h"
#include "base/scanner.h"
#include "base/text.h"
#include "base/text_file.h"
#include "schedules/network.h"

enum { NO_TIER, NODES, GROUPS };

/* The content of the lines so far. The arrays of network.tiers have network.ranks entries until the
 * end. */
struct network_file {
    struct nuce_network network;
    struct network_cost {
        int is_given;
        double startup, bandwidth; /* seconds, bytes per second */
    } within, between;             /* of pairs without a line of their own */
    int has_pairs;                 /* some pair has a line */
    int most[3];                   /* highest node, or group, with a line of its own; -1: none */
};

/* A kind of line. */
struct network_line {
    const char *word;
    nuce_status (*read)(struct nuce_scanner *, struct network_file *, const struct network_line *,
                        struct nuce_error *);
    const char *which, *owner, *line; /* for messages: subject of the line, its owner, and the whole
                                         line */
    int tier;                         /* tier of the arrays that it fills */
    int limit;                        /* the first of the two limits; -1: ports */
    int about;                        /* tier that its number counts, if the number adds to that
                                         tier */
    int tells_origin;                 /* gives place or time of the measurement */
};

/* Reads the line `ranks P`, or `ranks any`: any requested number. ranks > 0: P must be ranks. */
static nuce_status network_read_header(struct nuce_scanner *scanner, int ranks,
                                       struct nuce_network *network, struct nuce_error *error)
{
    const char *start;
    struct nuce_word word, number;
    int64_t value;

    if (!nuce_scanner_skip_lines(scanner, '#'))
        return nuce_scanner_fail(scanner, scanner->at, error,
                                 "the file ends here: expected 'ranks P'");
    nuce_scanner_word(scanner, "'ranks P'", &word, error);
    if (!nuce_word_is(word, "ranks"))
        return nuce_scanner_fail(scanner, word.text, error, "'%.*s': expected 'ranks P'",
                                 nuce_word_quoted(word), word.text);
    start = scanner->at;
    if (nuce_scanner_word(scanner, "the number of ranks", &number, error) == NUCE_OK &&
        nuce_word_is(number, "any")) {
        network->is_any = 1;
        network->ranks = ranks > 0 ? ranks : 1;
    } else {
        scanner->at = start;
        if (nuce_scanner_integer(scanner, "the number of ranks", 1, NUCE_NETWORK_MAX_RANKS, &value,
                                 error) != NUCE_OK)
            return error->status;
        network->ranks = nuce_int(value);
    }
    if (nuce_scanner_line_end(scanner, "'ranks P'", error) != NUCE_OK)
        return error->status;
    if (ranks > 0 && network->ranks != ranks)
        return nuce_scanner_fail(scanner, word.text, error, "a network of %d ranks: expected %d",
                                 network->ranks, ranks);
    return NUCE_OK;
}

/* Reads a finite number that is at least 0, or (positive) more than 0; what is its name in
 * messages. */
static nuce_status read_quantity(struct nuce_scanner *scanner, const char *what, int positive,
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

/* Reads a rank (or node), named `what` in messages. */
static nuce_status read_rank(struct nuce_scanner *scanner, const char *what,
                             const struct network_file *file, int *out, struct nuce_error *error)
{
    int64_t value;

    if (nuce_scanner_integer(scanner, what, 0,
                             file->network.is_any ? INT_MAX : file->network.ranks - 1, &value,
                             error) != NUCE_OK)
        return error->status;
    if (file->network.is_any)
        return nuce_scanner_fail(scanner, scanner->at, error,
                                 "%lld in a file of any number of ranks: expected %s to be 'all'",
                                 (long long)value, what);
    *out = nuce_int(value);
    return NUCE_OK;
}

/* Reads one of the ranks (or nodes), or `all`: *first .. *end - 1. */
static nuce_status read_which(struct nuce_scanner *scanner, const char *what,
                              const struct network_file *file, int *first, int *end,
                              struct nuce_error *error)
{
    const char *start = scanner->at;
    struct nuce_word word;

    *first = 0;
    *end = file->network.ranks;
    if (nuce_scanner_word(scanner, what, &word, error) != NUCE_OK)
        return error->status;
    if (nuce_word_is(word, "all"))
        return NUCE_OK;
    scanner->at = start;
    if (read_rank(scanner, what, file, first, error) != NUCE_OK)
        return error->status;
    *end = *first + 1;
    return NUCE_OK;
}

/* A bandwidth of 0 marks a pair without a line so far. */
static nuce_status read_pair(struct nuce_scanner *scanner, struct network_file *file,
                             struct nuce_error *error)
{
    struct nuce_network *network = &file->network;
    const char *place = scanner->at;
    double startup = 0, bandwidth = 0;
    int i = 0, j = 0;
    size_t pair;

    if (read_rank(scanner, "the source rank", file, &i, error) != NUCE_OK ||
        read_rank(scanner, "the destination rank", file, &j, error) != NUCE_OK ||
        read_quantity(scanner, "the startup in seconds", 0, &startup, error) != NUCE_OK ||
        read_quantity(scanner, "the bandwidth in bytes per second", 1, &bandwidth, error) !=
            NUCE_OK ||
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

/* True if word is a time as records write them; such times compare as texts. */
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

/* Makes an array of ranks values on first use, all set to preset. */
static void network_want(double **values, int ranks, double preset)
{
    if (*values != NULL)
        return;
    *values = nuce_allocate(ranks, sizeof **values);
    for (int i = 0; i < ranks; i++)
        (*values)[i] = preset;
}

/* Reads the capacity of a port, or inf: not known. */
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
    return read_quantity(scanner, what, 1, out, error);
}

/* Makes the arrays of a tier on first use, with as many nodes, and groups, as there are ranks, all
 * empty. */
static void want_tier(struct network_file *file, int tier)
{
    struct nuce_network *network = &file->network;
    struct nuce_tiers *tiers = &network->tiers;

    if (tier >= NODES && tiers->nodes == 0) {
        nuce_network_allocate_tiers(network, network->ranks);
        for (int i = 0; i < network->ranks; i++)
            tiers->node_of[i] = -1;
    }
    if (tier == GROUPS && tiers->groups == 0) {
        nuce_network_allocate_groups(network, network->ranks);
        for (int n = 0; n < network->ranks; n++)
            tiers->group_of[n] = -1;
    }
}

/* `all` names no particular number: it must not make as many nodes as ranks. */
static void note_alone(struct network_file *file, const struct network_line *line, int first,
                       int end)
{
    if (end == first + 1 && first > file->most[line->about])
        file->most[line->about] = first;
}

/* Reads the limits out and in of one member of a tier, or of all. */
static nuce_status read_way(struct nuce_scanner *scanner, struct network_file *file,
                            const struct network_line *line, struct nuce_error *error)
{
    struct nuce_network *network = &file->network;
    double out = 0, in = 0, **outs = &network->out, **ins = &network->in;
    int first = 0, end = 0;

    if (read_which(scanner, line->which, file, &first, &end, error) != NUCE_OK ||
        read_capacity(scanner, "the bytes per second that it sends", &out, error) != NUCE_OK ||
        read_capacity(scanner, "the bytes per second that it receives", &in, error) != NUCE_OK ||
        nuce_scanner_line_end(scanner, line->line, error) != NUCE_OK)
        return error->status;
    want_tier(file, line->tier);
    note_alone(file, line, first, end);
    if (line->tier != NO_TIER) {
        outs = &network->tiers.limit[line->limit];
        ins = outs + 1;
    }
    network_want(outs, network->ranks, INFINITY);
    network_want(ins, network->ranks, INFINITY);
    for (int i = first; i < end; i++) {
        (*outs)[i] = out;
        (*ins)[i] = in;
    }
    return NUCE_OK;
}

/* Reads the node of a rank, the group of a node, or either for all. */
static nuce_status read_member(struct nuce_scanner *scanner, struct network_file *file,
                               const struct network_line *line, struct nuce_error *error)
{
    struct nuce_tiers *tiers = &file->network.tiers;
    int first = 0, end = 0;
    int64_t owner = 0;

    if (read_which(scanner, line->which, file, &first, &end, error) != NUCE_OK ||
        nuce_scanner_integer(scanner, line->owner, 0, file->network.ranks - 1, &owner, error) !=
            NUCE_OK ||
        nuce_scanner_line_end(scanner, line->line, error) != NUCE_OK)
        return error->status;
    want_tier(file, line->tier);
    for (int i = first; i < end; i++)
        (line->tier == NODES ? tiers->node_of : tiers->group_of)[i] = nuce_int(owner);
    note_alone(file, line, first, end);
    return NUCE_OK;
}

/* Reads a block size: that many members on each, one after the other. */
static nuce_status read_blocks(struct nuce_scanner *scanner, struct network_file *file,
                               const struct network_line *line, struct nuce_error *error)
{
    struct nuce_tiers *tiers = &file->network.tiers;
    int64_t size = 0;

    if (nuce_scanner_integer(scanner, line->line, 1, NUCE_NETWORK_MAX_RANKS, &size, error) !=
            NUCE_OK ||
        nuce_scanner_line_end(scanner, line->line, error) != NUCE_OK)
        return error->status;
    want_tier(file, line->tier);
    for (int i = 0; i < file->network.ranks; i++)
        (line->tier == NODES ? tiers->node_of : tiers->group_of)[i] = (int)(i / size);
    return NUCE_OK;
}

/* Reads the cost of pairs without a line. A second line is reported after its numbers are read, so
 * that an error in the numbers is reported first. */
static nuce_status read_cost(struct nuce_scanner *scanner, struct network_file *file,
                             const struct network_line *line, struct nuce_error *error)
{
    struct network_cost *out = line->tier == NODES ? &file->within : &file->between;
    const char *place = scanner->at;
    struct network_cost cost = {.is_given = 1};

    if (read_quantity(scanner, "the startup in seconds", 0, &cost.startup, error) != NUCE_OK ||
        read_quantity(scanner, "the bandwidth in bytes per second", 1, &cost.bandwidth, error) !=
            NUCE_OK ||
        nuce_scanner_line_end(scanner, line->line, error) != NUCE_OK)
        return error->status;
    if (out->is_given)
        return nuce_scanner_fail(scanner, place, error, "a second line of %s", line->line);
    *out = cost;
    return NUCE_OK;
}

/* Speeds have no unit: they are compared with each other. The default is 1. */
static nuce_status read_speed(struct nuce_scanner *scanner, struct network_file *file,
                              const struct network_line *line, struct nuce_error *error)
{
    struct nuce_network *network = &file->network;
    double speed = 0;
    int first = 0, end = 0;

    if (read_which(scanner, line->which, file, &first, &end, error) != NUCE_OK ||
        read_quantity(scanner, "the relative speed", 1, &speed, error) != NUCE_OK ||
        nuce_scanner_line_end(scanner, line->line, error) != NUCE_OK)
        return error->status;
    network_want(&network->speed, network->ranks, 1);
    for (int i = first; i < end; i++)
        network->speed[i] = speed;
    return NUCE_OK;
}

/* Allowed once. */
static nuce_status read_gap(struct nuce_scanner *scanner, struct network_file *file,
                            const struct network_line *line, struct nuce_error *error)
{
    const char *place = scanner->at;
    double gap = 0;

    if (read_quantity(scanner, "the gap in seconds", 1, &gap, error) != NUCE_OK ||
        nuce_scanner_line_end(scanner, line->line, error) != NUCE_OK)
        return error->status;
    if (file->network.gap > 0)
        return nuce_scanner_fail(scanner, place, error, "a second gap");
    file->network.gap = gap;
    return NUCE_OK;
}

/* A rank is on one host: a second line for it is an error, as is a name of more than 255
 * characters. */
static nuce_status read_host(struct nuce_scanner *scanner, struct network_file *file,
                             const struct network_line *line, struct nuce_error *error)
{
    struct nuce_network *network = &file->network;
    struct nuce_word word;
    int i = 0;

    if (read_rank(scanner, line->which, file, &i, error) != NUCE_OK ||
        nuce_scanner_word(scanner, "the name of a host", &word, error) != NUCE_OK)
        return error->status;
    if (!nuce_network_is_host(word.text, word.length))
        return nuce_scanner_fail(
            scanner, word.text, error,
            "'%.*s': expected the name of a host, 1 to %d of A-Z a-z 0-9 . _ -",
            nuce_word_quoted(word), word.text, NUCE_HOST_BYTES - 1);
    if (nuce_scanner_line_end(scanner, line->line, error) != NUCE_OK)
        return error->status;
    if (network->host == NULL)
        network->host = nuce_allocate(network->ranks, sizeof *network->host);
    if (network->host[i].name[0] != '\0')
        return nuce_scanner_fail(scanner, word.text, error, "a second host of rank %d", i);
    memcpy(network->host[i].name, word.text, (size_t)word.length);
    return NUCE_OK;
}

/* Does not check that the day exists. Times are compared as texts, which in this form sort by
 * time. */
static nuce_status read_measured(struct nuce_scanner *scanner, struct network_file *file,
                                 const struct network_line *line, struct nuce_error *error)
{
    struct nuce_network *network = &file->network;
    struct nuce_word word;

    if (nuce_scanner_word(scanner, line->line, &word, error) != NUCE_OK)
        return error->status;
    if (!is_time(word))
        return nuce_scanner_fail(scanner, word.text, error,
                                 "'%.*s': expected a time, such as 2026-11-21T10:00:00.123Z",
                                 nuce_word_quoted(word), word.text);
    if (nuce_scanner_line_end(scanner, line->line, error) != NUCE_OK)
        return error->status;
    if (network->measured[0] != '\0')
        return nuce_scanner_fail(scanner, word.text, error, "a second time of the measurement");
    memcpy(network->measured, word.text, (size_t)word.length);
    return NUCE_OK;
}

/* The curve's points come in order, so that the least sufficient number of partners is found
 * directly. */
static nuce_status read_contention(struct nuce_scanner *scanner, struct network_file *file,
                                   const struct network_line *line, struct nuce_error *error)
{
    struct nuce_network *network = &file->network;
    int last =
        network->contentions > 0 ? network->contention[network->contentions - 1].partners : 0;
    int64_t partners = 0, capacity = network->contentions;
    double relative = 0;

    if (nuce_scanner_integer(scanner, "the number of partners, ascending from 1", last + 1,
                             last == 0 ? 1 : NUCE_NETWORK_MAX_RANKS, &partners, error) != NUCE_OK ||
        read_quantity(scanner, "the throughput relative to one partner", 1, &relative, error) !=
            NUCE_OK ||
        nuce_scanner_line_end(scanner, line->line, error) != NUCE_OK)
        return error->status;
    nuce_allocate_more((void **)&network->contention, &capacity, capacity + 1,
                       sizeof *network->contention);
    network->contention[network->contentions++] =
        (struct nuce_contention){nuce_int(partners), relative};
    return NUCE_OK;
}

/* The lines that begin with a word. */
/* clang-format off */
static const struct network_line lines[] = {
    {"port", read_way, .which = "the rank of a port", .line = "a port"},
    {"speed", read_speed, .which = "the rank of a speed", .line = "a speed"},
    {"host", read_host, .which = "the rank of a host", .line = "a host", .tells_origin = 1},
    {"measured", read_measured, .line = "the time of the measurement", .tells_origin = 1},
    {"contention", read_contention, .line = "a contention"},
    {"gap", read_gap, .line = "a gap"},
    {"on", read_member, "the rank on a node", "its node", "a rank's node", .tier = NODES},
    {"block", read_blocks, .line = "the ranks of each node", .tier = NODES},
    {"rail", read_way, "the rank of a rail", NULL, "a rail", NODES, .limit = NUCE_RAIL},
    {"inside", read_way, "the rank of an inside", NULL, "an inside", NODES, .limit = NUCE_INSIDE},
    {"node", read_way, "the number of a node", NULL, "a node", NODES, NUCE_NODE, .about = NODES},
    {"under", read_member, "the node of a group", "its group", "a node's group", GROUPS, .about = NODES},
    {"group", read_blocks, .line = "the nodes of each group", .tier = GROUPS},
    {"uplink", read_way, "the group of an uplink", NULL, "an uplink", GROUPS, NUCE_UPLINK, .about = GROUPS},
    {"within", read_cost, .line = "the pairs within a node", .tier = NODES},
    {"between", read_cost, .line = "the pairs between nodes"},
};
/* clang-format on */

/* A line of a pair begins with a rank, so another word is a typing error for one of lines. */
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

/* The words of messages for a member and its owner. */
struct belonging {
    const char *member, *is, *owner, *line, *capital, *blocks;
};

/* Checks that every member belongs to an owner of at most `owners`, and that every owner up to the
 * highest given number has a member; *most becomes the highest. */
static nuce_status check_members(const struct belonging *b, const int *of, int members, int owners,
                                 int *most, const char *name, struct nuce_error *error)
{
    int *count = nuce_allocate(owners, sizeof *count);
    int next = 0, empty = 0;

    for (; next < members && of[next] >= 0; next++) {
        count[of[next]]++;
        *most = of[next] > *most ? of[next] : *most;
    }
    while (empty <= *most && count[empty] > 0)
        empty++;
    free(count);
    if (next < members)
        return nuce_error_set(
            error, NUCE_BAD_INPUT, "%s: %s %d is %s no %s: expected a line '%s %d %s', or '%s K'",
            name, b->member, next, b->is, b->owner, b->line, next, b->capital, b->blocks);
    if (empty <= *most)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "%s: no %s is %s %s %d: expected %ss from 0 on, none left out", name,
                              b->member, b->is, b->owner, empty, b->owner);
    return NUCE_OK;
}

/* A node without a rank, a rank without a node, and the same for groups and nodes, are errors. Sets
 * the final numbers of nodes and groups. */
static nuce_status check_tiers(const char *name, struct network_file *file,
                               struct nuce_error *error)
{
    static const struct belonging nodes = {"rank", "on", "node", "on", "NODE", "block"};
    static const struct belonging groups = {"node", "in", "group", "under", "GROUP", "group"};
    struct nuce_tiers *tiers = &file->network.tiers;
    int ranks = file->network.ranks;

    if (tiers->nodes == 0)
        return NUCE_OK;
    if (check_members(&nodes, tiers->node_of, ranks, ranks, &file->most[NODES], name, error) !=
        NUCE_OK)
        return error->status;
    tiers->nodes = file->most[NODES] + 1;
    if (tiers->groups == 0)
        return NUCE_OK;
    if (check_members(&groups, tiers->group_of, tiers->nodes, ranks, &file->most[GROUPS], name,
                      error) != NUCE_OK)
        return error->status;
    tiers->groups = file->most[GROUPS] + 1;
    return NUCE_OK;
}

/* Called after all lines: a pair without a line of its own gets the cost of `within` or
 * `between`. */
static nuce_status network_file_end(const char *name, struct network_file *file,
                                    struct nuce_error *error)
{
    struct nuce_network *network = &file->network;

    if (file->within.is_given && network->tiers.nodes == 0)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "%s: 'within', and no nodes: expected lines 'on RANK NODE', or "
                              "'block K'",
                              name);
    if (check_tiers(name, file, error) != NUCE_OK)
        return error->status;
    /* All pairs are those of `between`: no nodes, and no line for any pair. */
    if (!file->has_pairs && file->between.is_given && network->tiers.nodes == 0) {
        network->startup = file->between.startup;
        network->bandwidth = file->between.bandwidth;
        return NUCE_OK;
    }
    if (!file->has_pairs && nuce_network_allocate_pairs(network, error) != NUCE_OK)
        return error->status;
    /* Pairs with a line keep their values; a bandwidth of 0 marks the others. */
    for (int i = 0; i < network->ranks; i++) {
        for (int j = 0; j < network->ranks; j++) {
            size_t pair = (size_t)i * (size_t)network->ranks + (size_t)j;
            const struct network_cost *cost =
                nuce_network_node(network, i) == nuce_network_node(network, j) ? &file->within
                                                                               : &file->between;

            if (i == j || network->pair_bandwidth[pair] > 0)
                continue;
            if (!cost->is_given)
                return nuce_error_set(error, NUCE_BAD_INPUT,
                                      "%s: no line for the pair %d %d: expected one for every "
                                      "ordered pair, or 'within' and 'between'",
                                      name, i, j);
            network->pair_startup[pair] = cost->startup;
            network->pair_bandwidth[pair] = cost->bandwidth;
        }
    }
    return NUCE_OK;
}

/* only_origin: skips lines without place or time, without reading their numbers. That makes the
 * search through a folder of large networks quick. */
static nuce_status network_read_line(struct nuce_scanner *scanner, int only_origin,
                                     struct network_file *file, struct nuce_error *error)
{
    const char *start = scanner->at;
    struct nuce_word word;

    nuce_scanner_word(scanner, "a line of a network", &word, error);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        if (nuce_word_is(word, lines[i].word) && (!only_origin || lines[i].tells_origin))
            return lines[i].read(scanner, file, &lines[i], error);
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

/* The first line has the number of ranks, against which all others are checked. */
static nuce_status network_parse(const char *name, const char *text, size_t length, int ranks,
                                 int only_origin, struct nuce_network *out,
                                 struct nuce_error *error)
{
    struct network_file file = {.most = {-1, -1, -1}};
    struct nuce_scanner scanner;
    nuce_status status;

    nuce_scanner_init(&scanner, name, text, length);
    scanner.comment = '#';
    status = network_read_header(&scanner, ranks, &file.network, error);
    while (status == NUCE_OK && nuce_scanner_skip_lines(&scanner, '#'))
        status = network_read_line(&scanner, only_origin, &file, error);
    if (status == NUCE_OK && !only_origin)
        status = network_file_end(name, &file, error);
    if (status == NUCE_OK)
        *out = file.network;
    else
        nuce_network_fini(&file.network);
    return status;
}

nuce_status nuce_network_parse(const char *name, const char *text, size_t length, int ranks,
                               struct nuce_network *out, struct nuce_error *error)
{
    return network_parse(name, text, length, ranks, 0, out, error);
}

nuce_status nuce_network_parse_origin(const char *name, const char *text, size_t length,
                                      struct nuce_network *out, struct nuce_error *error)
{
    return network_parse(name, text, length, 0, 1, out, error);
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

/* NETWORK FILES as text from which every value is read back exactly.
 *
 * Pairs are written even if all are alike, ranks^2 lines, so that other readers find every pair on
 * a line of its own. */

/* 17 digits give every double back; %g writes infinity as inf, the format's word for an unknown
 * limit. */

/* In the order in which nuce_network_read can check each line: `ranks` first, contention
 * ascending. */
void nuce_network_print(const struct nuce_network *network, FILE *stream)
{
    fprintf(stream, "ranks %d\n", network->ranks);
    if (network->measured[0] != '\0')
        fprintf(stream, "measured %s\n", network->measured);
    for (int i = 0; i < network->contentions; i++)
        fprintf(stream, "contention %d %.17g\n", network->contention[i].partners,
                network->contention[i].relative);
    if (network->gap > 0)
        fprintf(stream, "gap %.17g\n", network->gap);
    for (int i = 0; i < network->ranks; i++) {
        if (network->host != NULL && network->host[i].name[0] != '\0')
            fprintf(stream, "host %d %s\n", i, network->host[i].name);
    }
    for (int i = 0; i < network->ranks && (network->out != NULL || network->in != NULL); i++)
        fprintf(stream, "port %d %.17g %.17g\n", i, nuce_network_port_out(network, i),
                nuce_network_port_in(network, i));
    for (int i = 0; i < network->ranks && network->tiers.nodes > 0; i++)
        fprintf(stream, "on %d %d\nrail %d %.17g %.17g\ninside %d %.17g %.17g\n", i,
                network->tiers.node_of[i], i, network->tiers.rail_out[i], network->tiers.rail_in[i],
                i, network->tiers.inside_out[i], network->tiers.inside_in[i]);
    for (int i = 0; i < network->tiers.nodes; i++)
        fprintf(stream, "node %d %.17g %.17g\n", i, network->tiers.node_out[i],
                network->tiers.node_in[i]);
    for (int i = 0; i < network->tiers.nodes && network->tiers.groups > 0; i++)
        fprintf(stream, "under %d %d\n", i, network->tiers.group_of[i]);
    for (int i = 0; i < network->tiers.groups; i++)
        fprintf(stream, "uplink %d %.17g %.17g\n", i, network->tiers.uplink_out[i],
                network->tiers.uplink_in[i]);
    for (int i = 0; i < network->ranks && network->speed != NULL; i++)
        fprintf(stream, "speed %d %.17g\n", i, network->speed[i]);
    for (int i = 0; i < network->ranks; i++) {
        for (int j = 0; j < network->ranks; j++) {
            if (i != j)
                fprintf(stream, "%d %d %.17g %.17g\n", i, j, nuce_network_startup(network, i, j),
                        nuce_network_bandwidth(network, i, j));
        }
    }
}

/* The file is written under another name, then renamed. */
nuce_status nuce_network_write(const struct nuce_network *network, const char *path,
                               struct nuce_error *error)
{
    const char *slash = strrchr(path, '/');
    char *folder =
        slash == NULL ? nuce_text_format(".") : nuce_text_format("%.*s", (int)(slash - path), path);
    struct nuce_text_print print;

    nuce_text_print_begin(&print);
    nuce_network_print(network, print.file);
    nuce_text_print_end(&print);
    nuce_safe_write(folder, slash == NULL ? path : slash + 1, print.text, print.length, error);
    free(print.text);
    free(folder);
    return error->status;
}
