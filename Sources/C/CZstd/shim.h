// The stable part of libzstd. The contexts are incomplete types, which Swift sees as pointers.
#pragma once
#include <zstd.h>
