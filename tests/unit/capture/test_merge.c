/* Captures of ranks whose calls are played from scripts. */
#include "../test.h"

#include <ctype.h>
#include <sys/stat.h>

#include "ranks.h"

/* Requests by their letters. */
struct played {
    struct ranks ranks;
    uint64_t request[128];
    int owner[128];
};

static int number_at(const char **at)
{
    char *end;
    int number = (int)strtol(*at, &end, 10);

    assert_true(end > *at);
    *at = end;
    return number;
}

/* "#9": the tag 9; "#*": any; else 0. */
static int tag_at(const char **at)
{
    if (**at != '#')
        return 0;
    ++*at;
    if (**at != '*')
        return number_at(at);
    ++*at;
    return NUCE_RECORDER_ANY;
}

/* Behind the letter of a request: "1<0" rank 1 receives from 0, "1<*" from anybody, "0>1:8" rank 0
 * sends 8 bytes to 1, "0<>1:8" it does so and receives from anybody by one request. A tag may
 * follow. As a persistent request behind "&". */
static void play_post(struct played *played, int letter, const char **at)
{
    struct nuce_recorder_message message = {.direction = NUCE_RAW_SEND}, in;
    int is_made = **at == '&', is_pair = 0, rank, tag;
    struct nuce_recorder *recorder;
    uint64_t request = ++played->ranks.request;

    *at += is_made;
    rank = number_at(at);
    if (**at == '<') {
        is_pair = *++*at == '>';
        message.direction = is_pair ? NUCE_RAW_SEND : NUCE_RAW_RECEIVE;
    }
    *at += is_pair || message.direction == NUCE_RAW_SEND;
    message.peer = **at == '*' ? NUCE_RECORDER_ANY : 0;
    *at += message.peer == NUCE_RECORDER_ANY;
    if (message.peer == 0)
        message.peer = number_at(at);
    if (**at == ':') {
        ++*at;
        message.bytes = number_at(at);
    }
    tag = tag_at(at);
    message.tag = is_pair ? 4 : tag;
    in = message_of(NUCE_RAW_RECEIVE, NUCE_RECORDER_ANY, tag, 0);
    recorder = played->ranks.recorder[rank];
    played->request[letter] = request;
    played->owner[letter] = rank;
    played->ranks.now += 1000;
    if (is_made)
        nuce_recorder_make(recorder, request, &message);
    else if (is_pair)
        nuce_recorder_post_pair(recorder, request, &in, &message, played->ranks.now);
    else
        nuce_recorder_post(recorder, request, &message, played->ranks.now);
}

/* A sign and a letter, for the request with that letter: ".A" it ends, ".A=2" with a message of
 * rank 2, ".A=?" with one of an unknown rank; "+A" it is started, "!A" freed, "~A" ignored, "cA"
 * cancelled, "xA" cancelled and ended. */
static void play_request(struct played *played, int sign, const char **at)
{
    int letter = *(*at)++, source = 0, tag = 0;
    uint64_t request = played->request[letter];
    struct nuce_recorder *recorder = played->ranks.recorder[played->owner[letter]];
    int64_t now = played->ranks.now += 1000;

    if (**at == '=') {
        ++*at;
        source = **at == '?' ? NUCE_RECORDER_ANY : 0;
        *at += source == NUCE_RECORDER_ANY;
        if (source == 0)
            source = number_at(at);
        tag = source == NUCE_RECORDER_ANY ? source : tag_at(at);
        /* Somebody must have asked for it. */
        assert_true(nuce_recorder_wishes_any(recorder));
        assert_int_not_equal(nuce_recorder_wishes(recorder, request), NUCE_RECORDER_NOTHING);
    }
    if (sign == '.') {
        nuce_recorder_finish(recorder, request, source, tag, now);
        assert_int_equal(nuce_recorder_wishes(recorder, request), NUCE_RECORDER_NOTHING);
    } else if (sign == '+')
        nuce_recorder_start(recorder, request, now);
    else if (sign == '!')
        nuce_recorder_free(recorder, request, now);
    else if (sign == '~')
        nuce_recorder_pass(recorder, request);
    if (sign == 'c' || sign == 'x') {
        nuce_recorder_cancel(recorder, request);
        assert_int_equal(nuce_recorder_wishes(recorder, request), NUCE_RECORDER_SOURCE);
    }
    if (sign == 'x') {
        nuce_recorder_cancelled(recorder, request, now);
        assert_false(nuce_recorder_wishes_any(recorder));
    }
}

