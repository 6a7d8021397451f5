/* Reads YAML by libyaml, restricted to what a sweep or a profile needs. The tokens are checked
 * before the document is loaded, because aliases and tags are invisible after that. The loaded
 * document is checked for duplicate keys, of which libyaml keeps both.
 *
 * Order: problems with their place; the tokens; keys and values of the loaded document; parsing;
 * access to nodes. Anchors are refused because ten lines of them can expand to a billion values.
 * Tags are refused because "!!int 8" would mean nothing here: every scalar is a text until an
 * option reads it. */
#include "campaigns/yaml_file.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/printable.h"
#include "base/text.h"

/* libyaml counts lines and columns from 0, editors from 1. */
static int64_t from_one(size_t position)
{
    return (int64_t)position + 1;
}

/* The same for a place of libyaml. */
static void complain_at(struct nuce_problems *problems, yaml_mark_t mark, const char *message)
{
    nuce_problems_add(problems, from_one(mark.line), from_one(mark.column), "%s", message);
}

/* Reports an error of libyaml, at the place that libyaml means, which depends on the kind of error.
 * For bytes that are no text libyaml gives only an offset, no line: the column then counts
 * bytes. */
static void complain_parser(struct nuce_problems *problems, const yaml_parser_t *parser,
                            const char *text, size_t length)
{
    const char *message = parser->problem != NULL ? parser->problem : "cannot be read as YAML";
    size_t offset = parser->problem_offset < length ? parser->problem_offset : length;
    int64_t line = 1, column = 1;

    if (parser->error != YAML_READER_ERROR) {
        size_t at = 0;

        /* The mark counts characters. */
        for (size_t left = parser->problem_mark.index; at < length; at++) {
            if (((unsigned char)text[at] & 0xc0) != 0x80 && left-- == 0)
                break;
        }
        if (at < length && text[at] == '\t')
            message = "YAML does not allow tabs for indentation";
        complain_at(problems, parser->problem_mark, message);
        return;
    }
    for (size_t i = 0; i < offset; i++) {
        int is_end =
            text[i] == '\n' || (text[i] == '\r' && (i + 1 == offset || text[i + 1] != '\n'));

        column = is_end ? 1 : column + 1;
        line += is_end;
    }
    nuce_problems_add(problems, line, column, "%s", message);
}

/* Maximum nesting of lists and mappings: real sweeps and profiles have a few levels, and libyaml's
 * time grows with the square of the depth. */
#define MOST_NESTED 100

/* Finds among the tokens what the document API resolves silently. Returns 1 if the text can be
 * loaded. The tokens count the nesting, so that a text nested too deeply is refused before libyaml
 * has spent its time on it. */
static int check_tokens(const char *text, size_t length, struct nuce_problems *problems)
{
    yaml_parser_t parser;
    int scanned, ended = 0, refused = 0, nested = 0;

    NUCE_ASSERT(yaml_parser_initialize(&parser));
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, length);
    do {
        yaml_token_t token;

        scanned = yaml_parser_scan(&parser, &token);
        if (!scanned)
            break;
        ended = token.type == YAML_STREAM_END_TOKEN || token.type == YAML_NO_TOKEN;
        if (token.type == YAML_ANCHOR_TOKEN || token.type == YAML_ALIAS_TOKEN)
            complain_at(problems, token.start_mark, "anchors and aliases are not allowed");
        if (token.type == YAML_TAG_TOKEN)
            complain_at(problems, token.start_mark, "tags are not allowed");
        /* Tags are reported but can be loaded, so that other mistakes are also reported. */
        refused |= token.type == YAML_ANCHOR_TOKEN || token.type == YAML_ALIAS_TOKEN;
        /* Change of the depth after the token. */
        nested += token.type == YAML_BLOCK_SEQUENCE_START_TOKEN ||
                  token.type == YAML_BLOCK_MAPPING_START_TOKEN ||
                  token.type == YAML_FLOW_SEQUENCE_START_TOKEN ||
                  token.type == YAML_FLOW_MAPPING_START_TOKEN;
        nested -= token.type == YAML_BLOCK_END_TOKEN ||
                  token.type == YAML_FLOW_SEQUENCE_END_TOKEN ||
                  token.type == YAML_FLOW_MAPPING_END_TOKEN;
        if (nested > MOST_NESTED) {
            complain_at(problems, token.start_mark,
                        "nested more than 100 deep: expected lists and mappings of a sweep");
            refused = ended = 1;
        }
        yaml_token_delete(&token);
    } while (!ended);
    if (!scanned)
        complain_parser(problems, &parser, text, length);
    yaml_parser_delete(&parser);
    return scanned && !refused;
}

