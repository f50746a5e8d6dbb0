/// Words, names and paths that the tree may not contain.
enum WordRules {
  // Written in two parts, because tidy checks this file too.
  private static let words: Set<String> = ["TO" + "DO", "FIX" + "ME", "XX" + "X", "HA" + "CK"]
  private static let anyCaseWords: Set<String> = ["place" + "holder", "place" + "holders"]
  private static let phrases = ["fatalError(\"not " + "implemented"]
  private static let names: Set<String> = [
    "util", "utils", "utilities", "common", "helper", "helpers", "misc", "new",
  ]
  private static let machineFolders = ["root", "work", "home"]

  static func findings(in tree: Tree) -> [Finding] {
    let swift = tree.swift.flatMap { findings(in: $0.lines, of: $0.path) }
    let texts = tree.texts.flatMap { findings(in: $0.lines, of: $0.path) }
    return swift + texts + tree.paths.compactMap { nameFinding($0) }
  }

  private static func findings(in lines: [Substring], of path: String) -> [Finding] {
    lines.enumerated().flatMap { index, line -> [Finding] in
      var found: [Finding] = []
      for word in line.split(whereSeparator: { !($0.isASCII && $0.isLetter) && $0 != "_" }) {
        guard words.contains(String(word)) || anyCaseWords.contains(word.lowercased()) else {
          continue
        }
        found.append(
          Finding(
            file: path, line: index + 1, rule: .word, sentence: "\(word) marks unfinished work"))
      }
      for phrase in phrases where line.contains(phrase) {
        found.append(
          Finding(
            file: path, line: index + 1, rule: .word, sentence: "\(phrase)… marks unfinished work"))
      }
      for machine in machinePaths(in: line) {
        found.append(
          Finding(
            file: path, line: index + 1, rule: .machinePath,
            sentence: "\(machine) exists on one machine only"
          ))
      }
      return found
    }
  }

  private static func machinePaths(in line: Substring) -> [String] {
    guard line.contains("/") else { return [] }
    let bytes = Array(line.utf8)
    var found: [String] = []
    for index in bytes.indices where bytes[index] == UInt8(ascii: "/") {
      // In the middle of a longer path the folder may exist anywhere.
      if index > 0, isPathByte(bytes[index - 1]) { continue }
      let end = bytes[(index + 1)...].firstIndex { !isPathByte($0) } ?? bytes.endIndex
      let parts = bytes[(index + 1)..<end].split(separator: UInt8(ascii: "/"))
        .map { String(decoding: $0, as: UTF8.self) }
      guard let first = parts.first else { continue }
      if machineFolders.contains(first) || (first == "tmp" && parts.count > 1) {
        found.append("/" + parts.prefix(2).joined(separator: "/"))
      }
    }
    return found
  }

  private static func isPathByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"),
      UInt8(ascii: "."), UInt8(ascii: "/"), UInt8(ascii: ")"), UInt8(ascii: "}"),
      UInt8(ascii: "~"), 0x80...:
      true
    default: false
    }
  }

  private static func nameFinding(_ path: String) -> Finding? {
    let last = path.split(separator: "/").last ?? ""
    let stem = last.split(separator: ".").first ?? ""
    for word in camelWords(stem) where names.contains(word.lowercased()) {
      return Finding(
        file: path, line: 1, rule: .name,
        sentence: "\(last) is named for its age or as a collection: \(word)"
      )
    }
    return nil
  }

  /// The words of `NewFrameUtils`; `_`, `-` and `+` also separate words.
  private static func camelWords(_ stem: Substring) -> [String] {
    var found: [String] = []
    for character in stem {
      if character.isUppercase || !character.isLetter || found.isEmpty { found.append("") }
      if character.isLetter { found[found.count - 1].append(character) }
    }
    return found
  }
}
