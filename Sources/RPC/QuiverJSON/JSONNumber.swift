/// A JSON number, read exactly.
struct JSONNumber {
  private var isNegative = false
  /// The digits without leading and trailing zeros; nil: more than an integer of 64 bits has.
  private var significand: UInt64? = 0
  /// Of ten, to multiply the significand by.
  private var exponent = 0

  /// Nil unless the text is a number as JSON spells it, of at most
  /// ``JSONLimits/maxNumberLength`` characters.
  init?(_ text: String) {
    guard text.utf8.count <= JSONLimits.maxNumberLength else { return nil }
    var text = text
    guard text.withUTF8({ read($0) }) else { return nil }
  }

  private mutating func read(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    var position = 0
    func take(_ character: Unicode.Scalar) -> Bool {
      guard position < text.count, text[position] == UInt8(ascii: character) else { return false }
      position += 1
      return true
    }
    func takeDigit() -> UInt64? {
      guard position < text.count,
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= text[position]
      else { return nil }
      position += 1
      return UInt64(text[position - 1] - UInt8(ascii: "0"))
    }
    isNegative = take("-")
    guard let first = takeDigit() else { return false }
    // Zeros that are part of the significand if another digit follows.
    var zeros = 0
    append(first, &zeros)
    if first != 0 {
      while let digit = takeDigit() { append(digit, &zeros) }
    }
    if take(".") {
      let start = position
      while let digit = takeDigit() {
        append(digit, &zeros)
        exponent -= 1
      }
      guard position > start else { return false }
    }
    exponent += zeros
    if take("e") || take("E") {
      let isSmall = take("-")
      if !isSmall { _ = take("+") }
      let start = position
      var power = 0
      // An exponent above a million is far out of any range, in its direction.
      while let digit = takeDigit() { power = min(power * 10 + Int(digit), 1_000_000) }
      guard position > start else { return false }
      exponent += isSmall ? -power : power
    }
    if significand == 0 { exponent = 0 }
    return position == text.count
  }

  private mutating func append(_ digit: UInt64, _ zeros: inout Int) {
    guard digit != 0 else {
      if significand != 0 { zeros += 1 }
      return
    }
    for place in 0...zeros {
      significand = significand.flatMap { Self.appended(place == zeros ? digit : 0, to: $0) }
    }
    zeros = 0
  }

  private static func appended(_ digit: UInt64, to number: UInt64) -> UInt64? {
    let (tens, overflows) = number.multipliedReportingOverflow(by: 10)
    let (sum, overflowsToo) = tens.addingReportingOverflow(digit)
    return overflows || overflowsToo ? nil : sum
  }

  /// Whether it has no fraction, however it is spelt.
  var isIntegral: Bool { exponent >= 0 }

  /// The number as an integer of a type, or nil when it does not fit.
  func integer<Value: FixedWidthInteger>(_: Value.Type) -> Value? {
    guard isIntegral, exponent <= 20, var magnitude = significand else { return nil }
    for _ in 0..<exponent {
      guard let next = Self.appended(0, to: magnitude) else { return nil }
      magnitude = next
    }
    guard isNegative else { return Value(exactly: magnitude) }
    // The least integer of 64 bits has no positive counterpart.
    return magnitude == 1 << 63
      ? Value(exactly: Int64.min) : Int64(exactly: magnitude).flatMap { Value(exactly: -$0) }
  }
}
