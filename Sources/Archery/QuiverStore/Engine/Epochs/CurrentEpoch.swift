/// The epoch that a store is in (``EpochStart``).
struct CurrentEpoch: Sendable {
  var number: UInt64 = 0

  /// Below which no id and no revision of the epoch is; 0: none was begun.
  var base: Int64 = 0

  /// When it began, in milliseconds since 1970-01-01; 0: none was begun, or that was not noted.
  var beganMilliseconds: Int64 = 0
}

extension Transaction {
  /// Throws unless a revision is the current one of an object, with the object as a detail.
  ///
  /// 0 matches any revision, but not for a caller that states another epoch: what it has seen may
  /// be another object.
  func check(
    _ revision: UInt64, of now: UInt64, _ current: @autoclosure () -> CurrentObject
  ) throws(StoreError) {
    guard revision != now else { return }
    guard revision == 0 else { throw .stale(revision, now: now, current()) }
    let known = caller.knownEpoch
    guard known == 0 || known == snapshot.session.epoch.number else {
      var error = StoreError(
        .aborted,
        "the store was set back to an earlier state since the caller read it, so revision 0 does"
          + " not match; it is at \(now)", current: current())
      error.isOfOtherEpoch = true
      throw error
    }
  }

  /// Throws if a call whose key is not stored may have had its effect in the history that the
  /// current epoch has replaced: it would have it again, unnoticed.
  ///
  /// It is called behind the command, whose own refusal says more.
  func checkIsOfThisEpoch(_ key: CommandKey?) throws(StoreError) {
    let epoch = snapshot.session.epoch
    guard let key, epoch.base > 0, key.epoch != epoch.number else { return }
    // Where no epoch is stated, the time in the key tells; no store knows a key for longer.
    let began = epoch.beganMilliseconds
    let kept = began - StoreLimits.idempotencyKeepMilliseconds..<began
    guard key.epoch != 0 || key.madeAtMilliseconds.map(kept.contains) ?? false else { return }
    throw StoreError(
      .failedPrecondition,
      "the store was set back to an earlier state after this key was made, and does not know it:"
        + " if the call had its effect before, that may have been lost; read what is there, and"
        + " send the call with a new key (if the key is new, the clock of its device is behind)",
      field: "idempotency_key")
  }
}
