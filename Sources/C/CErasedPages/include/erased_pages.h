#ifndef QUIVER_ERASED_PAGES_H
#define QUIVER_ERASED_PAGES_H

// The name of a layer of SQLite (`sqlite3_vfs`) over the one with this name, NULL for the standard
// one. It writes zeros for the bytes of a b-tree page that belong to no cell; everything else passes
// through. NULL if there is no such layer below, or if there are too many layers. Any thread may
// call it. A layer that keeps checksums of pages must be below this one, which changes pages.
const char *quiver_erased_pages(const char *below_name);

#endif
