/* argp reserves -? and --help; users type -h. */
#include "support/help.h"

#include <string.h>

void nuce_help_expand(int argc, char **argv)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (strcmp(argv[i], "-h") == 0)
            argv[i] = (char *)"--help";
    }
}
