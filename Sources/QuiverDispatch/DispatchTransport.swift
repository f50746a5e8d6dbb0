import Dispatch
import Glibc
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

  package init(shardCount: Int = 1, limits: Limits = Limits()) throws(SystemError) {
    self.limits = limits
    var shards: [Shard] = []
    for number in 0..<max(1, shardCount) {
      shards.append(try Shard(label: "quiver.client.\(number)", limits: limits))
    }
    self.shards = shards
  }

  /// Begins a connection. Calls may be submitted to the end at once; if nobody answers they fail
  /// UNAVAILABLE, not processed.
  package func connect(to endpoint: Endpoint, _ options: ConnectOptions) -> ClientEnd {
    let number = next.wrappingAdd(1, ordering: .relaxed).oldValue
    let shard = shards[Int(UInt(bitPattern: number) % UInt(shards.count))]
    let end = ClientEnd(
      limits: limits, software: options.software, token: options.token, reactor: shard,
      coder: shard.coder)
    resolver.async { [self] in
      do throws(EndpointError) {
        let addresses = try endpoint.resolve(passive: false)
        if !options.token.isEmpty, !options.allowsPlaintextToken,
          !addresses.allSatisfy(\.isLoopback)
        {
          throw EndpointError(
            "\(endpoint) is not this machine, and a token is not sent there unencrypted"
              + " unless plaintext is allowed")
        }
        let descriptor = try open(addresses, endpoint)
        shard.run { self.adopt(descriptor, end, on: shard, endpoint) }
      } catch {
        let reason = error.description
        shard.run { end.closed(reason) }
      }
    }
    return end
  }

  /// Starts to connect to the first address that takes it.
  private func open(
    _ addresses: [SocketAddress], _ endpoint: Endpoint
  ) throws(EndpointError) -> Int32 {
    var reason = "\(endpoint): no address"
    for address in addresses {
      let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
      let descriptor = socket(address.family, type | Int32(SOCK_CLOEXEC.rawValue), 0)
      guard descriptor >= 0 else {
        throw EndpointError("\(endpoint): \(SystemError(errno))")
      }
      if !address.isUnix {
        SystemCall.tune(descriptor, userTimeoutMilliseconds: limits.keepaliveTimeoutMilliseconds)
      }
      if address.withPointer({ Glibc.connect(descriptor, $0, $1) }) == 0 || errno == EINPROGRESS {
        return descriptor
      }
      reason = "cannot connect to \(endpoint): \(SystemError(errno))"
      close(descriptor)
    }
    throw EndpointError(reason)
  }

  private func adopt(
    _ descriptor: Int32, _ end: ClientEnd, on shard: Shard, _ endpoint: Endpoint
  ) {
    let socket = Socket(descriptor: descriptor, end: end, isConnecting: true)
    socket.name = endpoint.description
    end.carrier = socket
    // The table keeps the socket, the socket its end.
    shard.adopt(socket)
  }
}
