import QuiverProtobuf
import QuiverWire
import TestSupport
import Testing

@testable import QuiverRPC

@Suite("The parts of the state machines", .timeLimit(.minutes(5)))
struct PartsTests {
  @Test(
    "The stream table has the same contents as a dictionary", arguments: 0..<50 as Range<UInt64>)
  func streamTable(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var table = StreamTable()
    var model: [UInt32: UInt64] = [:]
    var highest: UInt32 = 1
    for step in 0..<600 {
      if Bool.random(using: &random), model.count < 120 {
        highest += 2 * UInt32.random(in: 1...200, using: &random)
        let tag = random.next()
        model[highest] = tag
        _ = table.insert(
          StreamState(id: highest, tag: tag, receiveWindow: 0, sendAllowance: 0))
      } else if let id = model.keys.sorted().randomElement(using: &random) {
        if let slot = table.slot(of: id) { table.remove(slot: slot) }
        model[id] = nil
        // Contents stay, also if the table is not empty.
        if step % 7 == 0 { table.releaseIfEmpty() }
      }
      let count = table.count
      #expect(count == model.count, "seed \(seed), step \(step)")
      var found: [UInt32: UInt64] = [:]
      for slot in 0..<table.slotEnd where table.isOccupied(slot) {
        found[table[slot].id] = table[slot].tag
      }
      #expect(found == model, "seed \(seed), step \(step)")
      for (id, tag) in model {
        let there = table.slot(of: id).map { table[$0].tag }
        #expect(there == tag, "seed \(seed), step \(step)")
      }
      let absent = table.slot(of: highest + 2)
      #expect(absent == nil)
      let beyond = table.isOccupied(10_000)
      #expect(!beyond)
    }
  }

  @Test("A budget allows its amount per window, and recovers with time")
  func budget() {
    let second: UInt64 = 1_000_000_000
    var budget = AbuseBudget(allowance: 3, windowMilliseconds: 1_000)
    let spent = (0..<4).map { _ in budget.spend(at: 5 * second) }
    #expect(spent == [true, true, true, false])
    let later = budget.spend(at: 8 * second)
    #expect(later)
    // After half a window, half of the earlier count remains.
    var fading = AbuseBudget(allowance: 4, windowMilliseconds: 1_000)
    let early = (0..<4).map { _ in fading.spend(at: 10 * second) }
    let late = (0..<3).map { _ in fading.spend(at: 11 * second + second / 2) }
    #expect(early == [true, true, true, true])
    #expect(late == [true, true, false])
  }

  @Test("An earlier time does not reset a budget")
  func budgetAndEarlierTimes() {
    var budget = AbuseBudget(allowance: 10, windowMilliseconds: 1_000)
    var isWithin = true
    for round in 0..<20 as Range<UInt64> {
      isWithin = budget.spend(at: round % 2 == 0 ? 9_000_000_000 : 1_000_000_000)
    }
    #expect(!isWithin)
  }

  private func coded(_ error: RPCError) throws -> (StatusMessage, Int) {
    let bytes = StatusCoder.encode(error)
    return (try StatusMessage(serializedBytes: bytes), bytes.count)
  }

  @Test("A message that is too long is cut to whole characters, and the code stays")
  func longText() throws {
    let (status, _) = try coded(RPCError(.aborted, String(repeating: "é☺", count: 1_000)))
    #expect(status.code == 10)
    #expect(status.message.utf8.count == 1_022)
    #expect(String(repeating: "é☺", count: 1_000).hasPrefix(status.message))
    let exact = String(repeating: "a", count: 1_024)
    #expect(try coded(RPCError(.aborted, exact)).0.message == exact)
  }

  @Test("Details are sent as far as they fit, and metadata that does not fit is omitted")
  func muchOfAll() throws {
    var metadata = Metadata()
    for index in 0..<65 { metadata.append("k\(index)", []) }
    let details = (0..<3).map { _ in
      RPCError.Detail(type: "t", value: [UInt8](repeating: 0, count: 30_000))
    }
    let (status, size) = try coded(RPCError(.aborted, "no", details: details, metadata: metadata))
    #expect(status.details.count == 2)
    #expect(status.metadata.isEmpty)
    #expect(size <= Limits.maxStatusBytes)
  }

