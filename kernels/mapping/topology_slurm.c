/* Slurm's topology.conf: one line a switch, SwitchName=NAME with either Switches=LIST (those below
 * it) or Nodes=LIST, and LinkSpeed=NUMBER, which means nothing to Slurm either. Lists are names
 * with commas between them, in which brackets stand for numbers: rack[0-3,7]n[01-16]. Keys are in
 * any case. Source: slurm 23.11, topology.conf(5).
 *
 * A line is read twice: for the names of switches, since Switches= may name one of a later line,
 * and for what is below them. O(characters + names that the brackets stand for), of which there may
 * be NUCE_TOPOLOGY_MAX_NODES. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "mapping/topology_file.h"
#include "support/allocate.h"

/* Longer names are a slip; hosts have at most 255 bytes. */
#define NAME_BYTES 256

/* What each name of a list goes to. */
struct switch_list {
    struct nuce_topology_file *file;
    const char *place; /* of the word in the text */
    int self;          /* the switch of the line */
    int is_nodes;
    int *parent; /* switches: the one above, or -1 */
};

/* An error at `at`, which shows the word there. */
static nuce_status fail_list(const struct switch_list *list, const char *at,
                             struct nuce_error *error, const char *expected)
{
    const char *end = list->file->scanner.end;
    int length = 0;

    while (length < 40 && at + length < end && at[length] > ' ')
        length++;
    return nuce_scanner_fail(&list->file->scanner, at, error, "'%.*s': expected %s", length, at,
                             expected);
}

/* A switch below the one of the line; trees only, which is checked by climbing from there. */
static nuce_status add_child(struct switch_list *list, const char *name, int length, const char *at,
                             struct nuce_error *error)
{
    struct nuce_topology_file *file = list->file;
    int child = nuce_names_find(&file->switches, name, length);

    if (child < 0)
        return nuce_scanner_fail(&file->scanner, at, error,
                                 "'%.*s': unknown switch: expected the SwitchName of a line",
                                 length < 40 ? length : 40, name);
    if (list->parent[child] >= 0)
        return nuce_scanner_fail(
            &file->scanner, at, error,
            "switch '%.40s' is below '%.40s' already: expected one switch above each",
            file->switches.name[child], file->switches.name[list->parent[child]]);
    list->parent[child] = list->self;
    for (int s = list->self; s >= 0; s = list->parent[s]) {
        if (s == child)
            return nuce_scanner_fail(&file->scanner, at, error,
                                     "switch '%.40s' is below itself: expected a tree",
                                     file->switches.name[child]);
    }
    return nuce_topology_file_link(file, list->self, child, at, error);
}

/* A name of a list, brackets expanded. */
static nuce_status slurm_add_name(struct switch_list *list, const char *name, int length,
                                  const char *at, struct nuce_error *error)
{
    if (length == 0)
        return fail_list(list, at, error, "a name");
    if (list->is_nodes)
        return nuce_topology_file_node(list->file, name, length, list->self, at, error);
    return add_child(list, name, length, at, error);
}

/* Digits from *at on into *value, which stays below 10^9. 0 too where there is no digit. *digits is
 * the width, which leading zeros count for: [01-16] is 01, 02, ... */
static int read_digits(const char **at, const char *end, int64_t *value, int *digits)
{
    for (*value = 0, *digits = 0; *at < end && **at >= '0' && **at <= '9'; (*at)++, (*digits)++) {
        if (*digits == 9)
            return 0;
        *value = 10 * *value + (**at - '0');
    }
    return *digits > 0;
}

static nuce_status slurm_expand(struct switch_list *list, char *name, int length, const char *at,
                                const char *end, struct nuce_error *error);

/* The bracket at `at`, which `close` ends: each of its numbers before what follows. */
static nuce_status expand_bracket(struct switch_list *list, char *name, int length, const char *at,
                                  const char *close, const char *end, struct nuce_error *error)
{
    static const char expected[] = "numbers in brackets, such as [0-3,7] or [01-16]";
    const char *part = at + 1;

    for (;;) {
        const char *next = part;
        int64_t low, high;
        int width, other;

        if (!read_digits(&next, close, &low, &width))
            return fail_list(list, part, error, expected);
        high = low;
        if (*next == '-') {
            next++;
            if (!read_digits(&next, close, &high, &other))
                return fail_list(list, part, error, expected);
        }
        if ((*next != ',' && next != close) || high < low)
            return fail_list(list, part, error, expected);
        if (high - low >= NUCE_TOPOLOGY_MAX_NODES)
            return fail_list(list, part, error, "at most 1048576 nodes");
        for (int64_t k = low; k <= high; k++) {
            char digits[16];
            int count = snprintf(digits, sizeof digits, "%0*lld", width, (long long)k);

            if (length + count > NAME_BYTES)
                return fail_list(list, at, error, "a name of at most 256 bytes");
            memcpy(name + length, digits, (size_t)count);
            if (slurm_expand(list, name, length + count, close + 1, end, error) != NUCE_OK)
                return error->status;
        }
        if (next == close)
            return NUCE_OK;
        part = next + 1;
    }
}

/* name[0 .. length - 1] and what stands from at to end, brackets expanded. name[] is one buffer for
 * all levels of brackets: each call writes behind what its caller has put there. Calls itself by
 * way of expand_bracket, once for each bracket of a name, and so at most NAME_BYTES deep, as each
 * adds a digit at least. */
static nuce_status slurm_expand(struct switch_list *list, char *name, int length, const char *at,
                                const char *end, struct nuce_error *error)
{
    while (at < end && *at != '[') {
        if (length == NAME_BYTES)
            return fail_list(list, list->place, error, "a name of at most 256 bytes");
        if (*at == ']')
            return fail_list(list, at, error, "a '[' before the ']'");
        name[length++] = *at++;
    }
    if (at < end) {
        const char *close = memchr(at, ']', (size_t)(end - at));

        if (close == NULL)
            return fail_list(list, at, error, "a ']' after the '['");
        return expand_bracket(list, name, length, at, close, end, error);
    }
    return slurm_add_name(list, name, length, list->place, error);
}

