/* Readers of other benchmarks' results. Each format has a reader that appends rows; the file's
 * first characters tell which. Unit and direction of a value follow from the format's own heads and
 * units. Sources of the formats: the programs' own output, OMB 5 to 7, IMB 2019 to 2021,
 * hyperfine 1.x with
 * --export-json, ReFrame 3 and 4 with the handler `filelog`. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/data.h"
#include "base/printable.h"
#include "base/scanner.h"
#include "base/text.h"
#include "base/text_file.h"
#include "results/foreign.h"

#define NAME_BYTES 256

static const char expected[] = "expected a table of OSU's or IMB's benchmarks, JSON of hyperfine "
                               "(--export-json), or a performance log of ReFrame with its header";

/* A file that is being read. */
struct reading {
    struct nuce_scanner scanner;
    const char *workload;
    json_t *rows;
};

/* The unit of a value as nuce names it, and its seconds; 0: it is a rate, and higher is better. */
struct quantity {
    char unit[32];
    double seconds;
};

/* False if the unit says neither time nor rate. A time per something is a time, such as "s/step";
 * all else per time is a rate, such as "MB/s", and so is "ns/day". */
static int find_quantity(const char *unit, struct quantity *out)
{
    static const struct {
        const char *name, *unit;
        double seconds;
    } times[] = {
        {"s", "s", 1},        {"sec", "s", 1},    {"secs", "s", 1},       {"second", "s", 1},
        {"seconds", "s", 1},  {"ms", "ms", 1e-3}, {"us", "us", 1e-6},     {"usec", "us", 1e-6},
        {"ns", "ns", 1e-9},   {"min", "min", 60}, {"minutes", "min", 60}, {"h", "h", 3600},
        {"hours", "h", 3600},
    };
    size_t length = strcspn(unit, "/");
    const char *per = unit[length] == '/' ? unit + length + 1 : "";
    int is_per_time = strcasecmp(per, "day") == 0 || strcasecmp(per, "hour") == 0;

    for (size_t i = 0; i < sizeof times / sizeof *times; i++)
        is_per_time |= strcasecmp(per, times[i].name) == 0;
    for (size_t i = 0; i < sizeof times / sizeof *times && !is_per_time; i++) {
        if (strlen(times[i].name) == length && strncasecmp(unit, times[i].name, length) == 0) {
            nuce_text_copy(out->unit, sizeof out->unit, times[i].unit);
            out->seconds = times[i].seconds;
            return 1;
        }
    }
    out->seconds = 0;
    return (is_per_time || strcasestr(unit, "flop") != NULL || strcasestr(unit, "bps") != NULL) &&
           nuce_text_copy(out->unit, sizeof out->unit, unit);
}

/* Appends a row. quantity NULL: neither time nor rate. Takes params. */
static void add_row(struct reading *reading, int64_t ranks, json_t *params, const char *command,
                    const struct quantity *quantity, double value)
{
    double cost = NAN;

    if (quantity != NULL && value > 0)
        cost = quantity->seconds > 0 ? value * quantity->seconds : 1 / value;
    if (quantity != NULL && strcmp(quantity->unit, "s") != 0)
        json_object_update_new(params, json_pack("{s:s, s:s}", "unit", quantity->unit, "better",
                                                 quantity->seconds > 0 ? "lower" : "higher"));
    json_array_append_new(reading->rows,
                          json_pack("{s:s, s:I, s:o, s:s?, s:f, s:o}", "workload",
                                    reading->workload, "ranks", (json_int_t)ranks, "params", params,
                                    "command", command, "value", value, "cost",
                                    isfinite(cost) ? json_real(cost) : json_null()));
}

/* The table that the lines are of. Heads and titles change it. */
struct text_table {
    char title[NAME_BYTES], benchmark[NAME_BYTES]; /* benchmark: the title with remarks after it */
    int is_osu;
    int64_t ranks;
    int size, group, defects; /* columns, from 1; 0: it has none */
    int column;               /* that of the value; 0: no head yet */
    struct quantity quantity;
};

/* The text after the words at the beginning of a line, "#" and blanks before them; NULL: it has
 * others. */
static const char *after(const char *line, const char *words)
{
    line += strspn(line, "# \t");
    return strncmp(line, words, strlen(words)) == 0 ? line + strlen(words) : NULL;
}

