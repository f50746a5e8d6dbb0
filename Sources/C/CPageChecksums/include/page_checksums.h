#ifndef PAGE_CHECKSUMS_H
#define PAGE_CHECKSUMS_H

#include <stdint.h>

// A layer below SQLite (sqlite3_vfs) that keeps a checksum in the last eight bytes of each page of
// a database file whose header reserves eight bytes. It writes the checksum with the page and
// compares it whenever the page is read from the file; a page that differs reads as
// SQLITE_IOERR_DATA. Logs, journals and files whose header reserves no bytes pass unchanged.

// The name of the layer over the one of that name, NULL: over the default one. It is registered at
// the first use. NULL if there is no layer of that name, or no memory. Any thread may call it.
const char *quiver_page_checksums(const char *below);

enum {
  // Bytes of each page that the checksum takes.
  quiver_page_checksum_bytes = 8,
  // The operation of sqlite3_file_control that has pages written with a checksum before the header
  // of a new file says so; its argument is the page size (int).
  quiver_page_checksums_begin = 0x51564552,
  // The operation that compares checksums of pages of the file: struct quiver_page_scan.
  quiver_page_checksums_scan = 0x51564553,
};

// What quiver_page_checksums_scan is given, and what it answers.
struct quiver_page_scan {
  int64_t first_page;    // in: the first page, from 1
  int64_t page_count;    // in: how many pages at most; out: how many there were
  int64_t damaged_page;  // out: the first page whose checksum differs; 0: none
  int is_enabled;        // out: whether the file has checksums
};

#endif
