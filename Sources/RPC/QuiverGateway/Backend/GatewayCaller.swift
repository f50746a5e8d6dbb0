import QuiverClient
import QuiverRPC
import QuiverWire
import Synchronization

/// One caller of the gateway, by the token: whether the server has accepted it.
///
/// May be used from any thread.
final class GatewayCaller: Sendable {
  let token: String
  private let hasProof: Atomic<Bool>
  private unowned let clients: TokenClients

  init(_ token: String, isProven: Bool, of clients: TokenClients) {
    self.token = token
    hasProof = Atomic(isProven)
    self.clients = clients
  }

  /// Whether the server has accepted the token; without a token there is nothing to prove.
  var isProven: Bool { hasProof.load(ordering: .relaxed) }

  /// Notes by the outcome of a call whether the server accepts the token.
  func note<Value>(_ outcome: Result<Value, RPCError>) {
    switch outcome {
    case .success: note(isAccepted: true)
    case .failure(let error):
      switch error.code {
      case .unauthenticated: note(isAccepted: false)
      // These may have been made without the server.
      case .unavailable, .deadlineExceeded, .cancelled, .resourceExhausted: break
      default: if error.origin != .client { note(isAccepted: true) }
      }
    }
  }

  /// Makes a call, and notes its outcome.
  func proving<Value>(
    _ call: () async throws(RPCError) -> Value
  ) async throws(RPCError) -> Value {
    do throws(RPCError) {
      let value = try await call()
      note(isAccepted: true)
      return value
    } catch {
      note(Result<Value, RPCError>.failure(error))
      throw error
    }
  }

  private func note(isAccepted: Bool) {
    guard isProven != isAccepted, !token.isEmpty else { return }
    hasProof.store(isAccepted, ordering: .relaxed)
    clients.move(self, isProven: isAccepted)
  }
}
