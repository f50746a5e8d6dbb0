/// How far the two-step drain of a connection has come. Times are monotonic nanoseconds.
enum DrainState: Equatable {
  case none
  /// GOAWAY with the highest possible id was sent; the final one is sent at this time, or when the
  /// PING is answered.
  case announced(until: UInt64, pingNumber: UInt64)
  /// GOAWAY with the last id was sent; open calls may finish until this time.
  case final(last: UInt32, until: UInt64)

  var hasBegun: Bool {
    if case .none = self { false } else { true }
  }

  /// When the next step is due; nil: there is none.
  var due: UInt64? {
    switch self {
    case .none: nil
    case .announced(let until, _), .final(_, let until): until
    }
  }

  /// Makes the final step due now if `number` answers the PING of the first.
  mutating func pingAnswered(_ number: UInt64, now: UInt64) {
    guard case .announced(_, let awaited) = self, number >= awaited else { return }
    self = .announced(until: now, pingNumber: awaited)
  }
}
