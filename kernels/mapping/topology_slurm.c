/* Slurm's topology.conf: one line per switch, SwitchName=NAME with Switches=LIST (those below it)
 * or Nodes=LIST, or one line per block of topology/block, BlockName=NAME with Nodes=LIST. Lists are
 * names with commas between them; brackets expand to numbers: rack[0-3,7]n[01-16]. Keys are in any
 * case, blanks may surround '=', a value may be in quotes, and a line that ends with a backslash
 * continues. The output of `scontrol show topology` is read too: there a line has Level, and Nodes
 * has all nodes below its Switches.
 * Source: slurm 24.05, topology.conf(5), and switch_record_validate of its topology/tree.
 *
 * Switches need no common root: each root has an island of its own. Blocks are switches below one
 * that joins them all; BlockSizes, which makes some blocks nearer for Slurm, is not read. A node
 * under several leaves, of which Slurm warns, is read under the first.
 *
 * Names of switches are read first, since Switches= may name one of a later line. Then the switches
 * and nodes below them are read; last, for lines with both, the nodes that no leaf has.
 * O(characters + expanded names), of which there may be NUCE_TOPOLOGY_MAX_NODES. */
#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/int.h"
#include "mapping/topology_file.h"

/* Longer names are typing errors; hosts have at most 255 bytes. */
#define NAME_BYTES 256

/* The switch above all blocks. */
#define BLOCKS_ROOT "(all blocks)"

/* The target of each name of a list. */
struct switch_list {
    struct nuce_topology_file *file;
    const char *place; /* of the word in the text */
    int self;          /* switch of the line */
    int is_nodes;
    int is_rest; /* for nodes: skip those that another switch has */
    int *parent; /* switches: the one above, or -1 */
};

/* The place after a backslash that ends a line, on the next line; `at` itself if there is none. */
static const char *behind_joint(const struct nuce_scanner *scanner, const char *at)
{
    const char *end = at + 1;

    if (at == scanner->end || *at != '\\')
        return at;
    while (end < scanner->end && !nuce_scanner_at_end_of_line(scanner, end)) {
        if (!isspace((unsigned char)*end++))
            return at;
    }
    return end < scanner->end ? end + 1 : end;
}

/* The place after blanks and such backslashes. */
static const char *behind_blanks(const struct nuce_scanner *scanner, const char *at)
{
    const char *next = at;

    do {
        at = next;
        while (next < scanner->end && !nuce_scanner_at_end_of_line(scanner, next) &&
               isspace((unsigned char)*next))
            next++;
        next = behind_joint(scanner, next);
    } while (next != at);
    return at;
}

/* An error at `at`; the message shows the word there. */
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

/* Adds a name of a list, brackets expanded: a node, or a switch below the one of the line. Switches
 * must be trees, which is checked by climbing from there. */
static nuce_status slurm_add_name(struct switch_list *list, const char *name, int length,
                                  const char *at, struct nuce_error *error)
{
    struct nuce_topology_file *file = list->file;
    int known = nuce_names_find(list->is_nodes ? &file->nodes : &file->switches, name, length);

    if (length == 0)
        return fail_list(list, at, error, "a name");
    if (list->is_nodes && known < 0)
        return nuce_topology_file_node(file, name, length, list->self, at, error);
    if (list->is_nodes) {
        if (!list->is_rest && file->home[known] != list->self)
            file->note = "nodes are on several switches: each is read on the first that names it";
        return NUCE_OK;
    }
    if (known < 0)
        return nuce_scanner_fail(&file->scanner, at, error,
                                 "'%.*s': unknown switch: expected the SwitchName of a line",
                                 length < 40 ? length : 40, name);
    if (list->parent[known] >= 0)
        return nuce_scanner_fail(
            &file->scanner, at, error,
            "switch '%.40s' is below '%.40s' already: expected one switch above each",
            file->switches.name[known], file->switches.name[list->parent[known]]);
    list->parent[known] = list->self;
    for (int s = list->self; s >= 0; s = list->parent[s]) {
        if (s == known)
            return nuce_scanner_fail(&file->scanner, at, error,
                                     "switch '%.40s' is below itself: expected a tree",
                                     file->switches.name[known]);
    }
    return nuce_topology_file_link(file, list->self, known, at, error);
}

/* Reads digits from *at on into *value, which stays below 10^9; *at moves past them and blanks.
 * Returns 0 also if there is no digit. *digits is the width, which includes leading zeros: [01-16]
 * is 01, 02, ... */
