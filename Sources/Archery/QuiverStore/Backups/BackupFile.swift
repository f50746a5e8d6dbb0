import Glibc
import QuiverCrypto
import QuiverSQLite

/// A complete and verified backup on disk.
package struct BackupFile: Sendable, Equatable {
  package let path: String
  package let byteCount: Int64
  package let sha256: [UInt8]
}

/// The steps of writing and reading files that backup and restore share.
extension BackupFile {
  /// Creates an empty file that only its owner can read, replacing an unfinished one.
  static func begin(_ unfinished: String) throws(StoreError) {
    unlink(unfinished)
    let descriptor = open(unfinished, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      let reason = String(cString: strerror(errno))
      throw StoreError(
        .failedPrecondition,
        "cannot write the file \(unfinished): \(reason); its directory must be there, and the"
          + " server must be allowed to write into it", notProcessed: true)
    }
    close(descriptor)
  }

  /// Whether a file and a directory are on one file system.
  static func isSameDisk(_ path: String, _ directory: String) -> Bool {
    var (status, other) = (stat(), stat())
    return stat(path, &status) == 0 && stat(directory, &other) == 0
      && status.st_dev == other.st_dev
  }

  /// Syncs the file and removes it from memory, so that what reads it reads the disk.
  static func synchronizeFile(_ path: String) throws(StoreError) {
    let descriptor = open(path, O_RDWR | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure("cannot read the file", path) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw failure("cannot sync the file", path) }
    // A file system without it reads from memory.
    _ = posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED)
  }

  /// Syncs the file, and gives it its name if no other file has it.
  static func finish(
    _ unfinished: String, as path: String, _ cancellation: CommandCancellation? = nil
  ) throws(StoreError) -> BackupFile {
    let descriptor = open(unfinished, O_RDWR | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure("cannot read the file", unfinished) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw failure("cannot sync the file", unfinished) }
    let (byteCount, sha256) = try digest(descriptor, unfinished, cancellation)
    // Unlike `rename`, `link` replaces no file.
    guard link(unfinished, path) == 0 else {
      throw errno == EEXIST ? exists(path) : failure("cannot write the file", path)
    }
    unlink(unfinished)
    try synchronize(folder(of: path))
    return BackupFile(path: path, byteCount: byteCount, sha256: sha256)
  }

  /// Copies a file to one that `begin` has created; when it is cancelled, throws after a part.
  static func copy(
    _ path: String, to unfinished: String, _ cancellation: CommandCancellation? = nil
  ) throws(StoreError) {
    let source = open(path, O_RDONLY | O_CLOEXEC)
    guard source >= 0 else { throw failure("cannot read the file", path) }
    defer { close(source) }
    let destination = open(unfinished, O_WRONLY | O_NOFOLLOW | O_CLOEXEC)
    guard destination >= 0 else { throw failure("cannot write the file", unfinished) }
    defer { close(destination) }
    try forEachPart(of: source, path, cancellation) { (part) throws(StoreError) in
      guard write(destination, part.baseAddress, part.count) == part.count else {
        throw failure("cannot write the file", unfinished)
      }
    }
  }

  /// The file beside a backup that contains its SHA-256, in the form of `sha256sum`.
  static func checksumPath(of path: String) -> String { path + ".sha256" }

  /// Writes the checksum file of a backup and syncs it.
  func writeChecksum() throws(StoreError) {
    let file = Self.checksumPath(of: path)
    let unfinished = file + ".unfinished"
    try Self.begin(unfinished)
    let name = path.split(separator: "/").last ?? ""
    let text = Array("\(Self.hex(sha256))  \(name)\n".utf8)
    let descriptor = open(unfinished, O_WRONLY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { throw Self.failure("cannot write the file", unfinished) }
    defer { close(descriptor) }
    guard write(descriptor, text, text.count) == text.count, fsync(descriptor) == 0,
      rename(unfinished, file) == 0
    else {
      let failure = Self.failure("cannot write the file", file)
      unlink(unfinished)
      throw failure
    }
    try Self.synchronize(Self.folder(of: path))
  }

  /// The checksum in the file beside a backup; nil if there is no such file.
  static func storedChecksum(of path: String) throws(StoreError) -> String? {
    let file = checksumPath(of: path)
    let descriptor = open(file, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw failure("cannot read the file", file)
    }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = read(descriptor, &bytes, bytes.count)
    let text = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    guard isChecksum(text) else {
      throw StoreError(
        .failedPrecondition, "\(file) does not begin with a SHA-256 in hexadecimal digits")
    }
    return text.lowercased()
  }

  /// Whether a text is a SHA-256 in hexadecimal digits.
  package static func isChecksum(_ text: String) -> Bool {
    text.utf8.count == 2 * SHA256.byteCount
      && text.utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte) || (0x41...0x46).contains(byte)
      }
  }

  /// The SHA-256 of a file in hexadecimal digits.
  static func checksum(of path: String) throws(StoreError) -> String {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure("cannot read the file", path) }
    defer { close(descriptor) }
    return hex(try digest(descriptor, path).sha256)
  }

  private static func hex(_ bytes: [UInt8]) -> String {
    bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }

  /// Refuses a path that cannot name a backup: SQLite or the store would remove or replace it.
  static func checkPath(_ path: String, notOwnedIn directory: String) throws(StoreError) {
    guard path.hasPrefix("/"), !path.hasSuffix("/") else {
      throw .invalid("file", "must be the absolute path of a new file on the server")
    }
    guard !path.utf8.contains(0) else { throw .invalid("file", "must not contain a NUL") }
    guard let folder = resolved(Self.folder(of: path)), folder == resolved(directory) else {
      return
    }
    let name = path.split(separator: "/").last ?? ""
    guard !name.hasPrefix("quiver."), !name.hasPrefix("admin.token") else {
      throw .invalid("file", "is a name that the server uses for its own files; choose another one")
    }
  }

  /// A directory without links in its path; nil if there is none.
  private static func resolved(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  static func exists(_ path: String) -> StoreError {
    StoreError(
      .alreadyExists, "\(path) is there already; name another file", notProcessed: true)
  }

  private static func digest(
    _ descriptor: Int32, _ path: String, _ cancellation: CommandCancellation? = nil
  ) throws(StoreError) -> (byteCount: Int64, sha256: [UInt8]) {
    var digest = SHA256()
    var byteCount: Int64 = 0
    try forEachPart(of: descriptor, path, cancellation) { (part) throws(StoreError) in
      digest.update(part)
      byteCount += Int64(part.count)
    }
    return (byteCount, digest.finalize())
  }

  private static func forEachPart(
    of descriptor: Int32, _ path: String, _ cancellation: CommandCancellation?,
    _ body: (UnsafeRawBufferPointer) throws(StoreError) -> Void
  ) throws(StoreError) {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
    defer { buffer.deallocate() }
    while true {
      if cancellation?.isCancelled ?? false { throw StoreError.backupGivenUp }
      let count = read(descriptor, buffer.baseAddress, buffer.count)
      guard count >= 0 else { throw failure("cannot read the file", path) }
      guard count > 0 else { return }
      try body(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    }
  }

  static func synchronize(_ folder: String) throws(StoreError) {
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure("cannot read the directory", folder) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw failure("cannot sync the directory", folder) }
  }

  static func folder(of path: String) -> String {
    let end = path.lastIndex(of: "/") ?? path.startIndex
    return end == path.startIndex ? "/" : String(path[..<end])
  }

  private static func failure(_ what: String, _ path: String) -> StoreError {
    StoreError(.failedPrecondition, "\(what) \(path): \(String(cString: strerror(errno)))")
  }
}
