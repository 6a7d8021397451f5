/* Reads calls as text. Each rank's lines go to a recorder just as the interposer of nuce capture
 * would report them. The recorders' files are then merged, so rounds, joins and qualities are
 * those of a capture.
 *
 * Steps: scan all lines once for ranks, hosts and communicators, and note where each rank's
 * lines are; then process one rank after the other, so that one raw file is open at a time.
 * Lines of matrices are sums and not calls: they become patterns at once (capture/builder.h).
 * Cost: O(l log l) time and 16 bytes of memory for l lines, besides the text and the raw files. */
#include "capture/calls.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/scanner.h"
#include "base/text.h"
#include "capture/builder.h"
#include "capture/recorder.h"

/* The limit holds on all ranks. A raw file lists all members of the world, so the size of the
 * files grows with the square of the ranks. */
#define MOST_RANKS 65536

/* Seconds of a time are below this (68 years), so that a capture may have the time. */
#define MOST_SECONDS ((int64_t)1 << 31)

struct calls_line {
    int rank;
    const char *at; /* in the text, after the rank's number */
};

struct calls_comm {
    struct nuce_word name;
    int size, *members; /* world ranks, owned; size 0: unknown, calls on it are only counted */
};

struct calls_reader {
    struct nuce_scanner scanner;
    const struct nuce_calls_text *input;
    int ranks, are_clocks_one, has_times;
    char (*host)[64];         /* of each rank; "": not in the text */
    struct calls_comm *comms; /* the first is the world */
    int comm_count;
    int64_t comm_capacity;
    struct calls_line *lines;
    int64_t line_count, line_capacity;
    struct nuce_matrices matrices;
    int last_row; /* of the current matrix; -1: there is none */

    /* The current rank. */
    int own, *ids; /* ids: the recorder's number of each communicator; -1: this rank is not in it */
    struct nuce_recorder *recorder;
    int64_t last_ns;

    /* The current line: its name, the words after it, and its keys. */
    struct nuce_word name, *words;
    int64_t count, word_capacity;
    int comm;                          /* index */
    int64_t tag[2];                    /* [1]: of the receive of a sendrecv */
    int64_t request, begin_ns, end_ns; /* request -1: it blocks */
    struct nuce_raw_message *messages;
    int64_t message_capacity;
};

static nuce_status refuse_word(const struct calls_reader *reader, struct nuce_word word,
                               struct nuce_error *error, const char *expected)
{
    return nuce_scanner_fail(&reader->scanner, word.text, error, "'%.*s': expected %s",
                             nuce_word_quoted(word), word.text, expected);
}

/* The whole number in text, low .. high. */
static nuce_status calls_number(const struct calls_reader *reader, struct nuce_word word,
                                const char *what, int64_t high, int64_t *out,
                                struct nuce_error *error)
{
    int64_t value = 0;
    int i = 0;

    *out = 0;
    for (; i < word.length && word.text[i] >= '0' && word.text[i] <= '9' && value <= high; i++)
        value = value > INT64_MAX / 10 - 1 ? INT64_MAX : 10 * value + (word.text[i] - '0');
    if (i < word.length || i == 0 || value > high)
        return nuce_scanner_fail(&reader->scanner, word.text, error,
                                 "'%.*s': expected %s, 0 to %lld", nuce_word_quoted(word),
                                 word.text, what, (long long)high);
    *out = value;
    return NUCE_OK;
}

/* Cuts the word in two at the separator; where there is none *right is empty. */
static void cut_word(struct nuce_word word, char separator, struct nuce_word *left,
                     struct nuce_word *right)
{
    const char *cut = memchr(word.text, separator, (size_t)word.length);

    *left = word;
    *right = (struct nuce_word){.text = word.text + word.length};
    if (cut != NULL) {
        left->length = (int)(cut - word.text);
        *right = (struct nuce_word){cut + 1, word.length - left->length - 1};
    }
}

