import QuiverDispatch
import QuiverObservability
import QuiverRPC
import QuiverWire

/// Logs what happens on connections: limits, refusals, failures and slow calls.
///
/// Frequent events are logged once and then counted each minute. May be used from any thread; none
/// waits.
final class ServerLog: Sendable {
  private let log: Log
  private let repeated: RepeatedEventLog

  init(_ log: Log) {
    self.log = log
    repeated = RepeatedEventLog(log)
  }

  /// Logs the counts of a minute that is over. Call it once a second or so.
  func writeCounts() { repeated.writeCounts() }

  /// Logs what happened on a connection.
  func record(_ occurrence: ServerOccurrence, on connection: ConnectionInfo) {
    switch occurrence {
    case .callEnded(let call): record(call, on: connection)
    case .limitReached(let limit):
      repeated.note(
        Event.limitReached.logged, ["limit": limit.name, "caller": Self.caller(of: connection)])
    case .authenticationFailed(let reason):
      repeated.note(
        Event.authenticationFailed.logged, ["address": connection.address, "reason": reason])
    case .connectionFailed(let code, let reason):
      // Those that follow a limit, a refusal or an ended permission have events of their own.
      guard [.protocolError, .frameSizeError, .internalError].contains(code) else { return }
      repeated.note(
        Event.connectionFailed.logged, ["code": code.name, "reason": reason],
        details: ["address": connection.address])
    }
  }

  private func record(_ call: EndedCall, on connection: ConnectionInfo) {
    let milliseconds = "\(call.nanoseconds / 1_000_000)"
    let place: [(String, String)] = [
      ("caller", Self.caller(of: connection)), ("connection", "\(connection.id)"),
    ]
    if call.isServerFault {
      // The text of an answer of Diagnostics is its caller's.
      let isOwnText = !call.method.hasPrefix("quiver.v1.Diagnostics/")
      repeated.note(
        Event.callFailed.logged,
        ["method": call.method, "code": call.code.name, "error": isOwnText ? call.message : ""],
        details: [
          "milliseconds": milliseconds, "trace": Self.trace(of: call),
          "caller": Self.caller(of: connection), "connection": "\(connection.id)",
        ])
    }
    if call.isSlow {
      repeated.note(
        Event.slowCall.logged, ["method": call.method],
        details: [
          "milliseconds": milliseconds, "code": call.code.name, "trace": Self.trace(of: call),
          "caller": Self.caller(of: connection), "connection": "\(connection.id)",
        ])
    }
    if call.isSampled {
      log.write(
        Event.call.logged,
        fields: [
          ("method", call.method), ("code", call.code.name),
          ("microseconds", "\(call.nanoseconds / 1_000)"),
        ] + place + (call.traceparent.isEmpty ? [] : [("trace", Self.trace(of: call))]))
    }
  }

  /// Logs a limit that a connection has reached.
  func record(_ event: Server.LimitEvent) {
    switch event {
    case .connectionRefused(let address):
      repeated.note(Event.connectionRefused.logged, ["address": address])
    case .principalRefused(let principal):
      repeated.note(Event.principalConnectionsFull.logged, ["principal": "\(principal)"])
    case .anonymousClosed(let address):
      repeated.note(Event.anonymousConnectionClosed.logged, ["address": address])
    case .memoryReclaimed(.principal(let id), let byteCount):
      repeated.note(
        Event.memoryReclaimed.logged, ["principal": "\(id)"], details: ["bytes": "\(byteCount)"])
    case .memoryReclaimed(.address(let address), let byteCount):
      repeated.note(
        Event.memoryReclaimed.logged, ["address": address], details: ["bytes": "\(byteCount)"])
    }
  }

  /// Logs a connection that could not be encrypted.
  func record(_ error: SecureChannelError, address: String) {
    repeated.note(
      Event.tlsRefused.logged, ["kind": error.code.name],
      details: ["reason": error.description, "address": address])
  }

  /// The principal, or the address of an anonymous caller.
  private static func caller(of connection: ConnectionInfo) -> String {
    connection.caller.map { "principal:\($0.principalID)" } ?? connection.address
  }

  /// The trace id in hexadecimal digits; empty if the call had none.
  private static func trace(of call: EndedCall) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: call.traceparent.prefix(16).flatMap {
        [digits[Int($0 >> 4)], digits[Int($0 & 15)]]
      }, as: UTF8.self)
  }
}
