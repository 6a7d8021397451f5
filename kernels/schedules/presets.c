/* The papers' machines as uniform networks, from the numbers that they print.
 *
 * A preset is a row; the papers' phi is seconds per byte, a network's bandwidth its inverse. */
#include <string.h>

#include "schedules/network.h"

static const struct {
    const char *name;
    double startup;          /* seconds */
    double seconds_per_byte; /* phi, as printed */
} presets[] = {
    {"cm5", 0.299e-3, 0.2389e-6}, /* Ranka, Wang and Kumar, 3.2 */
};

#define PRESETS (sizeof presets / sizeof presets[0])

int nuce_network_is_preset(const char *name)
{
    for (size_t i = 0; i < PRESETS; i++) {
        if (strcmp(presets[i].name, name) == 0)
            return 1;
    }
    return 0;
}

const char *nuce_network_preset_name(size_t index)
{
    return index < PRESETS ? presets[index].name : NULL;
}

nuce_status nuce_network_preset(const char *name, int ranks, struct nuce_network *out,
                                struct nuce_error *error)
{
    for (size_t i = 0; i < PRESETS; i++) {
        if (strcmp(presets[i].name, name) == 0)
            return nuce_network_uniform(ranks, presets[i].startup, 1 / presets[i].seconds_per_byte,
                                        out, error);
    }
    return nuce_error_refuse(error, "network", "'%s': expected cm5 or a NETWORK FILE", name);
}

/* A file called like a preset is reached by a path, ./cm5. */
nuce_status nuce_network_named(const char *name, int ranks, struct nuce_network *out,
                               struct nuce_error *error)
{
    if (nuce_network_is_preset(name))
        return nuce_network_preset(name, ranks, out, error);
    return nuce_network_read(name, ranks, out, error);
}
