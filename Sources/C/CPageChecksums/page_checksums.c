#include "page_checksums.h"

#include <pthread.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

enum { maximum_layers = 8, header_bytes = 100, maximum_page_bytes = 65536 };

// A main database file: this, then the file of the layer below.
struct file {
  sqlite3_file base;
  int page_bytes;         // 0: pages have no checksums
  int has_header;         // the header of the file was read or written
  unsigned char *buffer;  // of one page
  sqlite3_file *below;
};

struct layer {
  sqlite3_vfs vfs;
  sqlite3_vfs *below;
  char name[64];
};

static struct {
  pthread_mutex_t lock;
  struct layer *layers[maximum_layers];
  int count;
} state = {.lock = PTHREAD_MUTEX_INITIALIZER};

static uint64_t mixed(uint64_t sum, uint64_t word) {
  sum = (sum ^ word) * 0x9E3779B97F4A7C15ull;
  return sum ^ (sum >> 29);
}

// Each step is invertible, so that one changed word always changes the result. The number of the
// page is part of it, so that a page in another page's place is found too.
static uint64_t checksum(const unsigned char *page, int byte_count, sqlite3_int64 number) {
  uint64_t sums[4] = {(uint64_t)number, 1, 2, 3};
  int count = byte_count - quiver_page_checksum_bytes;
  int at = 0;
  for (; at + 32 <= count; at += 32) {
    uint64_t words[4];
    memcpy(words, page + at, 32);
    for (int index = 0; index < 4; index++) sums[index] = mixed(sums[index], words[index]);
  }
  for (; at + 8 <= count; at += 8) {
    uint64_t word;
    memcpy(&word, page + at, 8);
    sums[0] = mixed(sums[0], word);
  }
  return mixed(mixed(mixed(sums[0], sums[1]), sums[2]), sums[3]);
}

// A page that was never written is empty.
static int is_empty(const unsigned char *page, int byte_count) {
  return page[0] == 0 && memcmp(page, page + 1, (size_t)byte_count - 1) == 0;
}

static int is_intact(const unsigned char *page, int byte_count, sqlite3_int64 number) {
  uint64_t stored;
  memcpy(&stored, page + byte_count - quiver_page_checksum_bytes, sizeof stored);
  return stored == checksum(page, byte_count, number) || is_empty(page, byte_count);
}

static struct file *file_of(sqlite3_file *file) { return (struct file *)file; }

static int set_page_bytes(struct file *file, int page_bytes) {
  if (page_bytes == file->page_bytes) return SQLITE_OK;
  unsigned char *buffer = NULL;
  if (page_bytes != 0) {
    buffer = malloc((size_t)page_bytes);
    if (buffer == NULL) return SQLITE_IOERR_NOMEM;
  }
  free(file->buffer);
  file->buffer = buffer;
  file->page_bytes = page_bytes;
  return SQLITE_OK;
}

// Sees by the header of a database whether its pages have checksums.
static int read_header(struct file *file, const unsigned char *header) {
  if (memcmp(header, "SQLite format 3", 16) != 0) return SQLITE_OK;
  int page_bytes = header[16] << 8 | header[17];
  if (page_bytes == 1) page_bytes = maximum_page_bytes;
  file->has_header = 1;
  int is_valid = page_bytes >= 512 && (page_bytes & (page_bytes - 1)) == 0;
  return set_page_bytes(
      file, is_valid && header[20] == quiver_page_checksum_bytes ? page_bytes : 0);
}

static int is_page(const struct file *file, int count, sqlite3_int64 offset) {
  return file->page_bytes != 0 && count == file->page_bytes && offset % count == 0;
}

static int file_close(sqlite3_file *base) {
  struct file *file = file_of(base);
  free(file->buffer);
  file->buffer = NULL;
  return file->below->pMethods->xClose(file->below);
}

static int file_read(sqlite3_file *base, void *bytes, int count, sqlite3_int64 offset) {
  struct file *file = file_of(base);
  int result = file->below->pMethods->xRead(file->below, bytes, count, offset);
  if (result != SQLITE_OK) return result;
  if (offset == 0 && count >= header_bytes) {
    result = read_header(file, bytes);
    if (result != SQLITE_OK) return result;
  }
  if (is_page(file, count, offset) && !is_intact(bytes, count, offset / count + 1)) {
    return SQLITE_IOERR_DATA;
  }
  return SQLITE_OK;
}

// Adds checksums to the pages of a new file that were written before its header, as SQLite does
// where a transaction is larger than its cache.
static int add_checksums(struct file *file) {
  sqlite3_file *below = file->below;
  sqlite3_int64 size = 0;
  int result = below->pMethods->xFileSize(below, &size);
  sqlite3_int64 count = size / file->page_bytes;
  for (sqlite3_int64 number = 2; result == SQLITE_OK && number <= count; number++) {
    sqlite3_int64 offset = (number - 1) * file->page_bytes;
    result = below->pMethods->xRead(below, file->buffer, file->page_bytes, offset);
    if (result != SQLITE_OK) break;
    uint64_t sum = checksum(file->buffer, file->page_bytes, number);
    offset += file->page_bytes - (int)sizeof sum;
    result = below->pMethods->xWrite(below, &sum, sizeof sum, offset);
  }
  return result;
}

