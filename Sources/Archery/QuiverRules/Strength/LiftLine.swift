/// Creates a set of one line, with what lines in a row have in common kept between them.
struct LiftLine: Sendable {
  private let unit: MassUnit
  private var fields: [Range<Int>] = []
  /// The text of a line's quoted fields without their quotes.
  private var unquoted: [UInt8] = []
  private var names = ExerciseNames()

  init(unit: MassUnit) { self.unit = unit }

  /// The set of a line; nil for a blank one, and for column names on the first.
  mutating func parse(
    _ bytes: UnsafeBufferPointer<UInt8>, isFirst: Bool
  ) throws(BadLine.Reason) -> StrengthSet? {
    do throws(BadLine.Reason) {
      if bytes.allSatisfy(Self.isSpace) { return nil }
      guard bytes.contains(UInt8(ascii: "\"")) else {
        split(bytes)
        return try set(bytes, isFirst: isFirst)
      }
      try unquote(bytes)
      let text = unquoted
      return try text.withUnsafeBufferPointer { (text) throws(BadLine.Reason) in
        try set(text, isFirst: isFirst)
      }
    } catch {
      // What is no text at all is called that, whatever else it lacks.
      let isText = !bytes.contains(0) && String(validating: bytes, as: UTF8.self) != nil
      throw isText ? error : .notText
    }
  }

  private mutating func set(
    _ bytes: UnsafeBufferPointer<UInt8>, isFirst: Bool
  ) throws(BadLine.Reason) -> StrengthSet? {
    let hasSets = fields.count == 5
    guard hasSets || fields.count == 4 else { throw .fieldCount(fields.count) }
    if isFirst, !bytes.contains(where: Self.isDigit) { return nil }
    guard let day = Self.day(field(0, of: bytes)) else { throw .date }
    let exercise = try names.name(field(1, of: bytes))
    var sets: Int32 = 0
    if hasSets {
      guard let number = Self.integer(field(2, of: bytes)), StrengthSet.setsRange.contains(number)
      else { throw .sets }
      sets = number
    }
    guard let repetitions = Self.integer(field(fields.count - 2, of: bytes)),
      StrengthSet.repetitionsRange.contains(repetitions)
    else { throw .repetitions }
    guard let weight = Self.decimal(field(fields.count - 1, of: bytes)),
      unit.liftRange.contains(weight)
    else { throw .weight }
    return StrengthSet(
      day: day, exercise: exercise, sets: sets, repetitions: repetitions, weight: weight,
      unit: unit)
  }

  /// A field without the spaces around it.
  private func field(
    _ index: Int, of bytes: UnsafeBufferPointer<UInt8>
  ) -> UnsafeBufferPointer<UInt8> {
    var range = fields[index]
    while let first = range.first, Self.isSpace(bytes[first]) {
      range = (first + 1)..<range.upperBound
    }
    while let last = range.last, Self.isSpace(bytes[last]) { range = range.lowerBound..<last }
    return UnsafeBufferPointer(rebasing: bytes[range])
  }

  private mutating func split(_ bytes: UnsafeBufferPointer<UInt8>) {
    fields.removeAll(keepingCapacity: true)
    var start = 0
    for index in bytes.indices where bytes[index] == UInt8(ascii: ",") {
      fields.append(start..<index)
      start = index + 1
    }
    fields.append(start..<bytes.count)
  }

  /// The same for a line with quotes, which are taken out.
  private mutating func unquote(
    _ bytes: UnsafeBufferPointer<UInt8>
  ) throws(BadLine.Reason) {
    fields.removeAll(keepingCapacity: true)
    unquoted.removeAll(keepingCapacity: true)
    var index = 0
    while true {
      let start = unquoted.count
      if index < bytes.count, bytes[index] == UInt8(ascii: "\"") {
        index = try quoted(bytes, from: index + 1)
      } else {
        while index < bytes.count, bytes[index] != UInt8(ascii: ",") {
          unquoted.append(bytes[index])
          index += 1
        }
      }
      fields.append(start..<unquoted.count)
      guard index < bytes.count else { return }
      index += 1
    }
  }

  /// Takes the text of a quoted field; returns where the field ends.
  private mutating func quoted(
    _ bytes: UnsafeBufferPointer<UInt8>, from start: Int
  ) throws(BadLine.Reason) -> Int {
    var index = start
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      guard byte == UInt8(ascii: "\"") else {
        unquoted.append(byte)
        continue
      }
      if index == bytes.count || bytes[index] == UInt8(ascii: ",") { return index }
      guard bytes[index] == UInt8(ascii: "\"") else { throw .quote }
      unquoted.append(byte)
      index += 1
    }
    throw .quote
  }
}

extension LiftLine {
  private static let months: [UInt32] = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ].map { $0.utf8.reduce(0) { $0 << 8 | UInt32($1) } }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r")
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    byte &- UInt8(ascii: "0") <= 9
  }

  /// The day of a date as in `Aug 9 2017`.
  private static func day(_ text: UnsafeBufferPointer<UInt8>) -> Int32? {
    guard text.count >= 10 else { return nil }
    // Setting the sixth bit makes capitals small.
    let name = text[..<3].reduce(0) { $0 << 8 | UInt32($1 | 0x20) }
    guard let month = months.firstIndex(of: name) else { return nil }
    var index = 3
    guard let dayRange = numberRange(text, &index), dayRange.count <= 2,
      let yearRange = numberRange(text, &index), yearRange.count == 4, index == text.count,
      let day = integer(UnsafeBufferPointer(rebasing: text[dayRange])),
      let year = integer(UnsafeBufferPointer(rebasing: text[yearRange]))
    else { return nil }
    return CivilDate(year: year, month: Int32(truncatingIfNeeded: month) + 1, day: day)?.dayNumber
  }

  /// The digits behind at least one space.
  private static func numberRange(
    _ text: UnsafeBufferPointer<UInt8>, _ index: inout Int
  ) -> Range<Int>? {
    let start = index
    while index < text.count, text[index] == UInt8(ascii: " ") { index += 1 }
    guard index > start else { return nil }
    let first = index
    while index < text.count, isDigit(text[index]) { index += 1 }
    return index > first ? first..<index : nil
  }

  private static func integer(_ text: UnsafeBufferPointer<UInt8>) -> Int32? {
    guard (1...9).contains(text.count) else { return nil }
    var number: Int32 = 0
    for byte in text {
      guard isDigit(byte) else { return nil }
      number = number &* 10 &+ Int32(byte &- UInt8(ascii: "0"))
    }
    return number
  }

  private static let powersOfTen: [Double] = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
  ]

  /// A number of digits and a point. Up to 15 digits are whole in a double and so is the power of
  /// ten, so that one division rounds rightly; more go the long way.
  private static func decimal(_ text: UnsafeBufferPointer<UInt8>) -> Double? {
    var mantissa: Int64 = 0
    var digitCount = 0
    var fractionCount = 0
    var hasPoint = false
    for byte in text {
      if isDigit(byte) {
        digitCount += 1
        if hasPoint { fractionCount += 1 }
        if digitCount <= 15 { mantissa = mantissa * 10 + Int64(byte &- UInt8(ascii: "0")) }
      } else if byte == UInt8(ascii: "."), !hasPoint {
        hasPoint = true
      } else {
        return nil
      }
    }
    guard digitCount > 0 else { return nil }
    guard digitCount > 15 else { return Double(mantissa) / powersOfTen[fractionCount] }
    return PlainDecimal.value(String(decoding: text, as: UTF8.self))
  }
}
