import QuiverStore

/// Which listeners of changed keys are to be called, and when.
///
/// All listeners of a key that changed are called in one round, some at a time, in the turns of the
/// keys that have a round. Changes during a round are in the next one. A key with many listeners
/// pauses between its rounds, for a time that grows with their number, so that a principal that
/// changes what it watches itself many times takes a bounded part of the processor. A value without
/// clock or threads.
struct ChangeRounds<Listener> {
  typealias Key = ChangedKey

  enum Step {
    case call([Listener])
    /// Nothing may be called before this time, in nanoseconds.
    case wait(until: UInt64)
    /// Nothing is to be called until a key changes.
    case rest
  }

  /// Listeners of one key that are called before those of another key have their turn.
  static var listenersPerTurn: Int { 64 }

  /// A key with more listeners than this pauses.
  static var promptListeners: Int { 64 }

  /// How long a key pauses for each of its listeners, in nanoseconds. A listener costs about a
  /// fifth of it, with the read and the message that follow.
  static var pauseNanosecondsPerListener: UInt64 { 50_000 }

  private var topics: [Key: Topic] = [:]
  private var keys: [Int: Key] = [:]
  private var lastNumber = 0
  /// The keys that have a round, in the order of their turns.
  private var turns: [Key] = []
  /// The keys that have changed and pause.
  private var pausing: [Key] = []

  /// The listeners of one key.
  private struct Topic {
    var listeners: [Int: Listener] = [:]
    /// Their numbers in order, with the numbers of removed listeners among them.
    var order: [Int] = []
    /// The numbers that the round has not come to.
    var rest: ArraySlice<Int> = []
    /// Whether the key is among the turns or those that pause.
    var isQueued = false
    /// Whether the key changed after its latest round began.
    var hasChanged = false
    /// When the next round may begin, in nanoseconds.
    var pausesUntil: UInt64 = 0
  }

  /// How many listeners there are.
  var listenerCount: Int { keys.count }

  /// Whether ``next(now:)`` has something to call, or to wait for.
  var isDue: Bool { !turns.isEmpty || !pausing.isEmpty }

  /// Adds a listener; returns the number by which it is removed.
  mutating func add(_ listener: Listener, to key: Key) -> Int {
    lastNumber += 1
    topics[key, default: Topic()].listeners[lastNumber] = listener
    topics[key, default: Topic()].order.append(lastNumber)
    keys[lastNumber] = key
    return lastNumber
  }

  mutating func remove(_ number: Int) {
    guard let key = keys.removeValue(forKey: number), var topic = topics.removeValue(forKey: key)
    else { return }
    topic.listeners[number] = nil
    if topic.order.count > 64, topic.order.count > 2 * topic.listeners.count {
      topic.order = topic.order.filter { topic.listeners[$0] != nil }
    }
    if !topic.listeners.isEmpty || topic.isQueued { topics[key] = topic }
  }

  /// A key has changed.
  mutating func changed(_ key: Key, now: UInt64) {
    guard var topic = topics.removeValue(forKey: key) else { return }
    topic.hasChanged = true
    if !topic.isQueued { enqueue(key, &topic, now: now) }
    topics[key] = topic
  }

  /// What is to be done now.
  mutating func next(now: UInt64) -> Step {
    resume(now: now)
    while !turns.isEmpty {
      let key = turns.removeFirst()
      guard let listeners = turn(of: key, now: now), !listeners.isEmpty else { continue }
      return .call(listeners)
    }
    let times = pausing.compactMap { topics[$0]?.pausesUntil }
    return times.min().map { .wait(until: $0) } ?? .rest
  }

  /// Gives those whose pause is over a turn.
  private mutating func resume(now: UInt64) {
    guard !pausing.isEmpty else { return }
    let over = pausing.filter { topics[$0]?.pausesUntil ?? 0 <= now }
    guard !over.isEmpty else { return }
    pausing.removeAll { topics[$0]?.pausesUntil ?? 0 <= now }
    turns += over
  }

  /// The next listeners of a key's round, which begins or continues.
  private mutating func turn(of key: Key, now: UInt64) -> [Listener]? {
    guard var topic = topics.removeValue(forKey: key) else { return nil }
    topic.isQueued = false
    if topic.rest.isEmpty {
      topic.hasChanged = false
      topic.rest = topic.order[...]
      let count = topic.listeners.count
      let isLong = count > Self.promptListeners
      topic.pausesUntil = isLong ? now &+ UInt64(count) * Self.pauseNanosecondsPerListener : 0
    }
    let listeners = topic.rest.prefix(Self.listenersPerTurn).compactMap { topic.listeners[$0] }
    topic.rest = topic.rest.dropFirst(Self.listenersPerTurn)
    if !topic.rest.isEmpty {
      topic.isQueued = true
      turns.append(key)
    } else if topic.hasChanged {
      enqueue(key, &topic, now: now)
    }
    if !topic.listeners.isEmpty || topic.isQueued { topics[key] = topic }
    return listeners
  }

  private mutating func enqueue(_ key: Key, _ topic: inout Topic, now: UInt64) {
    topic.isQueued = true
    if topic.pausesUntil > now { pausing.append(key) } else { turns.append(key) }
  }
}

extension ChangeRounds.Step: Sendable where Listener: Sendable {}
