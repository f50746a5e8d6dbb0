/// Commands by principal, taken one of each principal in turn.
struct FairQueue {
  private var waiting: [Int64: Commands] = [:]

  /// The principals with waiting commands, in the order of their turns.
  private var turns: [Int64] = []
  private var firstTurn = 0
  private var singleCount = 0

  /// The number of commands.
  private(set) var count = 0

  /// The commands of one principal; those before `head` were taken.
  private struct Commands {
    var list: [QueuedCommand] = []
    var head = 0
    var count: Int { list.count - head }
  }

  /// Whether there is a command that is not a bulk command.
  var hasSingle: Bool { singleCount > 0 }

  /// The number of commands of a principal.
  func count(of principal: Int64) -> Int { waiting[principal]?.count ?? 0 }

  mutating func append(_ command: QueuedCommand) {
    let principal = command.options.caller.principal
    if waiting[principal] == nil { turns.append(principal) }
    waiting[principal, default: Commands()].list.append(command)
    count += 1
    if !command.isBulk { singleCount += 1 }
  }

  /// Removes and returns at most `limit` commands.
  mutating func take(atMost limit: Int) -> [QueuedCommand] {
    var taken: [QueuedCommand] = []
    taken.reserveCapacity(min(limit, count))
    while taken.count < limit, firstTurn < turns.count {
      let principal = turns[firstTurn]
      firstTurn += 1
      guard let command = next(of: principal) else { continue }
      taken.append(command)
      if !command.isBulk { singleCount -= 1 }
    }
    count -= taken.count
    if firstTurn == turns.count {
      turns.removeAll(keepingCapacity: true)
      firstTurn = 0
    } else if firstTurn > turns.count / 2 {
      turns.removeFirst(firstTurn)
      firstTurn = 0
    }
    return taken
  }

  /// Puts commands that were taken before all others, in their order; their principals have the
  /// next turns.
  mutating func putBack(_ commands: ArraySlice<QueuedCommand>) {
    for command in commands.reversed() {
      let principal = command.options.caller.principal
      if var own = waiting.removeValue(forKey: principal) {
        own.list.insert(command, at: own.head)
        waiting[principal] = own
      } else {
        waiting[principal] = Commands(list: [command])
        turns.insert(principal, at: firstTurn)
      }
      count += 1
      if !command.isBulk { singleCount += 1 }
    }
  }

  /// Removes the next command of a principal, which gets another turn if it has more.
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
    waiting[principal] = commands
    turns.append(principal)
    return command
  }
}
