import QuiverRPC

/// What a channel needs of its transport: connections to its addresses, a clock, and timers on it.
struct ChannelCarrier: Sendable {
  let addressCount: Int
  /// Begins a connection to one of the addresses.
  let connect: @Sendable (Int) -> ClientEnd
  let now: @Sendable () -> UInt64
  let schedule: @Sendable (UInt64, @escaping @Sendable () -> Void) -> Void

  init<Carrier: Transport>(
    _ transport: Carrier, _ endpoints: [Carrier.Endpoint], _ options: ConnectOptions
  ) {
    precondition(!endpoints.isEmpty, "a channel has at least one address")
    addressCount = endpoints.count
    connect = { transport.connect(to: endpoints[$0], options) }
    now = { transport.nowNanoseconds }
    schedule = { transport.schedule(atNanoseconds: $0, $1) }
  }
}