/* The heads of an OSU table stand apart by two blanks or more: "# Size    Avg Latency(us)    Min
 * ...". The unit is in parentheses, or the head is one. The value is the first of them. */
static void read_osu_head(const char *line, struct text_table *table)
{
    const char *head = after(line, "Size"), *end, *open;
    char *unit;

    table->size = head != NULL;
    head = head != NULL ? head : line + 1;
    head += strspn(head, " \t");
    end = strstr(head, "  ") != NULL ? strstr(head, "  ") : head + strlen(head);
    open = memchr(head, '(', (size_t)(end - head));
    unit = open == NULL ? nuce_text_format("%.*s", (int)(end - head), head)
                        : nuce_text_format("%.*s", (int)strcspn(open + 1, ")"), open + 1);
    table->column = find_quantity(unit, &table->quantity) ? 1 + table->size : 0;
    free(unit);
}

/* The heads of an IMB table are words: "#bytes #repetitions t_min[usec] t_max[usec] t_avg[usec]".
 * The value is the mean time, else the first time, else the first rate. */
static void read_imb_head(const char *line, struct text_table *table)
{
    char word[64], unit[64];
    int best = 0;

    table->column = table->size = table->group = table->defects = 0;
    for (int column = 1; nuce_text_word(&line, word, sizeof word); column++) {
        const char *open = strchr(word, '[');
        struct quantity quantity;
        int good;

        if (strcmp(word, "#bytes") == 0)
            table->size = column;
        else if (strcmp(word, "Group") == 0)
            table->group = column;
        else if (strcmp(word, "defects") == 0)
            table->defects = column;
        snprintf(unit, sizeof unit, "%.*s", (int)strcspn(open != NULL ? open + 1 : word, "]"),
                 open != NULL ? open + 1 : word);
        if (!find_quantity(unit, &quantity))
            continue;
        good = strncmp(word, "t_avg", 5) == 0 ? 3 : quantity.seconds > 0 ? 2 : 1;
        if (good > best) {
            best = good;
            table->column = column;
            table->quantity = quantity;
        }
    }
}

/* Appends what else the table is of. */
static void add_remark(struct text_table *table, const char *text)
{
    size_t length = strlen(table->benchmark);

    snprintf(table->benchmark + length, sizeof table->benchmark - length, "%s", text);
}

/* IMB's lines between title and head. Times of calls in a row (AGGREGATE) and of single ones are
 * two tables; with -multi, groups run at the same time: "( 4 groups of 2 processes each ...". */
static void read_imb_line(const char *line, struct text_table *table)
{
    static const char groups[] = " groups of ";
    const char *text;
    char *rest, word[64];

    if ((text = after(line, "processes = ")) != NULL) {
        table->ranks = strtoll(text, NULL, 10);
    } else if ((text = after(line, "MODE:")) != NULL) {
        add_remark(table, " ");
        if (nuce_text_word(&text, word, sizeof word))
            add_remark(table, word);
    } else if ((text = after(line, "( ")) != NULL) {
        long long count = strtoll(text, &rest, 10);

        if (strncmp(rest, groups, sizeof groups - 1) != 0)
            return;
        table->ranks = strtoll(rest + sizeof groups - 1, NULL, 10);
        snprintf(word, sizeof word, " in %lld groups", count);
        add_remark(table, word);
    } else if (strstr(line, "#repetitions") != NULL) {
        read_imb_head(line, table);
    }
}

/* Titles, remarks and heads. OSU's remarks, such as a datatype or a number of pairs, are part of
 * what is measured. The datatype MPI_CHAR is OSU's only one before version 7, which does not name
 * it. */
static void read_table_line(struct reading *reading, const char *line, struct text_table *table)
{
    const char *text;

    if (line[0] == '#' && (text = after(line, "OSU ")) != NULL) {
        const char *end = strstr(text, " Test");

        *table = (struct text_table){.is_osu = 1};
        reading->workload = "osu";
        snprintf(table->title, sizeof table->title, "%.*s",
                 (int)(end != NULL ? (size_t)(end - text) : strlen(text)), text);
        nuce_text_copy(table->benchmark, sizeof table->benchmark, table->title);
    } else if ((text = after(line, "Benchmarking ")) != NULL) {
        *table = (struct text_table){.is_osu = 0};
        reading->workload = "imb";
        nuce_text_word(&text, table->benchmark, sizeof table->benchmark);
    } else if (!table->is_osu) {
        read_imb_line(line, table);
    } else if (line[0] == '#') {
        if (table->column > 0)
            nuce_text_copy(table->benchmark, sizeof table->benchmark, table->title);
        table->column = 0;
        if (after(line, "Size") != NULL || strstr(line, "(us)") != NULL)
            read_osu_head(line, table);
        else if (after(line, "Datatype: MPI_CHAR") == NULL && line[1] != '\0')
            add_remark(table, line + 1);
    }
}

