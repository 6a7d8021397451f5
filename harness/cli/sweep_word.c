/* The commonest slip: the file that was run is given where what came of it has a name. */
#include "cli/sweep_word.h"

#include <stdlib.h>
#include <string.h>

#include "sweeps/config.h"
#include "sweeps/yaml_file.h"

/* By the ending alone, before anything is opened: the word may be anything. */
static int has_sweep_ending(const char *word)
{
    size_t length = strlen(word), end = strlen(nuce_config_shipped.ending);

    return length > end && strcmp(word + length - end, nuce_config_shipped.ending) == 0;
}

/* What the file calls the sweep, borrowed from yaml; NULL: it is none. */
static const char *sweep_word_name(struct nuce_yaml *yaml)
{
    const yaml_node_t *root = nuce_yaml_root(yaml);
    const yaml_node_t *name =
        root != NULL && nuce_yaml_is_mapping(root) ? nuce_yaml_find(yaml, root, "name") : NULL;

    return name != NULL ? nuce_yaml_text(name) : NULL;
}

/* Only a file that can be read and has a name is told of; of any other the caller has a better
 * message. */
int nuce_cli_is_sweep(const char *word, const char *subcommand, struct nuce_error *error)
{
    struct nuce_problems ignored;
    struct nuce_yaml yaml = {0};
    const char *name;
    char *text = NULL;
    size_t length;
    int is_sweep;

    if (!has_sweep_ending(word))
        return 0;
    nuce_problems_init(&ignored, word);
    if (nuce_shipped_read(word, &text, &length, error) == NUCE_OK)
        nuce_yaml_parse(text, length, &yaml, &ignored);
    name = sweep_word_name(&yaml);
    is_sweep = name != NULL;
    if (is_sweep)
        (void)nuce_error_set(error, NUCE_BAD_INPUT,
                             "%s is a sweep: 'nuce %s %s' shows its newest campaign", word,
                             subcommand, name);
    nuce_yaml_fini(&yaml);
    nuce_problems_fini(&ignored);
    free(text);
    return is_sweep;
}
