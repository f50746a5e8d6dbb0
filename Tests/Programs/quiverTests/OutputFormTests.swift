import Foundation
import Glibc
import TestSupport
import Testing

@testable import quiver_command

@Suite("Forms of output", .timeLimit(.minutes(20)))
struct OutputFormTests {
  @Test("CSV quotes commas, quotes and spaces at the ends, and disarms formulas")
  func csv() {
    let rows = [
      ["A", "B"], ["1,5", "say \"x\""], [" end", "=1+1"], ["-4", "@x"], ["", "a\nb"],
    ]
    #expect(
      Table.csv(rows)
        == "A,B\n\"1,5\",\"say \"\"x\"\"\"\n\" end\",'=1+1\n-4,'@x\n,a b")
  }

  @Test(
    "No text leaves its cell of CSV or becomes a formula",
    arguments: [
      ("-2+3+cmd|' /C calc'!A0", "'-2+3+cmd|' /C calc'!A0"),
      ("a\"\u{301},=HYPERLINK(1),b", "\"a\"\"\u{301},=HYPERLINK(1),b\""),
      ("a,\u{301}b", "\"a,\u{301}b\""), ("=\u{301}1", "'=\u{301}1"), ("a;b", "\"a;b\""),
      ("-inf", "'-inf"), ("+0x1p3", "'+0x1p3"), ("\t=1", "'\t=1"), ("\r=1", "'\\u000D=1"),
      ("-", "'-"), ("-1.2.3", "'-1.2.3"), ("-4.5", "-4.5"), ("+3", "+3"), ("7", "7"),
      ("a\r\nb", "a\\u000D b"),
    ])
  func csvCell(_ text: String, _ cell: String) {
    #expect(Table.csv([[text]]).unicodeScalars.elementsEqual(cell.unicodeScalars))
  }

  @Test("--output and --json agree, and a form that a command does not have is refused")
  func forms() throws {
    let server = try RunningServer()
    let json = try server.quiver("token", "list", "--json")
    #expect(json.code == 0)
    #expect(try server.quiver("token", "list", "--output", "json").output == json.output)
    #expect(try server.quiver("token", "list", "--output=csv").output.hasPrefix("ID,PRINCIPAL,"))
    for (arguments, text) in [
      (["token", "list", "--output", "xml"], "table or json or csv, not xml"),
      (["token", "list", "--output", "cvs"], "did you mean csv?"),
      (["setup", "add", "X", "--output", "csv"], "text or json, not csv"),
      (["token", "list", "--json", "--output", "csv"], "exclude each other"),
    ] {
      let run = try server.run(arguments)
      #expect(run.code == 64 && run.errors.contains(text), "\(arguments): \(run.errors)")
    }
  }

  @Test("--quiet prints no confirmations and notices, --verbose each call with time and attempts")
  func quietAndVerbose() throws {
    let server = try RunningServer()
    let quiet = try server.quiver("setup", "add", "Bow", "--quiet")
    #expect(quiet.code == 0 && quiet.output.isEmpty && quiet.errors.isEmpty)
    let token = try server.quiver(
      "token", "create", "--name", "Ann", "--kind", "user", "--quiet")
    #expect(token.output.hasPrefix("qv_") && token.errors.isEmpty)
    let verbose = try server.quiver("-v", "setup", "list")
    #expect(verbose.errors.contains("> quiver.v1.Equipment/ListBowSetups\n"))
    let end = try Regex("< quiver.v1.Equipment/ListBowSetups OK in [0-9.]+ ms, 1 attempt\n")
    #expect(verbose.errors.contains(end), "\(verbose.errors)")
    let call = try server.quiver(
      "call", "Diagnostics/EchoMetadata", "-v", "--metadata", "colour=red")
    #expect(call.errors.contains(">   colour: red"), "\(call.errors)")
  }

  @Test(
    "A terminal gets colour, but not with NO_COLOR, nor a dumb one, nor a pipe",
    arguments: [
      ([:], true), (["NO_COLOR": "1"], false), (["TERM": "dumb"], false),
    ] as [([String: String], Bool)])
  func colour(_ environment: [String: String], _ isColoured: Bool) throws {
    let server = try RunningServer()
    let (master, path) = try Self.pseudoTerminal()
    defer { close(master) }
    // Kept open, so that what was written can be read after the program has ended.
    let own = open(path, O_RDWR | O_NOCTTY)
    defer { close(own) }
    let variables = environment.merging(["QUIVER_SERVER": server.address]) { given, _ in given }
    let run = try Run(
      ["token", "list"], in: server.directory, environment: variables, outputPath: path)
    #expect(run.code == 0)
    var bytes = [UInt8](repeating: 0, count: 4_096)
    let count = read(master, &bytes, bytes.count)
    let text = String(decoding: bytes[..<max(0, count)], as: UTF8.self)
    #expect(text.contains("PRINCIPAL"))
    #expect(text.contains("\u{1B}[1mID") == isColoured, "\(text)")
    let pipe = try server.quiver("token", "list")
    #expect(!pipe.output.contains("\u{1B}"))
  }

  /// A pseudo-terminal: its master and the path of its other end.
  private static func pseudoTerminal() throws -> (master: Int32, path: String) {
    let master = open("/dev/ptmx", O_RDWR | O_NOCTTY)
    var (isLocked, number): (Int32, UInt32) = (0, 0)
    // TIOCSPTLCK and TIOCGPTN: the functions of stdlib.h are not in Glibc's module.
    let isOpen =
      master >= 0 && ioctl(master, 0x4004_5431, &isLocked) == 0
      && ioctl(master, 0x8004_5430, &number) == 0
    try #require(isOpen)
    return (master, "/dev/pts/\(number)")
  }

  @Test("version prints the versions of both sides, describe --json and --template JSON")
  func descriptions() throws {
    let server = try RunningServer()
    let version = try server.quiver("version", "--json").json()
    #expect((version["client"] as? String)?.hasPrefix("quiver/") == true)
    #expect((version["server"] as? String)?.hasPrefix("quiverd/") == true)
    #expect(version["protocolVersion"] as? Int == 1)
    let units = try server.quiver("describe", "Units", "--json").json()
    #expect(units["kind"] as? String == "enum" && (units["values"] as? [Any])?.count == 3)
    let method = try server.quiver("describe", "CreateSet", "--json").json()
    #expect((method["request"] as? [[String: Any]])?.first?["name"] as? String == "set")
    let template = try server.quiver("call", "CreateBowSetup", "--template").json()
    let setup = template["bowSetup"] as? [String: Any]
    #expect((setup?["components"] as? [Any])?.count == 1, "\(template)")
  }

  @Test("An error names the flag as it was typed")
  func typed() throws {
    let server = try RunningServer()
    let run = try server.quiver(
      "equipment", "add", "riser", "--brand", "Hoyt", "--model", "Xi", "--length-in", "-1")
    #expect(run.code == 67, "\(run.errors)")
    #expect(run.errors.contains("INVALID_ARGUMENT: --length-in -1: must be"), "\(run.errors)")
    for (line, text) in [
      ("fromat list", "did you mean format?"), ("tournament scroe 1", "did you mean score?"),
      ("profile edit --units metrc", "did you mean metric?"),
      ("tournament list --pubilc", "did you mean --public?"),
      ("tournament show abc", "there is no event abc"),
    ] {
      let run = try server.run(line.split(separator: " ").map(String.init))
      #expect(run.code == 64 && run.errors.contains(text), "\(line): \(run.errors)")
    }
  }
}
