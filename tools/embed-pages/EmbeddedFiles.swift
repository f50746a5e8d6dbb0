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
    let entries = try stride(from: 0, to: arguments.count, by: 2).map { index in
      try entry(arguments[index], arguments[index + 1])
    }
    return """
      enum EmbeddedPages {
        /// Each file by its path, as its text, or in base64 where it is no text.
        static let files: [(path: StaticString, isBase64: Bool, content: StaticString)] = [
      \(entries.joined())  ]
      }

      """
  }

  private static func entry(_ name: String, _ file: String) throws -> String {
    let bytes = try Data(contentsOf: URL(fileURLWithPath: file))
    let text = String(data: bytes, encoding: .utf8)
    let sent = file.hasSuffix(".js") ? text.map(ModuleText.stripped) : text
    let content = (sent ?? bytes.base64EncodedString()).debugDescription
    return "    (\(name.debugDescription), \(text == nil), \(content)),\n"
  }
}