/* Adds `RANK:BYTES` to the messages of the call. Messages without bytes are ignored. */
static nuce_status add_call_part(struct calls_reader *reader, struct nuce_word word, int size,
                                 int *count, struct nuce_error *error)
{
    struct nuce_word left, right;
    int64_t peer, bytes;

    cut_word(word, ':', &left, &right);
    if (calls_number(reader, left, "a rank of the communicator", size - 1, &peer, error) !=
            NUCE_OK ||
        calls_number(reader, right, "bytes behind 'RANK:'", NUCE_CAPTURE_MOST_BYTES, &bytes,
                     error) != NUCE_OK)
        return error->status;
    nuce_allocate_more((void **)&reader->messages, &reader->message_capacity, *count + 1,
                       sizeof *reader->messages);
    if (bytes > 0)
        reader->messages[(*count)++] =
            (struct nuce_raw_message){.peer = (int32_t)peer, .bytes = bytes};
    return NUCE_OK;
}

/* Converts seconds to nanoseconds; digits after the ninth are dropped. */
static nuce_status calls_time(const struct calls_reader *reader, struct nuce_word word,
                              int64_t *out, struct nuce_error *error)
{
    const char *point = memchr(word.text, '.', (size_t)word.length);
    struct nuce_word whole = word;
    int64_t unit = 100000000;

    whole.length = point == NULL ? word.length : (int)(point - word.text);
    if (calls_number(reader, whole, "seconds", MOST_SECONDS, out, error) != NUCE_OK)
        return error->status;
    *out *= 1000000000;
    for (const char *c = word.text + whole.length + 1; c < word.text + word.length; c++) {
        if (*c < '0' || *c > '9')
            return refuse_word(reader, word, error, "seconds");
        *out += unit * (*c - '0');
        unit /= 10;
    }
    return NUCE_OK;
}

static nuce_status calls_tag(const struct calls_reader *reader, struct nuce_word word, int64_t *out,
                             struct nuce_error *error)
{
    *out = NUCE_RECORDER_ANY;
    return nuce_word_is(word, "any")
               ? NUCE_OK
               : calls_number(reader, word, "any, or a tag", INT32_MAX, out, error);
}

/* The index of the communicator with that name; comm_count if there is none. */
static int comm_called(const struct calls_reader *reader, struct nuce_word name)
{
    int i = 0;

    while (i < reader->comm_count &&
           (reader->comms[i].name.length != name.length ||
            memcmp(reader->comms[i].name.text, name.text, (size_t)name.length) != 0))
        i++;
    return i;
}

