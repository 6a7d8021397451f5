/* Pattern files of UCC's ucc_perftest (.ptini): an INI file with a section [collective] for each
 * call, of type ALLTOALLV, with team_size, datatype and counts = { rows of counts, one a source }.
 * Every section is a call, and its messages are exact: counts times the size of the datatype.
 *
 * Cost: O(cells) time and memory, at most NUCE_MATRICES_MOST_MESSAGES cells in all files. Limits:
 * all calls have the same team_size; types other than ALLTOALLV are refused, for their messages
 * depend on UCC's algorithm. Source: openucx/ucc, tools/perf/generator. */
#include <string.h>

#include "imports/importer.h"
#include "imports/matrices.h"
#include "support/scanner.h"

/* Room for a name or value; longer ones are cut, and then match none that is known. */
#define VALUE_BYTES 64

/* What the section at hand has said so far. */
struct ptini_call {
    const char *place; /* of its beginning; NULL: none is open */
    int ranks;         /* 0: not said yet */
    int64_t size;      /* of an element; 0: not said yet */
    int has_counts;
};

struct ptini_reader {
    struct nuce_scanner scanner;
    struct nuce_matrices *matrices;
    struct ptini_call call;
    int ranks;     /* of all calls; 0: not known yet */
    int64_t cells; /* counts that were read, of all files */
};

/* Bytes of an element of UCC's datatype (UCC_DT_...); 0: there is none of that name. */
static int64_t ptini_size(const char *name)
{
    static const struct {
        const char *name;
        int64_t size;
    } types[] = {
        {"INT8", 1},
        {"UINT8", 1},
        {"INT16", 2},
        {"UINT16", 2},
        {"FLOAT16", 2},
        {"BFLOAT16", 2},
        {"INT32", 4},
        {"UINT32", 4},
        {"FLOAT32", 4},
        {"INT64", 8},
        {"UINT64", 8},
        {"FLOAT64", 8},
        {"INT128", 16},
        {"UINT128", 16},
        {"FLOAT128", 16},
        {"FLOAT32_COMPLEX", 8},
        {"FLOAT64_COMPLEX", 16},
        {"FLOAT128_COMPLEX", 32},
    };

    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (strcmp(types[i].name, name) == 0)
            return types[i].size;
    }
    return 0;
}

