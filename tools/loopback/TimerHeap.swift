/// Jobs by their time; jobs with the same time keep the order in which they were added.
struct TimerHeap {
  private var entries: [Entry] = []
  private var nextOrder: UInt64 = 0

  private struct Entry {
    var due: UInt64
    var order: UInt64
    var job: @Sendable () -> Void

    static func < (a: Self, b: Self) -> Bool {
      a.due == b.due ? a.order < b.order : a.due < b.due
    }
  }

  /// The time of the first job; nil if there is none.
  var earliest: UInt64? { entries.first?.due }

  mutating func insert(_ due: UInt64, _ job: @escaping @Sendable () -> Void) {
    entries.append(Entry(due: due, order: nextOrder, job: job))
    nextOrder += 1
    var child = entries.count - 1
    while child > 0, entries[child] < entries[(child - 1) / 2] {
      entries.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  /// The first job, if its time has come.
  mutating func take(dueBy now: UInt64) -> (@Sendable () -> Void)? {
    guard let first = entries.first, first.due <= now else { return nil }
    entries.swapAt(0, entries.count - 1)
    entries.removeLast()
    var parent = 0
    while true {
      var least = parent
      for child in [2 * parent + 1, 2 * parent + 2]
      where child < entries.count && entries[child] < entries[least] {
        least = child
      }
      guard least != parent else { return first.job }
      entries.swapAt(parent, least)
      parent = least
    }
  }
}