/* Splits the line into its parts. A call without a time is at the end of the one before. */
static nuce_status read_line(struct calls_reader *reader, const char *at, struct nuce_error *error)
{
    struct nuce_raw_header *header = nuce_recorder_header(reader->recorder);

    reader->scanner.at = at;
    reader->comm = 0;
    reader->count = reader->tag[0] = reader->tag[1] = 0;
    reader->request = -1;
    reader->begin_ns = reader->end_ns = reader->last_ns;
    if (nuce_scanner_word(&reader->scanner, "a call", &reader->name, error) != NUCE_OK)
        return error->status;
    while (nuce_scanner_has_word(&reader->scanner)) {
        struct nuce_word word, key, value, left, right;

        if (nuce_scanner_word(&reader->scanner, "", &word, error) != NUCE_OK)
            return error->status;
        nuce_allocate_more((void **)&reader->words, &reader->word_capacity, reader->count + 1,
                           sizeof *reader->words);
        if (memchr(word.text, '=', (size_t)word.length) == NULL ||
            !isalpha((unsigned char)*word.text)) {
            reader->words[reader->count++] = word;
            continue;
        }
        cut_word(word, '=', &key, &value);
        cut_word(value, ':', &left, &right);
        error->status = NUCE_OK;
        if (nuce_word_is(key, "comm")) {
            reader->comm = comm_called(reader, value);
            if (reader->comm == reader->comm_count)
                refuse_word(reader, value, error, "the name of a line comm");
            else if (reader->comms[reader->comm].size > 0 && reader->ids[reader->comm] < 0)
                nuce_scanner_fail(&reader->scanner, value.text, error,
                                  "'%.*s': expected a communicator with rank %d",
                                  nuce_word_quoted(value), value.text, reader->own);
        } else if (nuce_word_is(key, "request")) {
            calls_number(reader, value, "a request", INT64_MAX - 1, &reader->request, error);
        } else if (nuce_word_is(key, "tag")) {
            if (calls_tag(reader, left, &reader->tag[0], error) == NUCE_OK) {
                reader->tag[1] = reader->tag[0];
                if (left.length < value.length)
                    calls_tag(reader, right, &reader->tag[1], error);
            }
        } else if (!nuce_word_is(key, "time")) {
            refuse_word(reader, word, error, "comm=, tag=, request= or time=");
        } else if (calls_time(reader, left, &reader->begin_ns, error) == NUCE_OK &&
                   calls_time(reader, right, &reader->end_ns, error) == NUCE_OK) {
            reader->has_times = 1;
            if (reader->end_ns < reader->begin_ns)
                refuse_word(reader, value, error, "an end behind the begin");
        }
        if (error->status != NUCE_OK)
            return error->status;
    }
    if (header->begin_ns < 0 || reader->begin_ns < header->begin_ns)
        header->begin_ns = reader->begin_ns;
    reader->last_ns = reader->end_ns > reader->last_ns ? reader->end_ns : reader->last_ns;
    return NUCE_OK;
}

/* The message to or from the rank that `peer` names; bytes NULL: the message is received. */
static nuce_status calls_message(const struct calls_reader *reader, struct nuce_word peer,
                                 const struct nuce_word *bytes, struct nuce_recorder_message *out,
                                 struct nuce_error *error)
{
    int64_t number = NUCE_RECORDER_ANY;

    *out = (struct nuce_recorder_message){.communicator = reader->ids[reader->comm],
                                          .direction =
                                              bytes != NULL ? NUCE_RAW_SEND : NUCE_RAW_RECEIVE,
                                          .tag = (int)reader->tag[bytes == NULL]};
    if (bytes != NULL && calls_number(reader, *bytes, "bytes", NUCE_CAPTURE_MOST_BYTES, &out->bytes,
                                      error) != NUCE_OK)
        return error->status;
    if ((bytes != NULL || reader->request < 0 || !nuce_word_is(peer, "any")) &&
        calls_number(reader, peer, "a rank of the communicator",
                     reader->comms[reader->comm].size - 1, &number, error) != NUCE_OK)
        return error->status;
    out->peer = (int)number;
    if (out->tag == NUCE_RECORDER_ANY && (bytes != NULL || reader->request < 0))
        return nuce_scanner_fail(&reader->scanner, peer.text, error,
                                 "any tag: expected only with a receive with request=");
    return NUCE_OK;
}

/* A send, a receive, or both in one call. With both, each begins before either ends, so they
 * belong to one round. */
static nuce_status take_messages(struct calls_reader *reader, struct nuce_error *error)
{
    int sends = *reader->name.text == 's', receives = reader->count != 2;
    struct nuce_recorder_message out, in, *only = sends ? &out : &in;
    struct nuce_recorder_place out_place, in_place;

    if ((sends &&
         calls_message(reader, reader->words[0], &reader->words[1], &out, error) != NUCE_OK) ||
        (receives &&
         calls_message(reader, reader->words[reader->count - 1], NULL, &in, error) != NUCE_OK))
        return error->status;
    if (reader->request >= 0 && sends && receives)
        return nuce_scanner_fail(&reader->scanner, reader->name.text, error,
                                 "a sendrecv with request=: expected one that blocks");
    if (reader->request >= 0) {
        nuce_recorder_post(reader->recorder, (uint64_t)reader->request, only, reader->begin_ns);
        return NUCE_OK;
    }
    if (sends)
        out_place = nuce_recorder_begin(reader->recorder, &out, reader->begin_ns);
    if (receives)
        in_place = nuce_recorder_begin(reader->recorder, &in, reader->begin_ns);
    if (sends)
        nuce_recorder_end(reader->recorder, &out_place, 0, 0, reader->end_ns);
    if (receives)
        nuce_recorder_end(reader->recorder, &in_place, 0, 0, reader->end_ns);
    return NUCE_OK;
}

