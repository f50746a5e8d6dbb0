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
      limits: limits, software: options.software, token: options.token,
      compressor: options.compressor, reactor: shard, coder: shard.coder)
    // The shard keeps the time of the calls from here on, however long the names take.
    shard.run {
      let socket = Socket(connecting: end, name: endpoint.description)
      end.carrier = socket
      // The table keeps the socket, the socket its end.
      shard.adopt(socket)
    }
    resolver.async { [self] in
      do throws(EndpointError) {
        let addresses = try endpoint.resolve(passive: false)
        if !options.token.isEmpty, !options.allowsPlaintextToken,
          !addresses.allSatisfy(\.isLoopback)
        {
          throw EndpointError(
            "\(endpoint) is not this machine, and a token is not sent there unencrypted"
              + " unless plaintext is allowed (allowsPlaintextToken; quiver --allow-plaintext)")
        }
        let descriptor = try open(addresses, endpoint)
        shard.run {
          if let socket = end.carrier as? Socket, !socket.isClosed {
            shard.connect(socket, descriptor)
          } else {
            close(descriptor)
          }
        }
      } catch {
        let reason = error.description
        shard.run {
          if let socket = end.carrier as? Socket { shard.drop(socket, reason) }
        }
      }
    }
    return end
  }

  /// Starts to connect to the first address that takes it; waits for the answer of those that have
  /// another one behind them, as `localhost` has.
  private func open(
    _ addresses: [SocketAddress], _ endpoint: Endpoint
  ) throws(EndpointError) -> Int32 {
    var reason = "\(endpoint): no address"
    for (number, address) in addresses.enumerated() {
      let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
      let descriptor = socket(address.family, type | Int32(SOCK_CLOEXEC.rawValue), 0)
      guard descriptor >= 0 else {
        throw EndpointError("\(endpoint): \(SystemError(errno))")
      }
      if !address.isUnix {
        SystemCall.tune(descriptor, userTimeoutMilliseconds: limits.keepaliveTimeoutMilliseconds)
      }
      var code = address.withPointer { Glibc.connect(descriptor, $0, $1) } == 0 ? 0 : errno
      let isLast = number == addresses.count - 1
      if code == EINPROGRESS, isLast { return descriptor }
      if code == EINPROGRESS { code = SystemCall.connectResult(descriptor) }
      if code == 0 { return descriptor }
      reason = "cannot connect to \(endpoint): \(SystemError(code))"
      close(descriptor)
    }
    throw EndpointError(reason)
  }
}
