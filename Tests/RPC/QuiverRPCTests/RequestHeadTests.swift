import QuiverProtobuf
import QuiverWire
import TestSupport
import Testing

@testable import QuiverRPC

@Suite("The head of a request, decoded by hand and by libprotobuf-c", .timeLimit(.minutes(5)))
struct RequestHeadTests {
  private func decode(_ bytes: [UInt8]) -> Result<RequestHead, RequestHead.Fault> {
    var known: KnownMetadata?
    return decode(bytes, known: &known)
  }

  private func decode(
    _ bytes: [UInt8], known: inout KnownMetadata?, isGateways: Bool = true
  ) -> Result<RequestHead, RequestHead.Fault> {
    bytes.withUnsafeBytes { buffer in
      var head = RequestHead()
      do throws(RequestHead.Fault) {
        try head.decode(buffer, known: &known, isGateways: isGateways)
        return .success(head)
      } catch {
        return .failure(error)
      }
    }
  }

  private func randomHead(_ random: inout SeededGenerator) -> RequestHeadMessage {
    var head = RequestHeadMessage()
    func chance(_ random: inout SeededGenerator) -> Bool {
      Int.random(in: 0..<3, using: &random) == 0
    }
    func number(_ random: inout SeededGenerator) -> UInt64 {
      random.next() >> UInt64.random(in: 0...63, using: &random)
    }
    if chance(&random) { head.methodID = UInt32(truncatingIfNeeded: number(&random)) }
    if chance(&random) {
      head.methodName =
        ["", "a/B", "quiver.v1.Health/Check", "ünï☺"].randomElement(using: &random) ?? ""
    }
    if chance(&random) { head.timeoutMilliseconds = UInt32(truncatingIfNeeded: number(&random)) }
    if chance(&random) {
      head.idempotencyKey = random.bytes([16, 16, 16, 0, 5].randomElement(using: &random) ?? 16)
    }
    if chance(&random) {
      head.traceparent = random.bytes([25, 25, 24, 0].randomElement(using: &random) ?? 25)
    }
    if chance(&random) { head.attempt = UInt32(truncatingIfNeeded: number(&random)) }
    if chance(&random) { head.afterSequence = Int64(bitPattern: number(&random)) }
    if chance(&random) { head.storeEpoch = number(&random) }
    head.creditAtOnce = chance(&random)
    while chance(&random), head.metadata.count < 6 {
      let key = ["a", "b-c", "Bad", "", "k.9_z"].randomElement(using: &random) ?? "a"
      head.metadata.append(
        MetadataMessage(key, random.bytes(Int.random(in: 0...40, using: &random))))
    }
    return head
  }

  /// Why the protocol refuses a head that decodes; nil if it does not.
  private func refusal(_ head: RequestHeadMessage) -> RequestHead.Fault? {
    guard head.idempotencyKey.isEmpty || head.idempotencyKey.count == 16 else { return .keyLength }
    let size = head.metadata.reduce(0) { $0 + $1.key.utf8.count + $1.value.count }
    if head.metadata.count > 64 || size > 8_192 { return .metadataSize }
    return head.metadata.allSatisfy { Metadata.isValid(key: $0.key) } ? nil : .metadataKey
  }

  private func expectEqual(_ head: RequestHead, _ message: RequestHeadMessage, _ name: String) {
    #expect(head.methodID == message.methodID, "\(name)")
    #expect(head.timeoutMilliseconds == message.timeoutMilliseconds, "\(name)")
    #expect(head.idempotencyKey?.bytes ?? [] == message.idempotencyKey, "\(name)")
    #expect(head.attempt == message.attempt, "\(name)")
    #expect(head.afterSequence == message.afterSequence, "\(name)")
    #expect(head.storeEpoch == message.storeEpoch, "\(name)")
    #expect(head.returnsCreditAtOnce == message.creditAtOnce, "\(name)")
    let extras = head.extras ?? RequestHead.Extras()
    #expect(extras.methodName == message.methodName, "\(name)")
    let trace = message.traceparent.count == 25 ? message.traceparent : []
    #expect(extras.traceparent == trace, "\(name)")
    #expect(extras.metadata.entries.map(\.key) == message.metadata.map(\.key), "\(name)")
    #expect(extras.metadata.entries.map(\.value) == message.metadata.map(\.value), "\(name)")
  }