static int file_write(sqlite3_file *base, const void *bytes, int count, sqlite3_int64 offset) {
  struct file *file = file_of(base);
  if (offset == 0 && count >= header_bytes) {
    int is_new = !file->has_header;
    int result = read_header(file, bytes);
    if (result == SQLITE_OK && is_new && file->page_bytes != 0) result = add_checksums(file);
    if (result != SQLITE_OK) return result;
  }
  if (is_page(file, count, offset)) {
    uint64_t sum = checksum(bytes, count, offset / count + 1);
    memcpy(file->buffer, bytes, (size_t)count - sizeof sum);
    memcpy(file->buffer + count - sizeof sum, &sum, sizeof sum);
    bytes = file->buffer;
  }
  return file->below->pMethods->xWrite(file->below, bytes, count, offset);
}

// A page that a checkpoint writes at this moment may be read in part: it is read again.
static int scan(struct file *file, struct quiver_page_scan *scan) {
  scan->is_enabled = file->page_bytes != 0;
  scan->damaged_page = 0;
  sqlite3_int64 wanted = scan->page_count;
  scan->page_count = 0;
  if (!scan->is_enabled) return SQLITE_OK;
  unsigned char *page = malloc((size_t)file->page_bytes);
  if (page == NULL) return SQLITE_IOERR_NOMEM;
  int result = SQLITE_OK;
  while (scan->page_count < wanted && scan->damaged_page == 0) {
    sqlite3_int64 number = scan->first_page + scan->page_count;
    int is_good = 0;
    for (int attempt = 0; attempt < 5 && !is_good && result == SQLITE_OK; attempt++) {
      if (attempt > 0) sqlite3_sleep(20);
      result = file->below->pMethods->xRead(
          file->below, page, file->page_bytes, (number - 1) * file->page_bytes);
      is_good = result == SQLITE_OK && is_intact(page, file->page_bytes, number);
    }
    if (result != SQLITE_OK) break;
    if (!is_good) scan->damaged_page = number;
    scan->page_count += 1;
  }
  free(page);
  // The end of the file is no error.
  return result == SQLITE_IOERR_SHORT_READ ? SQLITE_OK : result;
}

static int file_control(sqlite3_file *base, int operation, void *argument) {
  struct file *file = file_of(base);
  switch (operation) {
    case quiver_page_checksums_begin: return set_page_bytes(file, *(int *)argument);
    case quiver_page_checksums_scan: return scan(file, argument);
    default: return file->below->pMethods->xFileControl(file->below, operation, argument);
  }
}

static int file_truncate(sqlite3_file *base, sqlite3_int64 size) {
  sqlite3_file *below = file_of(base)->below;
  return below->pMethods->xTruncate(below, size);
}

static int file_sync(sqlite3_file *base, int flags) {
  sqlite3_file *below = file_of(base)->below;
  return below->pMethods->xSync(below, flags);
}

static int file_size(sqlite3_file *base, sqlite3_int64 *size) {
  sqlite3_file *below = file_of(base)->below;
  return below->pMethods->xFileSize(below, size);
}

static int file_lock(sqlite3_file *base, int level) {
  sqlite3_file *below = file_of(base)->below;
  return below->pMethods->xLock(below, level);
}

static int file_unlock(sqlite3_file *base, int level) {
  sqlite3_file *below = file_of(base)->below;
  return below->pMethods->xUnlock(below, level);
}

static int file_check_lock(sqlite3_file *base, int *is_reserved) {
  sqlite3_file *below = file_of(base)->below;
  return below->pMethods->xCheckReservedLock(below, is_reserved);
}

static int file_sector_size(sqlite3_file *base) {
  sqlite3_file *below = file_of(base)->below;
  return below->pMethods->xSectorSize(below);
}

static int file_characteristics(sqlite3_file *base) {
  sqlite3_file *below = file_of(base)->below;
  return below->pMethods->xDeviceCharacteristics(below);
}

static int shm_map(sqlite3_file *base, int region, int size, int extends, void volatile **at) {
  sqlite3_file *below = file_of(base)->below;
  return below->pMethods->xShmMap(below, region, size, extends, at);
}

static int shm_lock(sqlite3_file *base, int offset, int count, int flags) {
  sqlite3_file *below = file_of(base)->below;
  return below->pMethods->xShmLock(below, offset, count, flags);
}

static void shm_barrier(sqlite3_file *base) {
  sqlite3_file *below = file_of(base)->below;
  below->pMethods->xShmBarrier(below);
}

static int shm_unmap(sqlite3_file *base, int deletes) {
  sqlite3_file *below = file_of(base)->below;
  return below->pMethods->xShmUnmap(below, deletes);
}

