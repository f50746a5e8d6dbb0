import QuiverRPC
import QuiverWire
import Synchronization

/// Counts the open streams of callers without a token, in all and of each address. May be used from
/// any thread.
final class AnonymousStreams: Sendable {
  private struct State {
    var count = 0
    var counts: [String: Int] = [:]
  }

  private let limits: GatewayLimits
  private let state = Mutex(State())

  init(_ limits: GatewayLimits) { self.limits = limits }

  /// Takes a place for the stream of an exchange; the result gives it back.
  ///
  /// Throws RESOURCE_EXHAUSTED where the address, or all callers without a token, have as many
  /// streams as they may.
  func take(for exchange: HTTPExchange) throws(RPCError) -> Place {
    let network = CountedNetwork.name(of: exchange.address)
    let reached = state.withLock { state -> GatewayLimit? in
      guard state.counts[network] ?? 0 < limits.maxAnonymousStreamsPerAddress else {
        return .anonymousStreamsPerAddress
      }
      guard state.count < limits.maxAnonymousStreams else { return .anonymousStreams }
      state.count += 1
      state.counts[network, default: 0] += 1
      return nil
    }
    guard let reached else { return Place(network: network, streams: self) }
    exchange.reached(reached)
    throw RPCError(
      .resourceExhausted,
      reached == .anonymousStreams
        ? "callers without a token have \(limits.maxAnonymousStreams) streams, as many as they may"
        : "callers without a token at this address have \(limits.maxAnonymousStreamsPerAddress)"
          + " streams, as many as they may",
      isNotProcessed: true)
  }

  private func giveBack(_ network: String) {
    state.withLock { state in
      guard let count = state.counts[network] else { return }
      state.counts[network] = count > 1 ? count - 1 : nil
      state.count -= 1
    }
  }

  /// How many streams are open.
  var count: Int { state.withLock { $0.count } }

  /// The place of one stream, until it is released from memory.
  final class Place: Sendable {
    private let network: String
    private let streams: AnonymousStreams

    fileprivate init(network: String, streams: AnonymousStreams) {
      self.network = network
      self.streams = streams
    }

    deinit { streams.giveBack(network) }
  }
}
