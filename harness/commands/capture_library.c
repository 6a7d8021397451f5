/* Finds the MPI library of the program in a command line. The dynamic loader lists the libraries
 * that a program is linked with, instead of running it. Sources: ld.so(8), elf(5).
 *
 * The words are those of a user: a launcher with options, or a program. The program's position is
 * unknown, because options may have values. So the first word after the launcher that is an
 * executable linked with an MPI library counts as the program. All mistakes are found before
 * anything is started, so that a program of hours does not run in vain. */
#include "commands/preload.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "base/text_file.h"
#include "campaigns/process.h"

/* Seconds for listing the libraries of a program on a slow file system. */
#define LIMIT_S 60

/* Programs have about a dozen; a file with more is damaged. */
#define MOST_PROGRAM_HEADERS 128

/* Scripts are short; longer files are data. */
#define MOST_SCRIPT_BYTES (1 << 20)

/* The kind of an executable file. */
enum look {
    LOOK_NOTHING, /* no program that runs here */
    LOOK_SCRIPT,  /* text, or another format: its programs are unknown */
    LOOK_STATIC,  /* no loader starts it, so no library can be preloaded */
    LOOK_DYNAMIC,
};

/* The names of launchers. Other programs are not asked for their version, because that may start
 * them. */
static int is_launcher(const char *word)
{
    static const char *const names[] = {"mpiexec", "mpirun", "orterun", "prterun"};
    const char *name = basename(word);

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strncmp(name, names[i], strlen(names[i])) == 0)
            return 1;
    }
    return 0;
}

/* Programs of 32 bits are not captured. */
static enum look look_at_file(const char *path)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    enum look look = LOOK_SCRIPT;
    Elf64_Phdr header;
    Elf64_Ehdr head;

    if (file < 0)
        return LOOK_NOTHING;
    if (pread(file, &head, sizeof head, 0) == (ssize_t)sizeof head &&
        memcmp(head.e_ident, ELFMAG, SELFMAG) == 0)
        look = head.e_ident[EI_CLASS] == ELFCLASS64 && head.e_phentsize == sizeof header
                   ? LOOK_STATIC
                   : LOOK_NOTHING;
    for (int i = 0; look == LOOK_STATIC && i < head.e_phnum && i < MOST_PROGRAM_HEADERS; i++) {
        if (pread(file, &header, sizeof header,
                  (off_t)(head.e_phoff + (Elf64_Off)i * sizeof header)) != (ssize_t)sizeof header)
            look = LOOK_NOTHING;
        else if (header.p_type == PT_INTERP)
            look = LOOK_DYNAMIC;
    }
    close(file);
    return look;
}

/* The MPI library that the program at path is linked with; NULL: no known one. */
static const struct nuce_mpi_kind *library_of(const char *path)
{
    struct nuce_error ignored;
    json_t *argv = nuce_process_argv("env", "LD_TRACE_LOADED_OBJECTS=1", path, NULL);
    const struct nuce_mpi_kind *kind = NULL;
    struct nuce_process_reply reply;

    if (nuce_process_run(argv, LIMIT_S, &reply, &ignored) == NUCE_OK) {
        kind = nuce_mpi_kind_linked(reply.out);
        nuce_process_reply_fini(&reply);
    }
    json_decref(argv);
    return kind;
}

/* Searches the text that a shell would run, in a word or a file. Returns the library of the first
 * launcher in the text, or of the first program with a slash in its name. NULL: there is neither.
 * Quotes and separators of commands are blanks here. */
static const struct nuce_mpi_kind *kind_of_script(char *const *words)
{
    const struct nuce_mpi_kind *kind = NULL;
    struct nuce_error ignored;

    for (; *words != NULL && kind == NULL; words++) {
        struct stat file;
        char *text = NULL, *rest = NULL, *word;

        if (strpbrk(*words, " \t\n") != NULL)
            text = nuce_text_duplicate(*words);
        else if (stat(*words, &file) == 0 && S_ISREG(file.st_mode) &&
                 file.st_size <= MOST_SCRIPT_BYTES && look_at_file(*words) == LOOK_SCRIPT)
            nuce_text_read(*words, &text, NULL, &ignored);
        word = text != NULL ? strtok_r(text, " \t\n\"'`;|&()", &rest) : NULL;
        for (; word != NULL && kind == NULL; word = strtok_r(NULL, " \t\n\"'`;|&()", &rest)) {
            char *path =
                is_launcher(word) || strchr(word, '/') != NULL ? nuce_process_find(word) : NULL;

            if (path != NULL && is_launcher(word))
                kind = nuce_mpi_kind_of_launcher(word);
            else if (path != NULL && look_at_file(path) == LOOK_DYNAMIC)
                kind = library_of(path);
            free(path);
        }
        free(text);
    }
    return kind;
}

