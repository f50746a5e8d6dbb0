/// How many rows of a list a command fetches and prints.
struct PageLimit: Sendable {
  static let flag = Flag("--limit", .word("N"), "at most N rows; all by default")

  private let count: Int

  init(_ arguments: Arguments) throws(Failure) {
    guard let text = arguments.value(of: Self.flag) else {
      count = .max
      return
    }
    guard let number = Int(text), number > 0 else {
      throw arguments.usage("--limit expects a number above 0, not \(text)")
    }
    count = number
  }

  /// The size of the next page after this number of rows.
  func pageSize(after rows: Int = 0, most: Int = 500) -> UInt32 {
    UInt32(min(most, max(1, count - rows)))
  }

  /// Whether the limit is reached.
  func isReached(_ rows: Int) -> Bool { rows >= count }

  /// The first rows.
  func first<Row>(of rows: [Row]) -> [Row] { Array(rows.prefix(count)) }
}
