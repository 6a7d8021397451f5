/* What a campaign answers: the sentences at the end of `nuce run`, `nuce resume` and `nuce
 * collect`. */
#ifndef NUCE_ANSWER_H
#define NUCE_ANSWER_H

/* Prints on standard output, in a few sentences, which contenders of the campaign are the fastest,
 * by how much and how sure that is, or what is missing to say so. Nothing where it compares none,
 * or where the database cannot be read: its records are safe, and whoever asks for a table is told.
 */
void nuce_campaign_summary_print(const char *database, const char *campaign);

/* Prints on standard output how many runs the campaign lacks, and what runs them; nothing where it
 * lacks none or cannot be read. */
void nuce_campaign_summary_print_missing(const char *campaigns, const char *campaign);

#endif
