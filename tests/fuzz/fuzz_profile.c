/* The profile parser: whatever the bytes, either messages that name the place, or a profile that is
 * the same when it comes back from JSON, and whose words for sbatch and whose job script hold it.
 */
#include <stdlib.h>
#include <string.h>

#include "campaigns/script.h"
#include "fuzz.h"

static void check_json(const struct nuce_profile *profile)
{
    struct nuce_profile back;
    struct nuce_error error;
    json_t *object = nuce_profile_to_json(profile, &error), *again;

    NUCE_ASSERT(object != NULL);
    NUCE_ASSERT(nuce_profile_from_json(object, &back, &error) == NUCE_OK);
    again = nuce_profile_to_json(&back, &error);
    NUCE_ASSERT(json_equal(object, again));
    json_decref(object);
    json_decref(again);
    nuce_profile_fini(&back);
}

/* No option becomes a line of its own that is not a comment. */
static void check_lines(const char *text, size_t options)
{
    NUCE_ASSERT(strncmp(text, "#!/bin/sh\n", 10) == 0);
    text += 10;
    for (size_t i = 0; i < options; i++) {
        NUCE_ASSERT(strncmp(text, "#SBATCH ", 8) == 0);
        text = strchr(text, '\n') + 1;
    }
    NUCE_ASSERT(strncmp(text, "number=0001\n", 12) == 0);
}

static void check_script(struct nuce_profile *profile)
{
    const struct nuce_pack pack = {.ranks = 4, .time_s = 60, .count = 1};
    const struct nuce_script_input input = {.campaign = "/campaigns/fuzz.1",
                                            .name = "nuce-fuzz",
                                            .number = 1,
                                            .pack = &pack,
                                            .profile = profile};
    size_t others = profile->via != NULL ? 4 : 3; /* via, sbatch, --parsable, the script */
    struct nuce_error error;
    json_t *argv;
    char *text;

    free(profile->hosts); /* a mutated path may be a device */
    profile->hosts = NULL;
    argv = nuce_script_argv(&input, &error);
    text = nuce_script_text(&input, &error);
    NUCE_ASSERT(argv != NULL && text != NULL);
    check_lines(text, json_array_size(argv) - others);
    json_decref(argv);
    free(text);
}

static void check_problems(const struct nuce_problems *problems)
{
    for (int64_t i = 0; i < problems->count; i++) {
        NUCE_ASSERT(problems->list[i].line >= 1 && problems->list[i].column >= 1);
        NUCE_ASSERT(problems->list[i].message[0] != '\0');
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct nuce_problems problems;
    struct nuce_profile profile = {0};

    nuce_problems_init(&problems, "fuzz.yaml");
    nuce_profile_parse((const char *)data, size, &profile, &problems);
    if (nuce_problems_none(&problems)) {
        check_json(&profile);
        check_script(&profile);
    } else {
        check_problems(&problems);
    }
    nuce_profile_fini(&profile);
    nuce_problems_fini(&problems);
    return 0;
}