/* For pointers to scalar nodes. */
static int by_text_then_place(const void *a, const void *b)
{
    const yaml_node_t *first = *(const yaml_node_t *const *)a;
    const yaml_node_t *second = *(const yaml_node_t *const *)b;
    int order = strcmp(nuce_yaml_text(first), nuce_yaml_text(second));

    if (order != 0)
        return order;
    return first->start_mark.index < second->start_mark.index ? -1 : 1;
}

/* After sorting by text and place, duplicates are neighbours, and the first of them is known. */
static void yaml_check_keys(struct nuce_yaml *yaml, const yaml_node_t *mapping,
                            struct nuce_problems *problems)
{
    int64_t size = nuce_yaml_size(mapping), count = 0;
    const yaml_node_t **keys = nuce_allocate(size, sizeof *keys);

    for (int64_t i = 0; i < size; i++) {
        const yaml_node_t *key = nuce_yaml_key(yaml, mapping, i);

        if (nuce_yaml_text(key) == NULL)
            nuce_yaml_complain(problems, key, "expected a name as key, got %s",
                               nuce_yaml_kind(key));
        else
            keys[count++] = key;
    }
    qsort(keys, (size_t)count, sizeof *keys, by_text_then_place);
    for (int64_t i = 1; i < count; i++) {
        if (strcmp(nuce_yaml_text(keys[i - 1]), nuce_yaml_text(keys[i])) == 0)
            nuce_yaml_complain(problems, keys[i], "duplicate key '%s' (first on line %lld)",
                               nuce_yaml_text(keys[i]),
                               (long long)from_one(keys[i - 1]->start_mark.line));
    }
    free(keys);
}

/* Two parsers read the text: the one for the tokens is at its end. */
void nuce_yaml_parse(const char *text, size_t length, struct nuce_yaml *out,
                     struct nuce_problems *problems)
{
    const yaml_node_t *node;
    yaml_document_t second;
    yaml_parser_t parser;

    *out = (struct nuce_yaml){.loaded = 0};
    if (length > NUCE_YAML_LONGEST) {
        nuce_problems_add(problems, 1, 1, "%zu bytes are too long (expected at most %d)", length,
                          NUCE_YAML_LONGEST);
        return;
    }
    if (!check_tokens(text, length, problems))
        return;
    NUCE_ASSERT(yaml_parser_initialize(&parser));
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, length);
    out->loaded = yaml_parser_load(&parser, &out->document);
    if (!out->loaded)
        complain_parser(problems, &parser, text, length);
    else if (yaml_document_get_root_node(&out->document) != NULL) {
        /* A second document would be ignored silently. */
        if (!yaml_parser_load(&parser, &second)) {
            complain_parser(problems, &parser, text, length);
        } else {
            if (yaml_document_get_root_node(&second) != NULL)
                complain_at(problems, second.start_mark, "a second document: expected exactly one");
            yaml_document_delete(&second);
        }
    }
    yaml_parser_delete(&parser);
    /* Checks every node; their order in the document does not matter. libyaml counts from 1. A NUL
     * byte would end a C string early, and the text after it would be ignored. */
    for (int i = 1; out->loaded && (node = yaml_document_get_node(&out->document, i)) != NULL;
         i++) {
        if (node->type == YAML_SCALAR_NODE &&
            memchr(node->data.scalar.value, '\0', node->data.scalar.length) != NULL)
            nuce_yaml_complain(problems, node, "a value with a zero byte in it");
        if (node->type == YAML_MAPPING_NODE)
            yaml_check_keys(out, node, problems);
    }
}

