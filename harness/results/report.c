#include "report.h"

#include <stdio.h>

void nuce_report_line(const char *message)
{
    (void)fputs("nuce: ", stderr);
    for (; *message != '\0'; message++) {
        unsigned char byte = (unsigned char)*message;

        (void)fputc((byte < 32 && byte != '\n') || byte == 127 ? '?' : byte, stderr);
    }
    (void)fputc('\n', stderr);
}

int nuce_report_error(const struct nuce_error *error)
{
    nuce_report_line(error->message);
    return nuce_exit_status(error->status);
}
