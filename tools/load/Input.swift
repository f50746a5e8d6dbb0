import Glibc

/// The input files of a run.
enum Input {
  /// The bytes of a file; throws an error that names it.
  static func bytes(ofFile path: String, limit: Int) throws(Failure) -> [UInt8] {
    guard let handle = fopen(path, "r") else {
      throw Failure(.usage, "cannot read \(path): \(String(cString: strerror(errno)))")
    }
    defer { fclose(handle) }
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = fread(&part, 1, part.count, handle)
      guard count > 0 else { break }
      bytes += part[..<count]
      guard bytes.count <= limit else {
        throw Failure(.usage, "\(path) is larger than \(limit) bytes")
      }
    }
    guard ferror(handle) == 0 else {
      throw Failure(.usage, "cannot read \(path): \(String(cString: strerror(errno)))")
    }
    return bytes
  }
}