void nuce_yaml_fini(struct nuce_yaml *yaml)
{
    if (yaml->loaded)
        yaml_document_delete(&yaml->document);
    yaml->loaded = 0;
}

/* NULL for an empty document as well. */
const yaml_node_t *nuce_yaml_root(struct nuce_yaml *yaml)
{
    return yaml->loaded ? yaml_document_get_root_node(&yaml->document) : NULL;
}

int64_t nuce_yaml_size(const yaml_node_t *node)
{
    if (node->type == YAML_SEQUENCE_NODE)
        return node->data.sequence.items.top - node->data.sequence.items.start;
    if (node->type == YAML_MAPPING_NODE)
        return node->data.mapping.pairs.top - node->data.mapping.pairs.start;
    return 0;
}

const yaml_node_t *nuce_yaml_item(struct nuce_yaml *yaml, const yaml_node_t *list, int64_t index)
{
    return yaml_document_get_node(&yaml->document, list->data.sequence.items.start[index]);
}

const yaml_node_t *nuce_yaml_key(struct nuce_yaml *yaml, const yaml_node_t *mapping, int64_t index)
{
    return yaml_document_get_node(&yaml->document, mapping->data.mapping.pairs.start[index].key);
}

const yaml_node_t *nuce_yaml_value(struct nuce_yaml *yaml, const yaml_node_t *mapping,
                                   int64_t index)
{
    return yaml_document_get_node(&yaml->document, mapping->data.mapping.pairs.start[index].value);
}

const yaml_node_t *nuce_yaml_find(struct nuce_yaml *yaml, const yaml_node_t *mapping,
                                  const char *key)
{
    for (int64_t i = 0; i < nuce_yaml_size(mapping); i++) {
        const char *text = nuce_yaml_text(nuce_yaml_key(yaml, mapping, i));

        if (text != NULL && strcmp(text, key) == 0)
            return nuce_yaml_value(yaml, mapping, i);
    }
    return NULL;
}

int nuce_yaml_is_list(const yaml_node_t *node)
{
    return node->type == YAML_SEQUENCE_NODE;
}

int nuce_yaml_is_mapping(const yaml_node_t *node)
{
    return node->type == YAML_MAPPING_NODE;
}

int nuce_yaml_is_null(const yaml_node_t *node)
{
    static const char *const nulls[] = {"~", "null", "Null", "NULL"};

    if (node->type != YAML_SCALAR_NODE || node->data.scalar.style != YAML_PLAIN_SCALAR_STYLE)
        return 0;
    for (size_t i = 0; i < sizeof nulls / sizeof *nulls; i++) {
        if (strcmp((const char *)node->data.scalar.value, nulls[i]) == 0)
            return 1;
    }
    return 0;
}

const char *nuce_yaml_text(const yaml_node_t *node)
{
    if (nuce_yaml_is_null(node))
        return "~";
    return node->type == YAML_SCALAR_NODE ? (const char *)node->data.scalar.value : NULL;
}

const char *nuce_yaml_kind(const yaml_node_t *node)
{
    if (nuce_yaml_is_list(node))
        return "a list";
    if (nuce_yaml_is_mapping(node))
        return "a mapping";
    return node->data.scalar.length == 0 || nuce_yaml_is_null(node) ? "nothing" : "a single value";
}

int64_t nuce_yaml_line(const yaml_node_t *node)
{
    return from_one(node->start_mark.line);
}

int64_t nuce_yaml_column(const yaml_node_t *node)
{
    return from_one(node->start_mark.column);
}

void nuce_yaml_complain(struct nuce_problems *problems, const yaml_node_t *node, const char *format,
                        ...)
{
    va_list arguments;
    char *message;

    va_start(arguments, format);
    message = nuce_text_format_list(format, arguments);
    va_end(arguments);
    complain_at(problems, node->start_mark, message);
    free(message);
}

int nuce_yaml_expect(struct nuce_problems *problems, const yaml_node_t *node,
                     enum nuce_yaml_wanted wanted, int64_t least, const char *expected)
{
    int is_so = wanted == NUCE_YAML_LIST ? nuce_yaml_is_list(node) : nuce_yaml_is_mapping(node);