/* Words with blanks between them; "3( ... )" three times; "o100" a ring of 100 bytes and more, "|"
 * a barrier; "?1<0" rank 1 probes for a message of 0 and finds none, "?1<0+" one; "0->1:7" a
 * blocking send that comes to nothing, "0>1:7" one that ends. Returns behind the end or the bracket
 * that ends it. */
static const char *play(struct played *played, const char *at)
{
    while (*at != '\0' && *at != ')') {
        if (*at == ' ') {
            at++;
        } else if (isdigit((unsigned char)*at) && strchr("0123456789", at[1]) == NULL &&
                   at[1] != '(') {
            struct nuce_recorder_message message = {.direction = NUCE_RAW_SEND};
            struct nuce_recorder_place place;
            int rank = number_at(&at), is_undone = *at == '-';

            at += 1 + is_undone;
            message.peer = number_at(&at);
            at++;
            message.bytes = number_at(&at);
            place = nuce_recorder_begin(played->ranks.recorder[rank], &message,
                                        played->ranks.now += 1000);
            if (is_undone)
                nuce_recorder_undo(played->ranks.recorder[rank], &place, played->ranks.now += 1000);
            else
                nuce_recorder_end(played->ranks.recorder[rank], &place, 0, 0,
                                  played->ranks.now += 1000);
        } else if (isdigit((unsigned char)*at)) {
            int times = number_at(&at);
            const char *begin = ++at;

            while (times-- > 0)
                at = play(played, begin);
            at++;
        } else if (*at == 'o') {
            at++;
            ring(&played->ranks, 0, number_at(&at));
        } else if (*at == '|') {
            at++;
            barrier(&played->ranks);
        } else if (*at == '?') {
            int rank, peer;

            at++;
            rank = number_at(&at);
            at++;
            peer = number_at(&at);
            nuce_recorder_probe(played->ranks.recorder[rank], 0, peer, 0, *at == '+');
            at += *at == '+';
        } else if (isupper((unsigned char)*at)) {
            int letter = *at++;

            play_post(played, letter, &at);
        } else {
            int sign = *at++;

            play_request(played, sign, &at);
        }
    }
    return at;
}

/* "3 exact 0>1:8 1>2:8; 1 epoch barrier; unmatched 1": calls, quality, messages of each pattern. */
static void describe(const struct nuce_capture *capture, char *text)
{
    char *end = text;

    for (int i = 0; i < capture->patterns; i++) {
        const struct nuce_capture_pattern *pattern = &capture->pattern[i];
        const struct nuce_capture_topology *topology = &capture->topology[pattern->topology];

        end += sprintf(end, "%s%lld %s", i == 0 ? "" : "; ", (long long)pattern->calls,
                       nuce_capture_quality_name(pattern->quality));
        if (pattern->kind != NUCE_RAW_KIND_exchange)
            end += sprintf(end, " %s", nuce_raw_kind_name(pattern->kind));
        for (int64_t k = 0; k < topology->messages; k++)
            end += sprintf(end, " %d>%d:%lld", topology->source[k], topology->destination[k],
                           (long long)pattern->bytes[k]);
    }
    if (capture->unmatched > 0)
        end += sprintf(end, "; unmatched %lld", (long long)capture->unmatched);
    if (capture->counters[NUCE_RAW_CANCELLED] > 0)
        end += sprintf(end, "; cancelled %lld", (long long)capture->counters[NUCE_RAW_CANCELLED]);
    if (capture->counters[NUCE_RAW_UNFINISHED] > 0)
        sprintf(end, "; unfinished %lld", (long long)capture->counters[NUCE_RAW_UNFINISHED]);
}

#define RING "0>1:100 1>2:101 2>3:102 3>0:103"

