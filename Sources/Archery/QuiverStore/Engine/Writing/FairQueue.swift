/// Commands by principal; next is the principal that has used the least time of the writer.
///
/// It is start-time fair queueing. Each principal has a virtual time, which its commands advance by
/// the time that they took, at least ``leastNanoseconds``. A principal that begins to wait starts
/// at the least virtual time of those that wait, so that it has no credit for the time when it did
/// not. Commands that were taken count with an estimate until ``charge(_:)`` says what they took.
struct FairQueue {
  private var waiting: [Int64: Commands] = [:]
  private var usage: [Int64: Usage] = [:]
  /// The least virtual time of those that waited at the latest ``take(atMost:)``.
  private var virtualNow: UInt64 = 0
  private var lastTurn: Int64 = 0
  private var firstTurn: Int64 = 0
  private var takeCount = 0
  private var singleCount = 0

  /// The principals of the commands that were taken last, with the number of these.
  private var taken: [Int64: Int] = [:]

  /// The number of commands.
  private(set) var count = 0

  /// Whether somebody waits for the batch that was taken last, with no other command in it or
  /// behind it: of another principal than those in it, or with a single command in it.
  private(set) var isBatchAwaited = false

  /// The least that a command counts, so that short commands of different kinds count alike.
  static let leastNanoseconds: UInt64 = 50_000
  private static let largestEstimate: UInt64 = 50_000_000
  /// Principals without waiting commands whose virtual times are kept.
  private static let keptPrincipals = 1_024

  /// The commands of one principal; those before `head` were taken.
  private struct Commands {
    var list: [QueuedCommand] = []
    var head = 0
    /// Its place among those with the same virtual time.
    var turn: Int64 = 0
    /// How often commands had been taken when the principal began to wait; -1 if its commands were
    /// put back.
    var arrival = -1
    var count: Int { list.count - head }
    /// The next command; there is one, since principals without commands are not kept.
    var first: QueuedCommand { list[head] }

    /// Adds a command; answers whether it is the first one, with this turn and arrival.
    mutating func append(_ command: QueuedCommand, turn: Int64, arrival: Int) -> Bool {
      list.append(command)
      guard list.count == 1 else { return false }
      self.turn = turn
      self.arrival = arrival
      return true
    }

    /// Removes the commands before `head`, once they are many.
    mutating func trim() {
      guard head > list.count / 2 else { return }
      list.removeFirst(head)
      head = 0
    }
  }

  /// What a principal has used, in nanoseconds.
  private struct Usage {
    var virtualTime: UInt64 = 0
    /// What its next command is expected to take.
    var estimate = FairQueue.leastNanoseconds
  }

  /// What the commands of a principal in a batch took.
  struct Charge {
    var count: UInt64 = 0
    var nanoseconds: UInt64 = 0
  }

  /// Whether there is a command that is not a bulk command.
  var hasSingle: Bool { singleCount > 0 }

  /// The number of commands of a principal.
  func count(of principal: Int64) -> Int { waiting[principal]?.count ?? 0 }

  mutating func append(_ command: QueuedCommand) {
    let principal = command.options.caller.principal
    let begins = waiting[principal, default: Commands()]
      .append(command, turn: lastTurn + 1, arrival: takeCount)
    if begins {
      lastTurn += 1
      if !isBatchAwaited, taken[principal] == nil { isBatchAwaited = true }
    }
    count += 1
    if !command.isBulk { singleCount += 1 }
  }

  /// Removes and returns at most `limit` commands, which are all bulk commands or all not: whoever
  /// waits for a single command does not wait for the rows of a bulk command in its commit.
  mutating func take(atMost limit: Int) -> [QueuedCommand] {
    var turns = Turns(ordered())
    var commands: [QueuedCommand] = []
    commands.reserveCapacity(min(limit, count))
    taken.removeAll(keepingCapacity: true)
    var isAwaited = false
    while commands.count < limit, let turn = turns.first {
      guard let place = waiting.index(forKey: turn.principal) else { break }
      let command = waiting.values[place].first
      if let first = commands.first, command.isBulk != first.isBulk {
        turns.removeFirst()
        continue
      }
      commands.append(command)
      if !command.isBulk { singleCount -= 1 }
      let isFirst = Self.increment(&taken[turn.principal, default: 0]) == 1
      let virtualTime = Self.use(&usage[turn.principal, default: Usage()], from: turn.virtualTime)
      if waiting.values[place].count > 1 {
        lastTurn += 1
        waiting.values[place].head += 1
        waiting.values[place].trim()
        waiting.values[place].turn = lastTurn
        turns.replaceFirst(
          with: Turn(virtualTime: virtualTime, turn: lastTurn, principal: turn.principal))
      } else {
        waiting.remove(at: place)
        turns.removeFirst()
        if isFirst { isAwaited = true }
      }
    }
    count -= commands.count
    isBatchAwaited = isAwaited && taken.count < commands.count
    return commands
  }

