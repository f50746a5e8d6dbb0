import Synchronization

/// Counts the open requests of the callers of one address, and the bytes of requests and responses
/// that they hold, within those of the process. May be used from any thread.
final class HeldBytes: Sendable {
  private let count = Atomic<Int>(0)
  private let open = Atomic<Int>(0)
  private let limit: Int
  private let whole: HeldBytes?

  /// - Parameter whole: what these bytes are a part of; nil: they are all of the process.
  init(limit: Int, within whole: HeldBytes? = nil) {
    self.limit = limit
    self.whole = whole
  }

  // Counters are shared by the reactors: what changes nothing does not touch them.
  func add(_ byteCount: Int) {
    guard byteCount != 0 else { return }
    count.wrappingAdd(byteCount, ordering: .relaxed)
    whole?.add(byteCount)
  }

  func remove(_ byteCount: Int) {
    guard byteCount != 0 else { return }
    count.wrappingSubtract(byteCount, ordering: .relaxed)
    whole?.remove(byteCount)
  }

  /// A request has begun.
  func beginRequest() { open.wrappingAdd(1, ordering: .relaxed) }

  /// A request is over.
  func endRequest() { open.wrappingSubtract(1, ordering: .relaxed) }

  /// How many requests are open; they are counted for addresses only.
  var openRequestCount: Int { open.load(ordering: .relaxed) }

  /// How many bytes are held.
  var byteCount: Int { count.load(ordering: .relaxed) }

  /// The limit that is reached, with a sentence; nil: none is.
  var excess: (limit: GatewayLimit, sentence: String)? {
    if byteCount >= limit {
      let holder = whole == nil ? "the gateway" : "the address of the caller"
      return (
        whole == nil ? .heldBytes : .heldBytesPerAddress,
        "\(holder) holds \(limit) bytes of requests and responses, as many as it may"
      )
    }
    return whole?.excess
  }
}

/// The shares of addresses, each at least for as long as one of its connections is open.
final class HeldShares: Sendable {
  private struct State {
    // Not weak: a weak reference makes each use of a share slower.
    var shares: [String: HeldBytes] = [:]
    /// How many shares there may be before those that nobody else has are removed.
    var sweepAt = 64

    mutating func removeUnused() {
      for network in Array(shares.keys) {
        var share = shares.removeValue(forKey: network)
        // Only here, behind the lock, does anybody get a share that is not in use.
        if !isKnownUniquelyReferenced(&share) { shares[network] = share }
      }
    }
  }

  let whole: HeldBytes
  private let limits: GatewayLimits
  private let state = Mutex(State())

  init(_ limits: GatewayLimits) {
    self.limits = limits
    whole = HeldBytes(limit: limits.maxHeldBytes)
  }

  /// The share of an address, as it is counted.
  func share(of network: String) -> HeldBytes {
    state.withLock { state in
      if let share = state.shares[network] { return share }
      let share = HeldBytes(limit: limits.maxHeldBytesPerAddress, within: whole)
      if state.shares.count >= state.sweepAt {
        state.removeUnused()
        state.sweepAt = max(64, 2 * state.shares.count)
      }
      state.shares[network] = share
      return share
    }
  }
}