/* A row of a table: its size, if it has one, and its value. A result that OSU's -c or IMB's CHECK
 * found wrong is none. Where IMB did not measure it stands why ("out-of-mem.; needed X= 1.5 GB"):
 * no row. */
static nuce_status read_table_row(struct reading *reading, const struct text_table *table,
                                  struct nuce_error *error)
{
    struct nuce_scanner *scanner = &reading->scanner;
    json_t *params = json_pack("{s:s}", "benchmark", table->benchmark);
    struct nuce_word word;
    int64_t number;
    double value = 0, defects;
    char what[64];
    int is_measured = 1;

    snprintf(what, sizeof what, "a value in %s", table->quantity.unit);
    error->status = NUCE_OK;
    for (int column = 1; error->status == NUCE_OK && is_measured &&
                         (column <= table->column || nuce_scanner_has_word(scanner));
         column++) {
        if (column == table->size || column == table->group) {
            const char *name = column == table->size ? "bytes" : "group";

            if (nuce_scanner_integer(scanner, column == table->size ? "a size in bytes" : "a group",
                                     0, INT64_MAX, &number, error) == NUCE_OK)
                json_object_set_new(params, name, json_integer(number));
        } else if (column == table->column) {
            nuce_scanner_real(scanner, what, &value, error);
        } else if (column == table->defects) {
            const char *at = scanner->at;

            if (nuce_scanner_real(scanner, "a number of defects", &defects, error) == NUCE_OK &&
                defects > 0)
                nuce_scanner_fail(scanner, at, error, "%g: wrong results: expected 0 defects",
                                  defects);
        } else if (nuce_scanner_word(scanner, "a column of the table", &word, error) == NUCE_OK) {
            is_measured = column > table->column || !isalpha((unsigned char)*word.text);
            if (nuce_word_is_nocase(word, "fail"))
                nuce_scanner_fail(scanner, word.text, error,
                                  "'%.*s': a wrong result: expected Pass", word.length, word.text);
        }
    }
    if (error->status == NUCE_OK && is_measured)
        add_row(reading, table->ranks, params, NULL, &table->quantity, value);
    else
        json_decref(params);
    return error->status;
}

/* Lines of others, such as a launcher's, stand anywhere; a row begins with a digit. */
static nuce_status read_tables(struct reading *reading, char **again, struct nuce_error *error)
{
    struct nuce_scanner *scanner = &reading->scanner;
    struct text_table table = {.column = 0};
    nuce_status status = NUCE_OK;

    do {
        if (!nuce_scanner_has_word(scanner))
            continue;
        if (table.column > 0 && isdigit((unsigned char)*scanner->at)) {
            status = read_table_row(reading, &table, error);
        } else {
            size_t length = strcspn(scanner->at, "\r\n");
            char *line = nuce_text_format("%.*s", (int)length, scanner->at);

            nuce_printable_make(line);
            read_table_line(reading, line, &table);
            free(line);
        }
    } while (status == NUCE_OK && nuce_scanner_next_line(scanner));
    if (json_array_size(reading->rows) > 0)
        *again = nuce_text_format(" --series %d --unit %s%s", table.column, table.quantity.unit,
                                  table.quantity.seconds > 0 ? "" : " --better higher");
    return status;
}

/* Each time of a command is one of its launches. Launches that failed are no times; without times,
 * as in a summary, the mean is all there is. */
