/* Command lines from tables of options, by glibc's argp.
 *
 * argp knows options by numbers: KEY_ROWS + the row's number among all groups, or its letter. argp
 * prints no errors of its own (ARGP_NO_ERRS), since several ranks parse the same line. All errors
 * are worded here, so they read alike everywhere. For --help argp prints and exits. */
#include "base/command_line.h"

#include <argp.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/text.h"

/* The key of the first row. It is beyond the range of a char, since argp takes a printable key for
 * a letter, and below the keys of argp's own events. */
#define KEY_ROWS 0x300
/* Rows of all groups of a program together. A program with more has a bug, which its first start
 * shows. */
#define ROWS_MOST 96

/* The state of one parse. */
struct line_reader {
    struct nuce_command_line *line;
    struct nuce_error *error;
    const struct nuce_option *rows[ROWS_MOST];
    const struct nuce_command_group *groups[ROWS_MOST]; /* the group of each row */
    int count;
};

/* A flag comes without a text. Texts that are collected (`given`) are not checked as values here.
 * Their reader, such as a sweep, does that, because it knows more than one value of an option. JSON
 * takes only texts in UTF-8. */
static nuce_status command_line_take(const struct line_reader *reader, int number, const char *text)
{
    const struct nuce_option *row = reader->rows[number];
    const struct nuce_command_group *group = reader->groups[number];

    if (text == NULL)
        text = "true";
    if (group->given != NULL) {
        if (json_object_set_new(group->given, row->name, json_string(text)) == 0)
            return NUCE_OK;
        return nuce_error_refuse(reader->error, row->name, "not valid UTF-8 text");
    }
    return nuce_option_set(row, group->params, text, reader->error);
}

/* Returns the number of rows whose long name begins with the first length characters of name. *out
 * is the row with exactly that name (the result is then 1), or else the last of them. */
static int rows_like(const struct line_reader *reader, const char *name, size_t length,
                     const struct nuce_option **out)
{
    int count = 0;

    for (int i = 0; length > 0 && i < reader->count; i++) {
        if (strncmp(reader->rows[i]->name, name, length) != 0)
            continue;
        *out = reader->rows[i];
        count++;
        if ((*out)->name[length] == '\0')
            return 1;
    }
    return count;
}

/* The row of the last letter of a word such as -xf; NULL: none. */
static const struct nuce_option *row_of_letter(const struct line_reader *reader, const char *word)
{
    for (int i = 0; i < reader->count && word[0] != '\0'; i++) {
        if (reader->rows[i]->letter != 0 && reader->rows[i]->letter == word[strlen(word) - 1])
            return reader->rows[i];
    }
    return NULL;
}

/* Begins the texts of nuce_option_ended that name another option. */
#define RENAMED "renamed: say "

/* Reports the word that argp stopped at: its value is missing or superfluous, or there is no such
 * option. */
static void command_line_reject(const struct line_reader *reader, const char *word)
{
    int is_long = strncmp(word, "--", 2) == 0;
    const char *names[ROWS_MOST], *name = is_long ? word + 2 : word, *nearest;
    size_t length = strcspn(name, "=");
    char written[64];
    const struct nuce_option *row = is_long ? NULL : row_of_letter(reader, word), *now;
    int count = is_long ? rows_like(reader, name, length, &row) : 0;
    const char *ended;

    for (int i = 0; i < reader->count; i++)
        names[i] = reader->rows[i]->name;
    snprintf(written, sizeof written, "%.*s", (int)length, name);
    nearest = is_long ? nuce_text_nearest(written, names, (size_t)reader->count) : NULL;
    ended = is_long ? nuce_option_ended(written) : NULL;
    /* The new name helps only if this program has it. */
    if (ended != NULL && strncmp(ended, RENAMED, strlen(RENAMED)) == 0 &&
        rows_like(reader, ended + strlen(RENAMED), strlen(ended + strlen(RENAMED)), &now) != 1)
        ended = NULL;
    if (ended != NULL)
        nuce_error_refuse(reader->error, written, "%s", ended);
    else if (count > 1)
        nuce_error_set(reader->error, NUCE_BAD_INPUT, "'%s': short for several options", word);
    else if (row != NULL && row->argument != NULL)
        nuce_error_refuse(reader->error, row->name, "expected a value, %s", row->argument);
    else if (row != NULL && is_long)
        nuce_error_refuse(reader->error, row->name, "expected no value");
    else if (nearest != NULL)
        nuce_error_set(reader->error, NUCE_BAD_INPUT, "'%s': unknown option (did you mean '--%s'?)",
                       word, nearest);
    else
        nuce_error_set(reader->error, NUCE_BAD_INPUT, "'%s': unknown option", word);
}

