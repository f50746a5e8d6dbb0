import Foundation
import Testing

@Suite("docs/protocol-tests.md", .timeLimit(.minutes(5)))
struct ProofTableTests {
  /// The ids of the cases, in groups.
  private static let ids: [String] = """
    C01 C02 C03 C04 C05 C06 C07 C08 C09 C10 C11 H01 H02 H03 H04 H05 H06 H08
    U01 U02 U03 U04 U05 U06 U07 U08 U09 U10 U11 U12 U13 U14 U15 U16
    D01 D02 D03 D04 D05 D06 K01 K08 K10 K11
    F01 F02 F03 F04 F05 F06 F07 F08 F09 F10 F11 L01 L02 L03 L05 L06 L07 L09 L10
    A01 A02 A03 A04 A05 A06 A07 A08 A09 A10 A11 R01 R02 R03 R05 R06 V01 V02 X01
    """.split(whereSeparator: \.isWhitespace).map(String.init)

  /// The rows of the fault matrix that belong to the protocol.
  private static let faults = [8, 9, 10, 11, 12, 13, 14, 16, 20].map { "row \($0)" }

  private static let rows: [[String]] = {
    let file = Vectors.root.appending(path: "docs/protocol-tests.md")
    let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    return text.split(separator: "\n").filter { $0.hasPrefix("| ") }.map { line in
      line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    }
  }()

  @Test("Every case of the protocol has a row, and tests or a reason", arguments: ids)
  func row(_ id: String) throws {
    let row = try #require(Self.rows.first { $0.first == id })
    #expect(row.count == 3)
    let tests = row[2]
    #expect(tests.hasPrefix("`") || tests.hasPrefix("not there: "), "\(tests)")
    #expect(!(tests.hasPrefix("not there") && tests.contains("`")))
  }

  @Test("Every fault has a row, and a test with its id in the name", arguments: faults)
  func fault(_ id: String) throws {
    let row = try #require(Self.rows.first { $0.first == id })
    #expect(row.count == 3)
    let named = row[2].components(separatedBy: "`").filter { name in
      let title = name.split(separator: ":", maxSplits: 1).last ?? ""
      return title.hasPrefix(" \(id): ") || title.contains(", \(id): ")
    }
    #expect(!named.isEmpty)
  }

  @Test("Every test that a row names exists")
  func names() throws {
    var sources: [String: String] = [:]
    for row in Self.rows where row.count == 3 && (Self.ids + Self.faults).contains(row[0]) {
      for name in row[2].components(separatedBy: "`") where name.count > 4 {
        guard !name.hasPrefix("not there") else { continue }
        try check(name, row[0], &sources)
      }
    }
  }

  private func check(_ name: String, _ id: String, _ sources: inout [String: String]) throws {
    let files = FileManager.default
    if name.hasPrefix("quiver-conformance ") {
      let source = try Self.source("tools/conformance", &sources)
      #expect(source.contains("\"\(name.suffix(3))\""), "\(id): \(name)")
    } else if name.hasPrefix("vectors ") {
      #expect(Vectors.conversations.contains { $0.id == name.suffix(3) }, "\(id): \(name)")
    } else if name.hasPrefix("tools/") {
      #expect(files.fileExists(atPath: Vectors.root.appending(path: name).path), "\(id): \(name)")
    } else {
      let parts = name.split(separator: ":", maxSplits: 1)
      let target = String(try #require(parts.first))
      let title = try #require(parts.last).trimmingCharacters(in: .whitespaces)
      let folder = try #require(
        ["RPC", "Archery", "Programs", "Tools"].map { "Tests/\($0)/\(target)" }.first {
          files.fileExists(atPath: Vectors.root.appending(path: $0).path)
        }, "\(id): \(name)")
      let source = try Self.source(folder, &sources)
      #expect(source.contains("\"\(title)\""), "\(id): \(name)")
    }
  }

  /// The text of all Swift files of a folder, read once.
  private static func source(
    _ folder: String, _ sources: inout [String: String]
  ) throws -> String {
    if let known = sources[folder] { return known }
    let root = Vectors.root.appending(path: folder)
    var text = ""
    for path in try FileManager.default.subpathsOfDirectory(atPath: root.path)
    where path.hasSuffix(".swift") {
      text += try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }
    sources[folder] = text
    return text
  }
}