static nuce_status read_hyperfine(struct reading *reading, char **again, struct nuce_error *error)
{
    static const struct quantity seconds = {"s", 1};
    const char *path = reading->scanner.path;
    json_error_t problem;
    json_t *root = json_loads(reading->scanner.text, JSON_REJECT_DUPLICATES, &problem);
    json_t *results = json_object_get(root, "results"), *result, *value;
    size_t i, k;
    const char *name;

    reading->workload = "hyperfine";
    error->status = NUCE_OK;
    if (root == NULL) {
        nuce_error_set(error, NUCE_BAD_INPUT, "%s; %s", problem.text, expected);
        return nuce_error_at(error, path, problem.line, problem.column);
    }
    if (json_array_size(results) == 0)
        nuce_error_set(error, NUCE_BAD_INPUT, "%s: no list 'results'; %s", path, expected);
    json_array_foreach(results, i, result)
    {
        const char *command = json_string_value(json_object_get(result, "command"));
        const json_t *codes = json_object_get(result, "exit_codes");
        json_t *times = json_object_get(result, "times"), *params = json_object();

        if (!json_is_array(times))
            times = json_pack("[O?]", json_object_get(result, "mean"));
        else
            json_incref(times);
        json_object_foreach(json_object_get(result, "parameters"), name, value)
        {
            char *rest = NULL;
            long long number =
                json_is_string(value) ? strtoll(json_string_value(value), &rest, 10) : 0;
            int is_number = rest != NULL && rest != json_string_value(value) && *rest == '\0';

            json_object_set_new(params, name,
                                is_number ? json_integer(number) : json_incref(value));
        }
        json_array_foreach(times, k, value)
        {
            const json_t *code = json_array_get(codes, k);

            if (command == NULL || !(json_number_value(value) > 0))
                nuce_error_set(error, NUCE_BAD_INPUT,
                               "%s: results[%zu]: expected a command and its times above 0", path,
                               i);
            else if (code == NULL || (json_is_integer(code) && json_integer_value(code) == 0))
                add_row(reading, 0, json_copy(params), command, &seconds, json_number_value(value));
        }
        json_decref(params);
        json_decref(times);
    }
    json_decref(root);
    *again = nuce_text_duplicate("");
    return error->status;
}

/* The fields of the scanner's line, an array of new strings that are fit for a terminal. */
static json_t *split_line(const struct nuce_scanner *scanner, char delimiter)
{
    const char marks[] = {delimiter, '\r', '\n', '\0'};
    json_t *fields = json_array();

    for (const char *at = scanner->at;; at++) {
        char *field = nuce_text_format("%.*s", (int)strcspn(at, marks), at);

        nuce_printable_make_line(field);
        json_array_append_new(fields, json_string(field));
        free(field);
        at += strcspn(at, marks);
        if (*at != delimiter)
            return fields;
    }
}

static const char *field_at(const json_t *fields, size_t i)
{
    return json_string_length(json_array_get(fields, i)) == 0
               ? ""
               : json_string_value(json_array_get(fields, i));
}

/* The name of a column without the "check_" of ReFrame's attributes. */
static const char *column_name(const json_t *head, size_t i)
{
    const char *name = field_at(head, i);

    return strncmp(name, "check_", 6) == 0 ? name + 6 : name;
}

/* The field below the name made of stem and ending; "" if there is no such column. */
static const char *field_of(const json_t *head, const json_t *fields, const char *stem,
                            const char *ending)
{
    size_t length = strlen(stem);

    for (size_t i = 0; i < json_array_size(head); i++) {
        const char *name = column_name(head, i);

        if (strncmp(name, stem, length) == 0 && strcmp(name + length, ending) == 0)
            return field_at(fields, i);
    }
    return "";
}

/* The values of a line of a performance log: a column NAME_value each, whose unit is in NAME_unit.
 * In older logs there is one, perf_value, of the variable in perf_var. A variable that the test
 * does not have is null. */
static nuce_status read_log_line(struct reading *reading, const json_t *head, const json_t *fields,
                                 char delimiter, struct quantity *quantity,
                                 struct nuce_error *error)
{
    static const char *const names[] = {"display_name", "unique_name", "name"};
    const char *test = "", *environ = field_of(head, fields, "environ", ""), *where;

