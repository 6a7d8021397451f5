/* Messages on stderr. Names and messages may come from foreign files, whose control characters must
 * not reach the terminal. */
#include "base/message.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/printable.h"
#include "base/text.h"

void nuce_message_print(const char *message)
{
    char *text = nuce_text_duplicate(message == NULL ? "?" : message);
    int at = fprintf(stderr, "nuce: ");

    nuce_printable_make(text);
    nuce_printable_fold(text, nuce_printable_columns(stderr), at, 2, stderr);
    free(text);
    fputc('\n', stderr);
}

void nuce_message_report(void *context, const char *message)
{
    (void)context;
    nuce_message_print(message);
}

int nuce_message_pipe_broke(void)
{
    /* A pipe without a reader polls as an error (pipe(7)); a full disk does not. */
    struct pollfd out = {.fd = STDOUT_FILENO};

    return ferror(stdout) && poll(&out, 1, 0) == 1 && (out.revents & POLLERR);
}

int nuce_message_error(const struct nuce_error *error)
{
    char text[NUCE_ERROR_TEXT_BYTES];

    if (nuce_message_pipe_broke())
        return NUCE_EXIT_PIPE;
    nuce_message_print(nuce_error_text(error, NUCE_ERROR_KEYS, text));
    return nuce_error_exit_status(error->status);
}