/* Keeps pointers into argv: nothing is copied. */
static nuce_status take_operands(const struct line_reader *reader, char **texts, int count)
{
    struct nuce_operands *operands = &reader->line->operands;

    if (operands->usage == NULL && count > 0)
        return nuce_error_set(reader->error, NUCE_BAD_INPUT, "'%s': expected only options",
                              texts[0]);
    if (count < operands->least)
        return nuce_error_set(reader->error, NUCE_BAD_INPUT, "expected %s", operands->expected);
    if (operands->most >= 0 && count > operands->most)
        return nuce_error_set(reader->error, NUCE_BAD_INPUT, "'%s': expected %s",
                              texts[operands->most], operands->expected);
    operands->texts = texts;
    operands->count = count;
    for (int i = 0; i < count && operands->into != NULL; i++)
        operands->into[i] = texts[i];
    return NUCE_OK;
}

/* argp's callback. Every error has put its message into *error before EINVAL is returned. argp then
 * calls once more with ARGP_KEY_ERROR. Only the words that argp itself refused get their message
 * there. */
static error_t parse_word(int key, char *text, struct argp_state *state)
{
    struct line_reader *reader = state->input;

    switch (key) {
    case ARGP_KEY_ARGS:
        return take_operands(reader, state->argv + state->next, state->argc - state->next) ==
                       NUCE_OK
                   ? 0
                   : EINVAL;
    case ARGP_KEY_NO_ARGS:
        return take_operands(reader, NULL, 0) == NUCE_OK ? 0 : EINVAL;
    case ARGP_KEY_ERROR:
        if (reader->error->status == NUCE_OK)
            command_line_reject(reader, state->argv[state->next - 1]);
        return 0;
    default:
        break;
    }
    for (int i = 0; i < reader->count; i++) {
        if (key == KEY_ROWS + i || (key > 0 && key == reader->rows[i]->letter))
            return command_line_take(reader, i, text) == NUCE_OK ? 0 : EINVAL;
    }
    return ARGP_ERR_UNKNOWN;
}

void nuce_command_line_print_examples(const struct nuce_example *examples, FILE *file)
{
    if (examples != NULL)
        fputs("Examples:\n", file);
    for (; examples != NULL && examples->command != NULL; examples++)
        fprintf(file, "  %s\n      %s\n", examples->command, examples->purpose);
}

/* Adds the default to the help of an option that has one, and writes list, text and examples behind
 * the options. argp frees what is not text itself. */
static char *add_to_help(int key, const char *text, void *input)
{
    const struct line_reader *reader = input;
    char *list = NULL;
    size_t length = 0;
    FILE *stream;

    for (int i = 0; reader != NULL && i < reader->count; i++) {
        const struct nuce_option *row = reader->rows[i];

        if ((key == KEY_ROWS + i || (key > 0 && key == row->letter)) && row->preset != NULL &&
            row->type != NUCE_OPTION_FLAG)
            return nuce_text_format("%s (default: %s)", text, row->preset);
    }
    if (key != ARGP_KEY_HELP_POST_DOC || reader == NULL ||
        (stream = open_memstream(&list, &length)) == NULL)
        return (char *)text;
    if (reader->line->list != NULL)
        reader->line->list(stream);
    if (reader->line->after != NULL)
        fprintf(stream, "%s%s\n", reader->line->list != NULL ? "\n" : "", reader->line->after);
    if (ftell(stream) > 0 && reader->line->examples != NULL)
        fputc('\n', stream);
    nuce_command_line_print_examples(reader->line->examples, stream);
    fclose(stream);
    return list;
}

