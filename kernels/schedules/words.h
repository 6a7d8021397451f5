/* Networks that users name by a word instead of a file or a preset. */
#ifndef NUCE_NETWORK_WORDS_H
#define NUCE_NETWORK_WORDS_H

#include <stddef.h>

#define NUCE_NETWORK_RANDOM "random" /* drawn from ranges */
#define NUCE_NETWORK_EMULATED                                                                      \
    "emulated" /* drawn from ranges, on equal links: messages are                                  \
                  made longer or shorter instead (Bhat, Prasanna and                               \
                  Raghavendra, section 5, step 4) */
#define NUCE_NETWORK_MEASURED                                                                      \
    "measured" /* the latest network from nuce-calibrate links on the                              \
                  hosts that the ranks run on */

/* True if name is one of these words. */
int nuce_network_is_word(const char *name);

/* The index-th name of a network that is not a file: presets (network.h), then words. NULL past the
 * end. */
const char *nuce_network_name(size_t index);

#endif
