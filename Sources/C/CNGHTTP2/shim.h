// libnghttp2: HTTP/2 frames, HPACK and flow control. Sessions are incomplete types, which Swift
// sees as pointers.
#pragma once
#include <nghttp2/nghttp2.h>
