/* For programs without SCOTCH: says so when it is asked for. A program that has it links
 * scotch_library.c as an object of its own, which takes the place of this one: the linker takes
 * from a library only what it does not have yet. */
#include "mapping/scotch_map.h"

nuce_status nuce_scotch_map(const struct nuce_placement_input *input, int *home,
                            struct nuce_error *error)
{
    (void)input;
    (void)home;
    return nuce_error_set(error, NUCE_BAD_INPUT,
                          "this program was built without SCOTCH: install it (Debian: "
                          "libscotch-dev) and build nuce again");
}

const char *nuce_scotch_map_version(void)
{
    return NULL;
}