static const struct {
    const char *what, *script, *found;
} scripts[] = {
    {"pairs apart from each other are one call, behind a collective another",
     "3(A1<0 B0>1:8 .A .B A3<2 B2>3:8 .A .B |)", "3 exact 0>1:8 2>3:8; 3 exact barrier"},
    {"a fast rank is rounds ahead: the n-th message meets the n-th receive",
     "A0>1:10 .A A0>1:11 .A A0>1:12 .A 3(B1<*#* .B=0)",
     "1 exact 0>1:10; 1 exact 0>1:11; 1 exact 0>1:12"},
    {"one round takes what are two of the sender: each is of its sender's round",
     "A1<0 B1<0 C0>1:8 .C .A C0>1:8 .C .B", "2 exact 0>1:8"},
    {"where that round sends too, the order is lost",
     "A1<0 B1<0 D2<1 E1>2:8 C0>1:8 .C .A C0>1:8 .C .B .E .D", "1 merged 0>1:8 0>1:8 1>2:8"},
    {"a receive that was passed over and came before the next send",
     "A0<1 ~A B1>0:8 .B .A B0>2:8 C2<0 .C .B", "1 exact 1>0:8; 1 exact 0>2:8"},
    {"one that came behind it: its round depends on time", "A0<1 ~A B1>0:8 .B B0>2:8 C2<0 .C .A .B",
     "1 epoch 0>2:8 1>0:8"},
    {"two from one source between what the rank sends", "2(A0<* B1>0:8 .B .A=1 A3<0 B0>3:16 .B .A)",
     "2 exact 1>0:8; 2 exact 0>3:16"},
    {"two from different sources might have come the other way round",
     "A0<* B1>0:8 .B .A=1 A3<0 B0>3:16 .B .A A0<* B2>0:8 .B .A=2 A3<0 B0>3:16 .B .A",
     "1 epoch 0>3:16 0>3:16 1>0:8 2>0:8"},
    {"a send that is still under way when the next round begins",
     "A1<0 B0<1 C0>1:8 D1>0:8 .A .D .B 2(A1<0 B0<1 E0>1:8 D1>0:8 .A .D .B .C A1<0 B0<1 C0>1:8 "
     "D1>0:8 .A .D .B .E)",
     "5 exact 0>1:8 1>0:8"},
    {"what is freed under way makes that epoch undecided, and no other",
     "A1<0 B0>1:8 .B .A | A1<0 B0>1:8 !B .A | A1<0 B0>1:8 .B .A |",
     "2 exact 0>1:8; 3 exact barrier; 1 epoch 0>1:8"},
    {"a receive that outlasts collectives is of the round in which it ends",
     "L1<*#9 4(A0<1 B1>0:8 .B .A |) B0>1:16#9 .B .L=0#9",
     "3 exact 1>0:8; 4 exact barrier; 1 epoch 1>0:8; 1 epoch 0>1:16"},
    {"a receive that is cancelled", "A1<*#9 xA o100", "1 exact " RING "; cancelled 1"},
    {"one that is cancelled and freed", "A1<0 cA !A 2(o100 |)",
     "2 exact " RING "; 2 exact barrier; cancelled 1"},
    {"waiting by probes for one rank, or by a receive behind them",
     "?1<0 ?1<0 0>1:8 ?1<0+ A1<0 .A B0<1 1>0:9 .B ?1<0 0>1:8 A1<0 .A B0<1 1>0:9 .B",
     "2 exact 0>1:8; 2 exact 1>0:9"},
    {"probes for one rank after the other: the answer depends on who asked first",
     "1>0:8 ?0<2 ?0<1+ A0<1 .A B1<0 0>1:32 .B 2>0:8 ?0<2+ A0<2 .A B2<0 0>2:32 .B",
     "1 epoch 0>1:32 0>2:32 1>0:8 2>0:8"},
    {"one request for a send and a receive ends both",
     "3(A0<>1:100#4 B1<>2:101#4 C2<>3:102#4 D3<>0:103#4 .A=3#4 .B=0#4 .C=1#4 .D=2#4)",
     "3 exact " RING},
    {"where nobody knows what it received, others are what they are",
     "A0<>1:100#* B1<>2:101#* C2<>3:102#* D3<>0:103#* .A=? .B=? .C=? .D=? o100",
     "1 merged 0>1:100; 1 merged 1>2:101; 1 merged 2>3:102; 1 merged 3>0:103; 1 exact " RING
     "; unmatched 4"},
    {"persistent requests; what is not under way does not end, nor start twice",
     "A&1<0 B&0>1:100 C&2<1 D&1>2:101 E&3<2 F&2>3:102 G&0<3 H&3>0:103 .B "
     "5(+A +B +B +C +D +E +F +G +H .A .B .B .C .D .E .F .G .H) !A !B +B",
     "5 exact " RING},
    {"a persistent receive from anybody, each time what it got",
     "R&0<* +R S1>0:10 .R=1 .S | +R S2>0:20 .R=2 .S | +R S3>0:30 .R=3 .S |",
     "1 exact 1>0:10; 3 exact barrier; 1 exact 2>0:20; 1 exact 3>0:30"},
    {"blocking sends with receives that are posted before",
     "5(A0<3 B1<0 C2<1 D3<2 0>1:100 1>2:101 2>3:102 3>0:103 .A .B .C .D)", "5 exact " RING},
    {"a blocking send that came to nothing", "0->1:77 o100", "1 exact " RING},
    {"what is freed under way ends; of a receive from anybody nobody knows",
     "A1<0 B0>1:64 !B !A C1<*#3 !C |", "1 epoch 0>1:64; 1 exact barrier; unfinished 1"},
    {"Sendrecv while a receive is open that is cancelled",
     "L1<0#9 3(A1<0 B0<1 0>1:8 1>0:8 .A .B) xL", "3 exact 0>1:8 1>0:8; cancelled 1"},
    {"a receive of the next round is posted before the one of this round is waited for",
     "A1<0 B1<0 C0>1:8 .A .C 2(A1<0 C0>1:8 .B .C B1<0 C0>1:8 .A .C) C0>1:8 .B .C", "6 exact 0>1:8"},
    {"polling for messages that are sent on: the level depends on time",
     "0>1:16 L1<*#* ~L .L=0 1>2:24 L1<*#* M2<* .M=1 2>1:16 ~L .L=2 1>3:24 N3<* .N=1",
     "1 epoch 0>1:16 1>2:24 1>3:24 2>1:16"},
    {"work that is dealt out to the one who asks first",
     "1>0:8 A0<* .A=1 B1<0 0>1:32 .B 2>0:8 A0<* .A=2 B2<0 0>2:32 .B 1>0:8 A0<* .A=1",
     "1 epoch 0>1:32 0>2:32 1>0:8 1>0:8 2>0:8"},
    {"rows from the first rank to the last", "3(A1<0 0>1:80 .A B2<1 1>2:80 .B)",
     "3 exact 0>1:80; 3 exact 1>2:80"},
    {"the message that came first is sent on first",
     "2(A1<0 B1<2 C0>1:8 D2>1:9 ~B .A E1>3:8#1 .B F1>3:9#1 G3<1#1 H3<1#1 .G .H .C .D .E .F)",
     "1 epoch 0>1:8 0>1:8 1>3:8 1>3:8 1>3:9 1>3:9 2>1:9 2>1:9"},
    {"one direction behind the other",
     "3(A0<1 B1<0 C0<1#1 D1<0#1 E0>1:8 F1>0:8 .A .B G0>1:9#1 H1>0:9#1 .C .D .E .F .G .H)",
     "3 exact 0>1:8 1>0:8; 3 exact 0>1:9 1>0:9"},
    {"two fields under way at once",
     "3(A0<1 B1<0 E0>1:8 F1>0:8 C0<1#1 D1<0#1 G0>1:9#1 H1>0:9#1 .A .B .E .F .C .D .G .H)",
     "3 exact 0>1:8 0>1:9 1>0:8 1>0:9"},
    {"a test between the sends of a round",
     "A0<1 B1<0 F1<0 C0>1:8 ~A D1>0:8 E0>1:9 .A .B .F .C .D .E", "1 epoch 0>1:8 0>1:9 1>0:8"},
    {"tags are no part of a pattern", "A1<0#1 B0>1:8#1 .A .B A1<0#2 B0>1:8#2 .A .B",
     "2 exact 0>1:8"},
};

