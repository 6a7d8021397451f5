/* The COM reader: whatever the bytes, it returns a pattern as pattern.h promises, or a
 * message that names the place. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "fuzz.h"
#include "schedules/pattern.h"

/* Memory for a pattern grows with its rank count: refusing more than this keeps a run quick, and
 * goes through the reader's own check. */
#define MOST_RANKS 4096

static void check(const struct nuce_pattern *pattern)
{
    int64_t sum = 0;

    NUCE_ASSERT(pattern->ranks >= 1 && pattern->row[0] == 0);
    NUCE_ASSERT(pattern->row[pattern->ranks] == pattern->messages);
    for (int i = 0; i < pattern->ranks; i++) {
        for (int64_t k = pattern->row[i]; k < pattern->row[i + 1]; k++) {
            NUCE_ASSERT(pattern->destination[k] >= 0 && pattern->destination[k] < pattern->ranks);
            NUCE_ASSERT(k == pattern->row[i] ||
                        pattern->destination[k] > pattern->destination[k - 1]);
            NUCE_ASSERT(pattern->bytes[k] > 0);
            NUCE_ASSERT(!__builtin_add_overflow(sum, pattern->bytes[k], &sum));
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    int ranks = fuzz_is_beyond(data, size, MOST_RANKS) ? MOST_RANKS : 0;
    struct nuce_pattern pattern = {0};
    struct nuce_error error = {0};

    if (nuce_pattern_parse("fuzz.com", (const char *)data, size, ranks, &pattern, &error) ==
        NUCE_OK) {
        check(&pattern);
        nuce_pattern_fini(&pattern);
    } else {
        NUCE_ASSERT(error.status == NUCE_BAD_INPUT);
        NUCE_ASSERT(strncmp(nuce_error_flatten(&error), "fuzz.com:", strlen("fuzz.com:")) == 0);
    }
    return 0;
}