  @Test("A STATUS has at most 80 KiB, however many details it has")
  func manyDetails() throws {
    var metadata = Metadata()
    for index in 0..<64 { metadata.append("key-\(index)", [UInt8](repeating: 0, count: 110)) }
    let details = [RPCError.Detail](repeating: RPCError.Detail(type: "", value: []), count: 70_000)
    let text = String(repeating: "x", count: 2_000)
    let (status, size) = try coded(RPCError(.aborted, text, details: details, metadata: metadata))
    #expect(size <= Limits.maxStatusBytes)
    #expect(status.metadata.count == 64)
    #expect(status.code == 10)
  }

  @Test("Push-back and effect survive encoding and decoding")
  func roundTrip() throws {
    for retry in [nil, 1, -1, 60_000] as [Int32?] {
      let error = RPCError(
        .unavailable, "later", details: [.init(type: "a.B", value: [1])], metadata: ["k": "v"],
        isNotProcessed: true, retryAfterMilliseconds: retry)
      #expect(StatusCoder.error(try coded(error).0) == error)
    }
  }

  @Test(
    "Metadata keys are validated",
    arguments: [
      ("a", true), ("a-b_c.9", true), (String(repeating: "k", count: 64), true), ("", false),
      (String(repeating: "k", count: 65), false), ("A", false), ("a b", false), ("é", false),
      ("a:b", false), ("a\u{0}", false),
    ])
  func metadataKeys(_ key: String, _ isValid: Bool) {
    #expect(Metadata.isValid(key: key) == isValid)
  }

  @Test("A HELLO omits values that equal the peer's assumptions")
  func settings() throws {
    var limits = Limits()
    limits.maxMessageBytes = 8_388_608
    var hello = Hello()
    Settings(limits).state(in: &hello, defaults: Settings(Limits()))
    #expect(hello.maxMessageBytes == 8_388_608)
    #expect(hello.maxFrameBytes == 0 && hello.initialStreamCredit == 0)
    #expect(try Settings(hello, defaults: Settings(Limits())) == Settings(limits))
  }

  @Test(
    "A reply that fits one frame is sent whole, and the next reply can use the buffer",
    arguments: [0, 1, 100, 16_384, 16_385, 20_000], [true, false])
  func smallerThanItsRoom(_ byteCount: Int, _ isHeld: Bool) {
    let server = ServerHarness()
    if isHeld { server.receive(request(1, Number.hold)) }
    let machine = server.end.connection
    let bytes = (0..<byteCount).map { UInt8(truncatingIfNeeded: $0 &* 3) }
    let room = machine.pointee.beginReply(20_000)
    UnsafeMutableRawBufferPointer(start: room, count: 20_000).copyBytes(from: bytes)
    machine.pointee.commitReply(stream: 1, byteCount)
    machine.pointee.endTurn(now: server.now, gotInput: false)
    server.drainOutput()
    let frames = server.frames.filter { $0.stream == 1 }
    #expect(frames.flatMap(\.payload) == bytes)
    #expect(frames.first?.type == .response)
    #expect(frames.count == (byteCount > 16_384 ? 2 : 1))
    #expect(server.openStreams == 0)
    #expect(server.receive(request(3, Number.echo, [])) == ["RESPONSE 3: 0"])
    let next = machine.pointee.core.output.allocatedByteCount
    #expect(next <= 64 * 1_024)
  }

  @Test(
    "An encoded reply is sent in parts without copying, and so are messages of a stream")
  func encoded() {
    let server = ServerHarness()
    server.receive(credit(0, 1 << 40))
    let bytes = blob(encoded: 50_000)
    server.receive(request(1, Number.hold), request(3, Number.serverStream))
    server.receive(credit(1, 1 << 30), credit(3, 1 << 30))
    server.end.reply(1, encoded: bytes)
    #expect(server.end.send(3, encoded: bytes) == .room)
    #expect(server.end.send(3, encoded: [1, 2]) == .room)
    server.drainOutput()
    for (stream, message) in [(1, bytes), (3, bytes + [1, 2])] as [(UInt32, [UInt8])] {
      let frames = server.frames.filter { $0.stream == stream && $0.type != .headers }
      #expect(frames.flatMap(\.payload) == message)
    }
    #expect(server.openStreams == 1)
  }
}
