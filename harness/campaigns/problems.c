/* What is wrong with a file that a user wrote, as a list that is printed in the order of the lines.
 * The same thing said of the same place is said once: a value may be looked at once for each rank
 * count. Of very many only so many are kept and the rest are counted. */
#include "campaigns/problems.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/printable.h"
#include "base/text.h"

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

/* Makes the message and keeps it, unless it is there already: a linear search, as at most
 * NUCE_PROBLEMS_KEPT are there. */
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
        /* A note that is left out must not make the file a bad one. */
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

/* By line, column and message: the order in which problems are found says nothing to the user. */
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
        fprintf(out, "%s: %lld more problems\n", problems->path, (long long)problems->left_out);
    if (problems->given_up > 0)
        fprintf(out, "%s: %lld combinations cannot be run; the others were not looked at\n",
                problems->path, (long long)problems->given_up);
}
