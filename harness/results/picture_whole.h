/* Whether a picture is whole. */
#ifndef NUCE_PICTURE_WHOLE_H
#define NUCE_PICTURE_WHOLE_H

#include "base/error.h"

/* NUCE_OK if the file called name in folder, an open descriptor, is on the disk and ends as format
 * (png, svg or pdf) does; else NUCE_FAILED. A program that draws need not say that the disk was
 * full. */
nuce_status nuce_picture_check_whole(int folder, const char *name, const char *format,
                                     struct nuce_error *error);

#endif
