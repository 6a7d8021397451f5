/* A capture as a picture: which patterns took the time and had the bytes, who sends to whom in one
 * of them, the sizes of messages, durations and skews. */
#ifndef NUCE_CAPTURE_PICTURE_H
#define NUCE_CAPTURE_PICTURE_H

#include "capture/capture.h"
#include "results/plot.h"

/* What nuce_plot_draw takes, of the capture at path; call: the pattern whose matrix is drawn, as
 * nuce_capture_find takes it; NULL: that which took most time. The plot's name is that of the file
 * without its ending, or "capture" where that could not be a file's. Released with nuce_plot_fini
 * and nuce_plot_data_fini, also after failure. NUCE_BAD_INPUT: no pattern has messages, or not that
 * one. */
nuce_status nuce_capturing_picture(const struct nuce_capture *capture, const char *path,
                                   const char *call, struct nuce_plot *plot,
                                   struct nuce_plot_data *data, struct nuce_error *error);

#endif
