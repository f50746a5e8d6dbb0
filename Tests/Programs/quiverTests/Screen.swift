import Foundation
import Glibc

/// A pseudo-terminal of the test.
final class Screen {
  let terminal: FileHandle
  private let master: FileHandle

  /// - Parameter width: its columns; nil: it does not say.
  init(width: UInt16? = nil) throws {
    let descriptor = open("/dev/ptmx", O_RDWR | O_NOCTTY)
    // TIOCSPTLCK and TIOCGPTN of asm-generic/ioctls.h, which the module of libc leaves out.
    var isLocked: Int32 = 0
    var number: UInt32 = 0
    guard descriptor >= 0, ioctl(descriptor, 0x4004_5431, &isLocked) == 0,
      ioctl(descriptor, 0x8004_5430, &number) == 0
    else { throw POSIXError(.ENOTTY) }
    master = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    let slave = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
    guard slave >= 0 else { throw POSIXError(.ENOTTY) }
    terminal = FileHandle(fileDescriptor: slave, closeOnDealloc: true)
    if let width {
      var size = winsize(ws_row: 24, ws_col: width, ws_xpixel: 0, ws_ypixel: 0)
      guard ioctl(slave, UInt(TIOCSWINSZ), &size) == 0 else { throw POSIXError(.ENOTTY) }
    }
  }

  /// The output until a text, or the end.
  func read(until text: String) -> String {
    var seen = ""
    while !seen.contains(text) {
      let more = master.availableData
      guard !more.isEmpty else { return seen }
      seen += String(decoding: more, as: UTF8.self)
    }
    return seen
  }

  /// Types keys.
  func type(_ keys: String) throws { try master.write(contentsOf: Data(keys.utf8)) }

  /// The output until the last program has closed the terminal, which the test closes before.
  func rest() -> String {
    var seen: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while true {
      // EIO is the end.
      let count = Glibc.read(master.fileDescriptor, &buffer, buffer.count)
      guard count > 0 else { return String(decoding: seen, as: UTF8.self) }
      seen += buffer[..<count]
    }
  }
}
