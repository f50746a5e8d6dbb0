/// A strict reader of RFC 8259 JSON.
///
/// A small one of our own because Foundation's decoders drop what proto3 JSON must see: which names
/// an object repeats, the digits of a number beyond a double's, and the place of a mistake.
struct JSONReader {
  private let bytes: [UInt8]
  private let limits: JSONLimits
  private var position = 0
  private var depth = 0
  private var valueCount = 0

  /// The value of a whole text.
  static func value(of bytes: [UInt8], limits: JSONLimits) throws(JSONError) -> JSONValue {
    guard bytes.count <= limits.maxByteCount else {
      throw JSONError(.limitExceeded, "", "is longer than \(limits.maxByteCount) bytes")
    }
    var reader = JSONReader(bytes, limits)
    let value = try reader.value()
    reader.skipSpace()
    guard reader.position == bytes.count else { throw reader.syntax("expected the end") }
    return value
  }

  private init(_ bytes: [UInt8], _ limits: JSONLimits) {
    self.bytes = bytes
    self.limits = limits
  }

  private mutating func value() throws(JSONError) -> JSONValue {
    skipSpace()
    valueCount += 1
    guard valueCount <= limits.maxValueCount else {
      throw JSONError(.limitExceeded, "", "has more than \(limits.maxValueCount) values")
    }
    switch peek() {
    case UInt8(ascii: "{"): return try nested { reader throws(JSONError) in try reader.object() }
    case UInt8(ascii: "["): return try nested { reader throws(JSONError) in try reader.array() }
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    case UInt8(ascii: "-"): return .number(try number())
    case let byte? where Self.isDigit(byte): return .number(try number())
    default: throw syntax("expected a value")
    }
  }

  private mutating func nested(
    _ read: (inout JSONReader) throws(JSONError) -> JSONValue
  ) throws(JSONError) -> JSONValue {
    guard depth < limits.maxDepth else {
      throw JSONError(.limitExceeded, place, "is nested deeper than \(limits.maxDepth) levels")
    }
    depth += 1
    position += 1
    let value = try read(&self)
    depth -= 1
    return value
  }

  private mutating func object() throws(JSONError) -> JSONValue {
    var members: [JSONValue.Member] = []
    skipSpace()
    if take("}") { return .object(members) }
    while true {
      skipSpace()
      guard peek() == UInt8(ascii: "\"") else { throw syntax("expected a name") }
      let name = try string()
      skipSpace()
      guard take(":") else { throw syntax("expected a colon") }
      members.append(JSONValue.Member(name: name, value: try value()))
      skipSpace()
      if take("}") { return .object(members) }
      guard take(",") else { throw syntax("expected a comma or a closing brace") }
    }
  }

  private mutating func array() throws(JSONError) -> JSONValue {
    var values: [JSONValue] = []
    skipSpace()
    if take("]") { return .array(values) }
    while true {
      values.append(try value())
      skipSpace()
      if take("]") { return .array(values) }
      guard take(",") else { throw syntax("expected a comma or a closing bracket") }
    }
  }

  private mutating func word(_ text: String, _ value: JSONValue) throws(JSONError) -> JSONValue {
    guard bytes[position...].starts(with: text.utf8) else { throw syntax("expected a value") }
    position += text.utf8.count
    return value
  }

  private mutating func number() throws(JSONError) -> String {
    let start = position
    let end = start + JSONLimits.maxNumberLength
    _ = take("-")
    if !take("0") { try digits(to: end) }
    if take(".") { try digits(to: end) }
    if take("e") || take("E") {
      if !take("+") { _ = take("-") }
      try digits(to: end)
    }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  /// Reads digits, none of which may stand at `end`.
  private mutating func digits(to end: Int) throws(JSONError) {
    let start = position
    while let byte = peek(), Self.isDigit(byte) {
      guard position < end else {
        throw JSONError(
          .limitExceeded, place + ":",
          "a number has more than \(JSONLimits.maxNumberLength) characters")
      }
      position += 1
    }
    guard position > start else { throw syntax("expected a digit") }
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private mutating func string() throws(JSONError) -> String {
    position += 1
    // Nearly all strings have no escape, and are copied once.
    let start = position
    skipPlain()
    var text: [UInt8] = []
    if peek() == UInt8(ascii: "\\") {
      text = Array(bytes[start..<position])
      while peek() == UInt8(ascii: "\\") {
        position += 1
        try appendEscape(to: &text)
        let start = position
        skipPlain()
        text += bytes[start..<position]
      }
    }
    guard let byte = peek() else { throw syntax("a string does not end") }
    guard byte == UInt8(ascii: "\"") else { throw syntax("a control character must be escaped") }
    let end = position
    position += 1
    let string =
      text.isEmpty
      ? String(validating: bytes[start..<end], as: UTF8.self)
      : String(validating: text, as: UTF8.self)
    guard let string else { throw syntax("a string is not valid UTF-8") }
    return string
  }

  /// Skips the characters of a string up to its end, an escape, or one that must be escaped.
  private mutating func skipPlain() {
    while position < bytes.count {
      let byte = bytes[position]
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte < 0x20 { return }
      position += 1
    }
  }

  private mutating func appendEscape(to text: inout [UInt8]) throws(JSONError) {
    guard let byte = peek() else { throw syntax("a string does not end") }
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0C)
    case UInt8(ascii: "n"): text.append(0x0A)
    case UInt8(ascii: "r"): text.append(0x0D)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "u"): text += try escapedScalar().utf8
    default: throw syntax("an escape does not exist")
    }
  }

  /// The scalar of one escape, or of the two that a surrogate pair takes.
  private mutating func escapedScalar() throws(JSONError) -> Unicode.Scalar {
    let first = try hexadecimal()
    if let scalar = Unicode.Scalar(first) { return scalar }
    guard first < 0xDC00, take("\\"), take("u") else { throw syntax("half a surrogate pair") }
    let second = try hexadecimal()
    guard (0xDC00...0xDFFF).contains(second),
      let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) * 0x400 + (second - 0xDC00))
    else { throw syntax("half a surrogate pair") }
    return scalar
  }

  private mutating func hexadecimal() throws(JSONError) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard let byte = peek(), let digit = Self.hexadecimalDigit(byte) else {
        throw syntax("expected four hexadecimal digits")
      }
      position += 1
      value = value * 16 + digit
    }
    return value
  }

  private static func hexadecimalDigit(_ byte: UInt8) -> UInt32? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a") + 10)
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A") + 10)
    default: nil
    }
  }

  private mutating func skipSpace() {
    while let byte = peek() {
      switch byte {
      case 0x20, 0x09, 0x0A, 0x0D: position += 1
      default: return
      }
    }
  }

  private func peek() -> UInt8? {
    position < bytes.count ? bytes[position] : nil
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard peek() == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  private var place: String {
    let read = bytes[..<position]
    let line = read.count { $0 == 0x0A } + 1
    let lineStart = read.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    return "line \(line), column \(position - lineStart + 1)"
  }

  private func syntax(_ problem: String) -> JSONError {
    JSONError(.syntax, place + ":", problem)
  }
}
