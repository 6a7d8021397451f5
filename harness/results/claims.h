/* What a paper states, judged: the values of `holds` and `printed` in words. */
#ifndef NUCE_CLAIMS_H
#define NUCE_CLAIMS_H

/* Of yes, partly and no: whether a statement holds, and whether a printed number comes out; static
 * strings, NULL of anything else: not judged. */
const char *nuce_claims_holds(const char *judged);
const char *nuce_claims_printed(const char *judged);

#endif
