import QuiverRPC
import QuiverWire
import Synchronization

/// When a call is sent again, after gRPC's proposal A6.
///
/// Without counting as a retry: a call that was not written is sent again any number of times
/// while connections can be made, and so is one whose connection led to another protocol or
/// version; a call that was written and that the server certainly did not process, because its
/// connection ended, once. Where only other programs than servers answer, and no server ever has, a
/// call is not sent again, nor does it wait. As retries, at most ``ChannelLimits/maxAttempts``
/// in all, with delays and within the budget: calls that ended UNAVAILABLE, or RESOURCE_EXHAUSTED
/// with the server's push-back, and that were certainly not processed or may be processed again,
/// which are those of methods that change nothing and those with an idempotency key. A call whose
/// connection ended UNAUTHENTICATED is sent again by the same rule if the client has another token
/// by then. Every other code is final, and so is every failure that this client caused itself.
extension Channel {
  func resending(
    _ call: ClientCall, after error: RPCError, _ history: inout CallHistory
  ) -> Resending {
    let resending = allowed(call, after: error, &history)
    if case .no = resending, let stated = StorePosition(in: error.metadata) {
      positions.reset(to: stated)
    }
    return resending
  }

  private func allowed(
    _ call: ClientCall, after error: RPCError, _ history: inout CallHistory
  ) -> Resending {
    guard error.origin != .client else { return .no }
    let hadRun = history.mayHaveRun
    if !error.isNotProcessed { history.mayHaveRun = true }
    // No connection: the channel itself has refused the call.
    let ending: ClientEnding? =
      if case .at(let end) = call.place { end.ending } else { nil }
    if error.origin == .connection, error.isNotProcessed, error.code == .unavailable {
      if ending?.isOtherPeer == true {
        return call.isWhole && resendsUnwritten(call, ending, &history) ? .now : .no
      }
      if !call.hasLeft, call.isWhole {
        if resendsUnwritten(call, ending, &history) { return .now }
        // A call that no server has seen fails fast.
        guard hadRun || history.attempt > 0 else { return .no }
      } else if !history.wasResentUnseen, call.isWhole, ending?.isForCause == false {
        history.wasResentUnseen = true
        history.attempt &+= 1
        return .now
      }
    }
    if error.origin == .connection, error.code == .unauthenticated {
      return resendsWithOtherToken(call, after: error, &history) ? .now : .no
    }
    return retry(call, after: error, &history)
  }

  /// Whether a call goes to another connection since the token of its connection was replaced.
  private func resendsWithOtherToken(
    _ call: ClientCall, after error: RPCError, _ history: inout CallHistory
  ) -> Bool {
    guard case .at(let end) = call.place, end.token != transport.token.value,
      call.isWhole,
      error.isNotProcessed || !call.method.isMutating || call.hasKey
    else { return false }
    if call.hasLeft { history.attempt &+= 1 }
    return true
  }

  /// Whether a call that was not written goes to another connection.
  private func resendsUnwritten(
    _ call: ClientCall, _ ending: ClientEnding?, _ history: inout CallHistory
  ) -> Bool {
    guard let ending else { return false }
    if !ending.hasOpened || ending.isForCause || ending.isOtherPeer { history.failedConnects += 1 }
    let (haveAllFailed, hasConnections, meetsOthers) = state.withLock {
      ($0.haveAllAddressesFailed, !$0.connections.isEmpty, $0.meetsOthers)
    }
    if call.waitsForReady { return !meetsOthers }
    guard hasConnections || !haveAllFailed else { return false }
    // Once for each address, and once more.
    return history.failedConnects <= transport.addressCount
  }

  /// Whether the retry policy grants another attempt, and when.
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
    let delay: UInt64
    if let pushBack {
      delay = UInt64(max(pushBack, 0)) * 1_000_000
      history.backoffSteps = 0
    } else {
      delay = limits.retry.nanoseconds(step: history.backoffSteps)
      history.backoffSteps += 1
    }
    let due = transport.now() &+ delay
    guard call.deadlineNanoseconds == 0 || due < call.deadlineNanoseconds else { return .no }
    history.retryCount += 1
    // The server counts the attempts that it may have seen.
    if call.hasLeft || error.origin == .server { history.attempt &+= 1 }
    return .at(due)
  }
}
