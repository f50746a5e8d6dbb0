import Glibc
import QuiverAPI
import QuiverCommandLine
import QuiverProtobuf

/// The measures that run in this process: pinned and timed, or counted in another process of it.
enum Workloads {
  /// `EchoMessage` in 40 bytes, the same as the peers'.
  static var echo: EchoMessage {
    var message = EchoMessage()
    message.payload = Array("quiver".utf8) + Array(0...9)
    message.text = "twelve arrows."
    message.number = 0xFFFF_FFFF
    return message
  }

  /// A page of three items in 186 bytes, the same as the peer's.
  static var items: ListItemsResponse {
    var page = ListItemsResponse()
    page.items = (0..<3).map { index in
      var item = EquipmentItem()
      item.id = Int64(70_000 + index)
      item.type = EquipmentType(rawValue: Int32(1 + index))
      item.displayBrand = "Win&Win"
      item.displayModel = "Wiawis ATF-X"
      item.archived = true
      item.clientID = (0..<16).map { UInt8(16 * index + $0) }
      return item
    }
    page.nextPageToken = "the-token-of-the-page-that-next"
    return page
  }

  /// Decodes and encodes a message repeatedly; prints the processor time of each in nanoseconds.
  static func codec(_ message: String, iterations: Int) throws {
    switch message {
    case "echo": try codec(echo, iterations: iterations)
    case "items": try codec(items, iterations: iterations)
    default: throw Options.Wrong(description: "no message is named \(message)")
    }
  }

  private static func codec<M: Message>(_ message: M, iterations: Int) throws {
    let coder = MessageCoder()
    let bytes = coder.encode(message)
    let packed = UnsafeMutableRawBufferPointer.allocate(byteCount: 1_024, alignment: 16)
    defer { packed.deallocate() }
    var began: UInt64 = 0
    try bytes.withUnsafeBytes { bytes in
      // The first tenth warms up.
      for index in (-iterations / 10)..<iterations {
        if index == 0 { began = processorNanoseconds() }
        let decoded = try coder.decode(M.self, from: bytes)
        // As a reply is encoded: into memory that is reserved after the bound is known.
        guard coder.encode(decoded, reserving: { _ in packed }) == bytes.count else {
          throw Unmeasured("what was decoded encodes to another size")
        }
      }
    }
    let nanoseconds = Double(processorNanoseconds() - began) / Double(iterations)
    guard packed.prefix(bytes.count).elementsEqual(bytes) else {
      throw Unmeasured("what was decoded encodes to other bytes")
    }
    StandardOutput.printOrExit(
      "{\"bytes\":\(bytes.count),\"iterations\":\(iterations),\"ns\":\(nanoseconds)}")
  }

  private static func processorNanoseconds() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}