static void test_cases(void **state)
{
    int is_wrong = 0;

    for (size_t i = 0; i < COUNT(scripts); i++) {
        struct nuce_capture capture;
        struct played played;
        char text[2048] = "";

        ranks_begin(&played.ranks);
        play(&played, scripts[i].script);
        ranks_merge(&played.ranks, &capture);
        describe(&capture, text);
        nuce_capture_fini(&capture);
        if (strcmp(text, scripts[i].found) == 0)
            continue;
        print_error("%s:\n    %s\n    instead of %s\n", scripts[i].what, text, scripts[i].found);
        is_wrong = 1;
    }
    assert_false(is_wrong);
}

static const struct nuce_capture_topology *topology_of(const struct nuce_capture *capture, int i)
{
    return &capture->topology[capture->pattern[i].topology];
}

/* Two kinds of rounds that take turns. */
static void test_rounds(void **state)
{
    OWNED(capture) capture;
    struct ranks ranks;

    ranks_begin(&ranks);
    for (int i = 0; i < 300; i++)
        ring(&ranks, i, i % 2 ? 100 : 200);
    ranks_merge(&ranks, &capture);
    /* Tags are no part of a pattern. */
    assert_int_equal(capture.patterns, 2);
    assert_int_equal(capture.topologies, 1);
    assert_int_equal(capture.unmatched, 0);
    assert_int_equal(capture.sequence[0].count, 300);
    assert_int_equal(capture.sequence[0].runs, 1);
    assert_int_equal(capture.sequence[0].run[0].length, 2);
    assert_int_equal(capture.sequence[0].run[0].times, 150);
    for (int i = 0; i < 2; i++) {
        const struct nuce_capture_pattern *pattern = &capture.pattern[i];

        assert_int_equal(pattern->quality, NUCE_CAPTURE_EXACT);
        assert_int_equal(pattern->calls, 150);
        assert_int_equal(topology_of(&capture, i)->messages, RANKS);
        for (int k = 0; k < RANKS; k++) {
            assert_int_equal(topology_of(&capture, i)->source[k], k);
            assert_int_equal(topology_of(&capture, i)->destination[k], (k + 1) % RANKS);
            assert_int_equal(pattern->bytes[k], (i == 0 ? 200 : 100) + k);
        }
        assert_int_equal(capture.sequence[0].pattern[i], i);
        assert_int_equal(pattern->skew.count, 150);
        assert_true(pattern->skew.least == 6000);
        assert_true(pattern->arrival_ns[0] == 0 && pattern->arrival_ns[3] == 6000);
    }
}

