import QuiverWire

/// The TLS handshakes of a server that are not complete: how many there may be in all and of an
/// address, and which one ends for a new one.
///
/// A new handshake is never refused. Over the limit of its address the oldest of that address ends,
/// over the limit of the server the oldest of the address that has most: the handshakes of one
/// address do not take the places of others. A value without sockets or locks.
struct HandshakeAdmission {
  private let limit: Int
  private var limitPerHost: Int
  /// The connections of each address, the oldest first. Those behind proxies are under one key.
  private var connections: [String: [UInt64]] = [:]
  /// The key of each connection.
  private var keys: [UInt64: String] = [:]

  /// The key of connections whose proxy has not named their address yet.
  private static let unknownHost = ""

  /// How many handshakes are not complete.
  var count: Int { keys.count }

  init(_ limits: Limits) {
    limit = max(1, limits.maxUnfinishedHandshakes)
    limitPerHost = max(1, limits.maxUnfinishedHandshakesPerAddress)
  }

  /// Changes the limit of an address for new handshakes.
  mutating func adjust(_ limits: Limits) {
    limitPerHost = max(1, limits.maxUnfinishedHandshakesPerAddress)
  }

  /// Counts the handshake of a new connection; returns the connection that must end for it.
  ///
  /// - Parameter host: the network of the peer, as connections are counted (``TrustedNetworks``):
  ///   one network could otherwise make each handshake from another address. Nil: a proxy has not
  ///   named it.
  mutating func begin(_ id: UInt64, from host: String?) -> UInt64? {
    let key = host ?? Self.unknownHost
    connections[key, default: []].append(id)
    keys[id] = key
    if host != nil, connections[key, default: []].count > limitPerHost { return popOldest(of: key) }
    guard count > limit else { return nil }
    let largest = connections.max { $0.value.count < $1.value.count }
    return largest.flatMap { popOldest(of: $0.key) }
  }

  /// Counts a connection that was to end as the newest of its address, since the server has not
  /// taken its input yet; returns the connection that must end instead, of another address if it is
  /// the only one of its own.
  mutating func retain(_ id: UInt64, from host: String?) -> UInt64? {
    let key = host ?? Self.unknownHost
    connections[key, default: []].append(id)
    keys[id] = key
    guard connections[key]?.count == 1 else { return popOldest(of: key) }
    let other = connections.keys.first { $0 != key }
    return popOldest(of: other ?? key)
  }

  /// The handshake of a connection is complete, or the connection has ended; does nothing if it is
  /// no longer counted.
  mutating func end(_ id: UInt64) {
    guard let key = keys[id], let place = connections[key]?.firstIndex(of: id) else { return }
    remove(place, of: key)
  }

  private mutating func popOldest(of key: String) -> UInt64? {
    guard let oldest = connections[key]?.first else { return nil }
    remove(0, of: key)
    return oldest
  }

  private mutating func remove(_ place: Int, of key: String) {
    if let id = connections[key]?.remove(at: place) { keys[id] = nil }
    if connections[key]?.isEmpty == true { connections[key] = nil }
  }
}
