import ChildProcesses
import Foundation
import QuiverServer
import Testing

/// The plugin `protoc-gen-quiver-swift`, with the `protoc` and the Python of the tests.
@Suite(.timeLimit(.minutes(2))) struct GeneratorTests {
  static let root = ArticleTests.root
  static let plugin = root.appending(path: "clients/swift/plugin/protoc_gen_quiver_swift.py").path
  static var python: String {
    ProcessInfo.processInfo.environment["QUIVER_PYTHON"]
      ?? root.appending(path: ".build/venv/bin/python").path
  }

  /// Runs a program; its status and what it has printed.
  static func run(
    _ program: String, _ arguments: [String], input: Data = Data()
  ) throws -> (status: Int32, output: Data) {
    let process = ChildProcess()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [program] + arguments
    let (standardInput, output) = (Pipe(), Pipe())
    process.standardInput = standardInput
    process.standardOutput = output
    process.standardError = output
    try process.run()
    try standardInput.fileHandleForWriting.write(contentsOf: input)
    try standardInput.fileHandleForWriting.close()
    let bytes = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, bytes)
  }

  /// Generates Swift for a file; the folder with it, or what `protoc` says.
  static func generate(
    _ file: String, in folder: URL, options: String = "server"
  ) throws -> (folder: URL, status: Int32, words: String) {
    let out = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: out, withIntermediateDirectories: true)
    let script = out.appending(path: "plugin")
    try "#!/bin/sh\nexec '\(python)' '\(plugin)'\n".write(
      to: script, atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o700], ofItemAtPath: script.path)
    let (status, output) = try run(
      "protoc",
      [
        "-I\(folder.path)", "-I\(root.appending(path: "Protos").path)",
        "--plugin=protoc-gen-quiver-swift=\(script.path)", "--quiver-swift_out=\(out.path)",
        "--quiver-swift_opt=\(options)", file,
      ])
    return (out, status, String(decoding: output, as: UTF8.self))
  }

  @Test("The generated file in this folder is what the plugin makes now")
  func theGeneratedFileInThis() throws {
    let (folder, status, words) = try Self.generate(
      "kinds.proto", in: Self.root.appending(path: "clients/swift/tests"))
    #expect(status == 0, "\(words)")
    let made = try String(contentsOf: folder.appending(path: "kinds.swift"), encoding: .utf8)
    let kept = try ArticleTests.text("Tests/RPC/QuiverServerTests/Generated/kinds.swift")
    #expect(made == kept)
  }

  static var full: Everything {
    var all = Everything()
    all.double = -1.5
    all.float = 2.25
    all.longNumber = .min
    all.unsignedLong = .max
    all.small = -7
    all.fixedLong = 1 << 60
    all.fixedSmall = 0xFFFF_FFFF
    all.isSet = true
    all.clientID = "A ä €"
    all.data = [0, 1, 255]
    all.count = 300
    all.signedFixed = -3
    all.signedFixedLong = -4
    all.zigzag = -5
    all.zigzagLong = .min
    all.color = .gold
    all.part = .with { $0.index = 9 }
    all.numbers = [1, -1, 150]
    all.texts = ["", "b"]
    all.blobs = [[], [7]]
    all.parts = [.with { $0.color = .red }, Part()]
    all.colors = [.red, Color(rawValue: 99)]
    all.maybe = 0
    all.maybeText = ""
    all.maybeColor = .unspecified
    all.default = "word"
    return all
  }

  /// Decodes a message by Python's protobuf and encodes it again, in ascending order of the fields.
  static let echo = """
    import sys
    sys.path.insert(0, sys.argv[1])
    import kinds_pb2
    from google.protobuf import unknown_fields
    message = kinds_pb2.Everything.FromString(sys.stdin.buffer.read())
    assert len(unknown_fields.UnknownFieldSet(message)) == 0
    assert len(message.ListFields()) == int(sys.argv[2]), len(message.ListFields())
    sys.stdout.buffer.write(message.SerializeToString(deterministic=True))
    """

  @Test(
    "A generated message has the bytes that protoc's has",
    arguments: [(Self.full, 26), (Everything(), 0)])
  func aGeneratedMessageHasThe(
    _ message: Everything, _ fieldCount: Int
  ) throws {
    let out = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: out, withIntermediateDirectories: true)
    let (made, words) = try Self.run(
      "protoc",
      [
        "-I\(Self.root.appending(path: "clients/swift/tests").path)",
        "-I\(Self.root.appending(path: "Protos").path)", "--python_out=\(out.path)", "kinds.proto",
        "quiver/v1/wire.proto",
      ])
    #expect(made == 0, "\(String(decoding: words, as: UTF8.self))")
    let bytes = message.serializedBytes()
    let (status, echoed) = try Self.run(
      Self.python, ["-c", Self.echo, out.path, "\(fieldCount)"], input: Data(bytes))
    #expect(status == 0, "\(String(decoding: echoed, as: UTF8.self))")
    #expect([UInt8](echoed) == bytes)
    #expect(try Everything(serializedBytes: [UInt8](echoed)) == message)
  }

  @Test(
    "A file that cannot be generated is refused with the reason",
    arguments: [
      ("message A { A inner = 1; }", "a message must not contain itself"),
      ("message A { map<string, string> m = 1; }", "maps are not supported"),
      ("message A { oneof o { int32 a = 1; } }", "oneof is not supported"),
      ("message A {} service S { rpc Go(A) returns (A); }", "has no option (quiver.v1.method_id)"),
      ("message A { int32 a = 1; int32 b = 1; }", "has already been used"),
      ("message A { reserved 1; int32 a = 1; }", "uses reserved number 1"),
    ])
  func aFileThatCannotBe(
    _ declarations: String, _ reason: String
  ) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try "syntax = \"proto3\";\npackage test.bad.v1;\n\(declarations)\n".write(
      to: folder.appending(path: "bad.proto"), atomically: true, encoding: .utf8)
    let (_, status, words) = try Self.generate("bad.proto", in: folder)
    #expect(status != 0)
    #expect(words.contains(reason), "\(words)")
  }

  struct Echoing: KindsHandlers {
    func echo(_ request: Everything, _ call: CallContext) async throws -> Everything { request }

    func down(
      _ request: Everything, _ call: CallContext, _ replies: ReplyWriter<Part>
    ) async throws {
      for part in request.parts { try await replies.send(part) }
    }

    func up(_ requests: RequestStream<Part>, _ call: CallContext) async throws -> Everything {
      var all = Everything()
      for try await part in requests { all.parts.append(part) }
      return all
    }

    func both(
      _ requests: RequestStream<Part>, _ call: CallContext, _ replies: ReplyWriter<Part>
    ) async throws {
      for try await part in requests { try await replies.send(part) }
    }
  }

  @Test("The generated stubs of client and server call and answer")
  func theGeneratedStubsOfClient() async throws {
    let server = try RPCServer(
      .init(addresses: ["127.0.0.1:0"], services: [Echoing().service]))
    let address = try server.start()[0]
    let running = Task { try await server.run() }
    try await withClient(address) { client in
      let kinds = KindsClient(client)
      let echoed = try await kinds.echo(Self.full)
      #expect(echoed == Self.full)
      var parts: [Part] = []
      for try await part in try kinds.down(Self.full) { parts.append(part) }
      #expect(parts == Self.full.parts)
    }
    running.cancel()
    try await running.value
  }
}
