// With secure_delete SQLite overwrites deleted cells, but a page that it rebuilds while it balances
// a tree keeps stale copies of cells between its cell pointers and its cells (SQLite 3.40.1), also
// of cells that are deleted later from another page. This layer writes zeros there.

#include "erased_pages.h"

#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

enum { page_bytes = 4096, first_page_header = 100, maximum_layers = 8, maximum_tables = 16 };

// Page numbers below 2^25 begin with a byte that is no type of a b-tree page, so that pages that
// begin with a page number (overflow, free list) are not taken for one.
static const sqlite3_int64 largest_file = (sqlite3_int64)1 << 37;

struct layer {
  sqlite3_vfs vfs;
  sqlite3_vfs *below;
  char name[64];
};

// The functions of a file: those of the layer below, but for the one that writes.
struct table {
  sqlite3_io_methods methods;
  const sqlite3_io_methods *below;
};

static struct {
  pthread_mutex_t lock;
  struct layer layers[maximum_layers];
  int layer_count;
  struct table tables[maximum_tables];
  int table_count;
} state = {.lock = PTHREAD_MUTEX_INITIALIZER};

// The bytes between the cell pointers and the cells of a b-tree page; an empty range if it is none.
static void find_gap(const unsigned char *page, sqlite3_int64 offset, int *first, int *end) {
  int header = offset == 0 ? first_page_header : 0;
  int type = page[header];
  *first = *end = 0;
  if (type != 2 && type != 5 && type != 10 && type != 13) return;
  int cells = page[header + 3] << 8 | page[header + 4];
  int content = page[header + 5] << 8 | page[header + 6];
  int pointers = header + (type < 10 ? 12 : 8) + 2 * cells;
  if (content > page_bytes || pointers >= content) return;
  *first = pointers;
  *end = content;
}

static int file_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
  const sqlite3_io_methods *below = ((const struct table *)file->pMethods)->below;
  if (count != page_bytes || offset % page_bytes != 0) {
    return below->xWrite(file, bytes, count, offset);
  }
  int first, end;
  find_gap(bytes, offset, &first, &end);
  const unsigned char *page = bytes;
  int place = first;
  while (place < end && page[place] == 0) place++;
  sqlite3_int64 size = 0;
  if (place == end || below->xFileSize(file, &size) != SQLITE_OK || size >= largest_file) {
    return below->xWrite(file, bytes, count, offset);
  }
  unsigned char clean[page_bytes];
  memcpy(clean, page, page_bytes);
  memset(clean + first, 0, (size_t)(end - first));
  return below->xWrite(file, clean, count, offset);
}

// The table over the functions of a file; NULL if there are too many.
static const sqlite3_io_methods *table_over(const sqlite3_io_methods *below) {
  const sqlite3_io_methods *found = NULL;
  pthread_mutex_lock(&state.lock);
  for (int index = 0; index < state.table_count && found == NULL; index++) {
    if (state.tables[index].below == below) found = &state.tables[index].methods;
  }
  if (found == NULL && state.table_count < maximum_tables) {
    struct table *table = &state.tables[state.table_count++];
    table->methods = *below;
    table->methods.xWrite = file_write;
    table->below = below;
    found = &table->methods;
  }
  pthread_mutex_unlock(&state.lock);
  return found;
}

static sqlite3_vfs *below_of(sqlite3_vfs *vfs) { return ((struct layer *)vfs)->below; }

static int layer_delete(sqlite3_vfs *vfs, const char *name, int is_synced) {
  return below_of(vfs)->xDelete(below_of(vfs), name, is_synced);
}

static int layer_access(sqlite3_vfs *vfs, const char *name, int flags, int *result) {
  return below_of(vfs)->xAccess(below_of(vfs), name, flags, result);
}

static int layer_full_path(sqlite3_vfs *vfs, const char *name, int count, char *path) {
  return below_of(vfs)->xFullPathname(below_of(vfs), name, count, path);
}

static int layer_randomness(sqlite3_vfs *vfs, int count, char *bytes) {
  return below_of(vfs)->xRandomness(below_of(vfs), count, bytes);
}

static int layer_sleep(sqlite3_vfs *vfs, int microseconds) {
  return below_of(vfs)->xSleep(below_of(vfs), microseconds);
}

static int layer_time(sqlite3_vfs *vfs, double *days) {
  return below_of(vfs)->xCurrentTime(below_of(vfs), days);
}

static int layer_time_int64(sqlite3_vfs *vfs, sqlite3_int64 *milliseconds) {
  return below_of(vfs)->xCurrentTimeInt64(below_of(vfs), milliseconds);
}

static int layer_last_error(sqlite3_vfs *vfs, int count, char *text) {
  return below_of(vfs)->xGetLastError(below_of(vfs), count, text);
}

static int layer_open(
    sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *out_flags) {
  sqlite3_vfs *below = below_of(vfs);
  int result = below->xOpen(below, name, file, flags, out_flags);
  if (result != SQLITE_OK || !(flags & SQLITE_OPEN_MAIN_DB) || file->pMethods == NULL) {
    return result;
  }
  const sqlite3_io_methods *table = table_over(file->pMethods);
  if (table != NULL) file->pMethods = table;
  return result;
}

const char *quiver_erased_pages(const char *below_name) {
  sqlite3_vfs *below = sqlite3_vfs_find(below_name);
  if (below == NULL) return NULL;
  const char *name = NULL;
  pthread_mutex_lock(&state.lock);
  for (int index = 0; index < state.layer_count && name == NULL; index++) {
    if (state.layers[index].below == below) name = state.layers[index].name;
  }
  if (name == NULL && state.layer_count < maximum_layers) {
    struct layer *layer = &state.layers[state.layer_count];
    layer->below = below;
    snprintf(layer->name, sizeof layer->name, "quiver-erased-%s", below->zName);
    // Without extensions and system calls of tests, which nothing here uses.
    layer->vfs = (sqlite3_vfs){
        .iVersion = below->iVersion < 2 ? below->iVersion : 2,
        .szOsFile = below->szOsFile,
        .mxPathname = below->mxPathname,
        .zName = layer->name,
        .xOpen = layer_open,
        .xDelete = layer_delete,
        .xAccess = layer_access,
        .xFullPathname = layer_full_path,
        .xRandomness = layer_randomness,
        .xSleep = layer_sleep,
        .xCurrentTime = layer_time,
        .xGetLastError = layer_last_error,
        .xCurrentTimeInt64 = below->iVersion >= 2 ? layer_time_int64 : NULL,
    };
    if (sqlite3_vfs_register(&layer->vfs, 0) == SQLITE_OK) {
      state.layer_count++;
      name = layer->name;
    }
  }
  pthread_mutex_unlock(&state.lock);
  return name;
}
