#include "crash_files.h"

#include <fcntl.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { maximum_images = 16, sector_bytes = 512 };

// One write, or a truncation where there are no bytes.
struct change {
  int64_t offset;
  int64_t count;
  unsigned char *bytes;
};

// One file by its name.
struct image {
  char path[1024];
  unsigned char *durable;
  int64_t durable_count;
  struct change *changes;
  size_t change_count;
  size_t change_capacity;
  int is_entry_durable;  // its name in the directory survives
  int is_deleted;
  int is_deletion_durable;
};

struct file {
  sqlite3_file base;
  struct image *image;
  int syncs_directory;
  sqlite3_file *below;
};

static struct {
  pthread_mutex_t lock;
  sqlite3_vfs *below;
  sqlite3_vfs layer;
  struct image images[maximum_images];
  size_t image_count;
  uint64_t random;
  int64_t event_count;
  int64_t crash_event;
  int loses_syncs;
  int has_crashed;
} state = {.lock = PTHREAD_MUTEX_INITIALIZER};

// splitmix64
static uint64_t next_random(void) {
  uint64_t z = (state.random += 0x9E3779B97F4A7C15ull);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
  return z ^ (z >> 31);
}

static void *grown(void *memory, size_t count) {
  void *result = realloc(memory, count ? count : 1);
  if (!result) abort();
  return result;
}

static int has_crashed(void) {
  pthread_mutex_lock(&state.lock);
  int result = state.has_crashed;
  pthread_mutex_unlock(&state.lock);
  return result;
}

// Counts an event, under the lock; 0 where the power is gone by now.
static int survives_event(void) {
  if (state.has_crashed) return 0;
  state.event_count += 1;
  if (state.event_count == state.crash_event) state.has_crashed = 1;
  return !state.has_crashed;
}

static void apply(unsigned char **content, int64_t *count, const struct change *change) {
  if (!change->bytes) {
    if (change->offset < *count) *count = change->offset;
    return;
  }
  int64_t end = change->offset + change->count;
  if (end > *count) {
    *content = grown(*content, (size_t)end);
    memset(*content + *count, 0, (size_t)(end - *count));
    *count = end;
  }
  memcpy(*content + change->offset, change->bytes, (size_t)change->count);
}

static void forget_changes(struct image *image) {
  for (size_t index = 0; index < image->change_count; index++) free(image->changes[index].bytes);
  image->change_count = 0;
}

static void keep_change(struct image *image, const void *bytes, int64_t count, int64_t offset) {
  if (image->change_count == image->change_capacity) {
    image->change_capacity = image->change_capacity ? image->change_capacity * 2 : 16;
    image->changes = grown(image->changes, image->change_capacity * sizeof(struct change));
  }
  struct change *change = &image->changes[image->change_count++];
  change->offset = offset;
  change->count = count;
  change->bytes = NULL;
  if (bytes) {
    change->bytes = grown(NULL, (size_t)count);
    memcpy(change->bytes, bytes, (size_t)count);
  }
}

static int file_close(sqlite3_file *base) {
  struct file *file = (struct file *)base;
  int result = file->below->pMethods ? file->below->pMethods->xClose(file->below) : SQLITE_OK;
  return result;
}

static int file_read(sqlite3_file *base, void *bytes, int count, sqlite3_int64 offset) {
  struct file *file = (struct file *)base;
  if (has_crashed()) return SQLITE_IOERR_READ;
  return file->below->pMethods->xRead(file->below, bytes, count, offset);
}

static int file_write(sqlite3_file *base, const void *bytes, int count, sqlite3_int64 offset) {
  struct file *file = (struct file *)base;
  pthread_mutex_lock(&state.lock);
  int result = SQLITE_IOERR_WRITE;
  if (!state.has_crashed) {
    keep_change(file->image, bytes, count, offset);
    if (survives_event()) {
      result = file->below->pMethods->xWrite(file->below, bytes, count, offset);
    }
  }
  pthread_mutex_unlock(&state.lock);
  return result;
}

static int file_truncate(sqlite3_file *base, sqlite3_int64 count) {
  struct file *file = (struct file *)base;
  pthread_mutex_lock(&state.lock);
  int result = SQLITE_IOERR_TRUNCATE;
  if (!state.has_crashed) {
    keep_change(file->image, NULL, 0, count);
    if (survives_event()) result = file->below->pMethods->xTruncate(file->below, count);
  }
  pthread_mutex_unlock(&state.lock);
  return result;
}

static int file_sync(sqlite3_file *base, int flags) {
  struct file *file = (struct file *)base;
  (void)flags;
  pthread_mutex_lock(&state.lock);
  int result = SQLITE_IOERR_FSYNC;
  if (survives_event()) {
    result = SQLITE_OK;
    struct image *image = file->image;
    if (!state.loses_syncs) {
      for (size_t index = 0; index < image->change_count; index++) {
        apply(&image->durable, &image->durable_count, &image->changes[index]);
      }
      forget_changes(image);
      // As SQLite's own layer does: the first sync of a journal syncs the directory too.
      if (file->syncs_directory) {
        file->syncs_directory = 0;
        for (size_t index = 0; index < state.image_count; index++) {
          state.images[index].is_entry_durable = 1;
          state.images[index].is_deletion_durable = state.images[index].is_deleted;
        }
      }
    }
  }
  pthread_mutex_unlock(&state.lock);
  return result;
}

