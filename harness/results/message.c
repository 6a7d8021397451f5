#include "message.h"

#include <stdio.h>

void nuce_message_print(const char *message)
{
    (void)fputs("nuce: ", stderr);
    for (; *message != '\0'; message++) {
        unsigned char byte = (unsigned char)*message;

        (void)fputc((byte < 32 && byte != '\n') || byte == 127 ? '?' : byte, stderr);
    }
    (void)fputc('\n', stderr);
}

int nuce_message_error(const struct nuce_error *error)
{
    nuce_message_print(error->message);
    return nuce_exit_status(error->status);
}
