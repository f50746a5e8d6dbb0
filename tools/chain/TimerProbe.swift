import Dispatch
import Synchronization

/// Measures all the time how late a bare timer is whose end a task of this process awaits: what the
/// machine takes from any program, whatever the program does.
///
/// The end of a call at its deadline takes the same way: a timer of the system, a queue of
/// Dispatch, a task that goes on.
final class TimerProbe: Sendable {
  private let queue = DispatchQueue(label: "quiver.chain.probe")
  private let state = Mutex(State())

  private struct State {
    /// When the timer that is awaited was to end.
    var due: ContinuousClock.Instant?
    /// The timers that were late, in order.
    var late: [Range<ContinuousClock.Instant>] = []
  }

  private static let interval = Duration.milliseconds(2)
  /// Below this lateness a timer is not kept.
  private static let kept = Duration.milliseconds(1)

  /// Starts timers, one after the other, until the task is cancelled.
  func run() async {
    while !Task.isCancelled {
      let due = ContinuousClock.now + Self.interval
      state.withLock { $0.due = due }
      await withUnsafeContinuation { continuation in
        queue.asyncAfter(deadline: .now() + .nanoseconds(Int(Self.interval / .nanoseconds(1)))) {
          continuation.resume()
        }
      }
      let end = ContinuousClock.now
      state.withLock { state in
        state.due = nil
        if due + Self.kept < end { state.late.append(due..<end) }
      }
    }
  }

  /// For how much of a time a timer was overdue: the process did not go on then, or a task not.
  func overdue(from start: ContinuousClock.Instant, to end: ContinuousClock.Instant) -> Duration {
    state.withLock { state in
      var sum = Duration.zero
      // A timer that has not ended is overdue until now.
      if let due = state.due, due < end { sum += max(due, start).duration(to: end) }
      for late in state.late.reversed() {
        guard late.upperBound > start else { break }
        let part = late.clamped(to: start..<end)
        sum += part.lowerBound.duration(to: part.upperBound)
      }
      return sum
    }
  }
}
