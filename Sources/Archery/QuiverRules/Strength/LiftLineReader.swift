/// Reads a strength log of any length, a chunk at a time, with memory for one line.
///
/// Lines are `MMM dd yyyy,Exercise,sets,reps,weight`, or without `sets`: UTF-8, English months in
/// any case, ends of LF or CRLF, fields quoted where they hold a comma; a byte order mark and a
/// first line of column names are read over; blank lines are skipped but counted.
public struct LiftLineReader: Sendable {
  /// Lines so far, the blank ones and the column names among them.
  public private(set) var lineCount: Int64 = 0
  /// Bytes so far.
  public private(set) var byteCount: Int64 = 0
  /// What is wrong with lines so far.
  public private(set) var badLines = BadLines()

  private let unit: MassUnit
  private var partial: [UInt8] = []
  private var isSkipping = false
  private var line: LiftLine

  /// Bytes that one line may have.
  public static let maximumLineByteCount = 4_096

  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// - Parameter unit: what the log's weights are in.
  public init(unit: MassUnit) {
    self.unit = unit
    line = LiftLine(unit: unit)
  }

  /// Reads on, and appends the sets of all lines that have ended.
  public mutating func read(_ bytes: [UInt8], into sets: inout [StrengthSet]) {
    byteCount &+= Int64(bytes.count)
    bytes.withUnsafeBufferPointer { read($0, into: &sets) }
  }

  /// Reads the text after the last line end as a separate line.
  public mutating func finish(into sets: inout [StrengthSet]) {
    guard !partial.isEmpty || isSkipping else { return }
    endLine(UnsafeBufferPointer(start: nil, count: 0), into: &sets)
  }

  private mutating func read(_ bytes: UnsafeBufferPointer<UInt8>, into sets: inout [StrengthSet]) {
    var start = 0
    while start < bytes.count {
      let rest = UnsafeBufferPointer(rebasing: bytes[start...])
      guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else {
        keep(rest)
        return
      }
      endLine(UnsafeBufferPointer(rebasing: rest[..<end]), into: &sets)
      start += end + 1
    }
  }

  /// Keeps the beginning of a line whose end has not come.
  private mutating func keep(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard !isSkipping else { return }
    // A CR of the line's end and a byte order mark do not count.
    if partial.count + bytes.count > Self.maximumLineByteCount + 4 {
      isSkipping = true
      partial.removeAll(keepingCapacity: true)
    } else {
      partial.append(contentsOf: bytes)
    }
  }

  private mutating func endLine(
    _ bytes: UnsafeBufferPointer<UInt8>, into sets: inout [StrengthSet]
  ) {
    lineCount &+= 1
    keepIfBegun(bytes)
    defer {
      partial.removeAll(keepingCapacity: true)
      isSkipping = false
    }
    if isSkipping { return refuse(.tooLong(Self.maximumLineByteCount)) }
    if partial.isEmpty {
      parse(bytes, into: &sets)
    } else {
      let whole = partial
      whole.withUnsafeBufferPointer { parse($0, into: &sets) }
    }
  }

  private mutating func keepIfBegun(_ bytes: UnsafeBufferPointer<UInt8>) {
    if !partial.isEmpty { keep(bytes) }
  }

  private mutating func parse(
    _ bytes: UnsafeBufferPointer<UInt8>, into sets: inout [StrengthSet]
  ) {
    var bytes = bytes
    if lineCount == 1, bytes.starts(with: Self.byteOrderMark) {
      bytes = UnsafeBufferPointer(rebasing: bytes[3...])
    }
    if bytes.last == UInt8(ascii: "\r") {
      bytes = UnsafeBufferPointer(rebasing: bytes[..<(bytes.count - 1)])
    }
    guard bytes.count <= Self.maximumLineByteCount else {
      return refuse(.tooLong(Self.maximumLineByteCount))
    }
    do throws(BadLine.Reason) {
      if let set = try line.parse(bytes, isFirst: lineCount == 1) { sets.append(set) }
    } catch {
      refuse(error)
    }
  }

  private mutating func refuse(_ reason: BadLine.Reason) {
    badLines.add(BadLine(number: lineCount, reason: reason))
  }
}
