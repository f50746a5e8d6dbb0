import Foundation
import QuiverAPI
import QuiverProtobuf
import QuiverRPC
import QuiverWire

/// The server under test, and what it offers.
final class Target: Sendable {
  let address: SocketAddress
  let token: [UInt8]
  private let knowsToken: Bool
  private let hasDiagnostics: Bool
  private let inflates: Bool
  let maxMessageBytes: Int

  /// Checks that the server is there, accepts the token and has Diagnostics.
  init(_ options: Options) throws {
    address = try SocketAddress(options.server, options.tls)
    token = Array(options.token.utf8)
    let peer = try Peer(address)
    let hello = try peer.greet(token: token)
    inflates = hello.compression.contains("zstd")
    maxMessageBytes =
      hello.maxMessageBytes == 0 ? Limits().maxMessageBytes : Int(hello.maxMessageBytes)
    let echoed = try peer.call(DiagnosticsMethods.echo.id, [], on: 1)
    switch echoed {
    case .message: (knowsToken, hasDiagnostics) = (true, true)
    case .status(let status):
      knowsToken = status.code != StatusCode.unauthenticated.rawValue
      hasDiagnostics = false
    }
  }

  /// Why a case with these requirements cannot run; nil if it can.
  func lacking(_ needs: Case.Needs) -> String? {
    if needs.contains(.token), !knowsToken { return "it needs a --token that the server knows" }
    if needs.contains(.diagnostics), !hasDiagnostics {
      return "it needs quiver.v1.Diagnostics (quiverd --diagnostics)"
    }
    if needs.contains(.zstd), !inflates { return "it needs a server whose HELLO lists zstd" }
    return nil
  }

  /// A connection after its handshake, with the token.
  func connected(_ change: (inout Hello) -> Void = { _ in }) throws -> Peer {
    let peer = try Peer(address)
    try peer.greet(token: token, change)
    return peer
  }

  /// A connection without any sent bytes.
  func silent() throws -> Peer { try Peer(address) }

  /// Throws unless the server accepts another connection.
  func stillServes() throws {
    let peer = try connected()
    guard case .message = try peer.call(HealthMethods.check.id, [], on: 1) else {
      throw Failure("the server no longer answers Health/Check")
    }
  }
}

/// The called methods, by id.
enum DiagnosticsMethods {
  struct Number { let id: UInt32 }
  static let echo = Number(id: 769)
  static let delay = Number(id: 771)
  static let fail = Number(id: 772)
  static let echoMetadata = Number(id: 773)
  static let echoStream = Number(id: 774)
  static let sink = Number(id: 775)
  static let source = Number(id: 776)
  static let failSource = Number(id: 777)
  static let failSink = Number(id: 778)
  static let failStream = Number(id: 779)
}

enum HealthMethods {
  static let check = DiagnosticsMethods.Number(id: 257)
}
