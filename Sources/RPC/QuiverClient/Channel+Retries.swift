import QuiverRPC
import QuiverWire
import Synchronization

/// When a call is sent again, after gRPC's proposal A6.
///
/// For free: a call that never left, any number of times while connections can be made; and one
/// that left and that the server certainly did not take, because its connection ended, once. By the
/// policy, up to ``ChannelLimits/maxAttempts`` with a wait between them and within the budget:
/// calls that ended UNAVAILABLE, or RESOURCE_EXHAUSTED with the server's push-back, and that either
/// had no effect for certain or may have it again: methods that change nothing, and calls with a
/// key. All other codes stand, and so does everything that this client decided itself.
extension Channel {
  func resending(
    _ call: ClientCall, after error: RPCError, _ history: inout CallHistory
  ) -> Resending {
    guard error.origin != .client else { return .no }
    let hadRun = history.mayHaveRun
    if !error.isNotProcessed { history.mayHaveRun = true }
    // An end that was not heard of by the machine: the channel itself has refused the call.
    let ending: ClientEnding? =
      if case .at(let end) = call.place { end.ending } else { nil }
    if error.origin == .connection, error.isNotProcessed, error.code == .unavailable {
      if !call.hasLeft, call.isWhole {
        if resendsUnsent(call, ending, &history) { return .now }
        // Calls that have not been anywhere fail fast.
        guard hadRun || history.attempt > 0 else { return .no }
      } else if !history.wasResentUnseen, call.isWhole, ending?.isForCause == false {
        history.wasResentUnseen = true
        history.attempt &+= 1
        return .now
      }
    }
    return retry(call, after: error, &history)
  }

  /// Whether a call that never left goes to another connection.
  private func resendsUnsent(
    _ call: ClientCall, _ ending: ClientEnding?, _ history: inout CallHistory
  ) -> Bool {
    guard let ending else { return false }
    if !ending.hasOpened || ending.isForCause { history.failedConnects += 1 }
    let (isRoundLost, hasLanes) = state.withLock { ($0.isRoundLost, !$0.lanes.isEmpty) }
    if call.waitsForReady { return true }
    guard hasLanes || !isRoundLost else { return false }
    // Once for each address, and once for luck.
    return history.failedConnects <= carrier.addressCount
  }

  /// A retry by the policy, if it grants one.
  private func retry(
    _ call: ClientCall, after error: RPCError, _ history: inout CallHistory
  ) -> Resending {
    let pushBack = error.retryAfterMilliseconds
    guard error.code == .unavailable || error.code == .resourceExhausted && pushBack != nil else {
      return .no
    }
    budget.failed()
    guard pushBack ?? 0 >= 0, call.isWhole,
      error.isNotProcessed || !call.method.isMutating || call.hasKey,
      history.retryCount + 1 < limits.maxAttempts, budget.allowsRetry
    else { return .no }
    let now = carrier.now()
    let wait: UInt64
    if let pushBack {
      wait = UInt64(max(pushBack, 0)) * 1_000_000
      history.backoffSteps = 0
    } else {
      wait = limits.retry.nanoseconds(step: history.backoffSteps)
      history.backoffSteps += 1
    }
    let due = now &+ wait
    guard call.deadlineNanoseconds == 0 || due < call.deadlineNanoseconds else { return .no }
    history.retryCount += 1
    history.attempt &+= 1
    return .at(due)
  }
}
