// A layer under SQLite (`sqlite3_vfs`, named "crash") that forgets what was not synced.
//
// It keeps, for every file, what a disk must hold after the latest sync, and each write and
// truncation since. At a chosen event the power goes: every later call fails, and
// `crash_files_write_image` writes what a disk may then hold, with the changes since the latest
// sync dropped, torn at sectors or bytes, or there without those before them, as a seed says.
// One run at a time in a process; any number of connections and threads in it.
#pragma once
#include <stdint.h>

/// Registers the layer, above the default one; 0 or SQLite's code.
int crash_files_register(void);

/// Begins a run. The power goes at the event of that number, counted from 1; 0 is never.
/// With `loses_syncs` every sync does nothing, which a checker of histories must notice.
void crash_files_begin(uint64_t seed, int64_t crash_event, int loses_syncs);

/// Writes, truncations, syncs and deletions so far.
int64_t crash_files_event_count(void);

/// Whether the power has gone.
int crash_files_has_crashed(void);

/// Writes what the disk may hold into a directory, and ends the run; 0, or -1 with errno.
/// Every connection must be closed.
int crash_files_write_image(const char *directory);
