/* nuce: the driver. */
#include <argp.h>
#include <stdio.h>
#include <string.h>

#include "subcommand.h"

extern const struct nuce_subcommand nuce_subcommand_collect, nuce_subcommand_show,
    nuce_subcommand_query, nuce_subcommand_table, nuce_subcommand_figure;

int main(int argc, char **argv)
{
    const struct nuce_subcommand *const all[] = {&nuce_subcommand_collect, &nuce_subcommand_show,
                                                 &nuce_subcommand_query, &nuce_subcommand_table,
                                                 &nuce_subcommand_figure};

    argp_err_exit_status = 2;
    for (size_t i = 0; argc > 1 && i < sizeof all / sizeof *all; i++) {
        if (strcmp(all[i]->name, argv[1]) == 0)
            return all[i]->run(argc - 1, argv + 1);
    }
    (void)fprintf(stderr, "usage: nuce collect|show|query|table|figure ...\n");
    return 2;
}
