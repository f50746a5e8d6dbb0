/// Where a call stands in its connection's stream table.
///
/// A client's call stays ``open`` until it leaves the table.
enum CallPhase: UInt8, Sendable, CaseIterable {
  /// No handler holds the slot: none has started, or it has returned and its answer is queued next.
  case open
  /// A handler holds the slot.
  case running
  /// The call failed while its handler runs: its status is sent when the handler returns.
  case failing
  /// The client cancelled the call, or the connection ends, while its handler runs.
  case abandoned
  /// The outcome is decided; only queued output keeps the call in the table.
  case ended

  enum Event: CaseIterable {
    case handlerStarted, handlerReturned
    /// A failure while the handler runs.
    case failed
    /// The client gave the call up, or the connection ends.
    case cancelled
    /// The reply or the status was queued.
    case answered
  }

  /// The phase after `event`; nil where the event may not happen.
  func next(_ event: Event) -> CallPhase? {
    switch (self, event) {
    case (.open, .handlerStarted): .running
    case (.open, .cancelled), (.open, .answered): .ended
    case (.running, .handlerReturned), (.failing, .handlerReturned): .open
    case (.running, .failed): .failing
    case (.running, .cancelled), (.failing, .cancelled): .abandoned
    case (.abandoned, .handlerReturned): .ended
    case (.ended, .cancelled): .ended
    default: nil
    }
  }

  /// Applies an event. Traps where it may not happen.
  mutating func apply(_ event: Event) {
    guard let next = next(event) else {
      preconditionFailure("a call that is \(self) cannot take \(event)")
    }
    self = next
  }

  /// Whether a handler holds the call's slot.
  var hasHandler: Bool { self == .running || self == .failing || self == .abandoned }

  /// Whether the outcome is decided as the client sees it.
  var isOver: Bool { self == .abandoned || self == .ended }

  /// Whether messages may still be delivered and sent.
  var isActive: Bool { self == .open || self == .running }
}
