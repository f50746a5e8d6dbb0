import Foundation
import Synchronization

/// Directories that go when the program does.
final class ScratchDirectory: Sendable {
  let path: String
  private let count = Atomic<Int>(0)

  /// In memory where the system offers that: crashes are made, not waited for, so that nothing
  /// rests on a real disk.
  init() throws {
    let memory = "/dev/shm"
    let place =
      FileManager.default.isWritableFile(atPath: memory)
      ? URL(fileURLWithPath: memory) : FileManager.default.temporaryDirectory
    let url = place.appending(path: "quiver-torture-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    path = url.path
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// An empty directory below.
  func make() -> String {
    let made = path + "/\(count.wrappingAdd(1, ordering: .relaxed).oldValue)"
    try? FileManager.default.createDirectory(atPath: made, withIntermediateDirectories: true)
    return made
  }
}

/// Why the program cannot go on, in a sentence.
struct Complaint: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
