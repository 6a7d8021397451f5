/* Topology files: distinguishes the formats, reads nuce's own, and makes a topology from the result
 * of any reader. Places in the text are kept for switches and links, so that errors found at the
 * end (a second link, a separate switch) still name line and column.
 * Cost: that of the format's reader, and O(links log links) to find a double link. Names are
 * numbered in the order of their first lines, so that the same file always gives the same
 * numbers. */
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/data.h"
#include "base/int.h"
#include "base/text_file.h"
#include "mapping/topology_file.h"

/* Reads the words after `switch`: A, which numbers it, or A B. */
static nuce_status read_switch(struct nuce_topology_file *file, const char *place,
                               struct nuce_error *error)
{
    struct nuce_scanner *scanner = &file->scanner;
    struct nuce_word first, second;
    int a, b;

    if (nuce_scanner_word(scanner, "a switch", &first, error) != NUCE_OK ||
        nuce_topology_file_switch(file, first, &a, error) != NUCE_OK)
        return error->status;
    if (!nuce_scanner_has_word(scanner))
        return NUCE_OK;
    if (nuce_scanner_word(scanner, "the switch that it is linked to", &second, error) != NUCE_OK ||
        nuce_scanner_line_end(scanner, "'switch A B'", error) != NUCE_OK ||
        nuce_topology_file_switch(file, second, &b, error) != NUCE_OK)
        return error->status;
    return nuce_topology_file_link(file, a, b, place, error);
}

/* Reads nuce's own format. */
static nuce_status topology_read_lines(struct nuce_topology_file *file, struct nuce_error *error)
{
    struct nuce_scanner *scanner = &file->scanner;

    do {
        struct nuce_word word, name, home;
        int number;

        if (!nuce_scanner_has_word(scanner))
            continue;
        nuce_scanner_word(scanner, "'switch' or 'node'", &word, error);
        if (nuce_word_is(word, "switch")) {
            if (read_switch(file, word.text, error) != NUCE_OK)
                return error->status;
        } else if (nuce_word_is(word, "node")) {
            if (nuce_scanner_word(scanner, "the name of a node", &name, error) != NUCE_OK ||
                nuce_scanner_word(scanner, "the switch that it is on", &home, error) != NUCE_OK ||
                nuce_scanner_line_end(scanner, "'node NAME SWITCH'", error) != NUCE_OK ||
                nuce_topology_file_switch(file, home, &number, error) != NUCE_OK ||
                nuce_topology_file_node(file, name.text, name.length, number, name.text, error) !=
                    NUCE_OK)
                return error->status;
        } else {
            return nuce_scanner_fail(scanner, word.text, error,
                                     "'%.*s': expected 'switch A B' or 'node NAME SWITCH', or "
                                     "Slurm's 'SwitchName=NAME ...', or 'ranks P' of a "
                                     "measured network",
                                     nuce_word_quoted(word), word.text);
        }
    } while (nuce_scanner_next_line(scanner));
    return NUCE_OK;
}

static int begins_with(struct nuce_scanner line, const char *text)
{
    struct nuce_error ignored;
    struct nuce_word word;

    return nuce_scanner_word(&line, "", &word, &ignored) == NUCE_OK &&
           nuce_word_is_nocase(word, text);
}

/* True for a line with '=', which nuce's lines have only in names, or with Slurm's way to another
 * file. */
static int is_slurm(struct nuce_scanner line)
{
    if (begins_with(line, "switch") || begins_with(line, "node"))
        return 0;
    if (begins_with(line, "include"))
        return 1;
    while (nuce_scanner_has_word(&line) && *line.at != '=')
        line.at++;
    return nuce_scanner_has_word(&line);
}

/* The first line with a word identifies the format: Slurm's lines are KEY=VALUE, a measured network
 * begins with `ranks`, nuce's with neither. nuce's comes last: it takes all other lines, and
 * reports the expected ones. */
static nuce_status read_format(struct nuce_topology_file *file, struct nuce_error *error)
{
    struct nuce_scanner line = file->scanner;

    while (!nuce_scanner_has_word(&line) && nuce_scanner_next_line(&line))
        continue;
    /* Not in the comment of a platform file, whose reading starts in the middle. */
    if (begins_with(line, "ranks") && file->scanner.at == file->scanner.text)
        return nuce_topology_file_measured(file, error);
    /* Slurm's other file, a list of mappings. */
    if (begins_with(line, "---") || begins_with(line, "-") || begins_with(line, "topology:"))
        return nuce_scanner_fail(&file->scanner, line.at, error,
                                 "Slurm's topology.yaml is not read: expected the lines of "
                                 "topology.conf, which 'scontrol show topology' prints");
    if (is_slurm(line))
        return nuce_topology_file_slurm(file, error);
    return topology_read_lines(file, error);
}

/* qsort_r: places in the list of links, by link and then in their order. Equal links keep the order
 * of the file: the later one is the duplicate. */
static int compare_links(const void *left, const void *right, void *context)
{
    const struct nuce_topology_file *file = context;
    int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;

    return NUCE_INT_ORDER({file->link[a][0], file->link[b][0]},
                          {file->link[a][1], file->link[b][1]}, {a, b});
}

