import QuiverWire

/// Which connections a server takes: the counts by process, address and principal, and the order in
/// which anonymous connections make room for others.
///
/// A value without sockets or locks. A connection is anonymous until ``identify(_:principal:)``.
struct ConnectionAdmission {
  enum Decision: Equatable {
    case accept(id: UInt64)
    /// Accept, and close this older anonymous connection if it has no open call; otherwise call
    /// ``retain(_:)``.
    case acceptInPlace(id: UInt64, of: UInt64)
    case reject
  }

  private struct Anonymous {
    /// Nil while the address behind a proxy is unknown: no address counts the connection.
    var network: String?
    /// Accepted above a limit of anonymous connections; see
    /// ``ConnectionAdmission/keepAsSpare(_:)``.
    var isSpare = false
    /// Its HELLO is there and has no token.
    var hasNoToken = false
    /// Its mark in the orders of age; 0: it is in none.
    var mark: UInt64 = 0
  }

  /// Anonymous connections, the oldest first, among entries that are no longer valid: those whose
  /// connection has another mark.
  private struct Order {
    var entries: [(id: UInt64, mark: UInt64)] = []
    /// The entries before it were removed.
    var head = 0
  }

  /// May be changed: connections that are open stay.
  var limits: Limits
  private(set) var connectionCount = 0
  private var nextID: UInt64 = 1
  private var countByNetwork: [String: Int] = [:]
  private var countByPrincipal: [Int64: Int] = [:]
  private var anonymous: [UInt64: Anonymous] = [:]
  private var anonymousByNetwork: [String: Int] = [:]
  private var order = Order()
  /// The same of each network, so that the oldest one is found without a search.
  private var orderByNetwork: [String: Order] = [:]
  private var lastMark: UInt64 = 0
  /// Connections that stay only if their caller becomes known, the oldest first.
  private var spares: [UInt64] = []

  init(_ limits: Limits) { self.limits = limits }

  var anonymousCount: Int { anonymous.count }

  /// Anonymous connections that the server takes in all.
  private var maxAnonymous: Int { limits.maxConnections - reserved }

  /// Connections that the server keeps for callers with a token.
  private var reserved: Int {
    let (hundreds, rest) = limits.maxConnections.quotientAndRemainder(dividingBy: 100)
    return hundreds * Limits.reservedConnectionPercent
      + rest * Limits.reservedConnectionPercent / 100
  }

  /// More connections than this are never open: those that the server takes, and those that were
  /// asked to make room and are not closed yet.
  private var hardLimit: Int { limits.maxConnections + limits.maxRejectedConnections }

  /// Decides about a new connection from `network`; nil: from a proxy that has not named it yet.
  mutating func admit(from network: String?) -> Decision {
    guard !isOverAddressLimit(network), connectionCount < hardLimit else { return .reject }
    let victim = victim(for: network)
    if victim == nil, connectionCount >= limits.maxConnections { return .reject }
    let id = nextID
    nextID += 1
    connectionCount += 1
    insert(id, network)
    return victim.map { .acceptInPlace(id: id, of: $0) } ?? .accept(id: id)
  }

  /// A proxy has named the address of connection `id`.
  mutating func locate(_ id: UInt64, in network: String) -> Decision {
    guard anonymous[id] != nil, !isOverAddressLimit(network) else { return .reject }
    let victim = victim(for: network, except: id)
    anonymous[id]?.network = network
    countByNetwork[network, default: 0] += 1
    anonymousByNetwork[network, default: 0] += 1
    becomeNewest(id)
    return victim.map { .acceptInPlace(id: id, of: $0) } ?? .accept(id: id)
  }

  /// The caller of connection `id` is known; false: the principal has as many as it may.
  mutating func identify(_ id: UInt64, principal: Int64) -> Bool {
    guard countByPrincipal[principal, default: 0] < limits.maxConnectionsPerPrincipal else {
      return false
    }
    removeAnonymous(id)
    countByPrincipal[principal, default: 0] += 1
    return true
  }

  /// Connection `id` is closed.
  mutating func close(_ id: UInt64, network: String?, principal: Int64?) {
    connectionCount -= 1
    if let network { Self.decrement(&countByNetwork, network) }
    if let principal { Self.decrement(&countByPrincipal, principal) }
    removeAnonymous(id)
  }

  /// Keeps a connection that has an open call: it becomes the newest in the eviction order.
  mutating func retain(_ id: UInt64) {
    becomeNewest(id)
  }

  /// Whether connection `id` is above a limit of anonymous connections, so that another one must
  /// be closed for it. The callers of others may have become known since it was accepted.
  func needsRoom(for id: UInt64) -> Bool {
    guard let entry = anonymous[id] else { return false }
    let ofNetwork = entry.network.map { anonymousByNetwork[$0, default: 0] } ?? 0
    return ofNetwork > limits.maxAnonymousConnectionsPerAddress || anonymous.count > maxAnonymous
      || connectionCount > limits.maxConnections
  }

  /// The next connection to close for `id`; nil if there is none.
  mutating func nextVictim(for id: UInt64) -> UInt64? {
    guard let entry = anonymous[id] else { return nil }
    return popOldest(of: isFull(entry.network) ? entry.network : nil, except: id)
  }