/* The word intended as the program although no such file exists; NULL: none. After a launcher it is
 * the first that looks like a path, if none of the words can be executed: it may also be a file
 * that an option names. */
static const char *missing_program(char *const *words, int has_launcher)
{
    const char *missing = NULL;

    for (words += has_launcher; *words != NULL; words++) {
        char *path = **words == '-' ? NULL : nuce_process_find(*words);

        free(path);
        if (path != NULL)
            return NULL;
        if (missing == NULL && **words != '-' && (!has_launcher || strchr(*words, '/') != NULL) &&
            access(*words, F_OK) != 0)
            missing = *words;
        if (!has_launcher)
            return missing;
    }
    return missing;
}

/* False for an option, and for a number after one. */
static int may_be_program(const char *word)
{
    return *word != '-' && strspn(word, "0123456789") != strlen(word);
}

#define NO_PROGRAM                                                                                 \
    "%s: no such program: expected an application, such as mpiexec -n 4 "                          \
    "./PROGRAM"

nuce_status nuce_target_check(char *const *words, struct nuce_error *error)
{
    char names[256] = "";
    size_t length = 0;

    for (words += words[0] != NULL; *words != NULL; words++) {
        char *path = may_be_program(*words) ? nuce_process_find(*words) : NULL;

        free(path);
        if (path != NULL)
            return NUCE_OK;
        if (may_be_program(*words) && length < sizeof names)
            length += (size_t)snprintf(&names[length], sizeof names - length, "%s%s",
                                       length > 0 ? ", " : "", *words);
    }
    return length > 0 ? nuce_error_set(error, NUCE_BAD_INPUT, NO_PROGRAM, names) : NUCE_OK;
}

/* Searches the words for a program of an MPI library. If the launcher identifies the library, a
 * script ends the search. Otherwise a program after the script counts as the one that it starts. A
 * statically linked program is refused, unless there is a script, whose programs are unknown. */
nuce_status nuce_target_find(char *const *words, const char *subcommand, struct nuce_target *out,
                             struct nuce_error *error)
{
    struct nuce_target target = {.launcher = -1};
    const struct nuce_mpi_kind *launcher = NULL;
    int is_script = 0;
    const char *fixed = NULL, *missing = missing_program(words, is_launcher(words[0]));

    if (missing != NULL)
        return nuce_error_set(error, NUCE_BAD_INPUT, NO_PROGRAM, missing);
    for (int i = 0; words[i] != NULL && launcher == NULL; i++) {
        if (is_launcher(words[i]) && (launcher = nuce_mpi_kind_of_launcher(words[i])) != NULL)
            target.launcher = i;
    }
    for (char *const *word = words + is_launcher(words[0]);
         *word != NULL && target.program == NULL && !(is_script && launcher != NULL); word++) {
        char *path = **word == '-' ? NULL : nuce_process_find(*word);
        enum look look = path == NULL ? LOOK_NOTHING : look_at_file(path);

        if (look == LOOK_DYNAMIC) {
            target.kind = library_of(path);
            target.program = target.kind != NULL ? *word : NULL;
        } else if (look == LOOK_STATIC && fixed == NULL && !is_script) {
            fixed = *word;
        } else if (look == LOOK_SCRIPT) {
            fixed = NULL;
            is_script = 1;
        }
        free(path);
    }
    if (target.program == NULL && fixed != NULL)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "%s is linked statically, so its calls cannot be reached: expected "
                              "a program linked with a shared MPI library",
                              fixed);
    if (target.program != NULL && launcher != NULL && launcher != target.kind)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "%s is linked with %s, and %s is of %s: expected both of one library",
                              target.program, target.kind->title, words[target.launcher],
                              launcher->title);
    if (target.program == NULL)
        target.kind = launcher != NULL ? launcher : kind_of_script(words);
    if (target.kind == NULL)
        target.kind = nuce_mpi_kind_of_launcher("mpiexec");
    if (target.kind == NULL)
        return nuce_error_set(error, NUCE_BAD_INPUT,
                              "'%s' is not a launcher or program of MPICH or Open MPI; example: "
                              "nuce %s -- mpiexec -n 4 ./app",
                              words[0], subcommand);
    *out = target;
    return NUCE_OK;
}