/* Names the first link that repeats an earlier line. */
static nuce_status topology_check_twice(struct nuce_topology_file *file, struct nuce_error *error)
{
    int64_t *order = nuce_allocate(file->links, sizeof *order);
    int64_t twice = file->links;

    for (int64_t k = 0; k < file->links; k++)
        order[k] = k;
    qsort_r(order, (size_t)file->links, sizeof *order, compare_links, file);
    for (int64_t k = 1; k < file->links; k++) {
        if (memcmp(file->link[order[k - 1]], file->link[order[k]], sizeof *file->link) == 0 &&
            order[k] < twice)
            twice = order[k];
    }
    free(order);
    if (twice == file->links)
        return NUCE_OK;
    return nuce_scanner_fail(&file->scanner, file->link_place[twice], error,
                             "a second link between switches '%.40s' and '%.40s': expected one",
                             file->switches.name[file->link[twice][0]],
                             file->switches.name[file->link[twice][1]]);
}

/* Turns the content into *out, which takes over the names. On failure the content stays the file's,
 * which frees it. */
static nuce_status topology_finish(struct nuce_topology_file *file, struct nuce_topology *out,
                                   struct nuce_error *error)
{
    struct nuce_topology topology;

    if (file->nodes.count == 0)
        return nuce_scanner_fail(&file->scanner, file->scanner.end, error,
                                 "no node in the file: expected at least one");
    if (topology_check_twice(file, error) != NUCE_OK)
        return error->status;
    nuce_topology_init(file->switches.count, (const int(*)[2])file->link, nuce_int(file->links),
                       file->home, file->nodes.count, &topology);
    if (topology.islands > 1 && !file->may_be_apart) {
        int apart = 0;

        while (topology.island[apart] == 0)
            apart++;
        nuce_topology_fini(&topology);
        return nuce_scanner_fail(&file->scanner, file->place[apart], error,
                                 "switch '%.40s' cannot be reached from switch '%.40s': expected a "
                                 "connected network",
                                 file->switches.name[apart], file->switches.name[0]);
    }
    *out = topology;
    out->note = file->note != NULL     ? file->note
                : topology.islands > 1 ? "no switch joins all nodes: ranks are on those of one root"
                                       : NULL;
    out->switch_name = file->switches.name;
    out->node_name = file->nodes.name;
    file->switches.name = NULL;
    file->switches.count = 0;
    file->nodes.name = NULL;
    file->nodes.count = 0;
    return NUCE_OK;
}

/* A platform file: goes to the lines in its comment. */
static nuce_status enter_comment(struct nuce_scanner *scanner, struct nuce_error *error)
{
    static const char begin[] = NUCE_TOPOLOGY_COMMENT, end[] = "-->";
    size_t length = (size_t)(scanner->end - scanner->at);
    const char *start = scanner->at, *lines = memmem(start, length, begin, sizeof begin - 1);

    if (lines != NULL)
        scanner->at = lines + sizeof begin - 1;
    if (lines == NULL || nuce_scanner_has_word(scanner))
        return nuce_scanner_fail(scanner, start, error,
                                 "no comment '%s': expected a platform file of 'nuce-model "
                                 "platform irregular', or lines of switches and nodes",
                                 NUCE_TOPOLOGY_COMMENT);
    nuce_scanner_next_line(scanner);
    lines = memmem(scanner->at, (size_t)(scanner->end - scanner->at), end, sizeof end - 1);
    if (lines == NULL)
        return nuce_scanner_fail(scanner, scanner->at, error, "expected '-->' after the topology");
    scanner->end = lines;
    return NUCE_OK;
}

/* A zero byte would end names early, so a file with one is not text, regardless of its beginning.
 * Platform files of `irregular` (they begin with '<') hold the topology in a comment. */
nuce_status nuce_topology_parse(const char *name, const char *text, size_t length,
                                struct nuce_topology *out, struct nuce_error *error)
{
    struct nuce_topology_file file = {0};
    nuce_status status = NUCE_OK;

    nuce_scanner_init(&file.scanner, name, text, length);
    file.scanner.comment = '#';
    if (file.scanner.at < file.scanner.end && *file.scanner.at == '<')
        status = enter_comment(&file.scanner, error);
    if (status != NUCE_OK)
        return status;
    if (memchr(text, '\0', length) != NULL)
        status = nuce_scanner_fail(&file.scanner, memchr(text, '\0', length), error,
                                   "a zero byte: expected a text file");
    else
        status = read_format(&file, error);
    if (status == NUCE_OK)
        status = topology_finish(&file, out, error);
    nuce_topology_file_fini(&file);
    return status;
}

nuce_status nuce_topology_read(const char *path, struct nuce_topology *out,
                               struct nuce_error *error)
{
    char *text = NULL;
    size_t length = 0;
    nuce_status status;

    if (nuce_data_check_file(path, "a topology file", error) != NUCE_OK ||
        nuce_text_read(path, &text, &length, error) != NUCE_OK)
        return error->status;
    status = nuce_topology_parse(path, text, length, out, error);
    free(text);
    return status;
}
