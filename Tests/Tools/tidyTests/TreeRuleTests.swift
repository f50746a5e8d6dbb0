import Testing

@testable import tidy

/// The rules that look at several files at once.
@Suite struct TreeRuleTests {
  private func found(_ rule: Rule, _ files: [String: String]) throws -> [String] {
    try SmallTree.findings(files).filter { $0.rule == rule }.map(\.description)
  }

  @Test("the manifest may declare only arrows of the table")
  func forbiddenArrow() throws {
    let found = try found(
      .manifest,
      ["Package.swift": "archery(\"QuiverRules\",\n  \"QuiverStore\")\narchery(\"Attic\")\n"])
    #expect(
      found == [
        "Package.swift:1: manifest: QuiverRules declares an arrow to QuiverStore that Rooms.swift"
          + " does not allow", "Package.swift:3: manifest: Attic has no row in Rooms.swift",
      ])
  }

  @Test("a folder and an import that the manifest does not know are found")
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
        "Sources/Archery/QuiverStore/Writer.swift:1: manifest: Package.swift declares no arrow from"
          + " QuiverStore to QuiverWire",
      ])
  }

  @Test("declared rooms with allowed arrows are in order")
  func orderly() throws {
    #expect(try found(.manifest, ["Sources/RPC/QuiverRPC/A.swift": "import QuiverWire\n"]).isEmpty)
  }

  @Test("files and folders are named for their work")
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

  private static let proto = """
    service Equipment {
      // rpc Old(A) returns (B) { option (method_id) = 1; }
      rpc GetHub(A) returns (B) { option (method_id) = 4097; }
      rpc CreateRiser(A) returns (B) {
        option (method_id) = 4112;
      }
    }
    message A {}
    """

  @Test("an rpc with id, method and body is in order")
  func parity() throws {
    let files = [
      "Protos/quiver/v1/equipment.proto": Self.proto,
      "Sources/Archery/QuiverAPI/Equipment.swift":
        "let getHub = Method(4097)\nlet createRiser = Method(4_112)\n",
      "Sources/Archery/QuiverService/EquipmentService.swift": "func getHub() { f() }\n",
      "Sources/Archery/QuiverService/EquipmentService+Riser.swift": "func createRiser() { f() }\n",
    ]
    #expect(try SmallTree.findings(files).isEmpty)
  }

  @Test("an rpc without its method, id or body is named")
  func missing() throws {
    let found = try found(
      .handlerParity,
      [
        "Protos/quiver/v1/equipment.proto": Self.proto,
        "Sources/Archery/QuiverAPI/Equipment.swift": "let getHub = Method(4098), n = 4112\n",
        "Sources/Archery/QuiverService/EquipmentService.swift":
          "protocol P { func createRiser() }\nfunc getHub() {}\n",
      ])
    let api = "Sources/Archery/QuiverAPI/Equipment.swift"
    let at = "Protos/quiver/v1/equipment.proto"
    #expect(
      found == [
        "\(at):3: handler-parity: Equipment/GetHub has no id 4097 in \(api)",
        "\(at):4: handler-parity: Equipment/CreateRiser has no func createRiser with a body in"
          + " Sources/Archery/QuiverService/EquipmentService.swift",
        "\(at):4: handler-parity: Equipment/CreateRiser has no method createRiser in \(api)",
      ])
  }

  @Test(
    "ids keep to their service's range and their own",
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

  @Test("ids at both ends of a service's range are in order")
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