/* Receives that are posted rounds before theirs, all of them or one that is never matched, change
 * nothing; nor does a process that ends without a word, in the midst of a round. */
static void test_posted_ahead(void **state)
{
    for (int ahead = 0; ahead <= 3; ahead++) {
        struct nuce_capture capture;
        struct ranks ranks;
        uint64_t receive[RANKS][16], send[RANKS];

        ranks_begin(&ranks);
        for (int i = 0; i < RANKS && ahead == 3; i++)
            receives(&ranks, i, NUCE_RECORDER_ANY, 99);
        for (int round = 0; round < 12; round++) {
            for (int i = 0; i < RANKS; i++) {
                for (int r = round == 0 ? 0 : round + ahead; r <= round + ahead; r++)
                    receive[i][r] = receives(&ranks, i, (i + RANKS - 1) % RANKS, r);
                send[i] = sends(&ranks, i, (i + 1) % RANKS, round, 8);
            }
            for (int i = 0; i < RANKS && round < 11; i++) {
                ends(&ranks, i, receive[i][round], 0, 0);
                ends(&ranks, i, send[i], 0, 0);
            }
        }
        /* As it is on the disk now: of the last round no receive has ended. */
        assert_ok(nuce_capture_merge(ranks.folder, (struct nuce_capture_merging){0}, &capture,
                                     ANY_ERROR));
        assert_int_equal(capture.patterns, 1 + RANKS);
        for (int i = 0; i < capture.patterns; i++) {
            int is_exact = capture.pattern[i].quality == NUCE_CAPTURE_EXACT;

            assert_int_equal(capture.pattern[i].calls, is_exact ? 11 : 1);
            assert_int_equal(topology_of(&capture, i)->messages, is_exact ? RANKS : 1);
        }
        assert_int_equal(capture.unmatched, RANKS);
        nuce_capture_fini(&capture);
        ranks_end(&ranks);
        ranks_remove(&ranks);
    }
}

