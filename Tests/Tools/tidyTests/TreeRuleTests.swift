import Testing

@testable import tidy

/// Rules that compare several files.
@Suite(.timeLimit(.minutes(5))) struct TreeRuleTests {
  private func found(_ rule: Rule, _ files: [String: String]) throws -> [String] {
    try SmallTree.findings(files).filter { $0.rule == rule }.map(\.description)
  }

  @Test("the manifest declares only dependencies of the table")
  func forbiddenDependency() throws {
    let found = try found(
      .manifest,
      ["Package.swift": "archery(\"QuiverRules\",\n  \"QuiverStore\")\narchery(\"Attic\")\n"])
    #expect(
      found == [
        "Package.swift:1: manifest: QuiverRules depends on QuiverStore, which Modules.swift does"
          + " not allow", "Package.swift:3: manifest: Attic has no row in Modules.swift",
      ])
  }

  @Test("a folder without a target and an import without a dependency are found")
  func undeclared() throws {
    let found = try found(
      .manifest,
      [
        "Sources/Archery/QuiverRules/Score.swift": "let a = 1\n",
        "Sources/Archery/QuiverStore/Writer.swift": "import QuiverWire\nimport Glibc\n",
      ])
    #expect(
      found == [
        "Sources/Archery/QuiverRules:1: manifest: Package.swift declares no target named"
          + " QuiverRules",
        "Sources/Archery/QuiverStore/Writer.swift:1: manifest: Package.swift declares no dependency"
          + " of QuiverStore on QuiverWire",
      ])
  }

  @Test("declared modules with allowed dependencies pass")
  func orderly() throws {
    #expect(try found(.manifest, ["Sources/RPC/QuiverRPC/A.swift": "import QuiverWire\n"]).isEmpty)
  }

  @Test("a module of the RPC runtime may not depend on an archery module")
  func halves() throws {
    let manifest = """
      let package = Package(targets: [
        rpc("QuiverWire", "QuiverRules"), archery("QuiverRules"),
        archery("QuiverAPI", "QuiverWire"),
      ])
      """
    let found = try found(
      .half,
      [
        "Package.swift": manifest,
        "Sources/RPC/QuiverWire/Frame.swift": "import QuiverRules\n",
        "Sources/Archery/QuiverRules/Score.swift": "let a = 1\n",
        "Sources/Archery/QuiverAPI/Riser.swift": "import QuiverWire\n",
      ])
    #expect(
      found == [
        "Package.swift:2: half: QuiverWire of Sources/RPC depends on QuiverRules of"
          + " Sources/Archery",
        "Sources/RPC/QuiverWire/Frame.swift:1: half: QuiverWire is in Sources/RPC and may not"
          + " import QuiverRules of Sources/Archery",
      ])
  }

  @Test("a folder of a module has at most 25 files")
  func folderSize() throws {
    func files(_ count: Int) -> [String: String] {
      Dictionary(
        uniqueKeysWithValues: (0..<count).map {
          ("Sources/RPC/QuiverWire/A\($0).swift", "let a = 1\n")
        })
    }
    #expect(try found(.folderSize, files(25)).isEmpty)
    #expect(
      try found(.folderSize, files(26)) == [
        "Sources/RPC/QuiverWire:1: folder-size: 26 Swift files in one folder; the limit is 25"
      ])
  }

  @Test("files and folders are named for their contents")
  func names() throws {
    let found = try found(
      .name,
      [
        "Sources/Archery/QuiverStore/FrameUtils.swift": "",
        "Sources/Archery/QuiverStore/NewWriter.swift": "",
        "tools/common/a.py": "", "Sources/Archery/QuiverStore/Newest.swift": "",
        "Sources/Archery/QuiverStore/Commons.swift": "",
      ])
    #expect(
      found.map { $0.prefix { $0 != ":" } }.map(String.init) == [
        "Sources/Archery/QuiverStore/FrameUtils.swift",
        "Sources/Archery/QuiverStore/NewWriter.swift",
        "tools/common",
      ])
  }

  @Test(
    "a method id is in the range of its service and unique",
    arguments: [
      ("service Health { rpc A(B) returns (C) { option (method_id) = 256; } }", "outside 256 x 1"),
      ("service Health { rpc A(B) returns (C) { option (method_id) = 512; } }", "outside 256 x 1"),
      ("service Attic { rpc A(B) returns (C) { option (method_id) = 256; } }", "has no number"),
      ("service Health { rpc A(B) returns (C); }", "has no method_id"),
      (
        "service Health { rpc A(B) returns (C) { option (method_id) = 257; }"
          + " rpc D(B) returns (C) { option (method_id) = 257; } }",
        "Health/D has the id 257 of Health/A"
      ),
    ])
  func ids(proto: String, says: String) throws {
    let found = try found(.methodID, ["Protos/quiver/v1/health.proto": proto])
    #expect(found.count == 1)
    #expect(found.allSatisfy { $0.contains(says) })
  }

  @Test("ids at both ends of a range pass")
  func idRange() throws {
    let proto = """
      service Health {
        rpc A(B) returns (C) { option (method_id) = 257; }
        rpc D(B) returns (C) { option (method_id) = 511; }
      }
      """
    #expect(try found(.methodID, ["Protos/quiver/v1/health.proto": proto]).isEmpty)
  }
}
