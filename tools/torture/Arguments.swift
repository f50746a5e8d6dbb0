import ServerPrograms

/// The arguments of the program.
struct Arguments {
  private let words: [String]

  init(_ words: [String]) { self.words = words }

  var command: String { words.first ?? "" }
  var directory: String { words.count > 1 ? words[1] : "" }

  func has(_ flag: String) -> Bool { words.contains(flag) }

  func value(_ flag: String) -> String? {
    guard let place = words.firstIndex(of: flag), place + 1 < words.count else { return nil }
    return words[place + 1]
  }

  func number(_ flag: String, _ standard: Int64) throws -> Int64 {
    guard let text = value(flag) else { return standard }
    guard let number = Int64(text), number > 0 else { throw Complaint("\(flag) requires a number") }
    return number
  }
}