/* A round that never ends is cut, and none of its messages is lost. */
static void test_cut(void **state)
{
    OWNED(capture) capture;
    struct ranks ranks;
    uint64_t listener;
    int64_t messages = 0;

    ranks_begin(&ranks);
    listener = receives(&ranks, 1, NUCE_RECORDER_ANY, 9);
    for (int i = 0; i < NUCE_RECORDER_LONGEST + 10; i++) {
        uint64_t receive = receives(&ranks, 0, 1, 0);

        ends(&ranks, 1, sends(&ranks, 1, 0, 0, 8), 0, 0);
        ends(&ranks, 0, receive, 0, 0);
    }
    ends(&ranks, 0, sends(&ranks, 0, 1, 9, 16), 0, 0);
    ends(&ranks, 1, listener, 0, 9);
    ranks_merge(&ranks, &capture);
    for (int i = 0; i < capture.patterns; i++) {
        assert_int_not_equal(capture.pattern[i].quality, NUCE_CAPTURE_EXACT);
        messages += capture.pattern[i].calls * topology_of(&capture, i)->messages;
    }
    assert_int_equal(messages, NUCE_RECORDER_LONGEST + 11);
    assert_int_equal(capture.unmatched, 0);
    assert_int_equal(capture.counters[NUCE_RAW_CUT], 1);
}

/* The same run twice is the same capture, ids and all, but for times. */
static void test_same(void **state)
{
    struct nuce_capture captures[2];

    for (int k = 0; k < 2; k++) {
        struct ranks ranks;

        ranks_begin(&ranks);
        for (int i = 0; i < 5; i++)
            ring(&ranks, 0, 10 * i);
        barrier(&ranks);
        ranks_merge(&ranks, &captures[k]);
    }
    assert_int_equal(captures[0].patterns, captures[1].patterns);
    for (int i = 0; i < captures[0].patterns; i++) {
        assert_string_equal(captures[0].pattern[i].id, captures[1].pattern[i].id);
        assert_int_equal(captures[0].pattern[i].calls, captures[1].pattern[i].calls);
    }
    nuce_capture_fini(&captures[0]);
    nuce_capture_fini(&captures[1]);
}

/* A rank whose file is not there, and one that is cut short: the rest is whole, and is marked. */
static void test_missing(void **state)
{
    OWNED(capture) capture;
    struct ranks ranks;
    struct stat file;
    char path[128];

    ranks_begin(&ranks);
    for (int i = 0; i < 10; i++)
        ring(&ranks, 0, 8);
    ranks_end(&ranks);
    snprintf(path, sizeof path, "%s/3.raw", ranks.folder);
    assert_int_equal(unlink(path), 0);
    snprintf(path, sizeof path, "%s/2.raw", ranks.folder);
    assert_int_equal(stat(path, &file), 0);
    assert_int_equal(truncate(path, file.st_size - 60), 0);
    assert_ok(
        nuce_capture_merge(ranks.folder, (struct nuce_capture_merging){0}, &capture, ANY_ERROR));
    ranks_remove(&ranks);
    assert_int_equal(capture.found, 3);
    assert_int_equal(capture.cut_files, 1);
    assert_true(capture.unmatched > 0);
    for (int i = 0; i < capture.patterns; i++)
        assert_int_equal(capture.pattern[i].quality, NUCE_CAPTURE_MERGED);
}

static void test_damaged(void **state)
{
    struct nuce_capture capture;
    struct nuce_error error;
    struct ranks ranks;
    char path[128];
    FILE *file;

    ranks_begin(&ranks);
    ring(&ranks, 0, 8);
    ranks_end(&ranks);
    snprintf(path, sizeof path, "%s/1.raw", ranks.folder);
    file = fopen(path, "r+");
    assert_non_null(file);
    assert_int_equal(fseek(file, sizeof(struct nuce_raw_header) + 20, SEEK_SET), 0);
    assert_int_equal(fputc(255, file), 255);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(
        nuce_capture_merge(ranks.folder, (struct nuce_capture_merging){0}, &capture, &error),
        NUCE_BAD_INPUT);
    assert_says(&error, "1.raw: damaged at byte");
    ranks_remove(&ranks);
}

