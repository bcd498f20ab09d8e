/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The tinycontact authors
 *
 * An application that must NOT link on a board: it wants a heap. A test tries, and looks for
 * "there is no heap" or "_sbrk" in what the linker says. (On the host it links.)
 */
#include "board.h"

#include <stdlib.h>

int app_main(void)
{
    char *volatile byte = malloc(1);
    return byte != 0;
}
