/* For programs without SCOTCH: returns an error when it is called. A program with SCOTCH links
 * scotch_library.c as an object of its own, which replaces this one: from a library the linker
 * takes only missing symbols. */
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
