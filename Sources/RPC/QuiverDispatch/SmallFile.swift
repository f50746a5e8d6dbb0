import QuiverPlatform

/// Reads files that are read at once, such as the one of a token.
package enum SmallFile {
  /// The bytes of a file; nil if it cannot be read or has more than `limit` bytes.
  package static func bytes(_ path: String, limit: Int) -> [UInt8]? {
    guard let file = fopen(path, "re") else { return nil }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: limit + 1)
    let count = fread(&bytes, 1, bytes.count, file)
    guard ferror(file) == 0, count <= limit else { return nil }
    return Array(bytes[..<count])
  }
}
