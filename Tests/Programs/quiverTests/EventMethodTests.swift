import Foundation
import QuiverAPI
import QuiverRPC
import Testing

@testable import quiver_command

/// Holds the table of `docs/event-methods.md` against the services, the models of `QuiverSession`
/// and the commands.
@Suite("Methods of events", .timeLimit(.minutes(5)))
struct EventMethodTests {
  private struct Row {
    let method: String
    let models: [String]
    let commands: [String]
    /// Why a model or a command is missing; empty: both reach it.
    let reason: String
  }

  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  private static func rows() throws -> [Row] {
    let text = try String(
      contentsOf: root.appending(path: "docs/event-methods.md"), encoding: .utf8)
    return text.split(separator: "\n").compactMap { line in
      let cells = line.split(separator: "|", omittingEmptySubsequences: false).map {
        $0.trimmingCharacters(in: .whitespaces)
      }
      guard cells.count == 6, ["Events/", "Elimination/"].contains(where: cells[1].hasPrefix)
      else { return nil }
      func names(_ cell: String) -> [String] {
        cell.split(separator: ",").map {
          $0.trimmingCharacters(in: CharacterSet(charactersIn: " `"))
        }
      }
      return Row(
        method: cells[1], models: names(cells[2]), commands: names(cells[3]), reason: cells[4])
    }
  }

  /// The methods of both services, without the package.
  private static let methods = ServiceCatalogue.archery.methods.map {
    String($0.name.dropFirst("quiver.v1.".count))
  }.filter { $0.hasPrefix("Events/") || $0.hasPrefix("Elimination/") }

  /// The text of all Swift files in a folder of the sources.
  private static func sources(_ folder: String) throws -> String {
    let files = FileManager.default.enumerator(
      at: root.appending(path: folder), includingPropertiesForKeys: nil)
    var text = ""
    while let file = files?.nextObject() as? URL {
      guard file.pathExtension == "swift" else { continue }
      text += try String(contentsOf: file, encoding: .utf8)
    }
    return text
  }

  /// Whether a text names a method as code calls it, as in `Events.drawTargets`.
  private static func calls(_ method: String, _ text: String) -> Bool {
    let parts = method.split(separator: "/")
    let name = parts[1].prefix(1).lowercased() + parts[1].dropFirst()
    return text.ranges(of: "\(parts[0]).\(name)").contains { range in
      range.upperBound == text.endIndex || !text[range.upperBound].isLetter
    }
  }

  @Test("Each method of events is reached by a model and a command, or has a reason")
  func reach() throws {
    let rows = try Self.rows()
    #expect(rows.map(\.method).sorted() == Self.methods.sorted())
    for row in rows {
      let isReached = !row.models.isEmpty && !row.commands.isEmpty
      #expect(
        isReached == row.reason.isEmpty,
        "\(row.method) needs a model and a command, or a reason, and none if it has both")
    }
  }

  @Test("The models of the table exist, and sessions call exactly the methods that have one")
  func models() throws {
    let text = try Self.sources("Sources/Archery/QuiverSession")
    for row in try Self.rows() {
      #expect(Self.calls(row.method, text) == !row.models.isEmpty, "\(row.method)")
      for model in row.models {
        #expect(
          text.contains("public final class \(model):")
            || text.contains("public final class \(model) "), "there is no \(model)")
      }
    }
  }

  @Test("The commands of the table are those that call the method")
  func commands() throws {
    let text = try Self.sources("Sources/Programs/quiver")
    var known: [String: Set<String>] = [:]
    for command in Command.all {
      for method in command.methods {
        known[String(method.dropFirst("quiver.v1.".count)), default: []].insert(command.name)
      }
    }
    for (command, methods) in MethodCoverage.written {
      for method in methods where Self.methods.contains(method) {
        known[method, default: []].insert(command)
        #expect(Self.calls(method, text), "\(command) does not call \(method)")
      }
    }
    for row in try Self.rows() {
      #expect(Set(row.commands) == known[row.method] ?? [], "\(row.method)")
    }
  }
}
