import QuiverRPC
import QuiverTLS
import QuiverWire
import TestCertificates

/// A server's channel that receives bytes of a tape, or those of a real client that the tape cuts,
/// changes, repeats and leaves out.
///
/// libssl has no coverage, and its keys are random: an input explores our code around it, and what
/// is held is true of every run.
final class ChannelFuzz {
  private var tape: Tape
  private let server: any SecureChannel
  private let client: any SecureChannel
  private var fromClient: [UInt8] = []
  private var fromServer: [UInt8] = []
  /// What the client has encrypted, and what the server has decrypted of it.
  private var sent: [UInt8] = []
  private var arrived: [UInt8] = []
  private var hasFailed = false
  /// A whole chunk of the client's of before.
  private var earlier: [UInt8] = []

  /// The contexts of all inputs: tickets of one input resume in later ones.
  private struct Contexts: Sendable {
    let server: TLSServer
    let client: TLSClient

    init() {
      do {
        let authority = try TestAuthority()
        let issued = try authority.issue("server")
        server = try TLSServer(
          .init(
            certificateFile: issued.certificateFile, keyFile: issued.keyFile,
            clientCertificates: .optional(authoritiesFile: authority.authorityFile)))
        let own = try authority.issue("client", "URI:quiver:user/archer")
        var configuration = TLSConfiguration(trustedRoots: .file(authority.authorityFile))
        configuration.clientCertificate = .init(
          certificateFile: own.certificateFile, keyFile: own.keyFile)
        client = try TLSClient(configuration)
      } catch {
        Fuzz.stop("no certificates can be made: \(error)")
      }
    }
  }

  private static let contexts = Contexts()

  init(_ bytes: [UInt8]) {
    tape = Tape(bytes)
    guard let server = Self.contexts.server.makeChannel(),
      let client = try? Self.contexts.client.makeChannel(to: "localhost")
    else { Fuzz.stop("libssl makes no channel") }
    self.server = server
    self.client = client
  }

  func run() {
    if tape.number(below: 4) == 0 {
      receive(tape.take(4_096))
    } else {
      talk()
    }
    _ = server.endOfInput()
    var wire = ByteQueue()
    server.close(wire: &wire)
  }

  private func talk() {
    var wire = ByteQueue()
    try? client.start(wire: &wire)
    fromClient = Array(wire.bytes)
    var steps = 0
    while !tape.isAtEnd, steps < 200 {
      step()
      steps += 1
    }
    // Whatever has happened, a channel that is not failed goes on.
    for _ in 0..<4 { deliver(fromClient.count) }
  }

  private func step() {
    switch tape.number(below: 12) {
    case 0, 1, 2, 3: deliver(fromClient.count)
    case 4: deliver(min(fromClient.count, tape.number(below: 80)))
    case 5, 6: send([0, 1, 48, 5_000, 20_000][tape.number(below: 5)])
    case 7: change()
    case 8: fromClient.removeFirst(min(fromClient.count, tape.number(below: 40)))
    case 9: fromClient += earlier
    case 10: fromClient += tape.take(tape.number(below: 60))
    default: if tape.number(below: 6) == 0 { close() }
    }
  }

  /// Hands the server so many of the client's bytes, and the client what the server answers.
  private func deliver(_ count: Int) {
    let chunk = Array(fromClient.prefix(count))
    fromClient.removeFirst(count)
    if !chunk.isEmpty { earlier = chunk }
    receive(chunk)
    var plain = ByteQueue()
    var wire = ByteQueue()
    fromServer.withUnsafeBytes { try? client.receive($0, plain: &plain, wire: &wire) }
    fromServer = []
    fromClient += Array(wire.bytes)
  }

  private func receive(_ bytes: [UInt8]) {
    let before = server.state
    var plain = ByteQueue()
    var wire = ByteQueue()
    do {
      try bytes.withUnsafeBytes { try server.receive($0, plain: &plain, wire: &wire) }
    } catch {
      Fuzz.hold(server.state == .failed, "a channel that has thrown is failed")
    }
    arrived += Array(plain.bytes)
    fromServer += Array(wire.bytes)
    Fuzz.hold(sent.starts(with: arrived), "the server decrypts what the client has sent, in order")
    Fuzz.hold(!hasFailed || plain.isEmpty, "a failed channel decrypts nothing")
    Fuzz.hold(before == .handshaking || server.state != .handshaking, "a handshake ends once")
    Fuzz.hold(before != .failed || server.state == .failed, "a failed channel stays so")
    Fuzz.hold(
      server.state != .open || client.state == .open, "a server is open only with its client")
    Fuzz.hold(wire.count <= 64 * 1024, "an answer to input is bounded: \(wire.count)")
    Fuzz.hold(
      server.peerIdentity.map { $0.uris == ["quiver:user/archer"] } ?? true,
      "a client is who its certificate says")
    hasFailed = server.state == .failed
  }

  private func send(_ count: Int) {
    guard client.state == .open else { return }
    let plain = (0..<count).map { UInt8(truncatingIfNeeded: $0 &+ sent.count) }
    var wire = ByteQueue()
    plain.withUnsafeBytes { try? client.send($0, wire: &wire) }
    guard !wire.isEmpty else { return }
    sent += plain
    fromClient += Array(wire.bytes)
  }

  private func change() {
    guard !fromClient.isEmpty else { return }
    let place = Int(truncatingIfNeeded: tape.big() % UInt64(fromClient.count))
    fromClient[place] ^= tape.byte()
  }

  private func close() {
    var wire = ByteQueue()
    client.close(wire: &wire)
    fromClient += Array(wire.bytes)
  }
}
