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
    if waiting[principal] == nil {
      lastTurn += 1
      waiting[principal] = Commands(turn: lastTurn, arrival: takeCount)
      if taken[principal] == nil { isBatchAwaited = true }
    }
    waiting[principal]?.list.append(command)
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
      if let first = commands.first, isBulkNext(of: turn.principal) != first.isBulk {
        turns.removeFirst()
        continue
      }
      guard let command = next(of: turn.principal) else { break }
      commands.append(command)
      if !command.isBulk { singleCount -= 1 }
      taken[turn.principal, default: 0] += 1
      let used = usage[turn.principal] ?? Usage()
      let virtualTime = turn.virtualTime + used.estimate
      usage[turn.principal] = Usage(virtualTime: virtualTime, estimate: used.estimate)
      if let rest = waiting[turn.principal] {
        turns.replaceFirst(
          with: Turn(virtualTime: virtualTime, turn: rest.turn, principal: turn.principal))
      } else {
        turns.removeFirst()
        if taken[turn.principal] == 1 { isAwaited = true }
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

  /// Whether the next command of a principal is a bulk command.
  private func isBulkNext(of principal: Int64) -> Bool {
    guard let commands = waiting[principal], commands.count > 0 else { return false }
    return commands.list[commands.head].isBulk
  }

  /// Removes the next command of a principal.
  private mutating func next(of principal: Int64) -> QueuedCommand? {
    guard var commands = waiting.removeValue(forKey: principal), commands.count > 0 else {
      return nil
    }
    let command = commands.list[commands.head]
    commands.head += 1
    guard commands.count > 0 else { return command }
    if commands.head > commands.list.count / 2 {
      commands.list.removeFirst(commands.head)
      commands.head = 0
    }
    lastTurn += 1
    commands.turn = lastTurn
    waiting[principal] = commands
    return command
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
