/* Sweeps as text, for tests. */
#ifndef NUCE_PLAN_OF_H
#define NUCE_PLAN_OF_H

#include "../test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "campaigns/expand.h"
#include "campaigns/profile_keys.h"

/* Parses and expands text as the file s.yaml; returns what is wrong with it, a line a problem, ""
 * for nothing. *plan is to be freed in either case, as is the returned text. */
static inline char *plan_of(const char *text, struct nuce_plan *plan)
{
    struct nuce_problems problems;
    struct nuce_sweep sweep = {0};
    struct nuce_facts *facts = nuce_facts_create();
    size_t size = 0;
    char *said = NULL;
    FILE *stream = open_memstream(&said, &size);

    *plan = (struct nuce_plan){0};
    nuce_problems_init(&problems, "s.yaml");
    nuce_sweep_parse(text, strlen(text), &nuce_slurm_judge, &sweep, &problems);
    if (nuce_problems_none(&problems))
        nuce_sweep_expand(&sweep, facts, plan, &problems);
    nuce_problems_print(&problems, stream);
    fclose(stream);
    nuce_sweep_fini(&sweep);
    nuce_problems_fini(&problems);
    nuce_facts_destroy(facts);
    return said;
}

#endif
