import QuiverAPI
import QuiverClient
import QuiverRPC
import QuiverSession
import QuiverWire
import Synchronization

/// A way to the server that says everything twice, and breaks off when it is told to.
final class ReplayWay: SessionTransport {
  private let configuration: QuiverClient.Configuration
  private let repeats: Bool
  private let state: Mutex<State>

  private struct State {
    var client: QuiverClient
    /// The next batch breaks the connection off, before the server has it or behind its answer.
    var breaksNext = false
    var breakCount = 0
  }

  /// `repeats`: each batch of operations is sent twice.
  init(_ configuration: QuiverClient.Configuration, repeats: Bool) throws(RPCError) {
    self.configuration = configuration
    self.repeats = repeats
    state = Mutex(State(client: try QuiverClient(configuration)))
  }

  /// How often the connection was broken off.
  var breakCount: Int { state.withLock { $0.breakCount } }

  /// Breaks the connection off with the next batch, whose answer is lost.
  func breakNext() { state.withLock { $0.breaksNext = true } }

  func call(
    _ method: MethodInfo, _ request: [UInt8], key: IdempotencyKey?, timeout: Duration
  ) async throws(RPCError) -> [UInt8] {
    let client = state.withLock { $0.client }
    let options = CallOptions(timeout: timeout, idempotencyKey: key)
    guard method.id == Tournament.applyOperations.info.id else {
      return try await client.callEncoded(method, request, options: options).message
    }
    let (breaks, reaches) = state.withLock { state in
      defer {
        if state.breaksNext { state.breakCount += 1 }
        state.breaksNext = false
      }
      return (state.breaksNext, state.breakCount % 2 == 0)
    }
    var answer: [UInt8] = []
    if !breaks || reaches {
      answer = try await client.callEncoded(method, request, options: options).message
    }
    if breaks {
      try breakOff(client)
      throw RPCError(.unavailable, "the connection was broken off", origin: .connection)
    }
    if repeats {
      let again = CallOptions(timeout: timeout, idempotencyKey: .random())
      answer = try await client.callEncoded(method, request, options: again).message
    }
    return answer
  }

  func close() { state.withLock { $0.client }.close() }

  private func breakOff(_ client: QuiverClient) throws(RPCError) {
    let next = try QuiverClient(configuration)
    state.withLock { $0.client = next }
    client.close()
  }
}
