import Dispatch
package import QuiverRPC
package import QuiverWire
import Synchronization

/// Connects to servers over TCP and Unix sockets; connections are shared out among its shards.
///
/// May be used from any thread.
package final class DispatchTransport: Transport {
  private let shards: [Shard]
  private let limits: Limits
  private let next = Atomic<Int>(0)
  private let resolver = DispatchQueue(label: "quiver.resolve", attributes: .concurrent)
  private let timers = DispatchQueue(label: "quiver.client.timers")

  package init(
    shardCount: Int = 1, limits: Limits = Limits(), readiness: ReadinessMechanism = .standard
  ) throws(SystemError) {
    self.limits = limits
    var shards: [Shard] = []
    for number in 0..<max(1, shardCount) {
      shards.append(
        try Shard(label: "quiver.client.\(number)", limits: limits, readiness: readiness))
    }
    self.shards = shards
  }

  /// A transport whose connections are on `reactor`, so that code there calls a server without
  /// changing threads; nil if the reactor is not one of this module.
  package init?(on reactor: any Reactor, limits: Limits = Limits()) {
    guard let shard = reactor as? Shard else { return nil }
    self.limits = limits
    shards = [shard]
  }

  /// Begins a connection. Calls may be submitted to the end at once; if the server does not answer
  /// they fail UNAVAILABLE, not processed, and FAILED_PRECONDITION where the token may not be sent
  /// there.
  package func connect(to endpoint: Endpoint, _ options: ConnectOptions) -> ClientEnd {
    let shard = nextShard()
    let end = ClientEnd(
      limits: limits, software: options.software, token: options.token,
      gatewayToken: options.gatewayToken, compressor: options.compressor, reactor: shard,
      coder: shard.coder)
    // The shard keeps the time of the calls from here on, however long the names take.
    let isSecure = endpoint.isSecure || options.security != nil
    shard.run {
      let (carried, failure) = self.carried(end, endpoint, options.security, on: shard)
      let socket = Socket(connecting: carried, name: endpoint.description)
      end.driver = socket
      // The table keeps the socket, the socket its end.
      shard.adopt(socket)
      if let failure { shard.drop(socket, failure) }
    }
    resolver.async {
      do throws(EndpointError) {
        let addresses = try endpoint.resolve(passive: false)
        if !isSecure, options.hasToken, !options.allowsPlaintextToken,
          !addresses.allSatisfy(\.isLoopback)
        {
          shard.run { end.forbid() }
          throw EndpointError(
            "\(endpoint) is not this machine, and a token is not sent there unencrypted"
              + " unless plaintext is allowed (allowsPlaintextToken; quiver --allow-plaintext)")
        }
        shard.run {
          if let socket = end.driver as? Socket, !socket.isClosed {
            shard.connect(socket, to: addresses)
          }
        }
      } catch {
        let reason = error.description
        shard.run {
          if let socket = end.driver as? Socket { shard.drop(socket, reason) }
        }
      }
    }
    return end
  }

  private func nextShard() -> Shard {
    let number = next.wrappingAdd(1, ordering: .relaxed).oldValue
    return shards[Int(UInt(bitPattern: number) % UInt(shards.count))]
  }

  /// Begins an unencrypted connection of another protocol; `makeEnd` makes its end for its reactor.
  ///
  /// The end may queue output at once; if nobody answers it is closed.
  package func connect<End: DrivenEnd & Sendable>(
    to endpoint: Endpoint, _ makeEnd: (any Reactor) -> End
  ) -> End {
    let shard = nextShard()
    let end = makeEnd(shard)
    shard.run {
      let socket = Socket(connecting: end, name: endpoint.description)
      end.driver = socket
      shard.adopt(socket)
    }
    resolver.async {
      let found = Result { () throws(EndpointError) in try endpoint.resolve(passive: false) }
      shard.run {
        guard let socket = end.driver as? Socket, !socket.isClosed else { return }
        switch found {
        case .success(let addresses): shard.connect(socket, to: addresses)
        case .failure(let error): shard.drop(socket, error.description)
        }
      }
    }
    return end
  }

  /// The end that a socket carries: `end`, or the one that encrypts for it; and why there is none.
  private func carried(
    _ end: ClientEnd, _ endpoint: Endpoint, _ security: TransportSecurity?, on shard: Shard
  ) -> (any ConnectionEnd, failure: String?) {
    guard let security else {
      return (
        end, endpoint.isSecure ? "\(endpoint) is reached by TLS, and this client has none" : nil
      )
    }
    do throws(SecureChannelError) {
      let channel = try security.context.makeChannel(to: endpoint.host)
      let secure = SecureEnd(
        end, channel, shared: shard.secure, startsHandshake: true)
      return (secure, nil)
    } catch {
      return (end, error.description)
    }
  }

  package var nowNanoseconds: UInt64 { SystemCall.monotonicNanoseconds() }

  package func schedule(atNanoseconds due: UInt64, _ job: @escaping @Sendable () -> Void) {
    let now = nowNanoseconds
    let wait = due > now ? due - now : 0
    timers.asyncAfter(deadline: .now() + .nanoseconds(Int(clamping: wait)), execute: job)
  }
}