/* The names of the length bytes at text, with commas between them. */
static nuce_status read_list(struct switch_list *list, const char *text, int length,
                             struct nuce_error *error)
{
    const char *end = text + length, *at = text;
    char name[NAME_BYTES];

    do {
        const char *next = at;
        int depth = 0;

        for (; next < end && (depth > 0 || *next != ','); next++)
            depth += *next == '[' ? 1 : *next == ']' ? -1 : 0;
        list->place = at;
        if (slurm_expand(list, name, 0, at, next, error) != NUCE_OK)
            return error->status;
        at = next + 1;
    } while (at <= end);
    return NUCE_OK;
}

/* KEY=VALUE, split. */
struct setting {
    struct nuce_word key, value;
};

/* A word of the line, both sides of its `=` being there. */
static nuce_status read_setting(struct nuce_scanner *scanner, struct setting *out,
                                struct nuce_error *error)
{
    struct nuce_word word;
    const char *equals;

    if (nuce_scanner_word(scanner, "KEY=VALUE", &word, error) != NUCE_OK)
        return error->status;
    equals = memchr(word.text, '=', (size_t)word.length);
    if (equals == NULL || equals == word.text || equals + 1 == word.text + word.length)
        return nuce_scanner_fail(scanner, word.text, error, "'%.*s': expected KEY=VALUE",
                                 nuce_word_quoted(word), word.text);
    out->key = (struct nuce_word){word.text, (int)(equals - word.text)};
    out->value = (struct nuce_word){equals + 1, (int)(word.text + word.length - equals - 1)};
    return NUCE_OK;
}

/* One line's settings; those not given have no text. */
struct switch_line {
    struct nuce_word name, switches, nodes;
};

/* A whole line; which keys go together is Slurm's rule. */
static nuce_status slurm_read_line(struct nuce_scanner *scanner, struct switch_line *out,
                                   struct nuce_error *error)
{
    const char *start = scanner->at;

    *out = (struct switch_line){0};
    while (nuce_scanner_has_word(scanner)) {
        struct setting setting;
        struct nuce_word *target = NULL, ignored = {0};

        if (read_setting(scanner, &setting, error) != NUCE_OK)
            return error->status;
        if (nuce_word_is_nocase(setting.key, "SwitchName"))
            target = &out->name;
        else if (nuce_word_is_nocase(setting.key, "Switches"))
            target = &out->switches;
        else if (nuce_word_is_nocase(setting.key, "Nodes"))
            target = &out->nodes;
        else if (nuce_word_is_nocase(setting.key, "LinkSpeed"))
            target = &ignored;
        if (target == NULL || target->text != NULL)
            return nuce_scanner_fail(scanner, setting.key.text, error,
                                     "'%.*s': expected SwitchName, Switches, Nodes and LinkSpeed, "
                                     "each once a line",
                                     nuce_word_quoted(setting.key), setting.key.text);
        *target = setting.value;
    }
    if (out->name.text == NULL)
        return nuce_scanner_fail(scanner, start, error, "no SwitchName in this line");
    if ((out->switches.text == NULL) == (out->nodes.text == NULL))
        return nuce_scanner_fail(scanner, start, error,
                                 "switch '%.*s': expected either Switches or Nodes",
                                 nuce_word_quoted(out->name), out->name.text);
    return NUCE_OK;
}

/* First all names of switches, because a line may name one that comes later. */
static nuce_status slurm_read_names(struct nuce_topology_file *file, struct nuce_error *error)
{
    do {
        struct switch_line line;
        int number, before = file->switches.count;

        if (!nuce_scanner_has_word(&file->scanner))
            continue;
        if (slurm_read_line(&file->scanner, &line, error) != NUCE_OK ||
            nuce_topology_file_switch(file, line.name, &number, error) != NUCE_OK)
            return error->status;
        if (number < before)
            return nuce_scanner_fail(&file->scanner, line.name.text, error,
                                     "switch '%.*s' a second time: expected one line for each",
                                     nuce_word_quoted(line.name), line.name.text);
    } while (nuce_scanner_next_line(&file->scanner));
    return NUCE_OK;
}

/* Second pass over the text; `continue` goes to the loop's condition, which ends it after a
 * failure. */
nuce_status nuce_topology_file_slurm(struct nuce_topology_file *file, struct nuce_error *error)
{
    const char *start = file->scanner.at;
    struct switch_list list = {.file = file};
    nuce_status status;

    if (slurm_read_names(file, error) != NUCE_OK)
        return error->status;
    list.parent = nuce_allocate(file->switches.count, sizeof *list.parent, error);
    status = list.parent == NULL ? NUCE_FAILED : NUCE_OK;
    for (int s = 0; status == NUCE_OK && s < file->switches.count; s++)
        list.parent[s] = -1;
    file->scanner.at = start;
    do {
        struct switch_line line;
        struct nuce_word value;

        if (status != NUCE_OK || !nuce_scanner_has_word(&file->scanner))
            continue;
        /* The line was read once without an error. */
        (void)slurm_read_line(&file->scanner, &line, error);
        list.self = nuce_names_find(&file->switches, line.name.text, line.name.length);
        list.is_nodes = line.nodes.text != NULL;
        value = list.is_nodes ? line.nodes : line.switches;
        status = read_list(&list, value.text, value.length, error);
    } while (status == NUCE_OK && nuce_scanner_next_line(&file->scanner));
    free(list.parent);
    return status;
}
