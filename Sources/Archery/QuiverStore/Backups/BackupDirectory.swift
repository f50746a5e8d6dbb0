import Glibc

/// The directory of scheduled backups, locked by one process at a time.
///
/// A backup is `quiver-20261122T143000Z.db`, named by the second of UTC at which it began, with its
/// checksum in a file beside it. Other files are not changed.
final class BackupDirectory {
  let path: String
  private let lock: Int32

  private static let prefix = "quiver-"
  private static let suffix = ".db"
  private static let unfinished = ".unfinished"

  /// Creates the directory if it is missing, locks it, and removes what an ended process left
  /// unfinished.
  init(path: String) throws(StoreError) {
    self.path = path
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
      throw Self.failure("cannot create the directory", path)
    }
    let file = path + "/quiver-backups.lock"
    lock = open(file, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard lock >= 0 else { throw Self.failure("cannot write the file", file) }
    // Every property is set: an error from here on runs `deinit`, which closes the file.
    guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
      throw StoreError(
        .unavailable, "another server makes its backups in \(path); give each its own directory")
    }
    for name in try names() where Self.isLeftover(name) { unlink(path + "/" + name) }
  }

  deinit {
    guard lock >= 0 else { return }
    flock(lock, LOCK_UN)
    close(lock)
  }

  /// The path of a backup that begins now.
  func path(at milliseconds: Int64) -> String {
    path + "/" + Self.prefix + Self.stamp(milliseconds) + Self.suffix
  }

  /// The backups, newest first.
  func backups() throws(StoreError) -> [ScheduledBackup] {
    var found: [ScheduledBackup] = []
    for name in try names() {
      guard let milliseconds = Self.milliseconds(ofName: name) else { continue }
      let file = path + "/" + name
      var status = stat()
      guard stat(file, &status) == 0 else { continue }
      // A checksum that cannot be read makes an unverified backup.
      let text = (try? BackupFile.storedChecksum(of: file)) ?? nil
      found.append(
        ScheduledBackup(
          path: file, madeAtMilliseconds: milliseconds, byteCount: Int64(status.st_size),
          sha256: text.map(Self.bytes(ofHexadecimal:)) ?? []))
    }
    return found.sorted { $0.madeAtMilliseconds > $1.madeAtMilliseconds }
  }

  /// Removes a backup with its checksum.
  func remove(_ backup: ScheduledBackup) throws(StoreError) {
    guard unlink(backup.path) == 0 || errno == ENOENT else {
      throw Self.failure("cannot remove the file", backup.path)
    }
    unlink(BackupFile.checksumPath(of: backup.path))
  }

  /// The bytes that are free for this process on the file system of a directory (`statvfs`).
  static func freeByteCount(of path: String) throws(StoreError) -> Int64 {
    var status = statvfs()
    guard statvfs(path, &status) == 0 else { throw failure("cannot read the directory", path) }
    return Int64(
      clamping: UInt64(status.f_bavail).multipliedReportingOverflow(
        by: UInt64(status.f_frsize)
      ).partialValue)
  }

  private func names() throws(StoreError) -> [String] {
    guard let stream = opendir(path) else {
      throw Self.failure("cannot read the directory", path)
    }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { field in
        field.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name.hasPrefix(Self.prefix) { names.append(name) }
    }
    return names
  }

  /// Whether a file is an unfinished backup, or the checksum of one that was removed.
  private static func isLeftover(_ name: String) -> Bool {
    guard name.hasSuffix(unfinished) else { return false }
    let rest = String(name.dropLast(unfinished.count))
    let backup = rest.hasSuffix(".sha256") ? String(rest.dropLast(".sha256".count)) : rest
    return milliseconds(ofName: backup) != nil
  }

  // MARK: Names

  private static func stamp(_ milliseconds: Int64) -> String {
    var seconds = time_t(milliseconds / 1_000)
    var date = tm()
    gmtime_r(&seconds, &date)
    let digits = { (number: Int32, width: Int) -> String in
      let text = String(number)
      return String(repeating: "0", count: max(0, width - text.count)) + text
    }
    return digits(date.tm_year + 1_900, 4) + digits(date.tm_mon + 1, 2) + digits(date.tm_mday, 2)
      + "T" + digits(date.tm_hour, 2) + digits(date.tm_min, 2) + digits(date.tm_sec, 2) + "Z"
  }

  /// The time in the name of a backup; nil for any other name.
  static func milliseconds(ofName name: String) -> Int64? {
    guard name.hasPrefix(prefix), name.hasSuffix(suffix) else { return nil }
    let stamp = Array(name.utf8.dropFirst(prefix.utf8.count).dropLast(suffix.utf8.count))
    guard stamp.count == 16, stamp[8] == UInt8(ascii: "T"), stamp[15] == UInt8(ascii: "Z") else {
      return nil
    }
    let number = { (range: Range<Int>) -> Int32? in
      Int32(String(decoding: stamp[range], as: UTF8.self))
    }
    guard let year = number(0..<4), let month = number(4..<6), let day = number(6..<8),
      let hour = number(9..<11), let minute = number(11..<13), let second = number(13..<15)
    else { return nil }
    var date = tm()
    date.tm_year = year - 1_900
    date.tm_mon = month - 1
    date.tm_mday = day
    date.tm_hour = hour
    date.tm_min = minute
    date.tm_sec = second
    let milliseconds = Int64(timegm(&date)) * 1_000
    // A date that does not exist has another name.
    return prefix + Self.stamp(milliseconds) + suffix == name ? milliseconds : nil
  }

  private static func bytes(ofHexadecimal text: String) -> [UInt8] {
    let digits = text.utf8.compactMap { UInt8(String(UnicodeScalar($0)), radix: 16) }
    return stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }

  private static func failure(_ what: String, _ path: String) -> StoreError {
    StoreError(.failedPrecondition, "\(what) \(path): \(String(cString: strerror(errno)))")
  }
}