/* Files of two starts do not go together. */
static void test_two_starts(void **state)
{
    struct nuce_capture capture;
    struct nuce_error error;
    struct ranks ranks;

    ranks_begin(&ranks);
    nuce_recorder_header(ranks.recorder[2])->run = 8;
    ranks_end(&ranks);
    assert_int_equal(
        nuce_capture_merge(ranks.folder, (struct nuce_capture_merging){0}, &capture, &error),
        NUCE_BAD_INPUT);
    assert_says(&error, "several starts");
    ranks_remove(&ranks);
}

/* Some of many calls are kept, each with how late every rank came in it; none of a single call,
 * since it is its own mean. */
static void test_kept(void **state)
{
    static const struct {
        int calls, kept;
    } cases[] = {{1, 0}, {2, 2}, {8, 8}, {9, 5}, {64, 8}, {100, 7}};

    for (size_t i = 0; i < COUNT(cases); i++) {
        OWNED(capture) capture;
        double late_s[RANKS];
        struct ranks ranks;

        ranks_begin(&ranks);
        for (int k = 0; k < cases[i].calls; k++)
            ring(&ranks, 0, 100);
        ranks_merge(&ranks, &capture);
        assert_int_equal(capture.patterns, 1);
        assert_int_equal(capture.pattern[0].kept, cases[i].kept);
        for (int k = 0; k < cases[i].kept + (cases[i].kept == 0); k++) {
            assert_ok(nuce_capture_lateness(&capture, &capture.pattern[0], k, late_s, ANY_ERROR));
            assert_true(late_s[0] == 0);
            /* Each posts twice before the next does; classes are an eighth wide. */
            for (int rank = 1; rank < RANKS; rank++)
                assert_true(fabs(late_s[rank] - rank * 2e-6) <= rank * 2e-6 / 8);
        }
    }
}

/* The patterns that took most time have their classes kept, where there is no room for all. */
static void test_kept_classes(void **state)
{
    enum { PATTERNS = NUCE_CAPTURE_MOST_KEPT_CLASSES / 2 + 100 };
    struct nuce_capture_row *rows;
    OWNED(capture) capture;
    struct nuce_error error;
    struct ranks ranks;
    int64_t classes = 0;

    ranks_begin(&ranks);
    for (int i = 0; i < 3 * PATTERNS; i++)
        ring(&ranks, 0, 10 * (i / 3));
    ranks_merge(&ranks, &capture);
    assert_int_equal(capture.patterns, PATTERNS);
    rows = nuce_capture_rows(&capture);
    assert_non_null(rows);
    for (int i = 0; i < PATTERNS; i++) {
        const struct nuce_capture_pattern *pattern = &capture.pattern[rows[i].pattern];
        int is_kept = pattern->duration.classes != NULL;
        double late_s[RANKS];

        /* All take as long, and a mean of each rank is kept of the first ones. */
        assert_int_equal(pattern->arrival_ns != NULL, i < NUCE_CAPTURE_MOST_KEPT_MEANS / RANKS);
        assert_int_equal(pattern->skew.count, 3);
        assert_int_equal(is_kept, i < NUCE_CAPTURE_MOST_KEPT_CLASSES / 2);
        if (pattern->arrival_ns == NULL) {
            assert_int_equal(nuce_capture_lateness(&capture, pattern, 0, late_s, &error),
                             NUCE_BAD_INPUT);
            assert_says(&error, "was not kept");
        }
        for (int k = 0; is_kept && k < NUCE_CAPTURE_CLASSES; k++)
            classes += (pattern->duration.classes[k] > 0) + (pattern->skew.classes[k] > 0);
    }
    assert_int_equal(classes, NUCE_CAPTURE_MOST_KEPT_CLASSES);
    free(rows);
}

static void starts(struct ranks *ranks, int rank, uint64_t request)
{
    nuce_recorder_start(ranks->recorder[rank], request, ranks->now += 1000);
}

/* Collective calls that are posted, and that are made once and started often, are those that block;
 * they take from their start to their end. */
