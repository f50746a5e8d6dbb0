/// A line of a file that cannot be taken, and why.
public struct BadLine: Sendable, Equatable {
  /// From 1, blank lines and the line of column names counted.
  public let number: Int64
  /// The reason why the line is invalid.
  public let reason: Reason

  /// Creates a value; each parameter is the property of its name.
  public init(number: Int64, reason: Reason) {
    self.number = number
    self.reason = reason
  }

  /// What is wrong with a line, in words that hold nothing of it.
  public enum Reason: Error, Sendable, Hashable, CustomStringConvertible {
    /// The line is not UTF-8.
    case notText
    /// The line is longer than this number of bytes.
    case tooLong(Int)
    /// A quoted field does not end on its line.
    case quote
    /// The line has this number of fields, which is not allowed.
    case fieldCount(Int)
    /// The date is invalid.
    case date
    /// The name of the exercise is blank or too long.
    case name
    /// The number of sets is invalid.
    case sets
    /// The number of repetitions is invalid.
    case repetitions
    /// The weight is invalid.
    case weight
    /// The unit is invalid.
    case unit
    /// The note is too long.
    case note
    /// The body fat is invalid.
    case bodyFat
    /// The file has more entries than this number.
    case tooMany(Int)

    public var description: String {
      switch self {
      case .notText: "is not UTF-8 text"
      case .tooLong(let count): "is longer than \(count) bytes"
      case .quote: "has a quote that does not end where its field does"
      case .fieldCount(let count): "has \(count) fields"
      case .date: "has no date that the calendar knows in its first field"
      case .name: "has no name of 1 to \(TextLimits.nameLength) characters"
      case .sets: "has no number of sets from 1 to 100"
      case .repetitions: "has no number of repetitions from 1 to 1000"
      case .weight: "has no weight in the range of its unit"
      case .unit: "has no unit lb or kg"
      case .note: "has a note of more than \(TextLimits.notesLength) characters"
      case .bodyFat: "has no body fat from 1 to 75 percent"
      case .tooMany(let count):
        "is beyond the first \(count) entries, which is as many as a file may have; split it"
      }
    }
  }
}

/// The bad lines of a file: the first of them, and how many there are.
public struct BadLines: Sendable, Equatable {
  /// Lines that are named.
  public static let shownCount = 1_000

  /// The first bad lines.
  public private(set) var shown: [BadLine] = []
  /// The number of all bad lines.
  public private(set) var count: Int64 = 0

  public init() {}

  /// Adds a bad line.
  public mutating func add(_ line: BadLine) {
    count &+= 1
    if shown.count < Self.shownCount { shown.append(line) }
  }
}
