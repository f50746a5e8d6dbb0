/// What a connection has sent and has no answer to yet, in the order of sending.
///
/// The server answers in this order. Statements up to a boundary (`PQpipelineSync`) are a segment:
/// after one of them has failed, the server skips the others of its segment.
struct PostgresPipeline {
  enum Part {
    /// A statement of which only an error is of interest.
    case checked(columnCount: Int32?)
    case kept(PostgresAnswer)
    /// A statement of which not even an error is of interest, unless it ends the connection.
    case ignored
    /// The end of a segment.
    case boundary

    /// How many columns the statement returns; nil: any number.
    var columnCount: Int32? {
      switch self {
      case .checked(let columnCount): columnCount
      case .kept(let answer): answer.columnCount
      case .boundary, .ignored: nil
      }
    }

    var isBoundary: Bool {
      if case .boundary = self { true } else { false }
    }

    var isIgnored: Bool {
      if case .ignored = self { true } else { false }
    }
  }

  private var parts: [Part] = []
  /// Those before it are answered.
  private var head = 0

  /// Statements without an answer.
  private(set) var statementCount = 0

  /// Whether statements have been sent behind the last boundary.
  private(set) var hasOpenSegment = false

  /// Whether a statement of the segment that is answered now has failed.
  private var isFailed = false

  /// The part that is answered next; nil if everything is answered.
  var next: Part? { head < parts.count ? parts[head] : nil }

  mutating func append(_ part: Part) {
    parts.append(part)
    hasOpenSegment = !part.isBoundary
    if !part.isBoundary { statementCount += 1 }
  }

  /// The next part is answered by these rows; nil for a boundary.
  mutating func arrive(_ rows: PostgresRows?) {
    guard let part = take() else { return }
    if part.isBoundary { isFailed = false }
    if case .kept(let answer) = part, let rows { answer.arrive(rows) }
  }

  /// The next part is answered by an error. Where it is the server's, those behind it in its
  /// segment are not run.
  ///
  /// A boundary stays: it is answered in any case.
  mutating func fail(_ error: PostgresError) {
    if !error.sqlState.isEmpty { isFailed = true }
    fail(isLost: error.endsConnection)
  }

  /// The next part was not run, because one before it failed.
  mutating func skip() {
    fail(isLost: false)
  }

  private mutating func fail(isLost: Bool) {
    guard let part = next, !part.isBoundary else { return }
    _ = take()
    if case .kept(let answer) = part { answer.fail(isLost: isLost) }
  }

  /// No more answers come: the connection has ended.
  mutating func end() {
    while let part = take() {
      switch part {
      case .boundary: isFailed = false
      case .kept(let answer): answer.fail(isLost: !isFailed)
      case .checked, .ignored: break
      }
    }
    hasOpenSegment = false
    isFailed = false
  }

  private mutating func take() -> Part? {
    guard let part = next else { return nil }
    head += 1
    if !part.isBoundary { statementCount -= 1 }
    if head == parts.count {
      parts.removeAll(keepingCapacity: true)
      head = 0
    }
    return part
  }
}
