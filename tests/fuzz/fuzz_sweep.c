/* The sweep parser and the expansion: whatever the bytes, either a plan as expand.h promises or
 * messages that name the place; and nothing is left behind. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/jsonl.h"
#include "campaigns/expand.h"
#include "campaigns/profile_keys.h"
#include "fuzz.h"

/* Expanding more than this only repeats itself. */
#define MOST_POINTS 2000

/* Nonzero if sweep names no file (a mutated path may be a device) and is small. */
static int is_small(const struct nuce_sweep *sweep)
{
    double points = (double)sweep->ranks_count;
    double sum = 0;

    for (int64_t i = -1; i < sweep->products_count; i++) {
        const struct nuce_product *product = i < 0 ? &sweep->together : &sweep->products[i];
        double own = 1;

        for (int64_t k = 0; k < product->count; k++) {
            for (int64_t w = 0; w < product->axes[k].width; w++) {
                if (product->axes[k].settings[w].option->type == NUCE_OPTION_FILE)
                    return 0;
            }
            own *= (double)product->axes[k].steps;
        }
        if (i < 0)
            points *= own;
        else
            sum += own;
    }
    return points * sum <= MOST_POINTS;
}

/* Printed, a point is one line whatever its values hold. */
static void check_line(const json_t *line)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);

    NUCE_ASSERT(stream != NULL && nuce_jsonl_print(line, stream));
    fclose(stream);
    NUCE_ASSERT(strchr(text, '\n') == text + size - 1);
    free(text);
}

static void check(const struct nuce_plan *plan)
{
    NUCE_ASSERT(plan->count >= 1);
    NUCE_ASSERT(plan->count + plan->excluded + plan->repeated == plan->combinations);
    for (int64_t i = 0; i < plan->count; i++) {
        NUCE_ASSERT(plan->points[i].ranks >= 1);
        NUCE_ASSERT(strlen(plan->points[i].id) == NUCE_HASH_BYTES - 1);
        check_line(plan->points[i].line);
        NUCE_ASSERT(i == 0 || strcmp(plan->points[i].id, plan->points[i - 1].id) != 0);
        NUCE_ASSERT(i == 0 || plan->points[i].ranks >= plan->points[i - 1].ranks);
    }
}

static void check_problems(const struct nuce_problems *problems)
{
    NUCE_ASSERT(problems->count > 0);
    for (int64_t i = 0; i < problems->count; i++) {
        NUCE_ASSERT(problems->list[i].line >= 1 && problems->list[i].column >= 1);
        NUCE_ASSERT(problems->list[i].message[0] != '\0');
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct nuce_problems problems;
    struct nuce_sweep sweep = {0};
    struct nuce_plan plan = {0};

    nuce_problems_init(&problems, "fuzz.yaml");
    nuce_sweep_parse((const char *)data, size, &nuce_slurm_judge, &sweep, &problems);
    if (!nuce_problems_none(&problems)) {
        check_problems(&problems);
    } else if (is_small(&sweep)) {
        struct nuce_facts *facts = nuce_facts_create();

        nuce_sweep_expand(&sweep, facts, &plan, &problems);
        if (nuce_problems_none(&problems))
            check(&plan);
        else
            check_problems(&problems);
        nuce_facts_destroy(facts);
    }
    nuce_plan_fini(&plan);
    nuce_sweep_fini(&sweep);
    nuce_problems_fini(&problems);
    return 0;
}
