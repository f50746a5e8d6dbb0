import QuiverPlatform

/// By what one sees that a file was replaced or changed.
struct FileStamp: Sendable, Equatable {
  private let device: UInt
  private let inode: UInt
  private let byteCount: Int
  private let changedNanoseconds: Int

  /// The stamp of a file, with symbolic links followed; all zero where there is none.
  init(_ path: String) {
    var status = stat()
    if stat(path, &status) != 0 { status = stat() }
    device = UInt(truncatingIfNeeded: status.st_dev)
    inode = UInt(status.st_ino)
    byteCount = Int(status.st_size)
    changedNanoseconds = Platform.changeNanoseconds(status)
  }

  /// The bytes of a file; nil where it cannot be read or has more than it may.
  static func contents(_ path: String) -> [UInt8]? {
    guard let file = fopen(path, "re") else { return nil }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: TLSLimits.fileBytes + 1)
    let count = fread(&bytes, 1, bytes.count, file)
    guard ferror(file) == 0, count <= TLSLimits.fileBytes else { return nil }
    return Array(bytes[..<count])
  }
}