/* The requests that `wait` completes: `N`, or `N=SOURCE:TAG` for a message from any source or
 * tag, or after a cancel (`N=none`: it was cancelled). Without SOURCE:TAG the message stays
 * unknown, as when the request is freed. Requests that are not active are ignored. */
static nuce_status take_requests(struct calls_reader *reader, struct nuce_error *error)
{
    struct nuce_recorder *recorder = reader->recorder;
    int is_wait = nuce_word_is(reader->name, "wait");

    for (int64_t i = 0; i < reader->count; i++) {
        struct nuce_word number = reader->words[i], told = {0}, left, right;
        int64_t request = 0, source = 0, tag = 0;

        if (is_wait)
            cut_word(reader->words[i], '=', &number, &told);
        if (calls_number(reader, number, "a request", INT64_MAX - 1, &request, error) != NUCE_OK)
            return error->status;
        if (!is_wait && !nuce_word_is(reader->name, "free")) {
            nuce_recorder_cancel(recorder, (uint64_t)request);
        } else if (is_wait &&
                   nuce_recorder_wishes(recorder, (uint64_t)request) == NUCE_RECORDER_NOTHING) {
            nuce_recorder_finish(recorder, (uint64_t)request, 0, 0, reader->end_ns);
        } else if (told.length == 0) {
            nuce_recorder_free(recorder, (uint64_t)request, reader->end_ns);
        } else if (nuce_word_is(told, "none")) {
            nuce_recorder_cancelled(recorder, (uint64_t)request, reader->end_ns);
        } else {
            cut_word(told, ':', &left, &right);
            if (calls_number(reader, left, "none, or a rank of the communicator",
                             nuce_recorder_request_size(recorder, (uint64_t)request) - 1, &source,
                             error) != NUCE_OK ||
                (left.length < told.length &&
                 calls_number(reader, right, "a tag", INT32_MAX, &tag, error) != NUCE_OK))
                return error->status;
            nuce_recorder_finish(recorder, (uint64_t)request, (int)source, (int)tag,
                                 reader->end_ns);
        }
    }
    return NUCE_OK;
}

/* A probe that does not wait: for any source, or for one that it found, or not. */
static nuce_status take_probe(struct calls_reader *reader, struct nuce_error *error)
{
    int communicator = reader->ids[reader->comm];
    int64_t peer = 0;

    if (reader->count == 0) {
        nuce_recorder_flag(reader->recorder, communicator, NUCE_RAW_PROBED);
        return NUCE_OK;
    }
    if (calls_number(reader, reader->words[0], "a rank of the communicator",
                     reader->comms[reader->comm].size - 1, &peer, error) != NUCE_OK)
        return error->status;
    if (reader->count < 2 ||
        (!nuce_word_is(reader->words[1], "found") && !nuce_word_is(reader->words[1], "nothing")))
        return refuse_word(reader, reader->words[reader->count - 1], error,
                           "RANK found or RANK nothing");
    nuce_recorder_probe(reader->recorder, communicator, (int)peer, (int)reader->tag[0],
                        nuce_word_is(reader->words[1], "found"));
    return NUCE_OK;
}

