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
#include "base/units.h"
#include "fuzz.h"

#define MOST_BYTES 65536 /* of a mutated input */

struct input {
    int64_t size;
    uint8_t *data;
};

struct corpus {
    int64_t count, capacity;
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

static nuce_status read_input(const char *path, struct input *out, struct nuce_error *error)
{
    FILE *file = fopen(path, "rb");
    int64_t capacity = 0;
    size_t got;

    *out = (struct input){0};
    if (file == NULL)
        return nuce_error_set(error, NUCE_BAD_INPUT, "%s: %s", path, strerror(errno));
    do {
        nuce_allocate_more((void **)&out->data, &capacity, out->size + 4096, 1);
        got = fread(out->data + out->size, 1, (size_t)(capacity - out->size), file);
        out->size += (int64_t)got;
    } while (got > 0);
    if (ferror(file))
        nuce_error_set(error, NUCE_BAD_INPUT, "%s: cannot be read", path);
    fclose(file);
    return error->status;
}

static int is_file(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

/* All files of folder in the order of their names, so that a seed means the same everywhere. */
static nuce_status read_corpus(const char *folder, struct corpus *corpus, struct nuce_error *error)
{
    struct dirent **names = NULL;
    int count = scandir(folder, &names, is_file, alphasort);

    if (count < 1)
        return nuce_error_set(error, NUCE_BAD_INPUT, "%s: expected a folder of corpus files",
                              folder);
    corpus->inputs = nuce_allocate(count, sizeof *corpus->inputs);
    for (int i = 0; i < count; i++) {
        char *path = nuce_text_format("%s/%s", folder, names[i]->d_name);

        if (error->status == NUCE_OK &&
            read_input(path, &corpus->inputs[corpus->count], error) == NUCE_OK)
            corpus->count++;
        free(path);
        free(names[i]);
    }
    free(names);
    return error->status;
}

static void free_corpus(struct corpus *corpus)
{
    for (int64_t i = 0; i < corpus->count; i++)
        free(corpus->inputs[i].data);
    free(corpus->inputs);
}

/* Puts length bytes in place of the cut bytes at `at`; what would pass MOST_BYTES is left out. */
static void replace(struct input *input, int64_t at, int64_t cut, const void *bytes, int64_t length)
{
    if (input->size - cut + length > MOST_BYTES)
        return;
    memmove(input->data + at + length, input->data + at + cut, (size_t)(input->size - at - cut));
    memcpy(input->data + at, bytes, (size_t)length);
    input->size += length - cut;
}

static int64_t pick(struct nuce_rng *rng, int64_t bound)
{
    return (int64_t)nuce_rng_below(rng, (uint64_t)bound);
}

/* One change: of a bit, a byte, a range or a token. */
static void mutate(struct input *input, const struct input *other, struct nuce_rng *rng)
{
    int64_t at = pick(rng, input->size + 1);
    int64_t rest = input->size - at;
    int64_t cut = rest > 0 ? 1 + pick(rng, rest < 16 ? rest : 16) : 0;
    const char *token = tokens[pick(rng, (int64_t)(sizeof tokens / sizeof *tokens))];
    uint8_t byte = (uint8_t)pick(rng, 256);
    int64_t from = pick(rng, other->size + 1);
    int64_t length = pick(rng, other->size - from + 1);

    switch (pick(rng, 7)) {
    case 0: /* flip a bit */
        if (rest > 0)
            input->data[at] ^= (uint8_t)(1u << pick(rng, 8));
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
        replace(input, at, 0, token, (int64_t)strlen(token));
        break;
    case 5: /* put a token in the place of something */
        replace(input, at, cut, token, (int64_t)strlen(token));
        break;
    default: /* put a part of another file in */
        replace(input, at, 0, other->data + from, length);
        break;
    }
}

/* Runs the target over a copy that ends where its block ends, so that AddressSanitizer sees any
 * byte read beyond it. */
static nuce_status run(const struct input *input, int keep, struct nuce_error *error)
{
    uint8_t *copy = malloc(input->size > 0 ? (size_t)input->size : 1);

    if (copy == NULL)
        return nuce_error_set(error, NUCE_FAILED, "out of memory");
    memcpy(copy, input->data, (size_t)input->size);
    if (ftruncate(keep, 0) != 0 || pwrite(keep, copy, (size_t)input->size, 0) != input->size)
        nuce_error_set(error, NUCE_FAILED, "the input cannot be kept: %s", strerror(errno));
    else
        LLVMFuzzerTestOneInput(copy, (size_t)input->size);
    free(copy);
    return error->status;
}

struct budget {
    int64_t mutations;
    double seconds;
};

static double now_s(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static nuce_status run_mutations(const struct corpus *corpus, struct budget budget, uint64_t seed,
                                 int keep, int64_t *done, struct nuce_error *error)
{
    uint8_t data[MOST_BYTES];
    double end_s = now_s() + budget.seconds;

    for (*done = 0; *done < budget.mutations && now_s() < end_s; ++*done) {
        struct nuce_rng rng = nuce_rng_create(seed, (uint64_t)*done);
        const struct input *first = &corpus->inputs[pick(&rng, corpus->count)];
        struct input input = {.data = data};

        input.size = first->size < MOST_BYTES ? first->size : MOST_BYTES;
        memcpy(data, first->data, (size_t)input.size);
        for (int64_t changes = 1 + pick(&rng, 6); changes > 0; changes--)
            mutate(&input, &corpus->inputs[pick(&rng, corpus->count)], &rng);
        if (run(&input, keep, error) != NUCE_OK)
            return error->status;
    }
    return NUCE_OK;
}

static nuce_status replay(const char *folder, struct budget budget, uint64_t seed, int keep,
                          struct nuce_error *error)
{
    struct corpus corpus = {0};
    int64_t done = 0;

    if (read_corpus(folder, &corpus, error) != NUCE_OK)
        goto fail;
    for (int64_t i = 0; i < corpus.count; i++) {
        if (run(&corpus.inputs[i], keep, error) != NUCE_OK)
            goto fail;
    }
    if (run_mutations(&corpus, budget, seed, keep, &done, error) != NUCE_OK)
        goto fail;
    printf("%lld files and %lld mutations\n", (long long)corpus.count, (long long)done);
fail:
    free_corpus(&corpus);
    return error->status;
}

/* "20000" is a number of mutations, "600s" a time. */
static nuce_status parse_budget(const char *text, struct budget *out, struct nuce_error *error)
{
    *out = (struct budget){INT64_MAX, 1e9};
    if (nuce_units_parse_count(text, &out->mutations, error) == NUCE_OK)
        return NUCE_OK;
    return nuce_units_parse_duration(text, &out->seconds, error);
}

int main(int argc, char **argv)
{
    struct nuce_error error = {0};
    struct budget budget;
    int64_t seed = 1;
    char *kept = NULL;
    int keep = -1;

    if (argc < 3 || argc > 4) {
        fprintf(stderr, "usage: %s FOLDER MUTATIONS|DURATION [SEED]\n", argv[0]);
        return 2;
    }
    if (parse_budget(argv[2], &budget, &error) != NUCE_OK)
        goto fail;
    if (argc == 4 && nuce_units_parse_count(argv[3], &seed, &error) != NUCE_OK)
        goto fail;
    error = (struct nuce_error){0};
    kept = nuce_text_format("%s.input", program_invocation_short_name);
    keep = open(kept, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (keep < 0) {
        nuce_error_set(&error, NUCE_FAILED, "%s: %s", kept, strerror(errno));
        goto fail;
    }
    if (replay(argv[1], budget, (uint64_t)seed, keep, &error) == NUCE_OK)
        unlink(kept);
fail:
    if (error.status != NUCE_OK)
        fprintf(stderr, "%s: %s\n", argv[0], error.message);
    if (keep >= 0)
        close(keep);
    free(kept);
    return nuce_error_exit_status(error.status);
}
