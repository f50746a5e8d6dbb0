import Glibc

/// Reads files and standard input completely.
enum InputText {
  /// More than the limit of any message.
  private static let maxByteCount = 16 * 1024 * 1024

  /// The bytes of a file. Throws an error that names it.
  static func bytes(ofFile path: String) throws(Failure) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw unreadable(path, errno) }
    defer { close(descriptor) }
    return try bytes(of: descriptor, named: path)
  }

  /// Standard input until its end.
  static func standardInput() throws(Failure) -> [UInt8] {
    try bytes(of: STDIN_FILENO, named: "standard input")
  }

  private static func bytes(of descriptor: Int32, named name: String) throws(Failure) -> [UInt8] {
    var result: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 64 * 1024)
    while true {
      let count = chunk.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw unreadable(name, errno) }
      guard count > 0 else { return result }
      result += chunk[..<count]
      guard result.count <= maxByteCount else {
        throw .input("\(name) is longer than \(maxByteCount) bytes")
      }
    }
  }

  private static func unreadable(_ name: String, _ code: Int32) -> Failure {
    .input("cannot read \(name): \(String(cString: strerror(code)))")
  }
}
