import Foundation
import QuiverCommandLine

/// Writes a Swift file with the contents of others, as literals of text: a literal of bytes takes
/// the compiler about a minute for half a megabyte.
@main
enum EmbeddedFiles {
  static func main() {
    StandardStreams.prepare()
    let arguments = CommandLine.arguments.dropFirst()
    guard let output = arguments.first, arguments.count % 2 == 1 else {
      StandardError.write("usage: embed-pages OUTPUT [NAME FILE]...\n")
      exit(64)
    }
    do {
      try Data(source(Array(arguments.dropFirst())).utf8)
        .write(to: URL(fileURLWithPath: output), options: .atomic)
    } catch {
      StandardError.write("embed-pages: \(error)\n")
      exit(1)
    }
  }

  private static func source(_ arguments: [String]) throws -> String {
    let files = try stride(from: 0, to: arguments.count, by: 2).map { index in
      (
        name: arguments[index],
        bytes: try Data(contentsOf: URL(fileURLWithPath: arguments[index + 1]))
      )
    }
    let texts = files.compactMap { file in
      String(data: file.bytes, encoding: .utf8).map { (file.name, $0) }
    }
    let sent = try PageScripts.sent(Dictionary(uniqueKeysWithValues: texts))
    let entries = files.compactMap { file -> String? in
      if let text = sent[file.name] { return entry(file.name, text, isBase64: false) }
      let isText = texts.contains { $0.0 == file.name }
      return isText ? nil : entry(file.name, file.bytes.base64EncodedString(), isBase64: true)
    }
    return """
      enum EmbeddedPages {
        /// Each file by its path, as its text, or in base64 where it is no text.
        static let files: [(path: StaticString, isBase64: Bool, content: StaticString)] = [
      \(entries.joined())  ]
      }

      """
  }

  private static func entry(_ name: String, _ content: String, isBase64: Bool) -> String {
    "    (\(name.debugDescription), \(isBase64), \(content.debugDescription)),\n"
  }
}
