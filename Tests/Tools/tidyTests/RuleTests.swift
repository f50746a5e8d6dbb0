import Testing

@testable import tidy

/// A file that violates one rule, or almost does.
struct RuleCase: CustomTestStringConvertible {
  var rule: Rule
  var path: String
  var text: String
  /// The lines with a finding; empty if the file follows the rule.
  var lines: [Int]
  var says = ""

  init(_ rule: Rule, _ path: String, _ text: String, lines: [Int], says: String = "") {
    self.rule = rule
    self.path = path
    self.text = text
    self.lines = lines
    self.says = says
  }

  var testDescription: String { "\(rule.rawValue): \(text.prefix(60))" }
}

@Suite(.timeLimit(.minutes(5))) struct RuleTests {
  @Test("each rule finds its violations and nothing else", arguments: RuleCase.all)
  func rule(_ example: RuleCase) throws {
    let found = try SmallTree.findings([example.path: example.text])
    let ours = found.filter { $0.rule == example.rule && $0.file == example.path }
    #expect(ours.map(\.line) == example.lines)
    for finding in ours { #expect(finding.sentence.contains(example.says)) }
    let others = found.filter { $0.rule != example.rule }
    #expect(others.isEmpty, "the example violates no other rule")
  }

  @Test("each rule has an example that violates it and one that follows it")
  func everyRuleIsTried() {
    // Rules over several files have their own suite.
    let elsewhere: Set<Rule> = [.manifest, .half, .methodID, .name, .vocabulary, .folderSize]
    for rule in Rule.allCases where !elsewhere.contains(rule) {
      #expect(RuleCase.all.contains { $0.rule == rule && !$0.lines.isEmpty }, "\(rule) broken")
      #expect(RuleCase.all.contains { $0.rule == rule && $0.lines.isEmpty }, "\(rule) kept")
    }
  }

  @Test("a finding is printed as file, line, rule and sentence")
  func description() {
    let finding = Finding(
      file: "Sources/RPC/A/B.swift", line: 3, rule: .dependency, sentence: "why")
    #expect(finding.description == "Sources/RPC/A/B.swift:3: dependency: why")
  }

  @Test("a folder without a package is refused")
  func noPackage() {
    #expect(throws: Tree.Unreadable.self) { try Tree(root: "no such folder") }
  }
}

extension RuleCase {
  static let all = dependencies + lengths + words + traps + tests + pipes

  private static let wire = "Sources/RPC/QuiverWire/Frame.swift"
  private static let store = "Sources/Archery/QuiverStore/Writer.swift"
  private static let test = "Tests/RPC/QuiverWireTests/FrameTests.swift"

  private static let dependencies = [
    RuleCase(
      .dependency, wire, "// A frame.\nimport Dispatch\n", lines: [2],
      says: "may not import Dispatch"),
    RuleCase(
      .dependency, store, "@preconcurrency import struct Foundation.Date\n", lines: [1],
      says: "imports Foundation"),
    RuleCase(.dependency, wire, "// import Dispatch\nlet text = \"import Dispatch\"\n", lines: []),
    RuleCase(
      .dependency, store, "package import FoundationEssentials\nimport Glibc\n", lines: [1],
      says: "#if canImport(FoundationEssentials)"),
    RuleCase(
      .dependency, store,
      """
      import Glibc
      #if canImport(FoundationEssentials)
        package import FoundationEssentials
      #else
        package import Foundation
      #endif

      """, lines: []),
    RuleCase(
      .dependency, store, "#if os(Linux)\n#else\nimport Foundation\n#endif\n", lines: [3],
      says: "imports Foundation"),
    RuleCase(
      .cPointer, store, "package struct Row {\n  package let row: OpaquePointer\n}\n", lines: [2],
      says: "OpaquePointer is part of a package signature"),
    RuleCase(
      .cPointer, store,
      """
      public func unpack(
        _ bytes: [UInt8],
        with descriptor: UnsafePointer<ProtobufCMessageDescriptor>
      ) -> Int {
        0
      }
      """, lines: [3], says: "ProtobufCMessageDescriptor"),
    RuleCase(
      .cPointer, store,
      """
      package struct Row {
        package private(set) var count = 0
        package let limits: Limits

        private let row: OpaquePointer
        package func step() -> Bool {
          let here: OpaquePointer = row
          return here == row
        }
      }
      """, lines: []),
  ]

  private static let lengths = [
    RuleCase(
      .fileLength, store, String(repeating: "let a = 1\n", count: 501), lines: [501],
      says: "501 lines"),
    RuleCase(.fileLength, store, String(repeating: "let a = 1\n", count: 500), lines: []),
    RuleCase(
      .functionLength, store,
      "\nfunc long() {\n" + String(repeating: "  step()\n", count: 69) + "}\n", lines: [2],
      says: "long has 71 lines"),
    RuleCase(
      .functionLength, store,
      "struct A {\n  init(_ a: () -> Void = {}) {\n"
        + String(repeating: "  step()\n", count: 70) + "  }\n}\n", lines: [2], says: "init has 72"),
    RuleCase(
      .functionLength, store,
      "protocol P {\n  func short()\n}\nfunc long() {\n"
        + String(repeating: "  step()\n", count: 68) + "}\n", lines: []),
    RuleCase(
      .lineLength, store, "// " + String(repeating: "é", count: 98) + "\n", lines: [1],
      says: "101 characters"),
    RuleCase(.lineLength, store, "// " + String(repeating: "é", count: 97) + "\n", lines: []),
  ]

  private static let words = [
    RuleCase(.word, store, "let a = 1  // TO" + "DO: more\n", lines: [1]),
    RuleCase(.word, "tools/sweep", "#!/bin/sh\n# FIX" + "ME\n", lines: [2]),
    RuleCase(.word, "Protos/a.proto", "// A Place" + "holder.\n", lines: [1]),
    RuleCase(
      .word, store, "// Here.\nfatalError(\"not " + "implemented yet\")\n", lines: [2]),
    RuleCase(.word, store, "let todos = \"mktemp XX" + "XXXX hackathon\"\n", lines: []),
    RuleCase(.machinePath, test, "let path = \"/ro" + "ot/.config\"\n", lines: [1]),
    RuleCase(
      .machinePath, "tools/sweep", "cd /tm" + "p/quiver && ls\n", lines: [1], says: "quiver"),
    RuleCase(
      .machinePath, "tools/sweep", "cd \"$folder/home\" && ls /tmp && ls ~/work a/root\n", lines: []
    ),
  ]

  private static let traps = [
    RuleCase(.peerTrap, wire, "let a = bytes.first!\n", lines: [1], says: "the forced first!"),
    RuleCase(
      .peerTrap, wire, "// Never empty.\nlet a = try! f()\nlet b = c as! D\n", lines: [2, 3]),
    RuleCase(.peerTrap, wire, "let a = list[0]!.count + f()!\nvar b: Int!\n", lines: [1, 1, 2]),
    RuleCase(
      .peerTrap, wire, "let a = !b && c != d && (!e)  // f!\nlet g = \"h!\"\nlet i=j!=k\n",
      lines: []),
    RuleCase(
      .peerTrap, "Sources/RPC/QuiverProtobuf/PreScan.swift", "let a = b!\n", lines: [1]),
    RuleCase(.peerTrap, "Sources/RPC/QuiverProtobuf/Schema.swift", "let a = b!\n", lines: []),
    RuleCase(
      .peerConversion, wire, "let a = Int(length)\nlet b = UInt8(word & 0xF)\n", lines: [1, 2],
      says: "exactly:"),
    RuleCase(
      .peerConversion, wire,
      """
      let a = Int(exactly: length), b = UInt8(truncatingIfNeeded: c), d = Int(-1), e = UInt8(0x91)
      let f = Int(length)  // proved: at most 2^24 by the header's width
      // proved: at most 15
      let g = UInt8(word), h = Int("text \\(a)".count)
      case Int(value)
      """, lines: []),
    RuleCase(
      .peerConversion, "Sources/RPC/QuiverRPC/Head.swift", "let f = Int(length)  // proved:\n",
      lines: [1]),
    RuleCase(
      .unexplainedTrap, store, "let a = try! f()\n\nlet b = c as! D\nfatalError(\"a\")\n",
      lines: [1, 3, 4]),
    RuleCase(
      .unexplainedTrap, store, "// The pattern is a literal.\nlet a = try! f()\n", lines: []),
    RuleCase(
      .lostSignal, store,
      "let a = DispatchSource.makeSignalSource(signal: SIGTERM)\n", lines: [1]),
    RuleCase(.lostSignal, store, "let a = SignalHandler(1, on: b) {}\n", lines: []),
    RuleCase(
      .httpText, "Sources/RPC/QuiverGateway/Head.swift",
      "let a = b.lowercased() == c\nlet d = b.hasPrefix(c)\n", lines: [1, 2],
      says: "HTTPText compares bytes"),
    RuleCase(
      .httpText, "Sources/RPC/QuiverGateway/HTTP/HTTPText.swift", "let a = b.hasPrefix(c)\n",
      lines: []),
    RuleCase(
      .output, store,
      """
      print("a")
      FileHandle.standardOutput.write(b)
      write(STDOUT_FILENO, c, 1)
      @main struct D {}
      """, lines: [1, 2, 3, 4]),
    RuleCase(
      .output, store,
      """
      @main struct A { static func main() { StandardStreams.prepare() } }
      StandardOutput.printOrExit("print(a)")
      process.standardOutput = isatty(STDOUT_FILENO) == 1 ? b : c
      """, lines: []),
    RuleCase(
      .unexplainedUnsafe, store,
      """
      final class Box: @unchecked Sendable {
        nonisolated(unsafe) var a = 0
        func f() { unsafe g() }
      }
      """, lines: [1, 2, 3]),
    RuleCase(
      .unexplainedUnsafe, store,
      """
      // Guarded by the queue: a and b are touched on it alone.
      final class Box: @unchecked Sendable {

        nonisolated(unsafe) var a = 0



        // The buffer outlives the call.
        func f() { unsafe g() }
      }
      """, lines: []),
  ]

  private static let tests = [
    RuleCase(
      .emptyTest, test,
      "extension A { @Test(\"a sentence\", arguments: [1, 2]) func runs(_ a: Int) { f(a) } }\n",
      lines: [1], says: "runs is a test without an expectation"),
    RuleCase(
      .emptyTest, test,
      """
      extension A {
        @Test func direct() throws { try #require(f()) }
        @Test("a") func through() { check(1) }
        @Test func failing() { Issue.record("no") }
        func check(_ a: Int) { inner(a) }
        func inner(_ a: Int) { #expect(a == 1) }
        func plain() { f() }
      }
      """, lines: []),
    RuleCase(
      .disabledTest, test,
      "extension A { @Test(.disabled(\"slow\")) func a() { #expect(f()) } }\n", lines: [1]),
    RuleCase(.disabledTest, test, "let a = \".disabled(\", disabled = 1\n", lines: []),
    RuleCase(
      .timedTest, test,
      "func a() {\n  Thread.sleep(forTimeInterval: 1)\n  #expect(elapsed < .seconds(1))\n}\n",
      lines: [2, 3]),
    RuleCase(
      .timeLimit, test,
      "@Suite(\"a\", .serialized)\nstruct A {}\n@Suite struct B {}\n", lines: [1, 3]),
    RuleCase(
      .timeLimit, test, "@Suite(\"a\", .timeLimit(.minutes(5)))\nstruct A {}\n", lines: []),
    RuleCase(
      .timeLimit, test,
      """
      struct A {
        @Test func a() { #expect(f()) }
      }
      struct B { let a = 1 }
      @Test func b() { #expect(f()) }
      extension C {
        @Test func c() { #expect(f()) }
      }
      @Suite("d", .timeLimit(.minutes(5))) struct D {
        @Test func d() { #expect(f()) }
        struct E { @Test func e() { #expect(f()) } }
      }
      """, lines: [2, 5]),
    RuleCase(
      .timedTest, test, "func a() {\n  elapsed += 1\n  #expect(deadline == 5)\n}\n", lines: []),
  ]

  private static let pipes = [
    RuleCase(
      .earlyReader, "tools/sweep",
      """
      #!/usr/bin/env bash
      set -euo pipefail
      first=$(ls "$folder" | head -n 1)
      if readelf -d "$1" | grep -q RUNPATH; then echo "$(sort names |
        head)"; fi
      ls | grep --max-count=1 -E 'a|b' | sort
      """, lines: [3, 4, 5, 6], says: "ends before its input does"),
    RuleCase(.earlyReader, "tools/checks/shared", "ls |& grep -vqF a\n", lines: [1]),
    RuleCase(
      .earlyReader, "tools/sweep",
      """
      #!/usr/bin/env bash
      # Never `ls | head`.
      head -n 1 "$file" || head -n 2 "$file"
      grep -q RUNPATH <<<"$section" && ls | grep -E 'tail|head' -c | sed -n 1p
      ls | grep RUNPATH >/dev/null ||
        head "$file"
      """, lines: []),
    RuleCase(.earlyReader, "tools/sweep", "#!/usr/bin/env python3\n# ls | head\n", lines: []),
  ]
}
