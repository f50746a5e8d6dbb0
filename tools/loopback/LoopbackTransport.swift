package import QuiverRPC
package import QuiverWire
import Synchronization
import TestSupport

/// Connects clients to servers in the same process: the same two ends as over a socket, joined in
/// memory on one reactor.
///
/// Any thread may use it. With a manual reactor everything, including both ends, is repeatable.
package final class LoopbackTransport: Transport {
  package let reactor: LoopbackReactor
  private let limits: Limits
  private let link: LoopbackLink
  private let state = Mutex(State())

  private struct State {
    var connectionCount: UInt64 = 0
    var connections: [UInt64: Connection] = [:]
  }

  private struct Connection {
    let client: LoopbackSide
    let server: LoopbackSide
    let end: ServerEnd
  }

  /// - Parameters:
  /// - reactor: runs both ends.
  /// - limits: the limits of the clients.
  /// - link: how bytes move.
  package init(
    on reactor: LoopbackReactor, limits: Limits = Limits(), link: LoopbackLink = .plain
  ) {
    self.reactor = reactor
    self.limits = limits
    self.link = link
  }

  /// A transport with a dedicated thread, which ends with it.
  package convenience init(limits: Limits = Limits(), link: LoopbackLink = .plain) {
    self.init(on: LoopbackReactor(.ownThread), limits: limits, link: link)
  }

  deinit {
    let connections = connections
    reactor.end {
      for connection in connections {
        connection.client.close("the transport is gone")
        connection.server.close("the transport is gone")
      }
    }
  }

  package func connect(to server: LoopbackServer, _ options: ConnectOptions) -> ClientEnd {
    let client = ClientEnd(
      limits: limits, software: options.software, token: options.token,
      compressor: options.compressor, reactor: reactor, coder: reactor.coder)
    let id = state.withLock { state in
      state.connectionCount += 1
      return state.connectionCount
    }
    reactor.run { [weak self] in
      guard let self else { return client.closed("the transport is gone") }
      join(client, server, options.security, id: id)
    }
    return client
  }

  package var nowNanoseconds: UInt64 { reactor.nowNanoseconds }

  package func schedule(atNanoseconds due: UInt64, _ job: @escaping @Sendable () -> Void) {
    reactor.schedule(atNanoseconds: due, job)
  }

  private func join(
    _ client: ClientEnd, _ server: LoopbackServer, _ security: TransportSecurity?, id: UInt64
  ) {
    let end = ServerEnd(
      id: id, address: server.address, router: server.router, limits: server.limits,
      identity: server.identity, authenticator: server.authenticator,
      compressor: server.compressor, share: server.budget?.share(for: .address(server.address)),
      reactor: reactor, coder: reactor.coder)
    var seeds = SeededGenerator(seed: link.seed &+ id)
    var carried: (client: any ConnectionEnd, server: any ConnectionEnd) = (client, end)
    if let security, let accepting = server.security {
      guard let own = try? security.context.makeChannel(to: "localhost"),
        let other = accepting.makeChannel()
      else { return client.closed("no secure channel can be made") }
      carried.client = SecureEnd(
        client, own, shared: SecureReactor(reactor, limits: limits), startsHandshake: true)
      carried.server = SecureEnd(
        end, other, shared: SecureReactor(reactor, limits: server.limits.value),
        startsHandshake: false)
    }
    let near = LoopbackSide(carried.client, link, seed: seeds.next(), reactor)
    let far = LoopbackSide(carried.server, link, seed: seeds.next(), reactor)
    client.driver = near
    end.driver = far
    state.withLock { $0.connections[id] = Connection(client: near, server: far, end: end) }
    let forget = { [weak self] in
      guard let self, near.isClosed, far.isClosed else { return }
      state.withLock { $0.connections[id] = nil }
    }
    near.onClose = forget
    far.onClose = forget
    LoopbackSide.join(near, far)
  }

  /// The number of connections with an end that is not closed.
  package var connectionCount: Int { state.withLock { $0.connections.count } }

  /// The server ends that are not closed, in the order of their creation.
  package var serverEnds: [ServerEnd] {
    connections.filter { !$0.server.isClosed }.map(\.end)
  }

  /// Runs `body` on the reactor with the server ends of all connections.
  package func forEachServerEnd(_ body: @escaping @Sendable (ServerEnd) -> Void) {
    reactor.run { [weak self] in
      guard let self else { return }
      for end in serverEnds { body(end) }
    }
  }

  /// Ends every connection at once, without a frame.
  package func cutAll() {
    reactor.run { [weak self] in
      guard let self else { return }
      for connection in connections {
        connection.client.close("the connection was cut")
        connection.server.close("the connection was cut")
      }
    }
  }

  /// Stops all delivery on the current connections, without notice to either side.
  package func silenceAll() {
    reactor.run { [weak self] in
      guard let self else { return }
      for connection in connections {
        connection.client.isSilenced = true
        connection.server.isSilenced = true
      }
    }
  }

  /// The connections in the order of their creation.
  private var connections: [Connection] {
    state.withLock { state in
      state.connections.keys.sorted().compactMap { state.connections[$0] }
    }
  }
}
