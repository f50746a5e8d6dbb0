import Foundation

/// A line of a file that is not as it should be.
struct FileComplaint: Error, CustomStringConvertible, Equatable {
  let file: String
  /// From 1; 0: the whole file.
  let line: Int
  let message: String

  var description: String { line > 0 ? "\(file):\(line): \(message)" : "\(file): \(message)" }
}

/// A file of comma-separated values with a header.
struct TableFile {
  /// More bytes than a list of 1,000 archers has.
  static let maximumByteCount = 1 << 20

  let path: String
  let rows: [Row]

  struct Row {
    let file: String
    /// From 1.
    let line: Int
    let values: [String: String]

    func text(_ column: String) -> String { values[column] ?? "" }

    func number(_ column: String, _ range: ClosedRange<Int>) throws -> Int {
      guard let number = Int(text(column)), range.contains(number) else {
        throw complaint(
          "\(column) must be from \(range.lowerBound) to \(range.upperBound), not '\(text(column))'"
        )
      }
      return number
    }

    func complaint(_ message: String) -> FileComplaint {
      FileComplaint(file: file, line: line, message: message)
    }
  }

  init(path: String, columns: [String]) throws {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw FileComplaint(file: path, line: 0, message: "cannot be read")
    }
    guard data.count <= Self.maximumByteCount else {
      throw FileComplaint(
        file: path, line: 0, message: "is above \(Self.maximumByteCount) bytes")
    }
    guard let text = String(bytes: data, encoding: .utf8) else {
      throw FileComplaint(file: path, line: 0, message: "is not UTF-8")
    }
    try self.init(path: path, text: text, columns: columns)
  }

  init(path: String, text: String, columns: [String]) throws {
    self.path = path
    var rows: [Row] = []
    for (index, line) in text.split(
      omittingEmptySubsequences: false, whereSeparator: \.isNewline
    ).enumerated() where !line.allSatisfy(\.isWhitespace) {
      let fields = try Self.fields(line, path, index + 1)
      guard index > 0 else {
        guard fields == columns else {
          throw FileComplaint(
            file: path, line: 1,
            message: "the header must be " + columns.joined(separator: ","))
        }
        continue
      }
      guard fields.count == columns.count else {
        throw FileComplaint(
          file: path, line: index + 1,
          message: "has \(fields.count) fields instead of \(columns.count)")
      }
      rows.append(
        Row(
          file: path, line: index + 1,
          values: Dictionary(zip(columns, fields)) { first, _ in first }))
    }
    guard !rows.isEmpty else {
      throw FileComplaint(file: path, line: 0, message: "has no rows")
    }
    self.rows = rows
  }

  /// The fields of a line, with or without quotes.
  private static func fields(_ line: Substring, _ path: String, _ number: Int) throws -> [String] {
    var fields = [""]
    var isQuoted = false
    for character in line {
      switch (character, isQuoted) {
      case ("\"", _): isQuoted.toggle()
      case (",", false): fields.append("")
      default: fields[fields.count - 1].append(character)
      }
    }
    guard !isQuoted else {
      throw FileComplaint(file: path, line: number, message: "a quote is not closed")
    }
    return fields
  }
}

/// The three files of an event.
struct EventFiles: Equatable {
  /// As in `4795 Compound Men`.
  let name: String
  let qualification: String
  let brackets: String
  let final: String

  private static let mark = "-Individual_Qualification-"

  /// The events below a folder, by their paths; throws if there is none, or one lacks a file.
  static func found(below folder: String) throws -> [EventFiles] {
    guard let paths = FileManager.default.enumerator(atPath: folder) else {
      throw FileComplaint(file: folder, line: 0, message: "cannot be read")
    }
    let files = paths.compactMap { $0 as? String }.filter {
      $0.contains(mark) && $0.hasSuffix(".csv")
    }
    guard !files.isEmpty else {
      throw FileComplaint(
        file: folder, line: 0, message: "has no file N\(mark)CATEGORY.csv below it")
    }
    return try files.sorted().map { file in
      let path = folder + "/" + file
      func other(_ kind: String) throws -> String {
        let other = path.replacingOccurrences(of: mark, with: "-Individual_\(kind)-")
        guard FileManager.default.fileExists(atPath: other) else {
          throw FileComplaint(file: other, line: 0, message: "is missing")
        }
        return other
      }
      let base = file.split(separator: "/").last.map(String.init) ?? file
      return EventFiles(
        name: base.replacingOccurrences(of: mark, with: " ").replacingOccurrences(
          of: ".csv", with: ""
        ).replacingOccurrences(of: "_", with: " "),
        qualification: path, brackets: try other("Brackets"), final: try other("Final"))
    }
  }
}
