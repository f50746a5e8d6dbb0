import QuiverRPC
import QuiverWire
import Synchronization

/// The response to one request, whose body is read as it arrives. One task reads it.
final class HTTPResponse: Sendable {
  private let state = Mutex(State())

  private struct State {
    var status: Int?
    var fields: [String: String] = [:]
    var waiting: [UInt8] = []
    var outcome: Result<HTTPClientEnd, RPCError>?
    var reader: UnsafeContinuation<Void, Never>?
  }

  /// Bytes of a body that wait to be read, above which the connection is not read.
  private static let roomBytes = 262_144

  // MARK: The connection

  func begin(_ status: Int, _ fields: [String: String]) {
    wake { state in
      state.status = status
      state.fields = fields
    }
  }

  func take(_ bytes: UnsafeRawBufferPointer) { wake { $0.waiting += bytes } }

  var hasRoom: Bool { state.withLock { $0.waiting.count < Self.roomBytes } }

  /// The body is complete; the connection is free for another request.
  func end(_ connection: HTTPClientEnd) {
    wake { if $0.outcome == nil { $0.outcome = .success(connection) } }
  }

  /// The connection was lost.
  func end(_ reason: String) {
    end(RPCError(.unavailable, reason, origin: .connection))
  }

  func end(_ error: RPCError) {
    wake { if $0.outcome == nil { $0.outcome = .failure(error) } }
  }

  private func wake(_ change: (inout State) -> Void) {
    let reader = state.withLock { state in
      change(&state)
      return state.reader.take()
    }
    reader?.resume()
  }

  // MARK: The reader

  /// The fields of the head; empty before it has arrived.
  var fields: [String: String] { state.withLock { $0.fields } }

  /// Waits for the head, and returns the status.
  func head() async throws(RPCError) -> Int {
    while true {
      let (status, outcome) = state.withLock { ($0.status, $0.outcome) }
      if let status { return status }
      if case .failure(let error) = outcome { throw error }
      await wait { $0.status != nil || $0.outcome != nil }
    }
  }

  /// The part of the body that has arrived; nil at its end.
  func next() async throws(RPCError) -> [UInt8]? {
    while true {
      let (bytes, outcome) = state.withLock { state in
        defer { state.waiting = [] }
        return (state.waiting, state.outcome)
      }
      if !bytes.isEmpty { return bytes }
      switch outcome {
      case .success: return nil
      case .failure(let error): throw error
      case nil: await wait { !$0.waiting.isEmpty || $0.outcome != nil }
      }
    }
  }

  /// The connection of a response that is complete.
  var connection: HTTPClientEnd? { try? state.withLock { $0.outcome }?.get() }

  private func wait(until holds: (borrowing State) -> Bool) async {
    await withUnsafeContinuation { continuation in
      let isThere = state.withLock { state in
        guard !holds(state) else { return true }
        state.reader = continuation
        return false
      }
      if isThere { continuation.resume() }
    }
  }
}