    if (is_so && nuce_yaml_size(node) >= least)
        return 1;
    nuce_yaml_complain(problems, node, "%s, got %s", expected,
                       is_so ? "an empty one" : nuce_yaml_kind(node));
    return 0;
}

/* A list of the mistakes in a user's file, printed in the order of the lines. An equal message at
 * the same place is kept once, because a value may be checked for each rank count. Beyond a limit
 * further ones are only counted. */

void nuce_problems_init(struct nuce_problems *problems, const char *path)
{
    *problems = (struct nuce_problems){.path = path};
}

void nuce_problems_fini(struct nuce_problems *problems)
{
    for (int64_t i = 0; i < problems->count; i++)
        free(problems->list[i].message);
    free(problems->list);
    *problems = (struct nuce_problems){0};
}

/* Makes the message and keeps it, unless it exists already. A linear search suffices, because at
 * most NUCE_PROBLEMS_KEPT are kept. */
static void problems_write(struct nuce_problems *problems, struct nuce_problem problem,
                           const char *format, va_list arguments)
{
    int is_known = 0;

    problem.message = nuce_text_format_list(format, arguments);
    nuce_printable_make(problem.message);
    for (int64_t i = 0; i < problems->count; i++) {
        const struct nuce_problem *other = &problems->list[i];

        is_known |= other->line == problem.line && other->column == problem.column &&
                    strcmp(other->message, problem.message) == 0;
    }
    if (is_known || problems->count == NUCE_PROBLEMS_KEPT) {
        free(problem.message);
        /* A note that is dropped must not make the file a bad one. */
        problems->left_out += !is_known && !problem.is_note;
        return;
    }
    nuce_allocate_more((void **)&problems->list, &problems->capacity, problems->count + 1,
                       sizeof *problems->list);
    problems->list[problems->count++] = problem;
    problems->notes += problem.is_note;
}

void nuce_problems_add(struct nuce_problems *problems, int64_t line, int64_t column,
                       const char *format, ...)
{
    struct nuce_problem problem = {.line = line, .column = column};
    va_list arguments;

    va_start(arguments, format);
    problems_write(problems, problem, format, arguments);
    va_end(arguments);
}

void nuce_problems_note(struct nuce_problems *problems, int64_t line, int64_t column,
                        const char *format, ...)
{
    struct nuce_problem problem = {.line = line, .column = column, .is_note = 1};
    va_list arguments;

    va_start(arguments, format);
    problems_write(problems, problem, format, arguments);
    va_end(arguments);
}

int nuce_problems_none(const struct nuce_problems *problems)
{
    return problems->count == problems->notes && problems->left_out == 0;
}

/* By line, column and message: the order of detection has no meaning for the user. */
static int by_place(const void *a, const void *b)
{
    const struct nuce_problem *first = a, *second = b;

    if (first->line != second->line)
        return first->line < second->line ? -1 : 1;
    if (first->column != second->column)
        return first->column < second->column ? -1 : 1;
    return strcmp(first->message, second->message);
}

void nuce_problems_print(struct nuce_problems *problems, FILE *out)
{
    if (problems->count > 0)
        qsort(problems->list, (size_t)problems->count, sizeof *problems->list, by_place);
    for (int64_t i = 0; i < problems->count; i++) {
        const struct nuce_problem *problem = &problems->list[i];
        int at = fprintf(out, "%s:%lld:%lld: %s", problems->path, (long long)problem->line,
                         (long long)problem->column, problem->is_note ? "note: " : "");

        nuce_printable_fold(problem->message, nuce_printable_columns(out), at, 2, out);
        fputc('\n', out);
    }
    if (problems->left_out > 0)
        fprintf(out, "%s: %lld more problem%s\n", problems->path, (long long)problems->left_out,
                nuce_text_plural(problems->left_out));
    if (problems->given_up > 0)
        fprintf(out, "%s: %lld combination%s cannot be run; the others were not checked\n",
                problems->path, (long long)problems->given_up,
                nuce_text_plural(problems->given_up));
}
