/* The interface of libFuzzer, which the replay driver shares. */
#ifndef NUCE_FUZZ_H
#define NUCE_FUZZ_H

#include <stddef.h>
#include <stdint.h>

/* Runs the code under test over size bytes at data; returns 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Nonzero if the first number of a text outside comments, which begin with #, is more than most. */
static inline int fuzz_is_beyond(const uint8_t *data, size_t size, int64_t most)
{
    int64_t number = 0;
    int comment = 0;
    size_t k = 0;

    for (; k < size && (comment || data[k] < '0' || data[k] > '9'); k++)
        comment = data[k] != '\n' && (comment || data[k] == '#');
    for (; k < size && data[k] >= '0' && data[k] <= '9' && number <= most; k++)
        number = 10 * number + (data[k] - '0');
    return number > most;
}

#endif
