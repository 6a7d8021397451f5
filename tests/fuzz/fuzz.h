/* The interface of libFuzzer, which the replay driver shares. */
#ifndef NUCE_FUZZ_H
#define NUCE_FUZZ_H

#include <stddef.h>
#include <stdint.h>

/* Runs the code under test over size bytes at data; returns 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
