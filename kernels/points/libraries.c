/* The versions of the libraries that make instances. */
#include "points/libraries.h"

#include "instances/partition.h"
#include "mapping/scotch_map.h"

json_t *nuce_libraries_describe(void)
{
    return json_pack("{s:s, s:s?}", "metis", nuce_partition_metis_version(), "scotch",
                     nuce_scotch_map_version());
}