static int read_digits(const struct nuce_scanner *scanner, const char **at, int64_t *value,
                       int *digits)
{
    *at = behind_blanks(scanner, *at);
    for (*value = 0, *digits = 0; *at < scanner->end && isdigit((unsigned char)**at);
         *at = behind_joint(scanner, *at + 1), (*digits)++) {
        if (*digits == 9)
            return 0;
        *value = 10 * *value + (**at - '0');
    }
    *at = behind_blanks(scanner, *at);
    return *digits > 0;
}

static nuce_status slurm_expand(struct switch_list *list, char *name, int length, const char *at,
                                const char *end, struct nuce_error *error);

/* Expands the bracket at `at`, which `close` ends: each of its numbers, followed by the rest. */
static nuce_status expand_bracket(struct switch_list *list, char *name, int length, const char *at,
                                  const char *close, const char *end, struct nuce_error *error)
{
    static const char expected[] = "numbers in brackets, such as [0-3,7] or [01-16]";
    const struct nuce_scanner *scanner = &list->file->scanner;
    const char *part = at + 1;

    for (;;) {
        const char *next = part;
        int64_t low, high;
        int width, other;

        if (!read_digits(scanner, &next, &low, &width))
            return fail_list(list, part, error, expected);
        high = low;
        if (*next == '-') {
            next++;
            if (!read_digits(scanner, &next, &high, &other))
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

/* Adds name[0 .. length - 1] followed by the text from at to end, brackets expanded. name[] is one
 * buffer for all levels of brackets: each call writes after its caller's part. It calls itself
 * through expand_bracket, once for each bracket of a name, at most NAME_BYTES deep, as each adds at
 * least a digit. */
static nuce_status slurm_expand(struct switch_list *list, char *name, int length, const char *at,
                                const char *end, struct nuce_error *error)
{
    const struct nuce_scanner *scanner = &list->file->scanner;

    while ((at = behind_joint(scanner, at)) < end && *at != '[') {
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

/* The end of a name that begins at `at`: a comma or a blank outside of brackets. */
static const char *name_end(const struct nuce_scanner *scanner, const char *at, const char *end)
{
    int depth = 0;

    while (at < end && (depth > 0 || (*at != ',' && !isspace((unsigned char)*at)))) {
        const char *next = behind_joint(scanner, at);

        depth += *at == '[' ? 1 : *at == ']' ? -1 : 0;
        at = next > at ? next : at + 1;
    }
    return at < end ? at : end;
}

/* Adds the names of the value, with commas or, in quotes, blanks between them. */
static nuce_status read_list(struct switch_list *list, struct nuce_word value,
                             struct nuce_error *error)
{
    const struct nuce_scanner *scanner = &list->file->scanner;
    const char *end = value.text + value.length, *at = value.text;
    char name[NAME_BYTES];
    int is_comma;

    do {
        const char *next;

        at = behind_blanks(scanner, at);
        next = name_end(scanner, at, end);
        list->place = at;
        if (slurm_expand(list, name, 0, at, next, error) != NUCE_OK)
            return error->status;
        at = behind_blanks(scanner, next);
        is_comma = at < end && *at == ',';
        at += is_comma;
    } while (is_comma || at < end);
    return NUCE_OK;
}

/* True if the line continues after blanks and backslashes. */
static bool slurm_has_setting(struct nuce_scanner *scanner)
{
    scanner->at = behind_blanks(scanner, scanner->at);
    return nuce_scanner_has_word(scanner);
}

/* The end of a value without quotes. A continued line joins its two parts. A blank in between ends
 * the value, unless the value is a list that continues on the next line. */
static const char *value_end(const struct nuce_scanner *scanner, const char *at)
{
    int depth = 0;
    char last = '\0';

    while (at < scanner->end && !isspace((unsigned char)*at) && *at != '#') {
        const char *next = behind_joint(scanner, at), *after = behind_blanks(scanner, next);

        if (next == at) {
            depth += *at == '[' ? 1 : *at == ']' ? -1 : 0;
            last = *at++;
        } else if (after > next && depth == 0 && last != ',') {
            break;
        } else {
            at = after;
        }
    }
    return at;
}

/* Reads a setting of the line, with both sides of its `=`; the value is without its quotes. */
static nuce_status read_setting(struct nuce_scanner *scanner, struct nuce_word *key,
                                struct nuce_word *value, struct nuce_error *error)
{
    const char *start = scanner->at, *end = start;

    while (end < scanner->end && !isspace((unsigned char)*end) && *end != '=' && *end != '\\')
        end++;
    *key = (struct nuce_word){start, end - start > INT_MAX ? INT_MAX : (int)(end - start)};
    if (nuce_word_is_nocase(*key, "Include"))
        return nuce_scanner_fail(scanner, start, error,
                                 "'%.*s' is not followed: expected the lines of that file here, or "
                                 "what 'scontrol show topology' prints",
                                 key->length, start);
    scanner->at = behind_blanks(scanner, end);
    if (end == start || scanner->at == scanner->end || *scanner->at != '=')
        return nuce_scanner_fail(scanner, start, error, "'%.*s': expected KEY=VALUE",
                                 nuce_word_quoted(*key), start);
    start = end = behind_blanks(scanner, scanner->at + 1);
    if (start < scanner->end && *start == '"') {
        end = ++start;
        while (end < scanner->end && *end != '"' && !nuce_scanner_at_end_of_line(scanner, end)) {
            const char *next = behind_joint(scanner, end);

            end = next > end ? next : end + 1;
        }
        if (end == scanner->end || *end != '"')
            return nuce_scanner_fail(scanner, start - 1, error,
                                     "a value without a '\"' that ends it: expected %.*s=\"LIST\"",
                                     nuce_word_quoted(*key), key->text);
        scanner->at = end + 1;
    } else {
        end = value_end(scanner, start);
        scanner->at = end;
        if (end > start && memchr(start, '=', (size_t)(end - start)) != NULL)
            end = start; /* the next setting */
    }
    if (end == start)
        return nuce_scanner_fail(scanner, key->text, error, "'%.*s=': expected KEY=VALUE",
                                 nuce_word_quoted(*key), key->text);
    *value = (struct nuce_word){start, nuce_int(end - start)};
    return NUCE_OK;
}

/* The settings of a line. */
enum slurm_key {
    SWITCH_NAME,
    BLOCK_NAME,
    SWITCHES,
    NODES,
    LEVEL,
    LINK_SPEED,
    BLOCK_INDEX,
    BLOCK_SIZE,
    /* Each makes a line that has no switches and nodes, but settings of Slurm's. */
    BLOCK_SIZES,
    AGGREGATED_BLOCK,
    ALLOW_EMPTY_SWITCH,
    KEYS
};

static const char *const keys[KEYS] = {
    [SWITCH_NAME] = "SwitchName",
    [BLOCK_NAME] = "BlockName",
    [SWITCHES] = "Switches",
    [NODES] = "Nodes",
    [LEVEL] = "Level",
    [LINK_SPEED] = "LinkSpeed",
    [BLOCK_INDEX] = "BlockIndex",
    [BLOCK_SIZE] = "BlockSize",
    [BLOCK_SIZES] = "BlockSizes",
    [AGGREGATED_BLOCK] = "AggregatedBlock",
    [ALLOW_EMPTY_SWITCH] = "AllowEmptySwitch",
};

/* One line's values; missing ones have no text. */
struct switch_line {
    struct nuce_word value[KEYS], name;
    int number; /* number of the switch */
};

/* Reads a whole line. Slurm's rules decide the allowed combinations of keys. No name: the line has
 * no switches and nodes. */
static nuce_status slurm_read_line(struct nuce_scanner *scanner, struct switch_line *out,
                                   struct nuce_error *error)
{
    const char *start = scanner->at;
    const struct nuce_word *value = out->value;
    struct nuce_word name;
    int is_block;

    *out = (struct switch_line){0};
    while (slurm_has_setting(scanner)) {
        struct nuce_word key, read;
        int k = 0;

        if (read_setting(scanner, &key, &read, error) != NUCE_OK)
            return error->status;
        while (k < KEYS && !nuce_word_is_nocase(key, keys[k]))
            k++;
        if (k == KEYS || value[k].text != NULL)
            return nuce_scanner_fail(scanner, key.text, error,
                                     "'%.*s': expected SwitchName, Switches, Nodes and LinkSpeed, "
                                     "or BlockName and Nodes, each once per line",
                                     nuce_word_quoted(key), key.text);
        out->value[k] = read;
    }
    for (int k = BLOCK_SIZES; k < KEYS; k++) {
        if (value[k].text != NULL)
            return NUCE_OK;
    }
    is_block = value[BLOCK_NAME].text != NULL;
    name = value[is_block ? BLOCK_NAME : SWITCH_NAME];
    if (name.text == NULL)
        return nuce_scanner_fail(scanner, start, error, "no SwitchName in this line: expected one");
    for (int k = 0; k < name.length; k++) {
        if (isspace((unsigned char)name.text[k]) || name.text[k] == '\\')
            return nuce_scanner_fail(scanner, name.text, error,
                                     "a blank or backslash in '%.*s': expected a name",
                                     nuce_word_quoted(name), name.text);
    }
    if (is_block && (value[SWITCH_NAME].text != NULL || value[SWITCHES].text != NULL ||
                     value[NODES].text == NULL))
        return nuce_scanner_fail(scanner, start, error, "block '%.*s': expected Nodes alone",
                                 nuce_word_quoted(name), name.text);
    /* Slurm prints a switch without anything below it, and it counts as one only in that output. */
    if (!is_block && value[LEVEL].text == NULL &&
        (value[SWITCHES].text == NULL) == (value[NODES].text == NULL))
        return nuce_scanner_fail(scanner, start, error,
                                 "switch '%.*s': expected either Switches or Nodes",
                                 nuce_word_quoted(name), name.text);
    out->name = name;
    return NUCE_OK;
}

/* The lines that name a switch, one for each. */
struct switch_lines {
    struct switch_line *line;
    int64_t count, capacity;
};

/* Reads all names of switches first, because a line may name a later one. *blocks: the number of
 * blocks, which are all or none. */
static nuce_status slurm_read_names(struct nuce_topology_file *file, struct switch_lines *lines,
                                    int *blocks, struct nuce_error *error)
{
    *blocks = 0;
    do {
        struct switch_line line;

        if (!slurm_has_setting(&file->scanner))
            continue;
        if (slurm_read_line(&file->scanner, &line, error) != NUCE_OK)
            return error->status;
        if (line.name.text == NULL)
            continue;
        if (nuce_topology_file_switch(file, line.name, &line.number, error) != NUCE_OK)
            return error->status;
        *blocks += line.value[BLOCK_NAME].text != NULL;
        if (line.number < lines->count)
            return nuce_scanner_fail(&file->scanner, line.name.text, error,
                                     "switch '%.*s' a second time: expected one line for each",
                                     nuce_word_quoted(line.name), line.name.text);
        if (*blocks > 0 && *blocks != file->switches.count)
            return nuce_scanner_fail(&file->scanner, line.name.text, error,
                                     "'%.*s': expected switches alone, or blocks alone",
                                     nuce_word_quoted(line.name), line.name.text);
        nuce_allocate_more((void **)&lines->line, &lines->capacity, lines->count + 1,
                           sizeof *lines->line);
        lines->line[lines->count++] = line;
    } while (nuce_scanner_next_line(&file->scanner));
    return NUCE_OK;
}

/* Reads the switches and nodes below the switches: first all but the Nodes of lines that have
 * Switches, then those. */
nuce_status nuce_topology_file_slurm(struct nuce_topology_file *file, struct nuce_error *error)
{
    static const struct nuce_word root_name = {BLOCKS_ROOT, (int)sizeof BLOCKS_ROOT - 1};
    struct switch_list list = {.file = file};
    struct switch_lines lines = {0};
    int blocks, root = -1;
    nuce_status status = slurm_read_names(file, &lines, &blocks, error);

    list.parent = nuce_allocate(file->switches.count, sizeof *list.parent);
    for (int s = 0; s < file->switches.count; s++)
        list.parent[s] = -1;
    for (list.is_rest = 0; list.is_rest < 2; list.is_rest++) {
        for (int64_t k = 0; status == NUCE_OK && k < lines.count; k++) {
            const struct nuce_word *value = lines.line[k].value;
            int has_switches = value[SWITCHES].text != NULL;

            list.is_nodes = list.is_rest || !has_switches;
            list.self = lines.line[k].number;
            if ((!list.is_rest || has_switches) &&
                value[list.is_nodes ? NODES : SWITCHES].text != NULL)
                status = read_list(&list, value[list.is_nodes ? NODES : SWITCHES], error);
        }
    }
    /* The switch above all blocks, which is not in the file. */
    if (status == NUCE_OK && blocks == NUCE_TOPOLOGY_MAX_SWITCHES)
        status = nuce_scanner_fail(&file->scanner, file->place[0], error,
                                   "%d blocks: expected at most %d, for one switch joins them",
                                   blocks, blocks - 1);
    if (status == NUCE_OK && blocks > 1)
        status = nuce_topology_file_switch(file, root_name, &root, error);
    if (status == NUCE_OK && blocks > 1)
        file->place[root] = file->place[0];
    for (int block = 0; status == NUCE_OK && blocks > 1 && block < blocks && block != root; block++)
        status = nuce_topology_file_link(file, block, root, file->place[0], error);
    file->may_be_apart = 1;
    free(list.parent);
    free(lines.line);
    return status;
}