static int file_size(sqlite3_file *base, sqlite3_int64 *count) {
  struct file *file = (struct file *)base;
  if (has_crashed()) return SQLITE_IOERR_FSTAT;
  return file->below->pMethods->xFileSize(file->below, count);
}

static int file_lock(sqlite3_file *base, int level) {
  struct file *file = (struct file *)base;
  return file->below->pMethods->xLock(file->below, level);
}

static int file_unlock(sqlite3_file *base, int level) {
  struct file *file = (struct file *)base;
  return file->below->pMethods->xUnlock(file->below, level);
}

static int file_check_lock(sqlite3_file *base, int *result) {
  struct file *file = (struct file *)base;
  return file->below->pMethods->xCheckReservedLock(file->below, result);
}

static int file_control(sqlite3_file *base, int operation, void *argument) {
  struct file *file = (struct file *)base;
  return file->below->pMethods->xFileControl(file->below, operation, argument);
}

static int file_sector_size(sqlite3_file *base) {
  struct file *file = (struct file *)base;
  return file->below->pMethods->xSectorSize(file->below);
}

static int file_characteristics(sqlite3_file *base) {
  struct file *file = (struct file *)base;
  return file->below->pMethods->xDeviceCharacteristics(file->below);
}

static int file_shm_map(sqlite3_file *base, int page, int size, int extends, void volatile **at) {
  struct file *file = (struct file *)base;
  return file->below->pMethods->xShmMap(file->below, page, size, extends, at);
}

static int file_shm_lock(sqlite3_file *base, int offset, int count, int flags) {
  struct file *file = (struct file *)base;
  return file->below->pMethods->xShmLock(file->below, offset, count, flags);
}

static void file_shm_barrier(sqlite3_file *base) {
  struct file *file = (struct file *)base;
  file->below->pMethods->xShmBarrier(file->below);
}

static int file_shm_unmap(sqlite3_file *base, int deletes) {
  struct file *file = (struct file *)base;
  return file->below->pMethods->xShmUnmap(file->below, deletes);
}

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
    .xShmMap = file_shm_map,
    .xShmLock = file_shm_lock,
    .xShmBarrier = file_shm_barrier,
    .xShmUnmap = file_shm_unmap,
};