static nuce_status take_missed(struct calls_reader *reader, struct nuce_error *error)
{
    static const struct {
        const char *name;
        enum nuce_raw_counter counter;
    } missed[] = {
        {"one-sided", NUCE_RAW_ONE_SIDED},     {"between", NUCE_RAW_BETWEEN},
        {"partitioned", NUCE_RAW_PARTITIONED}, {"cancelled", NUCE_RAW_CANCELLED},
        {"unfinished", NUCE_RAW_UNFINISHED},   {"other", NUCE_RAW_OTHER},
    };

    for (size_t i = 0; i < sizeof missed / sizeof *missed; i++) {
        if (nuce_word_is(reader->words[0], missed[i].name)) {
            nuce_recorder_header(reader->recorder)->counters[missed[i].counter]++;
            return NUCE_OK;
        }
    }
    return refuse_word(reader, reader->words[0], error,
                       "one-sided, between, partitioned, cancelled, unfinished or other");
}

/* Calls that are not collective, with the number of words after each. `run` spans MPI_Init to the
 * end, and only its time counts. */
static const struct {
    const char *name, *usage;
    int least, most;
    nuce_status (*take)(struct calls_reader *, struct nuce_error *);
} takers[] = {
    {"send", "RANK BYTES", 2, 2, take_messages},
    {"receive", "RANK, or any with request=", 1, 1, take_messages},
    {"sendrecv", "DESTINATION BYTES SOURCE", 3, 3, take_messages},
    {"wait", "REQUEST...", 1, INT32_MAX, take_requests},
    {"cancel", "REQUEST...", 1, INT32_MAX, take_requests},
    {"free", "REQUEST...", 1, INT32_MAX, take_requests},
    {"probe", "nothing, RANK found or RANK nothing", 0, 2, take_probe},
    {"missed", "KIND", 1, 1, take_missed},
    {"run", "nothing", 0, 0, NULL},
};

static nuce_status take_line(struct calls_reader *reader, const char *at, struct nuce_error *error)
{
    struct nuce_recorder_collective collective = {.kind = NUCE_RAW_KIND_barrier};

    if (read_line(reader, at, error) != NUCE_OK)
        return error->status;
    if (reader->comms[reader->comm].size == 0) {
        nuce_recorder_header(reader->recorder)->counters[NUCE_RAW_OTHER]++;
        return NUCE_OK;
    }
    for (size_t i = 0; i < sizeof takers / sizeof *takers; i++) {
        if (!nuce_word_is(reader->name, takers[i].name))
            continue;
        if (reader->count < takers[i].least || reader->count > takers[i].most)
            return nuce_scanner_fail(&reader->scanner, reader->name.text, error,
                                     "'%s': expected %s behind it", takers[i].name,
                                     takers[i].usage);
        return takers[i].take == NULL ? NUCE_OK : takers[i].take(reader, error);
    }
    while (collective.kind < NUCE_RAW_KIND_matrix &&
           !nuce_word_is(reader->name, nuce_raw_kind_name(collective.kind)))
        collective.kind++;
    if (collective.kind == NUCE_RAW_KIND_matrix)
        return refuse_word(reader, reader->name, error,
                           "a call, such as send, receive, wait or alltoallv");
    /* The messages that this rank sends, each `RANK:BYTES`, or the sum of bytes. */
    collective.communicator = reader->ids[reader->comm];
    if (reader->count == 1 &&
        memchr(reader->words[0].text, ':', (size_t)reader->words[0].length) == NULL) {
        if (calls_number(reader, reader->words[0], "bytes", NUCE_CAPTURE_MOST_BYTES,
                         &collective.bytes, error) != NUCE_OK)
            return error->status;
    } else {
        for (int64_t i = 0; i < reader->count; i++) {
            if (add_call_part(reader, reader->words[i], reader->comms[reader->comm].size,
                              &collective.count, error) != NUCE_OK)
                return error->status;
        }
    }
    collective.messages = reader->messages;
    if (reader->request >= 0)
        nuce_recorder_post_collective(reader->recorder, (uint64_t)reader->request, &collective,
                                      reader->begin_ns);
    else
        nuce_recorder_collective(reader->recorder, &collective, reader->begin_ns, reader->end_ns);
    return NUCE_OK;
}

