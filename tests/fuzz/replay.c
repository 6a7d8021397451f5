/* Runs a fuzz target without libFuzzer: over every file of a corpus folder as it is, then over
 * seeded mutations of them. The same corpus, count and seed give the same inputs everywhere.
 *
 * The input under test is kept in PROGRAM.input in the current folder, which is left there only
 * when it crashes the program: give that file a name in the corpus to keep the case. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/rng.h"
#include "base/text.h"
#include "base/text_file.h"
#include "base/units.h"
#include "fuzz.h"

#define MOST_BYTES 65536 /* of a mutated input */

struct input {
    size_t size;
    char *data;
};

struct corpus {
    int64_t count;
    struct input *inputs;
};

/* Texts that readers are likely to trip over. */
static const char *const tokens[] = {
    "0",
    "-1",
    "2147483647",
    "2147483648",
    "4294967296",
    "9223372036854775807",
    "9223372036854775808",
    "99999999999999999999999",
    "1e9",
    "0x10",
    "nan",
    "#",
    "\n",
    "\r\n",
    "\t",
    " ",
    "$End",
    "%%",
    "- ",
    ": ",
    "\xff\xfe",
};

static void must(nuce_status status, const struct nuce_error *error)
{
    if (status == NUCE_OK)
        return;
    nuce_error_print(error, program_invocation_short_name);
    exit(nuce_error_exit_status(status));
}

static int is_file(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

/* All files of folder in the order of their names, so that a seed means the same everywhere. */
static struct corpus read_corpus(const char *folder)
{
    struct nuce_error error;
    struct dirent **names = NULL;
    struct corpus corpus = {.count = scandir(folder, &names, is_file, alphasort)};

    if (corpus.count < 1)
        must(
            nuce_error_set(&error, NUCE_BAD_INPUT, "%s: expected a folder of corpus files", folder),
            &error);
    corpus.inputs = nuce_allocate(corpus.count, sizeof *corpus.inputs);
    for (int64_t i = 0; i < corpus.count; i++) {
        char *path = nuce_text_format("%s/%s", folder, names[i]->d_name);

        must(nuce_text_read(path, &corpus.inputs[i].data, &corpus.inputs[i].size, &error), &error);
        free(path);
        free(names[i]);
    }
    free(names);
    return corpus;
}

/* Replaces `cut` bytes at `at` by length bytes; bytes beyond MOST_BYTES are dropped. */
static void replace(struct input *input, size_t at, size_t cut, const char *bytes, size_t length)
{
    if (input->size - cut + length > MOST_BYTES)
        return;
    memmove(input->data + at + length, input->data + at + cut, input->size - at - cut);
    memcpy(input->data + at, bytes, length);
    input->size += length - cut;
}

static size_t pick(struct nuce_rng *rng, size_t bound)
{
    return (size_t)nuce_rng_below(rng, bound);
}

/* One change: of a bit, a byte, a range or a token. */
static void mutate(struct input *input, const struct input *other, struct nuce_rng *rng)
{
    size_t at = pick(rng, input->size + 1), rest = input->size - at;
    size_t cut = rest > 0 ? 1 + pick(rng, rest < 16 ? rest : 16) : 0;
    const char *token = tokens[pick(rng, sizeof tokens / sizeof *tokens)];
    char byte = (char)pick(rng, 256);
    size_t from = pick(rng, other->size + 1), length = pick(rng, other->size - from + 1);

    switch (pick(rng, 7)) {
    case 0: /* flip a bit */
        if (rest > 0)
            input->data[at] = (char)(input->data[at] ^ (1 << pick(rng, 8)));
        break;
    case 1: /* change a byte */
        replace(input, at, rest > 0, &byte, 1);
        break;
    case 2: /* take a range out */
        replace(input, at, cut, "", 0);
        break;
    case 3: /* cut off */
        input->size = at;
        break;
    case 4: /* put a token in */
        replace(input, at, 0, token, strlen(token));
        break;
    case 5: /* put a token in the place of something */
        replace(input, at, cut, token, strlen(token));
        break;
    default: /* put a part of another file in */
        replace(input, at, 0, other->data + from, length);
        break;
    }
}

/* Runs the target over a copy that ends where its block ends, so that AddressSanitizer sees any
 * byte read beyond it. */
static void run(const struct input *input, int keep)
{
    uint8_t *copy = malloc(input->size > 0 ? input->size : 1);
    struct nuce_error error;

    NUCE_ASSERT(copy != NULL);
    memcpy(copy, input->data, input->size);
    if (ftruncate(keep, 0) != 0 || pwrite(keep, copy, input->size, 0) != (ssize_t)input->size)
        must(nuce_error_set(&error, NUCE_FAILED, "the input cannot be kept: %s", strerror(errno)),
             &error);
    LLVMFuzzerTestOneInput(copy, input->size);
    free(copy);
}

static double now_s(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Returns how many there were. */
static int64_t run_mutations(const struct corpus *corpus, int64_t mutations, double seconds,
                             uint64_t seed, int keep)
{
    char data[MOST_BYTES];
    double end_s = now_s() + seconds;
    int64_t done = 0;

    for (; done < mutations && now_s() < end_s; done++) {
        struct nuce_rng rng = nuce_rng_create(seed, (uint64_t)done);
        const struct input *first = &corpus->inputs[pick(&rng, (size_t)corpus->count)];
        struct input input = {first->size < MOST_BYTES ? first->size : MOST_BYTES, data};

        memcpy(data, first->data, input.size);
        for (size_t changes = 1 + pick(&rng, 6); changes > 0; changes--)
            mutate(&input, &corpus->inputs[pick(&rng, (size_t)corpus->count)], &rng);
        run(&input, keep);
    }
    return done;
}

int main(int argc, char **argv)
{
    struct nuce_error error;
    struct corpus corpus;
    int64_t mutations = INT64_MAX, seed = 1, done;
    double seconds = 1e9;
    char *kept;
    int keep;

    if (argc < 3 || argc > 4) {
        fprintf(stderr, "usage: %s FOLDER MUTATIONS|DURATION [SEED]\n", argv[0]);
        return 2;
    }
    /* "20000" is a number of mutations, "600s" a time. */
    if (nuce_units_parse_count(argv[2], &mutations, &error) != NUCE_OK)
        must(nuce_units_parse_duration(argv[2], &seconds, &error), &error);
    if (argc == 4)
        must(nuce_units_parse_count(argv[3], &seed, &error), &error);
    kept = nuce_text_format("%s.input", program_invocation_short_name);
    keep = open(kept, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (keep < 0)
        must(nuce_error_set(&error, NUCE_FAILED, "%s: %s", kept, strerror(errno)), &error);
    corpus = read_corpus(argv[1]);
    for (int64_t i = 0; i < corpus.count; i++)
        run(&corpus.inputs[i], keep);
    done = run_mutations(&corpus, mutations, seconds, (uint64_t)seed, keep);
    printf("%lld files and %lld mutations\n", (long long)corpus.count, (long long)done);
    unlink(kept);
    close(keep);
    free(kept);
    for (int64_t i = 0; i < corpus.count; i++)
        free(corpus.inputs[i].data);
    free(corpus.inputs);
    return 0;
}
