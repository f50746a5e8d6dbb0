import Glibc

/// A short text in a file.
enum TextFile {
  /// Nil where there is no such file, or it is longer or not UTF-8.
  static func read(_ path: String, atMost limit: Int, followsLinks: Bool = true) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | (followsLinks ? 0 : O_NOFOLLOW))
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: limit + 1)
    let count = Glibc.read(descriptor, &bytes, bytes.count)
    guard (0...limit).contains(count) else { return nil }
    return String(validating: bytes.prefix(count), as: UTF8.self)
  }

  /// Replaces the file as a whole; false: it cannot be written, and stays as it is.
  static func write(_ text: String, to path: String) -> Bool {
    let draft = path + ".new"
    let descriptor = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { return false }
    let bytes = Array(text.utf8)
    let isWritten = Glibc.write(descriptor, bytes, bytes.count) == bytes.count
    close(descriptor)
    if isWritten, rename(draft, path) == 0 { return true }
    unlink(draft)
    return false
  }
}
