/* What a paper states, judged: the values of `holds` and `printed` in words. */
#ifndef NUCE_JUDGED_H
#define NUCE_JUDGED_H

/* Of yes, partly and no; NULL of anything else: not judged. */
const char *nuce_judged_holds(const char *judged);
const char *nuce_judged_printed(const char *judged);

#endif