  /// Whether any copy of the method's name, or of a metadata key, is not UTF-8; `bytes` decode.
  private func hasBadText(_ bytes: [UInt8], text: UInt64 = 2) -> Bool {
    bytes.withUnsafeBytes { buffer in
      var offset = 0
      while let tag = Varint.read(buffer, at: &offset) {
        switch tag & 7 {
        case 0: _ = Varint.read(buffer, at: &offset)
        case 1: offset += 8
        case 5: offset += 4
        default:
          let length = Int(clamping: Varint.read(buffer, at: &offset) ?? 0)
          let end = min(offset + length, buffer.count)
          let chunk = Array(buffer[offset..<end])
          if tag >> 3 == text, String(validating: chunk, as: UTF8.self) == nil { return true }
          if text == 2, tag >> 3 == 8, hasBadText(chunk, text: 1) { return true }
          offset = end
        }
      }
      return false
    }
  }

  private func compare(_ bytes: [UInt8], _ name: String) {
    let referee = try? RequestHeadMessage(serializedBytes: bytes)
    switch decode(bytes) {
    case .success(let head):
      guard let referee else {
        Issue.record("\(name): taken by hand, refused by libprotobuf-c: \(bytes)")
        return
      }
      #expect(refusal(referee) == nil, "\(name)")
      expectEqual(head, referee, name)
    case .failure(.malformed):
      // The decoder by hand validates every text, the other only the last copy of each field.
      #expect(referee == nil || hasBadText(bytes), "\(name): \(bytes)")
    case .failure: break
    }
  }

  @Test(
    "Heads that libprotobuf-c packs are decoded equally by both", arguments: 0..<20 as Range<UInt64>
  )
  func compressed(_ block: UInt64) {
    for seed in block * 200..<block * 200 + 200 {
      var random = SeededGenerator(seed: seed)
      let message = randomHead(&random)
      let bytes = message.serializedBytes()
      switch decode(bytes) {
      case .success(let head): expectEqual(head, message, "seed \(seed)")
      case .failure(let fault): #expect(fault == refusal(message), "seed \(seed)")
      }
      compare(bytes, "seed \(seed)")
    }
  }

