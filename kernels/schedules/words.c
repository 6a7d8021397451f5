/* The words that stand for networks made when a program starts, beside presets and files. */
#include "schedules/words.h"

#include <string.h>

#include "schedules/network.h"

static const char *const words[] = {NUCE_NETWORK_RANDOM, NUCE_NETWORK_EMULATED,
                                    NUCE_NETWORK_MEASURED, NULL};

int nuce_network_is_word(const char *name)
{
    for (int i = 0; words[i] != NULL; i++) {
        if (strcmp(name, words[i]) == 0)
            return 1;
    }
    return 0;
}

/* The presets come first, so that a list of the words alone is what is behind them. */
const char *nuce_network_name(size_t index)
{
    size_t presets = 0;

    while (nuce_network_preset_name(presets) != NULL)
        presets++;
    return index < presets ? nuce_network_preset_name(index) : words[index - presets];
}