/* `ranks P`, the first line, which makes the world; `host NAME RANK...`, `comm NAME RANK...` or
 * `clocks one`. */
static nuce_status take_definition(struct calls_reader *reader, struct nuce_word what,
                                   struct nuce_error *error)
{
    struct nuce_word name, word;
    int64_t rank, ranks, capacity = 0;

    if (nuce_word_is(what, "ranks")) {
        struct calls_comm world = {.name = {"world", 5}};

        if (nuce_scanner_word(&reader->scanner, "the number of ranks", &word, error) != NUCE_OK ||
            calls_number(reader, word, "the number of ranks", MOST_RANKS, &ranks, error) != NUCE_OK)
            return error->status;
        if (ranks == 0 || reader->ranks > 0)
            return nuce_scanner_fail(&reader->scanner, word.text, error,
                                     "'%lld': expected one line ranks, of at least 1",
                                     (long long)ranks);
        if (reader->input->ranks > 0 && reader->input->ranks != ranks)
            return nuce_error_refuse(error, "ranks", "'%d': expected %lld, as in the files",
                                     reader->input->ranks, (long long)ranks);
        world.size = reader->ranks = (int)ranks;
        world.members = nuce_allocate(ranks, sizeof *world.members);
        for (int i = 0; i < world.size; i++)
            world.members[i] = i;
        reader->host = nuce_allocate(ranks, sizeof *reader->host);
        nuce_allocate_more((void **)&reader->comms, &reader->comm_capacity, 1,
                           sizeof *reader->comms);
        reader->comms[reader->comm_count++] = world;
        return NUCE_OK;
    }

    if (nuce_scanner_word(&reader->scanner, "a name", &name, error) != NUCE_OK)
        return error->status;
    if (nuce_word_is(what, "comm")) {
        struct calls_comm comm = {.name = name};
        char *is_in = nuce_allocate(reader->ranks, 1);

        error->status = NUCE_OK;
        if (comm_called(reader, name) < reader->comm_count)
            refuse_word(reader, name, error, "another name");
        while (error->status == NUCE_OK && nuce_scanner_has_word(&reader->scanner)) {
            if (nuce_scanner_word(&reader->scanner, "", &word, error) != NUCE_OK ||
                calls_number(reader, word, "a rank", reader->ranks - 1, &rank, error) != NUCE_OK)
                break;
            if (is_in[rank]++) {
                refuse_word(reader, word, error, "each rank once");
                break;
            }
            nuce_allocate_more((void **)&comm.members, &capacity, comm.size + 1,
                               sizeof *comm.members);
            comm.members[comm.size++] = (int)rank;
        }
        free(is_in);
        nuce_allocate_more((void **)&reader->comms, &reader->comm_capacity, reader->comm_count + 1,
                           sizeof *reader->comms);
        reader->comms[reader->comm_count++] = comm;
        return error->status;
    }
    if (nuce_word_is(what, "clocks") && nuce_word_is(name, "one")) {
        reader->are_clocks_one = 1;
        return nuce_scanner_line_end(&reader->scanner, "clocks one", error);
    }
    if (!nuce_word_is(what, "host"))
        return refuse_word(reader, what, error, "a rank, or host, comm or 'clocks one'");
    while (nuce_scanner_has_word(&reader->scanner)) {
        size_t length = (size_t)name.length < sizeof *reader->host - 1 ? (size_t)name.length
                                                                       : sizeof *reader->host - 1;

        if (nuce_scanner_word(&reader->scanner, "", &word, error) != NUCE_OK ||
            calls_number(reader, word, "a rank", reader->ranks - 1, &rank, error) != NUCE_OK)
            return error->status;
        memset(reader->host[rank], 0, sizeof *reader->host);
        memcpy(reader->host[rank], name.text, length);
    }
    return NUCE_OK;
}