/* True if word, or the name that it abbreviates, asks for the text called name: "--help",
 * "--usage". */
static int asks_for(const struct line_reader *reader, const char *word, const char *name)
{
    size_t length = strlen(word);
    const struct nuce_option *row = NULL;

    return strcmp(word, name) == 0 || (length > 2 && strncmp(word, name, length) == 0 &&
                                       rows_like(reader, word + 2, length - 2, &row) == 0);
}

/* Replaces -h, which argp does not know, by --help. Returns true if any word asks for help. With
 * ARGP_NO_ERRS argp prints no help either. */
static int look_for_help(const struct line_reader *reader, int argc, char **argv)
{
    int found = 0;

    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (strcmp(argv[i], "-h") == 0)
            argv[i] = (char *)"--help";
        found |= strcmp(argv[i], "-?") == 0 || asks_for(reader, argv[i], "--help") ||
                 asks_for(reader, argv[i], "--usage");
    }
    return found;
}

/* Sets the presets of all groups and lists their rows for argp. */
static void command_line_declare(struct line_reader *reader, struct argp_option *next)
{
    for (int i = 0; i < NUCE_COMMAND_GROUPS && reader->line->groups[i].rows != NULL; i++) {
        const struct nuce_command_group *group = &reader->line->groups[i];

        if (group->given == NULL)
            nuce_option_presets(group->rows, group->params);
        if (group->heading != NULL)
            *next++ = (struct argp_option){.doc = group->heading, .group = i + 1};
        for (const struct nuce_option *row = group->rows; row->name != NULL; row++) {
            if (row->flags & group->hidden)
                continue;
            NUCE_ASSERT(reader->count < ROWS_MOST);
            *next++ = (struct argp_option){
                .name = row->name,
                .key = row->letter != 0 ? row->letter : KEY_ROWS + reader->count,
                .arg = row->argument,
                .flags = row->flags & NUCE_OPTION_HIDDEN ? OPTION_HIDDEN : 0,
                .doc = row->help,
                .group = i + 1};
            reader->groups[reader->count] = group;
            reader->rows[reader->count++] = row;
        }
    }
}

static void *json_allocate(size_t size)
{
    void *data = size < PTRDIFF_MAX ? malloc(size) : NULL;

    if (data == NULL)
        nuce_allocate_failed((int64_t)size, 1);
    return data;
}

/* The list of options is one array on the stack: headings and rows, ended by a zero row. */
nuce_status nuce_command_line_read(struct nuce_command_line *line, int argc, char **argv,
                                   struct nuce_error *error)
{
    struct argp_option options[ROWS_MOST + NUCE_COMMAND_GROUPS + 1] = {{0}};
    struct line_reader reader = {.line = line, .error = error};
    struct argp argp = {
        .parser = parse_word, .args_doc = line->operands.usage, .help_filter = add_to_help};
    /* A text behind the options, which add_to_help makes. */
    char *text = nuce_text_format("%s\v ", line->about);
    int code;

    json_set_alloc_funcs(json_allocate, free);
    argp.doc = text;
    argp_err_exit_status = nuce_error_exit_status(NUCE_BAD_INPUT);
    error->status = NUCE_OK;
    command_line_declare(&reader, options);
    if (reader.count > 0) /* argp leaks an empty list */
        argp.options = options;
    code = argp_parse(&argp, argc, argv, look_for_help(&reader, argc, argv) ? 0 : ARGP_NO_ERRS,
                      NULL, &reader);
    free(text);
    if (code != 0 && error->status == NUCE_OK)
        nuce_error_set(error, NUCE_BAD_INPUT, "cannot read the command line: %s", strerror(code));
    return error->status;
}

void nuce_command_line_parse(struct nuce_command_line *line, int argc, char **argv)
{
    struct nuce_error error = {0};
    const char *program = basename(argv[0]);

    if (nuce_command_line_read(line, argc, argv, &error) == NUCE_OK)
        return;
    nuce_error_print(&error, program);
    fprintf(stderr, "Try '%s --help' for more information.\n", program);
    exit(nuce_error_exit_status(error.status));
}