  /// Keeps a new connection although no anonymous one can be closed for it: its caller may have a
  /// token. Such connections take the places that are reserved for callers with a token until their
  /// HELLO is there; an older one must end if there are too many.
  ///
  /// - Returns: the connection that must end unless its caller is known by then: the oldest of the
  ///   address that has most of them.
  mutating func keepAsSpare(_ id: UInt64) -> UInt64? {
    guard let connection = anonymous[id] else { return nil }
    if connection.hasNoToken { return id }
    anonymous[id]?.isSpare = true
    spares.append(id)
    guard spares.count > max(1, reserved) else { return nil }
    var counts: [String?: Int] = [:]
    for spare in spares { counts[anonymous[spare]?.network, default: 0] += 1 }
    // The order of a dictionary differs between processes: where addresses have as many, the oldest
    // connection of them ends.
    let most = counts.values.max() ?? 0
    guard
      let place = spares.firstIndex(where: { counts[anonymous[$0]?.network, default: 0] == most })
    else { return nil }
    return spares.remove(at: place)
  }

  /// Whether connection `id` may stay although its caller has sent no token.
  mutating func mayStayAnonymous(_ id: UInt64) -> Bool {
    anonymous[id]?.hasNoToken = true
    return anonymous[id]?.isSpare != true
  }

  private func isOverAddressLimit(_ network: String?) -> Bool {
    network.map { countByNetwork[$0, default: 0] >= limits.maxConnectionsPerAddress } ?? false
  }

  private func isFull(_ network: String?) -> Bool {
    network.map {
      anonymousByNetwork[$0, default: 0] >= limits.maxAnonymousConnectionsPerAddress
    } ?? false
  }

  private mutating func victim(for network: String?, except id: UInt64 = 0) -> UInt64? {
    if isFull(network) { return popOldest(of: network, except: id) }
    guard anonymous.count >= maxAnonymous || connectionCount >= limits.maxConnections else {
      return nil
    }
    return popOldest(of: nil, except: id)
  }

  private mutating func insert(_ id: UInt64, _ network: String?) {
    anonymous[id] = Anonymous(network: network)
    if let network {
      countByNetwork[network, default: 0] += 1
      anonymousByNetwork[network, default: 0] += 1
    }
    becomeNewest(id)
  }

  /// Puts an anonymous connection at the end of the orders; nothing for another one.
  private mutating func becomeNewest(_ id: UInt64) {
    guard let network = anonymous[id]?.network ?? nil else {
      if anonymous[id] != nil { mark(id) }
      return
    }
    let entry = mark(id)
    var own = orderByNetwork.removeValue(forKey: network) ?? Order()
    own.entries.append(entry)
    Self.compact(&own, anonymous, valid: anonymousByNetwork[network] ?? 0)
    orderByNetwork[network] = own
  }

  @discardableResult
  private mutating func mark(_ id: UInt64) -> (id: UInt64, mark: UInt64) {
    lastMark += 1
    anonymous[id]?.mark = lastMark
    order.entries.append((id, lastMark))
    Self.compact(&order, anonymous, valid: anonymous.count)
    return (id, lastMark)
  }

  private mutating func removeAnonymous(_ id: UInt64) {
    guard let connection = anonymous.removeValue(forKey: id) else { return }
    if let network = connection.network {
      Self.decrement(&anonymousByNetwork, network)
      if anonymousByNetwork[network] == nil { orderByNetwork[network] = nil }
    }
    if connection.isSpare { spares.removeAll { $0 == id } }
  }

  /// Takes the oldest anonymous connection, of `network` where one is given, out of the orders.
  private mutating func popOldest(of network: String?, except id: UInt64) -> UInt64? {
    guard let network else { return Self.pop(&order, &anonymous, except: id) }
    guard var own = orderByNetwork.removeValue(forKey: network) else { return nil }
    defer { orderByNetwork[network] = own }
    return Self.pop(&own, &anonymous, except: id)
  }

  private static func pop(
    _ order: inout Order, _ anonymous: inout [UInt64: Anonymous], except id: UInt64
  ) -> UInt64? {
    while order.head < order.entries.count,
      !isValid(order.entries[order.head], anonymous)
    {
      order.head += 1
    }
    for entry in order.entries[order.head...] where entry.id != id && isValid(entry, anonymous) {
      anonymous[entry.id]?.mark = 0
      return entry.id
    }
    return nil
  }

  /// Drops entries that are not valid once they are more than the others.
  private static func compact(
    _ order: inout Order, _ anonymous: [UInt64: Anonymous], valid count: Int
  ) {
    guard order.entries.count > 64, order.entries.count > 2 * count else { return }
    order = Order(
      entries: order.entries[order.head...].filter { isValid($0, anonymous) })
  }

  private static func isValid(
    _ entry: (id: UInt64, mark: UInt64), _ anonymous: [UInt64: Anonymous]
  ) -> Bool {
    anonymous[entry.id]?.mark == entry.mark
  }

  private static func decrement<Key: Hashable>(_ counts: inout [Key: Int], _ key: Key) {
    guard let count = counts[key] else { return }
    counts[key] = count > 1 ? count - 1 : nil
  }
}