static void test_collectives(void **state)
{
    const struct nuce_recorder_collective collective = {.kind = NUCE_RAW_KIND_barrier};
    const struct nuce_recorder_collective other = {.kind = NUCE_RAW_KIND_allreduce, .bytes = 24};
    OWNED(capture) capture;
    struct ranks ranks;
    uint64_t made[RANKS], posted[RANKS];

    ranks_begin(&ranks);
    for (int i = 0; i < RANKS; i++) {
        made[i] = ++ranks.request;
        nuce_recorder_make_collective(ranks.recorder[i], made[i], &collective);
        assert_int_equal(nuce_recorder_is_testable(ranks.recorder[i], made[i]), 0);
    }
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < RANKS; i++)
            starts(&ranks, i, made[i]);
        for (int i = 0; i < RANKS; i++)
            ends(&ranks, i, made[i], 0, 0);
    }
    for (int i = 0; i < RANKS; i++) {
        posted[i] = ++ranks.request;
        nuce_recorder_post_collective(ranks.recorder[i], posted[i], &other, ranks.now += 1000);
        assert_int_equal(nuce_recorder_is_testable(ranks.recorder[i], posted[i]), 1);
    }
    for (int i = 0; i < RANKS; i++) {
        ends(&ranks, i, posted[i], 0, 0);
        assert_int_equal(nuce_recorder_is_testable(ranks.recorder[i], posted[i]), 0);
    }
    barrier(&ranks);
    ranks_merge(&ranks, &capture);
    assert_int_equal(capture.patterns, 2);
    for (int i = 0; i < 2; i++) {
        const struct nuce_capture_pattern *pattern = &capture.pattern[i];
        int is_barrier = pattern->kind == NUCE_RAW_KIND_barrier;

        /* Each rank waits for as many calls of the clock as there are ranks; the blocking one takes
         * 500 ns. */
        assert_int_equal(pattern->calls, is_barrier ? 3 : 1);
        assert_int_equal(pattern->duration.most, 1000 * RANKS);
        assert_int_equal(pattern->duration.least, is_barrier ? 500 : 1000 * RANKS);
        if (is_barrier)
            continue;
        assert_int_equal(pattern->kind, NUCE_RAW_KIND_allreduce);
        assert_int_equal(pattern->moved, 24 * RANKS);
    }
}

/* Messages of a duplicate of the world are its own, also where it has been freed and another one
 * made: they are known by their members and by which one of these they are. */
static void test_dropped(void **state)
{
    OWNED(capture) capture;
    struct ranks ranks;
    int members[RANKS], with_calls = 0;

    ranks_begin(&ranks);
    for (int i = 0; i < RANKS; i++)
        members[i] = i;
    for (int duplicate = 1; duplicate <= 2; duplicate++) {
        uint64_t receive, send;

        for (int i = 0; i < RANKS; i++)
            assert_int_equal(nuce_recorder_add(ranks.recorder[i], members, RANKS, i), duplicate);
        for (int i = 0; i < 2; i++) {
            struct nuce_recorder_message message =
                message_of(i == 0 ? NUCE_RAW_RECEIVE : NUCE_RAW_SEND, 1 - i, 0, 10 * duplicate);

            message.communicator = duplicate;
            nuce_recorder_post(ranks.recorder[i], ++ranks.request, &message, ranks.now += 1000);
        }
        receive = ranks.request - 1;
        send = ranks.request;
        if (duplicate == 1) { /* freed while a message is under way, which ends all the same */
            nuce_recorder_drop(ranks.recorder[0], duplicate);
            nuce_recorder_drop(ranks.recorder[1], duplicate);
        }
        ends(&ranks, 0, receive, 1, 0);
        ends(&ranks, 1, send, 0, 0);
        if (duplicate == 2)
            nuce_recorder_drop(ranks.recorder[0], duplicate);
    }
    ring(&ranks, 0, 100);
    ranks_merge(&ranks, &capture);
    assert_int_equal(capture.patterns, 3);
    assert_int_equal(capture.unmatched, 0);
    for (int c = 0; c < capture.communicators; c++) {
        if (capture.sequence[c].count == 0)
            continue;
        assert_int_equal(capture.communicator[c].ordinal, with_calls);
        assert_int_equal(capture.communicator[c].size, RANKS);
        assert_int_equal(capture.sequence[c].count, 1);
        with_calls++;
    }
    assert_int_equal(with_calls, 3);
}

RUN(test_cases, test_rounds, test_cut, test_same, test_missing, test_damaged, test_two_starts,
    test_kept, test_kept_classes, test_posted_ahead, test_collectives, test_dropped)
