/// Cuts a text of comma-separated values into records (RFC 4180): quoted fields may hold
/// separators, line ends and doubled quotes; a record ends at LF or CRLF. A byte order mark is
/// skipped.
struct CSVRecords {
  /// One record with the number of the line that it begins on, from 1.
  struct Record {
    var line: Int
    var fields: [[UInt8]]
    /// Whether a quote was not closed, or is followed by other characters.
    var isBroken = false

    /// Whether nothing is on it.
    var isBlank: Bool { fields.count == 1 && fields[0].isEmpty && !isBroken }
  }

  private let bytes: [UInt8]
  private let separator: UInt8
  private var index: Int
  private var line = 1

  /// `separator` is the character between two fields.
  init(_ bytes: [UInt8], separator: UInt8 = UInt8(ascii: ",")) {
    self.bytes = bytes
    self.separator = separator
    index = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
  }

  /// The next record; nil behind the last.
  mutating func next() -> Record? {
    guard index < bytes.count else { return nil }
    var record = Record(line: line, fields: [])
    var field: [UInt8] = []
    while index < bytes.count {
      let byte = bytes[index]
      switch byte {
      case UInt8(ascii: "\n"):
        endLine()
        record.fields.append(field)
        return record
      case UInt8(ascii: "\r") where index + 1 < bytes.count && bytes[index + 1] == 0x0A:
        index += 1
      case separator:
        record.fields.append(field)
        field = []
        index += 1
      case UInt8(ascii: "\"") where field.isEmpty:
        record.isBroken = !readQuoted(&field) || record.isBroken
      default:
        field.append(byte)
        index += 1
      }
    }
    record.fields.append(field)
    return record
  }

  /// Reads behind an opening quote to the closing one; false where that is missing or something
  /// follows it.
  private mutating func readQuoted(_ field: inout [UInt8]) -> Bool {
    index += 1
    while index < bytes.count {
      let byte = bytes[index]
      if byte == UInt8(ascii: "\"") {
        index += 1
        guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") else {
          return index >= bytes.count || [0x0A, 0x0D, separator].contains(bytes[index])
        }
      } else if byte == UInt8(ascii: "\n") {
        line += 1
      }
      field.append(byte)
      index += 1
    }
    return false
  }

  private mutating func endLine() {
    index += 1
    line += 1
  }
}