// What a file held before the run, read by its name; under the lock.
static void load(struct image *image) {
  int descriptor = open(image->path, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return;
  image->is_entry_durable = 1;
  unsigned char part[65536];
  ssize_t count;
  while ((count = read(descriptor, part, sizeof part)) > 0) {
    image->durable = grown(image->durable, (size_t)(image->durable_count + count));
    memcpy(image->durable + image->durable_count, part, (size_t)count);
    image->durable_count += count;
  }
  close(descriptor);
}

static struct image *image_of(const char *path, int *is_made) {
  *is_made = 0;
  struct image *image = NULL;
  for (size_t index = 0; index < state.image_count; index++) {
    if (strcmp(state.images[index].path, path) == 0) image = &state.images[index];
  }
  if (image && !image->is_deleted) return image;
  if (!image) {
    if (state.image_count == maximum_images || strlen(path) >= sizeof image->path) return NULL;
    image = &state.images[state.image_count++];
  } else {
    // Created again under its name: the earlier file counts as removed.
    forget_changes(image);
    free(image->changes);
    free(image->durable);
  }
  memset(image, 0, sizeof *image);
  snprintf(image->path, sizeof image->path, "%s", path);
  load(image);
  *is_made = !image->is_entry_durable;
  return image;
}

static int layer_open(
    sqlite3_vfs *layer, const char *path, sqlite3_file *base, int flags, int *flags_out) {
  struct file *file = (struct file *)base;
  (void)layer;
  // Files without a name hold nothing that must survive.
  if (!path) return state.below->xOpen(state.below, path, base, flags, flags_out);
  memset(file, 0, sizeof *file);
  file->below = (sqlite3_file *)(file + 1);
  pthread_mutex_lock(&state.lock);
  int is_made = 0;
  int result = SQLITE_CANTOPEN;
  if (!state.has_crashed) {
    file->image = image_of(path, &is_made);
    if (file->image) result = state.below->xOpen(state.below, path, file->below, flags, flags_out);
  }
  if (result == SQLITE_OK) {
    file->base.pMethods = &methods;
    int journals = SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_SUPER_JOURNAL | SQLITE_OPEN_WAL;
    file->syncs_directory = is_made && (flags & journals) != 0;
  }
  pthread_mutex_unlock(&state.lock);
  return result;
}

static int layer_delete(sqlite3_vfs *layer, const char *path, int syncs_directory) {
  (void)layer;
  pthread_mutex_lock(&state.lock);
  int result = SQLITE_IOERR_DELETE;
  if (survives_event()) {
    result = state.below->xDelete(state.below, path, 0);
    for (size_t index = 0; index < state.image_count; index++) {
      struct image *image = &state.images[index];
      if (strcmp(image->path, path) != 0) continue;
      image->is_deleted = 1;
      image->is_deletion_durable = syncs_directory && !state.loses_syncs;
    }
  }
  pthread_mutex_unlock(&state.lock);
  return result;
}

static int layer_access(sqlite3_vfs *layer, const char *path, int flags, int *result) {
  (void)layer;
  return state.below->xAccess(state.below, path, flags, result);
}

static int layer_full_path(sqlite3_vfs *layer, const char *path, int count, char *full) {
  (void)layer;
  return state.below->xFullPathname(state.below, path, count, full);
}

int crash_files_register(void) {
  state.below = sqlite3_vfs_find(NULL);
  if (!state.below) return SQLITE_ERROR;
  state.layer = *state.below;
  state.layer.szOsFile = (int)sizeof(struct file) + state.below->szOsFile;
  state.layer.pNext = NULL;
  state.layer.zName = "crash";
  state.layer.xOpen = layer_open;
  state.layer.xDelete = layer_delete;
  state.layer.xAccess = layer_access;
  state.layer.xFullPathname = layer_full_path;
  return sqlite3_vfs_register(&state.layer, 0);
}

static void end_run(void) {
  for (size_t index = 0; index < state.image_count; index++) {
    struct image *image = &state.images[index];
    forget_changes(image);
    free(image->changes);
    free(image->durable);
  }
  memset(state.images, 0, sizeof state.images);
  state.image_count = 0;
}

void crash_files_begin(uint64_t seed, int64_t crash_event, int loses_syncs) {
  pthread_mutex_lock(&state.lock);
  end_run();
  state.random = seed;
  state.event_count = 0;
  state.crash_event = crash_event;
  state.loses_syncs = loses_syncs;
  state.has_crashed = 0;
  pthread_mutex_unlock(&state.lock);
}

int64_t crash_files_event_count(void) {
  pthread_mutex_lock(&state.lock);
  int64_t result = state.event_count;
  pthread_mutex_unlock(&state.lock);
  return result;
}

int crash_files_has_crashed(void) { return has_crashed(); }

// Applies a write in parts: its first bytes, or some of its sectors.
static void apply_torn(unsigned char **content, int64_t *count, const struct change *change) {
  if (!change->bytes || change->count < 2) return;
  struct change part = *change;
  if (next_random() % 2) {
    part.count = 1 + (int64_t)(next_random() % (uint64_t)(change->count - 1));
    apply(content, count, &part);
    return;
  }
  for (int64_t offset = 0; offset < change->count; offset += sector_bytes) {
    if (next_random() % 2) continue;
    part.offset = change->offset + offset;
    part.bytes = change->bytes + offset;
    part.count = change->count - offset < sector_bytes ? change->count - offset : sector_bytes;
    apply(content, count, &part);
  }
}

// Which of the changes since the latest sync reached the disk.
static void lose_power(struct image *image, unsigned char **content, int64_t *count) {
  uint64_t manner = next_random() % 5;
  size_t limit = image->change_count;
  if (manner == 0) return;
  if (manner == 1 && limit > 0) limit = next_random() % (limit + 1);
  for (size_t index = 0; index < limit; index++) {
    const struct change *change = &image->changes[index];
    switch (manner) {
      case 1:
      case 2:
        apply(content, count, change);
        break;
      case 3:
        if (next_random() % 2) apply(content, count, change);
        break;
      default:
        switch (next_random() % 3) {
          case 0: apply(content, count, change); break;
          case 1: apply_torn(content, count, change); break;
          default: break;
        }
    }
  }
  if (manner == 1 && limit < image->change_count) {
    apply_torn(content, count, &image->changes[limit]);
  }
}

static int write_file(const char *directory, const struct image *image, const unsigned char *bytes,
                      int64_t count) {
  const char *slash = strrchr(image->path, '/');
  char path[2048];
  snprintf(path, sizeof path, "%s/%s", directory, slash ? slash + 1 : image->path);
  int descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (descriptor < 0) return -1;
  int64_t written = 0;
  while (written < count) {
    ssize_t result = write(descriptor, bytes + written, (size_t)(count - written));
    if (result <= 0) break;
    written += result;
  }
  close(descriptor);
  return written == count ? 0 : -1;
}

int crash_files_write_image(const char *directory) {
  pthread_mutex_lock(&state.lock);
  int result = 0;
  for (size_t index = 0; index < state.image_count && result == 0; index++) {
    struct image *image = &state.images[index];
    if (image->is_deleted && (image->is_deletion_durable || next_random() % 2)) continue;
    if (!image->is_entry_durable && next_random() % 2) continue;
    int64_t count = image->durable_count;
    unsigned char *content = grown(NULL, (size_t)count);
    if (count) memcpy(content, image->durable, (size_t)count);
    lose_power(image, &content, &count);
    result = write_file(directory, image, content, count);
    free(content);
  }
  end_run();
  pthread_mutex_unlock(&state.lock);
  return result;
}