/* Scans all lines: reads definitions and matrices, and notes where the others are. */
static nuce_status scan_lines(struct calls_reader *reader, struct nuce_error *error)
{
    struct nuce_scanner *scanner = &reader->scanner;

    while (nuce_scanner_skip_lines(scanner, '#')) {
        struct nuce_word word, name;
        int64_t rank;
        const char *at;
        int is_matrix;

        if (nuce_scanner_word(scanner, "a rank", &word, error) != NUCE_OK)
            return error->status;
        if (reader->ranks == 0 && !nuce_word_is(word, "ranks"))
            return refuse_word(reader, word, error, "a line ranks P first");
        if (!isdigit((unsigned char)*word.text)) {
            if (take_definition(reader, word, error) != NUCE_OK)
                return error->status;
            nuce_scanner_next_line(scanner);
            continue;
        }
        at = scanner->at;
        if (calls_number(reader, word, "a rank", reader->ranks - 1, &rank, error) != NUCE_OK ||
            nuce_scanner_word(scanner, "a call", &name, error) != NUCE_OK)
            return error->status;
        is_matrix = nuce_word_is(name, "matrix");
        if (is_matrix ? reader->line_count > 0 : reader->last_row >= 0)
            return refuse_word(reader, name, error, "either rows of matrices or calls");
        if (!is_matrix) {
            nuce_allocate_more((void **)&reader->lines, &reader->line_capacity,
                               reader->line_count + 1, sizeof *reader->lines);
            reader->lines[reader->line_count++] = (struct calls_line){(int)rank, at};
        } else if (reader->last_row >= rank) { /* a row out of order begins the next matrix */
            nuce_matrices_end_call(&reader->matrices, reader->ranks);
        }
        if (is_matrix)
            reader->last_row = (int)rank;
        /* The row of a matrix, `RANK:BYTES` each. */
        while (is_matrix && nuce_scanner_has_word(scanner)) {
            int count = 0;

            if (nuce_scanner_word(scanner, "", &word, error) != NUCE_OK ||
                add_call_part(reader, word, reader->ranks, &count, error) != NUCE_OK)
                return error->status;
            if (count > 0)
                nuce_matrices_add(&reader->matrices, (int)rank, reader->messages[0].peer,
                                  reader->messages[0].bytes);
        }
        nuce_scanner_next_line(scanner);
    }
    if (reader->line_count == 0 && reader->last_row < 0)
        return nuce_scanner_fail(scanner, scanner->at, error,
                                 "no call is here: expected lines such as '0 send 1 4096'");
    return NUCE_OK;
}

static int order_of_lines(const void *a, const void *b)
{
    const struct calls_line *x = a, *y = b;

    return x->rank != y->rank ? (x->rank > y->rank) - (x->rank < y->rank)
                              : (x->at > y->at) - (x->at < y->at);
}

static nuce_status record_lines(struct calls_reader *reader, struct nuce_capture *out,
                                struct nuce_error *error)
{
    struct nuce_capture_merging merging = {.epochs = reader->input->epochs};
    struct nuce_capture capture = {0};
    int64_t at = 0;
    int has_hosts = 0;

