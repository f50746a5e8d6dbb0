/// A token of Swift.
struct Token: Equatable {
  enum Kind { case word, number, string, symbol }

  var kind: Kind
  /// A word without its backticks; the contents of a string.
  var text: String
  /// From 1.
  var line: Int
  /// Whether space, a comment or the start of the file precedes it.
  var follows: Bool

  func `is`(_ text: String) -> Bool { self.text == text && kind != .string }
}

/// Splits Swift into tokens and comments. Handles strings, raw strings and interpolation.
struct Lexer {
  private(set) var tokens: [Token] = []
  /// The text of the comments, by line from 1.
  private(set) var comments: [Int: String] = [:]

  private let bytes: [UInt8]
  private var at = 0
  private var line = 1
  private var afterSpace = true

  init(_ text: String) {
    bytes = Array(text.utf8)
    while at < bytes.count { readToken() }
  }

  private func peek(_ distance: Int = 0) -> UInt8 {
    at + distance < bytes.count ? bytes[at + distance] : 0
  }

  private func starts(_ text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    guard at + count <= bytes.count else { return false }
    return text.withUTF8Buffer { bytes[at..<at + count].elementsEqual($0) }
  }

  private mutating func readToken() {
    let byte = peek()
    switch byte {
    case UInt8(ascii: "\n"):
      line += 1
      at += 1
      afterSpace = true
    case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"):
      at += 1
      afterSpace = true
    case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "/"): readLineComment()
    case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "*"): readBlockComment()
    case UInt8(ascii: "\""): readString(pounds: 0)
    case UInt8(ascii: "#"):
      var pounds = 1
      while peek(pounds) == UInt8(ascii: "#") { pounds += 1 }
      if peek(pounds) == UInt8(ascii: "\"") {
        at += pounds
        readString(pounds: pounds)
      } else {
        readSymbol(count: 1)
      }
    case UInt8(ascii: "`"):
      at += 1
      let start = at
      while at < bytes.count, peek() != UInt8(ascii: "`"), peek() != UInt8(ascii: "\n") { at += 1 }
      add(.word, start..<at)
      at += 1
    case UInt8(ascii: "0")...UInt8(ascii: "9"): readRun(.number) { Self.isWord($0) }
    case _ where Self.isWord(byte): readRun(.word) { Self.isWord($0) }
    case _ where Self.isOperator(byte): readRun(.symbol) { Self.isOperator($0) }
    default: readSymbol(count: 1)
    }
  }

  private mutating func add(_ kind: Token.Kind, _ range: Range<Int>, line start: Int? = nil) {
    let text = String(decoding: bytes[range], as: UTF8.self)
    tokens.append(Token(kind: kind, text: text, line: start ?? line, follows: afterSpace))
    afterSpace = false
  }

  private mutating func readSymbol(count: Int) {
    add(.symbol, at..<at + count)
    at += count
  }

  private mutating func readRun(_ kind: Token.Kind, while belongs: (UInt8) -> Bool) {
    let start = at
    while at < bytes.count, belongs(peek()) { at += 1 }
    add(kind, start..<at)
  }

  private mutating func comment(_ range: Range<Int>) {
    comments[line, default: ""] += String(decoding: bytes[range], as: UTF8.self)
    afterSpace = true
  }

  private mutating func readLineComment() {
    let start = at
    while at < bytes.count, peek() != UInt8(ascii: "\n") { at += 1 }
    comment(start..<at)
  }

  private mutating func readBlockComment() {
    var depth = 0
    var start = at
    repeat {
      if starts("/*") {
        depth += 1
        at += 2
      } else if starts("*/") {
        depth -= 1
        at += 2
      } else {
        if peek() == UInt8(ascii: "\n") {
          comment(start..<at)
          line += 1
          start = at + 1
        }
        at += 1
      }
    } while depth > 0 && at < bytes.count
    comment(start..<min(at, bytes.count))
  }

  /// Reads a literal whose opening quote is next; what it interpolates becomes tokens too.
  private mutating func readString(pounds: Int) {
    let quotes = starts("\"\"\"") ? 3 : 1
    let firstLine = line
    at += quotes
    var start = at
    while at < bytes.count {
      if closes(quotes: quotes, pounds: pounds) {
        add(.string, start..<at, line: firstLine)
        at += quotes + pounds
        return
      }
      let byte = peek()
      if byte == UInt8(ascii: "\\"), escapes(pounds) {
        if peek(1 + pounds) == UInt8(ascii: "(") {
          add(.string, start..<at, line: firstLine)
          at += 1 + pounds
          readInterpolation()
          start = at
        } else {
          at += 2 + pounds
        }
        continue
      }
      if byte == UInt8(ascii: "\n") {
        if quotes == 1 { break }
        line += 1
      }
      at += 1
    }
    add(.string, min(start, bytes.count)..<min(at, bytes.count), line: firstLine)
  }

  private func escapes(_ pounds: Int) -> Bool {
    pounds == 0 || (1...pounds).allSatisfy { peek($0) == UInt8(ascii: "#") }
  }

  private func closes(quotes: Int, pounds: Int) -> Bool {
    for index in 0..<quotes where peek(index) != UInt8(ascii: "\"") { return false }
    for index in 0..<pounds where peek(quotes + index) != UInt8(ascii: "#") { return false }
    return true
  }

  private mutating func readInterpolation() {
    var depth = 0
    repeat {
      if peek() == UInt8(ascii: "(") { depth += 1 }
      if peek() == UInt8(ascii: ")") { depth -= 1 }
      readToken()
    } while depth > 0 && at < bytes.count
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
      true
    default: false
    }
  }

  private static func isOperator(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "/"), UInt8(ascii: "="), UInt8(ascii: "-"), UInt8(ascii: "+"),
      UInt8(ascii: "!"), UInt8(ascii: "*"), UInt8(ascii: "%"), UInt8(ascii: "<"),
      UInt8(ascii: ">"), UInt8(ascii: "&"), UInt8(ascii: "|"), UInt8(ascii: "^"),
      UInt8(ascii: "~"), UInt8(ascii: "?"):
      true
    default: false
    }
  }
}
