import Glibc
import QuiverCommandLine
import QuiverCredentials

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Contexts {
  /// Reads the contexts; there are none where the file does not exist.
  static func stored() throws(Failure) -> Contexts {
    do throws(UsageError) {
      return try load()
    } catch {
      throw .input(error.description)
    }
  }

  /// Replaces the file, which only its owner can read.
  func save() throws(Failure) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    guard let data = try? encoder.encode(self) else {
      throw .input("the contexts cannot be encoded")
    }
    try Self.write(Array(data) + [0x0A], to: "contexts.json")
  }

  /// Replaces a file of the folder, which only its owner can read, and returns its path.
  @discardableResult
  static func write(_ bytes: [UInt8], to name: String) throws(Failure) -> String {
    guard let folder else { throw .input("there is no home folder: set HOME") }
    let path = "\(folder)/\(name)"
    do {
      try FileManager.default.createDirectory(
        atPath: String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)]),
        withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw .input("cannot create \(folder): \(error)")
    }
    let draft = "\(path).\(getpid())"
    let descriptor = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw failure(path) }
    defer { close(descriptor) }
    let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
    guard count == bytes.count, fsync(descriptor) == 0, rename(draft, path) == 0 else {
      let failure = failure(path)
      unlink(draft)
      throw failure
    }
    return path
  }

  /// Removes a file of the folder; one that does not exist is no error.
  static func remove(_ name: String) throws(Failure) {
    guard let folder else { return }
    guard unlink("\(folder)/\(name)") == 0 || errno == ENOENT else {
      throw .input("cannot remove \(folder)/\(name): \(String(cString: strerror(errno)))")
    }
  }

  private static func failure(_ path: String) -> Failure {
    .input("cannot write \(path): \(String(cString: strerror(errno)))")
  }
}