    qsort(reader->lines, (size_t)reader->line_count, sizeof *reader->lines, order_of_lines);
    reader->ids = nuce_allocate(reader->comm_count, sizeof *reader->ids);
    for (reader->own = 0; reader->own < reader->ranks; reader->own++) {
        struct nuce_raw_header header = {
            .rank = reader->own, .ranks = reader->ranks, .begin_ns = -1};
        char *path = nuce_text_format("%s/%d" NUCE_RAW_ENDING, reader->input->folder, reader->own);

        memcpy(header.host, reader->host[reader->own], sizeof header.host);
        reader->recorder = nuce_recorder_create(path, &header, NULL);
        reader->last_ns = 0;
        error->status = NUCE_OK;
        if (reader->recorder == NULL)
            nuce_error_set(error, NUCE_FAILED, "%s: %m", path);
        free(path);
        if (reader->recorder == NULL)
            return error->status;
        /* The communicators with this rank, then its calls. All ranks add communicators in the
         * same order, which distinguishes those with the same members. */
        for (int i = 0; error->status == NUCE_OK && i < reader->comm_count; i++) {
            const struct calls_comm *comm = &reader->comms[i];
            int own = 0;

            while (own < comm->size && comm->members[own] != reader->own)
                own++;
            reader->ids[i] = own == comm->size ? -1
                                               : nuce_recorder_add(reader->recorder, comm->members,
                                                                   comm->size, own);
            if (own < comm->size && reader->ids[i] < 0)
                nuce_error_set(error, NUCE_FAILED, "no room for a communicator");
        }
        for (; error->status == NUCE_OK && at < reader->line_count &&
               reader->lines[at].rank == reader->own;
             at++)
            error->status = take_line(reader, reader->lines[at].at, error);
        if (nuce_recorder_header(reader->recorder)->begin_ns < 0)
            nuce_recorder_header(reader->recorder)->begin_ns = 0;
        nuce_recorder_destroy(reader->recorder, NUCE_RAW_FINALIZED, reader->last_ns);
        if (error->status != NUCE_OK)
            return error->status;
        /* Clocks were not compared: they differ unless the ranks are on one host. */
        merging.clocks_differ |= strcmp(reader->host[reader->own], reader->host[0]) != 0;
        has_hosts |= reader->host[reader->own][0] != '\0';
    }
    merging.clocks_differ |= reader->host[0][0] == '\0';
    merging.clocks_differ =
        !reader->has_times || (merging.clocks_differ && !reader->are_clocks_one);
    if (nuce_capture_merge(reader->input->folder, merging, &capture, error) != NUCE_OK)
        return error->status;
    /* For gather .. alltoallw MPI's arguments would give the messages, but this text has sums.
     * These patterns are therefore merged, which changes their ids. Nothing is known of times or
     * hosts that the text lacks. */
    for (int i = 0; i < capture.patterns; i++) {
        struct nuce_capture_pattern *pattern = &capture.pattern[i];

        if (!reader->has_times) {
            free(pattern->duration.classes);
            pattern->duration = (struct nuce_capture_times){0};
        }
        if (pattern->moved == 0 || pattern->quality != NUCE_CAPTURE_EXACT ||
            pattern->kind < NUCE_RAW_KIND_gather || pattern->kind > NUCE_RAW_KIND_alltoallw ||
            capture.topology[pattern->topology].messages > 0)
            continue;
        pattern->quality = NUCE_CAPTURE_MERGED;
        nuce_capture_builder_identify(&capture, pattern, NULL, 0);
    }
    for (int rank = 0; !has_hosts && rank < reader->ranks; rank++)
        capture.host_of[rank] = -1;
    capture.hosts = has_hosts ? capture.hosts : 0;
    *out = capture;
    return NUCE_OK;
}

nuce_status nuce_calls_read(const struct nuce_calls_text *input, struct nuce_capture *out,
                            struct nuce_error *error)
{
    struct calls_reader reader = {.input = input, .last_row = -1};
    nuce_status status;

    nuce_scanner_init(&reader.scanner, input->name, input->text, input->length);
    reader.scanner.comment = '#';
    nuce_matrices_init(&reader.matrices);
    status = scan_lines(&reader, error);
    if (status == NUCE_OK && reader.last_row >= 0) {
        nuce_matrices_end_call(&reader.matrices, reader.ranks);
        nuce_matrices_finish(&reader.matrices, out);
    } else if (status == NUCE_OK) {
        status = record_lines(&reader, out, error);
    }
    nuce_matrices_fini(&reader.matrices);
    for (int i = 0; i < reader.comm_count; i++)
        free(reader.comms[i].members);
    free(reader.comms);
    free(reader.host);
    free(reader.lines);
    free(reader.ids);
    free(reader.words);
    free(reader.messages);
    return status;
}
