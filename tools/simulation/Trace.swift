import Foundation
import QuiverLoopback
import QuiverRPC
import QuiverWire

/// The frames of both sides of one connection with their times, without delays.
struct Trace: Codable, Equatable {
  var format = 1
  var about: String
  var turns: [Turn] = []

  struct Turn: Codable, Equatable {
    /// Virtual nanoseconds since the start.
    var at: UInt64
    /// `client` or `server`.
    var from: String
    var hex: String
  }

  /// All bytes that one side sent.
  func said(by side: String) -> String {
    turns.filter { $0.from == side }.map(\.hex).joined()
  }

  /// Records the calls of a seed, without mishaps and drains.
  static func recorded(seed: UInt64, about: String) -> Trace {
    var program = Program(seed: seed, packs: false)
    program.mishaps = []
    program.drains = []
    program.pings = []
    program.habits = WireHabits()
    program.habits.chunkBytes = 1_000_000...1_000_000
    program.habits.capacityBytes = 1 << 30
    let run = Run(program)
    let recorder = Recorder(about)
    run.network.onConnect = { wire in
      for (side, name) in [(wire.client, "client"), (wire.server, "server")] {
        side.onSend = { [unowned run] bytes in
          recorder.trace.turns.append(
            Turn(at: run.reactor.nowNanoseconds - Run.start, from: name, hex: hexadecimal(bytes)))
        }
      }
    }
    let found = run.findings()
    precondition(found.isEmpty, "a run without mishaps is in order: \(found)")
    return recorder.trace
  }

  private final class Recorder {
    var trace: Trace

    init(_ about: String) { trace = Trace(about: about) }
  }

  /// The content of each stream, however it was split and interleaved: whole messages, then the
  /// end. Omits CREDIT, PING and empty HEADERS, whose times may differ.
  static func streams(_ said: String) -> [UInt32: [String]] {
    var rest = bytes(said)[...].dropFirst(8)
    var found: [UInt32: [String]] = [:]
    var parts: [UInt32: String] = [:]
    while rest.count >= 8 {
      let header = FrameHeader(bits: rest.prefix(8).reduce(0) { $0 << 8 | UInt64($1) })
      let payload = hexadecimal(Array(rest.dropFirst(8).prefix(header.payloadByteCount)))
      rest = rest.dropFirst(8 + header.payloadByteCount)
      switch header.type {
      case .request, .data, .response:
        parts[header.stream, default: ""] += payload
        guard !header.flags.contains(.more) else { continue }
        let isLast = header.flags.contains(.end) || header.type == .response
        found[header.stream, default: []].append(
          "\(parts.removeValue(forKey: header.stream) ?? "")\(isLast ? " END" : "")")
      case .headers where payload.isEmpty, .credit, .ping, .hello: break
      default: found[header.stream, default: []].append("\(header.typeBits): \(payload)")
      }
    }
    return found
  }

  /// The bytes that the current server sends to the client of the trace.
  func replayed(limits: Limits) -> String {
    let reactor = LoopbackReactor(.manual(startNanoseconds: Run.start))
    let service = Service(on: reactor)
    let end = ServerEnd(
      id: 0, address: "simulation", router: service.router(), limits: SharedLimits(limits),
      identity: ServerIdentity(software: "simulation", instanceID: [7]),
      authenticator: AcceptAll(), reactor: reactor, coder: ReactorCoder())
    let listener = Listener(end)
    end.driver = listener
    for turn in turns where turn.from == "client" {
      let bytes = Self.bytes(turn.hex)
      reactor.schedule(atNanoseconds: Run.start + turn.at) {
        bytes.withUnsafeBytes { end.receive($0, now: reactor.nowNanoseconds) }
        listener.listen()
      }
    }
    reactor.advance(byNanoseconds: (turns.last?.at ?? 0) + 1_000_000_000)
    end.closed("the trace is over")
    return Self.hexadecimal(listener.heard)
  }

  // Sendable because it is touched on its reactor alone.
  private final class Listener: ConnectionDriver, @unchecked Sendable {
    private let end: ServerEnd
    private(set) var heard: [UInt8] = []

    init(_ end: ServerEnd) { self.end = end }

    func hasOutput() { end.reactor.run { self.listen() } }

    func listen() {
      while !end.output.isEmpty {
        let bytes = Array(end.output)
        heard += bytes
        end.wrote(bytes.count, now: end.reactor.nowNanoseconds)
      }
    }
  }

  private static func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  private static func bytes(_ hex: String) -> [UInt8] {
    let digits = hex.utf8.map { UInt8($0 < 58 ? $0 - 48 : $0 - 87) }
    return stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }
}
