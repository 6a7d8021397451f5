/* Drawing: gnuplot and its terminals. `nuce figure` writes SVG, PNG and PDF by the terminals svg,
 * pngcairo and pdfcairo, and a gnuplot for servers may be built without some of them. */
#include <stdio.h>
#include <string.h>

#include "commands/doctor_check.h"

/* A gnuplot without a terminal draws, but not every format that 'nuce figure' writes. */
static void look_gnuplot(const struct nuce_local *local, struct nuce_doctor_finding *finding)
{
    static const char *const terminals[] = {" svg ", " pngcairo ", " pdfcairo "};
    const char *version[] = {"gnuplot", "--version", NULL};
    const char *list[] = {"env", "-u",           "PAGER", "GNUTERM=dumb", "gnuplot", "-d",
                          "-e",  "set terminal", NULL};
    char text[16384], name[128];

    (void)local;
    if (nuce_doctor_capture(version, text, sizeof text) != 0) {
        nuce_doctor_finding_set(finding, "missing", "gnuplot does not start");
        return;
    }
    snprintf(name, sizeof name, "%.*s", (int)strcspn(text, "\n"), text);
    nuce_doctor_capture(list, text, sizeof text);
    for (size_t i = 0; i < sizeof terminals / sizeof *terminals; i++) {
        if (strstr(text, terminals[i]) == NULL) {
            nuce_doctor_finding_set(finding, "wrong", "%s without the terminal%s", name,
                                    terminals[i]);
            return;
        }
    }
    nuce_doctor_finding_set(finding, "ok", "%s with svg, pngcairo and pdfcairo", name);
}

const struct nuce_doctor_check nuce_doctor_drawing[] = {
    {"gnuplot", 1, "apt install gnuplot-nox (tables work without it)", look_gnuplot},
    {0},
};