    for (size_t i = 0; *test == '\0' && i < sizeof names / sizeof *names; i++)
        test = field_of(head, fields, names[i], "");
    where = reading->scanner.at;
    for (size_t i = 0; i < json_array_size(fields); i++) {
        const char *text = field_at(fields, i), *variable;
        char stem[NAME_BYTES], *rest;
        double value;
        struct quantity found;
        int is_known;
        json_t *params;

        where = i == 0 ? where : strchr(where, delimiter) + 1;
        if (!nuce_text_copy(stem, sizeof stem, column_name(head, i)) ||
            !nuce_text_ends(stem, "_value") || *text == '\0' || strcasecmp(text, "null") == 0 ||
            strcasecmp(text, "none") == 0)
            continue;
        stem[strlen(stem) - strlen("_value")] = '\0';
        value = strtod(text, &rest);
        if (*rest != '\0' || !isfinite(value))
            return nuce_scanner_fail(&reading->scanner, where, error, "'%s': expected a number",
                                     text);
        variable = strcmp(stem, "perf") == 0 ? field_of(head, fields, "perf_var", "") : stem;
        params = json_pack("{s:s, s:s}", "benchmark", test, "variable", variable);
        if (*environ != '\0')
            json_object_set_new(params, "environ", json_string(environ));
        is_known = find_quantity(field_of(head, fields, stem, "_unit"), &found);
        add_row(reading, strtoll(field_of(head, fields, "num_tasks", ""), NULL, 10), params, NULL,
                is_known ? &found : NULL, value);
        if (is_known)
            *quantity = found;
    }
    return NUCE_OK;
}

/* The first line names the columns; logs that were joined have it several times. */
static nuce_status read_log(struct reading *reading, char **again, struct nuce_error *error)
{
    struct nuce_scanner *scanner = &reading->scanner;
    char delimiter = memchr(scanner->at, '|', strcspn(scanner->at, "\n")) != NULL ? '|' : ',';
    struct quantity quantity = {"UNIT", 1};
    json_t *head = split_line(scanner, delimiter);
    size_t columns = json_array_size(head);

    reading->workload = "reframe";
    columns -= columns > 1 && *field_at(head, columns - 1) == '\0';
    error->status = NUCE_OK;
    while (error->status == NUCE_OK && nuce_scanner_next_line(scanner)) {
        json_t *fields;
        size_t found;

        if (!nuce_scanner_has_word(scanner))
            continue;
        fields = split_line(scanner, delimiter);
        found = json_array_size(fields);
        found -= found == columns + 1 && *field_at(fields, found - 1) == '\0';
        if (found != columns)
            nuce_scanner_fail(scanner, scanner->at, error,
                              "%zu fields: expected %zu, as the first line has", found, columns);
        else if (!json_equal(fields, head))
            read_log_line(reading, head, fields, delimiter, &quantity, error);
        json_decref(fields);
    }
    json_decref(head);
    *again = nuce_text_format(" --metric REGEX --unit %s%s", quantity.unit,
                              quantity.seconds > 0 ? "" : " --better higher");
    return error->status;
}

nuce_status nuce_foreign_read(const char *path, json_t *rows, char **again,
                              struct nuce_error *error)
{
    struct reading reading = {.rows = rows};
    struct nuce_scanner *scanner = &reading.scanner;
    size_t before = json_array_size(rows), length = 0;
    char *text = NULL;
    int is_log;

    if (nuce_data_check_file(path, "results of a benchmark", error) != NUCE_OK ||
        nuce_text_read(path, &text, &length, error) != NUCE_OK)
        return error->status;
    nuce_scanner_init(scanner, path, text, length);
    if (nuce_scanner_skip_lines(scanner, '\0') && *scanner->at == '{') {
        read_hyperfine(&reading, again, error);
    } else if (strstr(text, "# OSU ") != NULL || strstr(text, "Benchmarking ") != NULL) {
        read_tables(&reading, again, error);
    } else {
        char *first = nuce_text_format("%.*s", (int)strcspn(scanner->at, "\n"), scanner->at);

        is_log = strstr(first, "_value") != NULL && strstr(first, "_unit") != NULL &&
                 strpbrk(first, "|,") != NULL;
        if (is_log)
            read_log(&reading, again, error);
        else
            nuce_scanner_fail(scanner, scanner->at, error, "'%.40s': %s", first, expected);
        free(first);
    }
    if (error->status == NUCE_OK && json_array_size(rows) == before)
        nuce_error_set(error, NUCE_BAD_INPUT, "%s: no value: %s", path, expected);
    free(text);
    return error->status;
}