static int ptini_is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* Past blanks, and past a comment (# or ;) to the end of the line, which is left. */
static void ptini_skip(struct nuce_scanner *scanner)
{
    while (scanner->at < scanner->end && ptini_is_blank(*scanner->at))
        scanner->at++;
    if (scanner->at < scanner->end && (*scanner->at == '#' || *scanner->at == ';')) {
        while (scanner->at < scanner->end && *scanner->at != '\n')
            scanner->at++;
    }
}

/* The same, over the ends of lines as well; 0: the text is over. */
static int ptini_skip_lines(struct nuce_scanner *scanner)
{
    for (ptini_skip(scanner); scanner->at < scanner->end && *scanner->at == '\n';
         ptini_skip(scanner))
        scanner->at++;
    return scanner->at < scanner->end;
}

/* Takes what stands here until one of the ends, a blank or the end of the line; cut to
 * VALUE_BYTES. */
static void ptini_word(struct nuce_scanner *scanner, const char *ends, char word[VALUE_BYTES])
{
    int length = 0;

    while (scanner->at < scanner->end && *scanner->at != '\n' && !ptini_is_blank(*scanner->at) &&
           (*scanner->at == '\0' || strchr(ends, *scanner->at) == NULL)) {
        if (length < VALUE_BYTES - 1)
            word[length++] = *scanner->at;
        scanner->at++;
    }
    word[length] = '\0';
}

/* Takes a whole number of 0 .. most, which `what` names in the message. */
static nuce_status ptini_number(struct nuce_scanner *scanner, const char *what, int64_t most,
                                int64_t *out, struct nuce_error *error)
{
    const char *place = scanner->at;
    char word[VALUE_BYTES];
    int64_t value = 0;

    ptini_word(scanner, ",}#;", word);
    for (const char *c = word; *c != '\0'; c++) {
        if (*c < '0' || *c > '9' || __builtin_mul_overflow(value, 10, &value) ||
            __builtin_add_overflow(value, *c - '0', &value))
            value = INT64_MAX;
        if (value > most)
            break;
    }
    if (word[0] == '\0' || value > most)
        return nuce_scanner_fail(scanner, place, error,
                                 "'%.40s': expected %s, a whole number of at most %lld", word, what,
                                 (long long)most);
    *out = value;
    return NUCE_OK;
}

/* The counts between { and }, row by row: team_size rows of as many, the i-th row of source i. How
 * they are broken into lines does not matter. */
static nuce_status ptini_counts(struct ptini_reader *reader, struct nuce_error *error)
{
    struct nuce_scanner *scanner = &reader->scanner;
    struct ptini_call *call = &reader->call;
    int64_t cells = (int64_t)call->ranks * call->ranks, count;

    if (scanner->at >= scanner->end || *scanner->at != '{')
        return nuce_scanner_fail(scanner, scanner->at, error, "expected { and rows of counts");
    if (call->ranks == 0 || call->size == 0)
        return nuce_scanner_fail(scanner, scanner->at, error,
                                 "expected team_size and datatype before counts");
    scanner->at++;
    for (int64_t i = 0; i < cells; i++) {
        if (!ptini_skip_lines(scanner) || *scanner->at == '}')
            return nuce_scanner_fail(scanner, scanner->at, error,
                                     "the counts end after %lld of them: expected %lld",
                                     (long long)i, (long long)cells);
        if (++reader->cells > NUCE_MATRICES_MOST_MESSAGES)
            return nuce_scanner_fail(scanner, scanner->at, error,
                                     "more than %lld counts: nothing that large is read",
                                     (long long)NUCE_MATRICES_MOST_MESSAGES);
        if (ptini_number(scanner, "a count", NUCE_MATRICES_MOST_BYTES / call->size, &count,
                         error) != NUCE_OK ||
            nuce_matrices_add(reader->matrices, (int)(i / call->ranks), (int)(i % call->ranks),
                              count * call->size, error) != NUCE_OK)
            return error->status;
        if (ptini_skip_lines(scanner) && *scanner->at == ',')
            scanner->at++;
    }
    if (!ptini_skip_lines(scanner) || *scanner->at != '}')
        return nuce_scanner_fail(scanner, scanner->at, error,
                                 "expected } after %lld counts, team_size times itself",
                                 (long long)cells);
    scanner->at++;
    call->has_counts = 1;
    return NUCE_OK;
}

/* team_size: how many ranks there are, the same in every call and as the user said, if he did. */
static nuce_status ptini_ranks(struct ptini_reader *reader, struct nuce_error *error)
{
    const char *place = reader->scanner.at;
    int64_t ranks;

    if (ptini_number(&reader->scanner, "a number of ranks", NUCE_PATTERN_MAX_RANKS, &ranks,
                     error) != NUCE_OK)
        return error->status;
    if (ranks == 0 || (reader->ranks > 0 && ranks != reader->ranks))
        return nuce_scanner_fail(&reader->scanner, place, error,
                                 "'%lld': expected %s, the same in every collective",
                                 (long long)ranks, ranks == 0 ? "at least 1" : "as before");
    reader->call.ranks = reader->ranks = (int)ranks;
    return NUCE_OK;
}

/* A key of a section [collective]. */
static nuce_status ptini_key(struct ptini_reader *reader, const char *name,
                             struct nuce_error *error)
{
    struct nuce_scanner *scanner = &reader->scanner;
    const char *place = scanner->at;
    char word[VALUE_BYTES];

    if (strcmp(name, "counts") == 0)
        return ptini_counts(reader, error);
    if (strcmp(name, "team_size") == 0)
        return ptini_ranks(reader, error);
    ptini_word(scanner, "#;", word);
    if (strcmp(name, "type") == 0 && strcmp(word, "ALLTOALLV") != 0)
        return nuce_scanner_fail(scanner, place, error, "'%.40s': expected ALLTOALLV", word);
    if (strcmp(name, "datatype") == 0) {
        reader->call.size = ptini_size(word);
        if (reader->call.size == 0)
            return nuce_scanner_fail(scanner, place, error,
                                     "'%.40s': expected a datatype of UCC, such as INT32", word);
    }
    return NUCE_OK;
}

/* The section that was open is a call. */
static nuce_status ptini_end_section(struct ptini_reader *reader, struct nuce_error *error)
{
    if (reader->call.place == NULL)
        return NUCE_OK;
    if (!reader->call.has_counts)
        return nuce_scanner_fail(&reader->scanner, reader->call.place, error,
                                 "a collective without counts");
    reader->call = (struct ptini_call){0};
    return nuce_matrices_end_call(reader->matrices, reader->ranks, NUCE_RAW_KIND_alltoallv,
                                  NUCE_CAPTURE_EXACT, error);
}

static nuce_status ptini_section(struct ptini_reader *reader, struct nuce_error *error)
{
    struct nuce_scanner *scanner = &reader->scanner;
    const char *place = scanner->at++;
    char name[VALUE_BYTES];

    ptini_word(scanner, "]", name);
    if (scanner->at >= scanner->end || *scanner->at != ']')
        return nuce_scanner_fail(scanner, scanner->at, error, "expected ]");
    scanner->at++;
    if (ptini_end_section(reader, error) != NUCE_OK)
        return error->status;
    if (strcmp(name, "collective") == 0)
        reader->call.place = place;
    return NUCE_OK;
}

/* `name = value` of a section [collective]; what stands in other sections is passed over, whatever
 * its form behind the =. */
static nuce_status ptini_line(struct ptini_reader *reader, struct nuce_error *error)
{
    struct nuce_scanner *scanner = &reader->scanner;
    const char *place = scanner->at;
    char name[VALUE_BYTES];

    ptini_word(scanner, "=", name);
    ptini_skip(scanner);
    if (scanner->at >= scanner->end || *scanner->at != '=')
        return nuce_scanner_fail(scanner, place, error,
                                 "'%.40s': expected NAME = VALUE, or [collective]", name);
    scanner->at++;
    while (scanner->at < scanner->end && ptini_is_blank(*scanner->at))
        scanner->at++;
    if (reader->call.place != NULL) {
        if (ptini_key(reader, name, error) != NUCE_OK)
            return error->status;
        ptini_skip(scanner);
        if (scanner->at < scanner->end && *scanner->at != '\n')
            return nuce_scanner_fail(scanner, scanner->at, error, "expected the end of the line");
        return NUCE_OK;
    }
    while (scanner->at < scanner->end && *scanner->at != '\n')
        scanner->at++;
    return NUCE_OK;
}

/* One file: sections until it ends, at least one of which is a call. */
static nuce_status ptini_file(struct ptini_reader *reader, struct nuce_error *error)
{
    int64_t before = reader->matrices->call_count;

    while (ptini_skip_lines(&reader->scanner)) {
        if ((*reader->scanner.at == '[' ? ptini_section : ptini_line)(reader, error) != NUCE_OK)
            return error->status;
    }
    if (ptini_end_section(reader, error) != NUCE_OK)
        return error->status;
    if (reader->matrices->call_count == before)
        return nuce_scanner_fail(&reader->scanner, reader->scanner.at, error,
                                 "the file ends here: expected a section [collective]");
    return NUCE_OK;
}

static nuce_status ptini_import(const struct nuce_import_input *input, struct nuce_capture *out,
                                struct nuce_error *error)
{
    struct nuce_matrices matrices;
    struct ptini_reader reader = {.matrices = &matrices, .ranks = input->ranks};
    nuce_status status = NUCE_OK;

    nuce_matrices_init(&matrices);
    for (int i = 0; status == NUCE_OK && i < input->count; i++) {
        const struct nuce_import_text *file = &input->files[i];

        nuce_scanner_init(&reader.scanner, file->name, file->text, file->length);
        status = ptini_file(&reader, error);
    }
    if (status == NUCE_OK)
        status = nuce_matrices_finish(&matrices, out, error);
    nuce_matrices_fini(&matrices);
    return status;
}

/* INI files begin with a section, but for comments. */
static int ptini_recognises(const char *text, size_t length)
{
    struct nuce_scanner scanner;

    nuce_scanner_init(&scanner, "", text, length);
    return ptini_skip_lines(&scanner) && *scanner.at == '[';
}

const struct nuce_importer_ops nuce_importer_ptini = {
    .name = "ptini",
    .summary = "patterns of alltoallv calls of UCC's ucc_perftest",
    .source = "openucx/ucc, tools/perf/generator",
    .recognises = ptini_recognises,
    .import = ptini_import,
};
