/// A wait that grows with each step: `first` times `multiplier` to the power of the steps before,
/// at most `longest`, then longer or shorter by a share of up to `jitter`.
///
/// gRPC's connection back-off and the back-off of its proposal A6.
struct ChannelBackoff {
  let first: Duration
  let multiplier: Double
  let longest: Duration
  let jitter: Double

  /// The wait of a step, from 0, in nanoseconds.
  func nanoseconds(
    step: Int, random: (ClosedRange<Double>) -> Double = { Double.random(in: $0) }
  ) -> UInt64 {
    var wait = Double(RPCClient.nanoseconds(first))
    let most = Double(RPCClient.nanoseconds(longest))
    for _ in 0..<min(max(step, 0), 1_000) where wait < most { wait *= multiplier }
    wait = min(wait, most) * random(1 - jitter...1 + jitter)
    return UInt64(wait)
  }
}

extension ChannelLimits {
  var reconnect: ChannelBackoff {
    ChannelBackoff(
      first: firstReconnect, multiplier: reconnectMultiplier, longest: longestReconnect,
      jitter: reconnectJitter)
  }

  var retry: ChannelBackoff {
    ChannelBackoff(
      first: firstRetry, multiplier: retryMultiplier, longest: longestRetry, jitter: retryJitter)
  }
}
