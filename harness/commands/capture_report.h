/* Captures on the page of nuce report. */
#ifndef NUCE_CAPTURE_REPORT_H
#define NUCE_CAPTURE_REPORT_H

#include "results/html_report.h"

/* Adds to the report each capture that points of its database are of: the copy that a campaign in
 * the folder `campaigns` keeps. One that is not there, or is another, is named on stderr and left
 * out. */
nuce_status nuce_capturing_report(struct nuce_report *report, const char *campaigns,
                                  struct nuce_error *error);

#endif