  @Test(
    "Mutated heads are decoded equally or refused by both",
    arguments: 0..<20 as Range<UInt64>)
  func mutated(_ block: UInt64) {
    for seed in block * 500..<block * 500 + 500 {
      var random = SeededGenerator(seed: seed)
      var bytes = randomHead(&random).serializedBytes()
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let place = Int.random(in: 0...bytes.count, using: &random)
        switch Int.random(in: 0..<6, using: &random) {
        case 0: bytes.insert(UInt8.random(in: .min ... .max, using: &random), at: place)
        case 1 where place < bytes.count: bytes.remove(at: place)
        case 2 where place < bytes.count:
          bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &random)
        case 3: bytes += randomHead(&random).serializedBytes()
        case 4: bytes.insert(contentsOf: [0x80, 0x80, 0x00], at: place)
        default: bytes = Array(bytes[..<place])
        }
      }
      compare(bytes, "seed \(seed)")
    }
  }

  private func text(_ result: Result<RequestHead, RequestHead.Fault>) -> String {
    guard case .success(let head) = result else { return "\(result)" }
    let extras = head.extras
    return """
      \(head.methodID) \(head.timeoutMilliseconds) \(head.idempotencyKey?.bytes ?? []) \
      \(head.attempt) \(head.afterSequence) \(head.storeEpoch) \(head.returnsCreditAtOnce) \
      \(extras?.methodName ?? "none") \(extras?.traceparent ?? []) \
      \(extras?.metadata.entries ?? []) \(extras?.stated ?? StatedKeys())
      """
  }

  @Test(
    "A head is decoded the same whatever metadata is known of an earlier one",
    arguments: 0..<20 as Range<UInt64>)
  func knownMetadata(_ block: UInt64) {
    var random = SeededGenerator(seed: block)
    var known: KnownMetadata?
    var takenCount = 0
    let entries: [MetadataMessage] = [
      MetadataMessage("quiver-caller-address", Array("192.0.2.7".utf8)),
      MetadataMessage("quiver-caller-address", Array("192.0.2.8".utf8)),
      MetadataMessage("quiver-anonymous", [0x31]), MetadataMessage("quiver-user", [0x37]),
      MetadataMessage("Bad", []),
    ]
    for _ in 0..<500 {
      var message = randomHead(&random)
      message.metadata = (0..<Int.random(in: 0...3, using: &random)).map { _ in
        entries[Int.random(in: 0..<(block % 4 == 0 ? 5 : 2), using: &random)]
      }
      var bytes = message.serializedBytes()
      if Bool.random(using: &random) { bytes += message.serializedBytes() }
      if Int.random(in: 0..<4, using: &random) == 0, !bytes.isEmpty {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] ^= 1
      }
      let before = known
      let result = decode(bytes, known: &known)
      #expect(text(result) == text(decode(bytes)), "seed \(block)")
      if case .success(let head) = decode(bytes, known: &known, isGateways: false) {
        let kept = head.extras?.metadata.entries.map(\.key) ?? []
        let stated = (try? result.get())?.extras?.metadata.entries.map(\.key) ?? []
        #expect(kept == stated.filter { $0 != StatedCaller.addressKey }, "seed \(block)")
      }
      if case .success(let head) = result, head.extras?.metadata.isEmpty == false, before === known
      {
        takenCount += 1
      }
    }
    #expect(takenCount > 0, "seed \(block)")
  }

  @Test("Random bytes are decoded equally or refused by both", arguments: 0..<10 as Range<UInt64>)
  func noise(_ block: UInt64) {
    for seed in block * 1_000..<block * 1_000 + 1_000 {
      var random = SeededGenerator(seed: seed)
      compare(random.bytes(Int.random(in: 0...12, using: &random)), "seed \(seed)")
    }
  }

  static let handWritten: [[UInt8]] = [
    [], [0x08], [0x08, 0x80], [0x00, 0x01], [0x0B], [0x0C], [0x0D, 1, 2, 3, 4],
    [0x88, 0x00, 0x05], [0x88, 0x80, 0x80, 0x80, 0x00, 0x05],
    [0x88, 0x80, 0x80, 0x80, 0x80, 0x00, 0x05],
    [0x12, 0x81, 0x80, 0x80, 0x80, 0x00, 0x61], [0x12, 0x81, 0x80, 0x80, 0x80, 0x80, 0x00, 0x61],
    [0x12, 0x02, 0xC3, 0x28], [0x08, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01],
    [0x08, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01],
    [0x42, 0x00], [0x42, 0x02, 0x0A, 0x05], [0x49, 1, 2, 3, 4, 5, 6, 7, 8], [0x49, 1, 2, 3],
    [0x50, 0x01], [0xF8, 0xFF, 0xFF, 0xFF, 0x0F, 0x01], [0xF8, 0xFF, 0xFF, 0xFF, 0x1F, 0x01],
    [0x55, 1, 2, 3, 4], [0x51, 1, 2, 3, 4, 5, 6, 7, 8], [0x56], [0x57, 0x00],
  ]

  @Test("C07: malformed varints and lengths are refused by both", arguments: handWritten)
  func oneByOne(_ bytes: [UInt8]) {
    compare(bytes, "\(bytes)")
    if bytes.isEmpty { #expect((try? decode(bytes).get())?.methodID == 0) }
  }

  @Test(
    "Heads that are encoded by hand equal those of libprotobuf-c byte for byte",
    arguments: 0..<10 as Range<UInt64>)
  func encoder(_ block: UInt64) {
    for seed in block * 200..<block * 200 + 200 {
      var random = SeededGenerator(seed: seed)
      let message = randomHead(&random)
      guard refusal(message) == nil, [0, 25].contains(message.traceparent.count),
        case .success(let head) = decode(message.serializedBytes())
      else { continue }
      let bound = head.encodedByteCountBound
      var room = [UInt8](repeating: 0, count: bound)
      let count = room.withUnsafeMutableBytes { buffer in
        buffer.baseAddress.map { head.encode(to: $0) } ?? 0
      }
      #expect(count <= bound, "seed \(seed)")
      #expect(Array(room.prefix(count)) == message.serializedBytes(), "seed \(seed)")
    }
  }
}
