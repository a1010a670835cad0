// Hot loops are compiled once for each width of vectors and the width is chosen when the program is loaded. The files
// of such loops are compiled without fused multiply-add, so that every width gives the same bits.
#pragma once

// The sanitizers run before the choice can be made.
#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define GLIA_CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define GLIA_CLONES
#endif
