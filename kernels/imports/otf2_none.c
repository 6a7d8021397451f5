/* For a build without OTF2's library: reading an archive says so, and what to install. */
#include "imports/otf2_trace.h"

nuce_status nuce_otf2_read(const char *path, struct nuce_otf2_trace *trace,
                           struct nuce_error *error)
{
    (void)trace;
    return nuce_error_set(error, NUCE_BAD_INPUT,
                          "%s: this nuce was built without OTF2: install it (Debian: "
                          "libopen-trace-format2-dev) and build nuce again",
                          path);
}