// Version 2: a log, and no memory mapping, which would pass this layer by.
static const sqlite3_io_methods methods = {
    .iVersion = 2,
    .xClose = file_close,
    .xRead = file_read,
    .xWrite = file_write,
    .xTruncate = file_truncate,
    .xSync = file_sync,
    .xFileSize = file_size,
    .xLock = file_lock,
    .xUnlock = file_unlock,
    .xCheckReservedLock = file_check_lock,
    .xFileControl = file_control,
    .xSectorSize = file_sector_size,
    .xDeviceCharacteristics = file_characteristics,
    .xShmMap = shm_map,
    .xShmLock = shm_lock,
    .xShmBarrier = shm_barrier,
    .xShmUnmap = shm_unmap,
};

// The same for a layer below that keeps no log.
static const sqlite3_io_methods methods_without_log = {
    .iVersion = 1,
    .xClose = file_close,
    .xRead = file_read,
    .xWrite = file_write,
    .xTruncate = file_truncate,
    .xSync = file_sync,
    .xFileSize = file_size,
    .xLock = file_lock,
    .xUnlock = file_unlock,
    .xCheckReservedLock = file_check_lock,
    .xFileControl = file_control,
    .xSectorSize = file_sector_size,
    .xDeviceCharacteristics = file_characteristics,
};

static sqlite3_vfs *below_of(sqlite3_vfs *vfs) { return ((struct layer *)vfs)->below; }

static int layer_open(
    sqlite3_vfs *vfs, const char *path, sqlite3_file *base, int flags, int *out_flags) {
  sqlite3_vfs *below = below_of(vfs);
  // Logs, journals and temporary files are the layer's below.
  if (!(flags & SQLITE_OPEN_MAIN_DB)) return below->xOpen(below, path, base, flags, out_flags);
  struct file *file = file_of(base);
  memset(file, 0, sizeof *file);
  file->below = (sqlite3_file *)(file + 1);
  int result = below->xOpen(below, path, file->below, flags, out_flags);
  // SQLite closes what has methods, also if opening has failed.
  if (file->below->pMethods == NULL) return result;
  file->base.pMethods = file->below->pMethods->iVersion >= 2 ? &methods : &methods_without_log;
  return result;
}

static int layer_delete(sqlite3_vfs *vfs, const char *path, int syncs_directory) {
  return below_of(vfs)->xDelete(below_of(vfs), path, syncs_directory);
}

static int layer_access(sqlite3_vfs *vfs, const char *path, int flags, int *result) {
  return below_of(vfs)->xAccess(below_of(vfs), path, flags, result);
}

static int layer_full_path(sqlite3_vfs *vfs, const char *path, int count, char *full) {
  return below_of(vfs)->xFullPathname(below_of(vfs), path, count, full);
}

static int layer_random(sqlite3_vfs *vfs, int count, char *bytes) {
  return below_of(vfs)->xRandomness(below_of(vfs), count, bytes);
}

static int layer_sleep(sqlite3_vfs *vfs, int microseconds) {
  return below_of(vfs)->xSleep(below_of(vfs), microseconds);
}

static int layer_time(sqlite3_vfs *vfs, double *days) {
  return below_of(vfs)->xCurrentTime(below_of(vfs), days);
}

static int layer_last_error(sqlite3_vfs *vfs, int count, char *text) {
  return below_of(vfs)->xGetLastError(below_of(vfs), count, text);
}

static int layer_time64(sqlite3_vfs *vfs, sqlite3_int64 *milliseconds) {
  return below_of(vfs)->xCurrentTimeInt64(below_of(vfs), milliseconds);
}

static struct layer *make_layer(sqlite3_vfs *below) {
  struct layer *layer = calloc(1, sizeof *layer);
  if (layer == NULL) return NULL;
  layer->below = below;
  sqlite3_snprintf(sizeof layer->name, layer->name, "checksums-%s", below->zName);
  layer->vfs = (sqlite3_vfs){
      .iVersion = below->iVersion >= 2 && below->xCurrentTimeInt64 != NULL ? 2 : 1,
      .szOsFile = (int)sizeof(struct file) + below->szOsFile,
      .mxPathname = below->mxPathname,
      .zName = layer->name,
      .xOpen = layer_open,
      .xDelete = layer_delete,
      .xAccess = layer_access,
      .xFullPathname = layer_full_path,
      .xRandomness = layer_random,
      .xSleep = layer_sleep,
      .xCurrentTime = layer_time,
      .xGetLastError = layer_last_error,
      .xCurrentTimeInt64 = layer_time64,
  };
  if (sqlite3_vfs_register(&layer->vfs, 0) == SQLITE_OK) return layer;
  free(layer);
  return NULL;
}

const char *quiver_page_checksums(const char *below_name) {
  sqlite3_vfs *below = sqlite3_vfs_find(below_name);
  if (below == NULL) return NULL;
  pthread_mutex_lock(&state.lock);
  struct layer *layer = NULL;
  for (int index = 0; index < state.count && layer == NULL; index++) {
    if (state.layers[index]->below == below) layer = state.layers[index];
  }
  if (layer == NULL && state.count < maximum_layers) {
    layer = make_layer(below);
    if (layer != NULL) state.layers[state.count++] = layer;
  }
  pthread_mutex_unlock(&state.lock);
  return layer == NULL ? NULL : layer->name;
}
