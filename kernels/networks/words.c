#include "words.h"

#include <string.h>

int nuce_network_is_word(const char *name)
{
    return strcmp(name, NUCE_NETWORK_RANDOM) == 0 || strcmp(name, NUCE_NETWORK_EMULATED) == 0 ||
           strcmp(name, NUCE_NETWORK_MEASURED) == 0;
}
