import Synchronization

/// Which of many similar events are logged: the first of a kind at once, the others as a count each
/// minute, so that many of them do not fill the log.
///
/// May be used from any thread. It has no clock of its own: call ``takeCounts(atSeconds:)`` once a
/// second or so.
package final class RepeatedEvents: Sendable {
  /// What makes events similar.
  package struct Kind: Hashable, Sendable {
    package let event: LogEvent
    /// The fields that similar events have in common, in order.
    package let fields: [Field]

    package init(_ event: LogEvent, _ fields: KeyValuePairs<String, String>) {
      self.event = event
      self.fields = fields.map { Field(key: $0.key, value: $0.value) }
    }
  }

  package struct Field: Hashable, Sendable {
    package let key: String
    package let value: String
  }

  /// Events of a kind that were counted and not logged.
  package struct Count: Sendable, Equatable {
    package let kind: Kind
    package let count: Int
  }

  private struct State {
    var since: [Kind: Window] = [:]
    /// Events by name, of kinds for which there was no room.
    var others: [LogEvent: Int] = [:]
    var othersSince = 0
  }

  private struct Window {
    var startSeconds: Int
    var count = 0
  }

  /// Kinds that are counted separately within a minute; the events of others are counted by their
  /// name.
  package static let maxKinds = 1_024
  package static let intervalSeconds = 60

  private let state = Mutex(State())

  package init() {}

  /// Counts an event; answers whether it is to be logged now.
  package func isFirst(_ kind: Kind, atSeconds now: Int) -> Bool {
    state.withLock { state in
      if state.since[kind] != nil {
        state.since[kind]?.count += 1
        return false
      }
      guard state.since.count < Self.maxKinds else {
        if state.others.isEmpty { state.othersSince = now }
        state.others[kind.event, default: 0] += 1
        return false
      }
      state.since[kind] = Window(startSeconds: now)
      return true
    }
  }

  /// The counts whose minute is over; kinds of which there were no more are forgotten.
  package func takeCounts(atSeconds now: Int) -> [Count] {
    state.withLock { state in
      var counts: [Count] = []
      for (kind, window) in state.since where now - window.startSeconds >= Self.intervalSeconds {
        state.since[kind] = window.count > 0 ? Window(startSeconds: now) : nil
        if window.count > 0 { counts.append(Count(kind: kind, count: window.count)) }
      }
      if !state.others.isEmpty, now - state.othersSince >= Self.intervalSeconds {
        for (event, count) in state.others {
          counts.append(Count(kind: Kind(event, ["others": "yes"]), count: count))
        }
        state.others = [:]
      }
      return counts
    }
  }
}