  /// Removes and returns all commands.
  mutating func takeAll() -> [QueuedCommand] {
    var all: [QueuedCommand] = []
    while count > 0 { all += take(atMost: .max) }
    return all
  }

  /// Puts commands that were taken before all others, in their order, and counts them as not used.
  mutating func putBack(_ commands: ArraySlice<QueuedCommand>) {
    for command in commands.reversed() {
      let principal = command.options.caller.principal
      var own = waiting.removeValue(forKey: principal) ?? Commands()
      if own.head > 0 {
        own.head -= 1
        own.list[own.head] = command
      } else {
        own.list.insert(command, at: 0)
      }
      firstTurn -= 1
      own.turn = firstTurn
      own.arrival = -1
      waiting[principal] = own
      let used = usage[principal] ?? Usage()
      usage[principal]?.virtualTime = used.virtualTime - min(used.estimate, used.virtualTime)
      count += 1
      if !command.isBulk { singleCount += 1 }
    }
  }

  /// Replaces the estimates of taken commands by what they took. Call it after
  /// ``putBack(_:)``.
  mutating func charge(_ charges: [Int64: Charge]) {
    for (principal, charge) in charges where charge.count > 0 {
      var used = usage[principal] ?? Usage()
      let estimated = used.estimate * charge.count
      used.virtualTime -= min(estimated, used.virtualTime)
      used.virtualTime += max(charge.nanoseconds, Self.leastNanoseconds * charge.count)
      used.estimate = min(
        max(charge.nanoseconds / charge.count, Self.leastNanoseconds), Self.largestEstimate)
      usage[principal] = used
    }
    // If no command waits, none was delayed.
    if waiting.isEmpty {
      usage.removeAll(keepingCapacity: true)
      virtualNow = 0
    } else if usage.count > waiting.count + Self.keptPrincipals {
      usage = usage.filter { waiting[$0.key] != nil || $0.value.virtualTime > virtualNow }
    }
  }

  /// The waiting principals with their virtual times.
  private mutating func ordered() -> [Turn] {
    var least: UInt64?
    for (principal, commands) in waiting where commands.arrival != takeCount {
      let virtualTime = usage[principal]?.virtualTime ?? 0
      least = min(least ?? virtualTime, virtualTime)
    }
    virtualNow = least ?? virtualNow
    takeCount += 1
    var turns: [Turn] = []
    turns.reserveCapacity(waiting.count)
    for (principal, commands) in waiting {
      let known = usage[principal]?.virtualTime
      let virtualTime = max(known ?? 0, virtualNow)
      if known != virtualTime { usage[principal, default: Usage()].virtualTime = virtualTime }
      turns.append(Turn(virtualTime: virtualTime, turn: commands.turn, principal: principal))
    }
    return turns
  }

  private static func increment(_ count: inout Int) -> Int {
    count += 1
    return count
  }

  /// Counts a command with its estimate; answers the virtual time then.
  private static func use(_ used: inout Usage, from virtualTime: UInt64) -> UInt64 {
    used.virtualTime = virtualTime + used.estimate
    return used.virtualTime
  }
}

/// A principal's place in the order: by virtual time, then by turn.
private struct Turn {
  let virtualTime: UInt64
  let turn: Int64
  let principal: Int64

  func precedes(_ other: Turn) -> Bool {
    (virtualTime, turn) < (other.virtualTime, other.turn)
  }
}

/// A binary heap of turns.
private struct Turns {
  private var heap: [Turn]

  init(_ turns: [Turn]) {
    heap = turns
    for index in stride(from: turns.count / 2 - 1, through: 0, by: -1) { moveDown(index) }
  }

  var first: Turn? { heap.first }

  mutating func replaceFirst(with turn: Turn) {
    heap[0] = turn
    moveDown(0)
  }

  mutating func removeFirst() {
    let last = heap.removeLast()
    if !heap.isEmpty { replaceFirst(with: last) }
  }

  private mutating func moveDown(_ start: Int) {
    var index = start
    while true {
      var least = index
      for child in [2 * index + 1, 2 * index + 2]
      where child < heap.count && heap[child].precedes(heap[least]) {
        least = child
      }
      guard least != index else { return }
      heap.swapAt(index, least)
      index = least
    }
  }
}
