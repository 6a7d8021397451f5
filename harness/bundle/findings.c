#include "bundle/findings.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/memory.h"
#include "support/text.h"

const char *nuce_finding_name(enum nuce_finding_kind kind)
{
    return kind == NUCE_FINDING_ALTERED ? "altered" : "invalid";
}

nuce_status nuce_findings_add(struct nuce_findings *findings, enum nuce_finding_kind kind,
                              const char *file, int64_t line, struct nuce_error *error,
                              const char *format, ...)
{
    char text[NUCE_MESSAGE_BYTES];
    struct nuce_finding finding = {.kind = kind, .line = line};
    void *list = findings->list;
    va_list arguments;

    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (nuce_grow(&list, &findings->capacity, findings->count + 1, sizeof finding, error) !=
        NUCE_OK)
        return error->status;
    findings->list = list;
    finding.file = strdup(file);
    finding.problem = strdup(text);
    if (finding.file == NULL || finding.problem == NULL) {
        free(finding.file);
        free(finding.problem);
        return nuce_error_set(error, NUCE_FAILED, "out of memory");
    }
    nuce_text_make_printable(finding.file);
    nuce_text_make_printable(finding.problem);
    findings->list[findings->count++] = finding;
    return NUCE_OK;
}

int64_t nuce_findings_of(const struct nuce_findings *findings, enum nuce_finding_kind kind)
{
    int64_t count = 0;

    for (int64_t i = 0; i < findings->count; i++)
        count += findings->list[i].kind == kind;
    return count;
}

void nuce_findings_fini(struct nuce_findings *findings)
{
    for (int64_t i = 0; i < findings->count; i++) {
        free(findings->list[i].file);
        free(findings->list[i].problem);
    }
    free(findings->list);
    *findings = (struct nuce_findings){0};
}
