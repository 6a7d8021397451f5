/* -h on command lines. */
#ifndef NUCE_HELP_H
#define NUCE_HELP_H

/* Turns every word -h of argv into --help: argp itself knows -? alone. Words behind the first "--"
 * are left as they are. */
void nuce_help_expand(int argc, char **argv);

#endif
