/// The prepared statements of one connection, at most `capacity`; the longest unused goes first.
struct StatementCache {
  private var statements: [Statement?] = []
  private var count = 0
  private var clock: UInt64 = 0
  private let capacity: Int

  init(capacity: Int) {
    precondition(capacity > 0, "A statement cache holds at least one statement.")
    self.capacity = capacity
  }

  /// The statement of that index, if it is prepared.
  mutating func find(_ index: Int) -> Statement? {
    guard index < statements.count, let statement = statements[index] else { return nil }
    clock &+= 1
    statement.lastUse = clock
    return statement
  }

  /// Keeps a newly prepared statement, and lets another go where the cache is full.
  mutating func insert(_ statement: Statement, at index: Int) {
    if count >= capacity { evict() }
    while statements.count <= index { statements.append(nil) }
    clock &+= 1
    statement.lastUse = clock
    statements[index] = statement
    count += 1
  }

  /// Lets every statement go.
  mutating func removeAll() {
    statements.removeAll()
    count = 0
  }

  private mutating func evict() {
    var oldest: (index: Int, use: UInt64)?
    for (index, statement) in statements.enumerated() {
      guard let statement, !statement.isRunning else { continue }
      if oldest.map({ statement.lastUse < $0.use }) ?? true {
        oldest = (index, statement.lastUse)
      }
    }
    guard let oldest else { return }
    statements[oldest.index] = nil
    count -= 1
  }
}
