import Foundation
import Synchronization

/// Directories that are deleted when the program ends.
public final class ScratchDirectory: Sendable {
  public let path: String
  private let count = Atomic<Int>(0)

  /// In memory if possible: crashes are simulated, so no real disk is needed.
  public init() throws {
    let memory = "/dev/shm"
    let place =
      FileManager.default.isWritableFile(atPath: memory)
      ? URL(fileURLWithPath: memory) : FileManager.default.temporaryDirectory
    let url = place.appending(path: "quiver-killed-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    path = url.path
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Creates an empty directory.
  public func make() -> String {
    let made = path + "/\(count.wrappingAdd(1, ordering: .relaxed).oldValue)"
    try? FileManager.default.createDirectory(atPath: made, withIntermediateDirectories: true)
    return made
  }
}
