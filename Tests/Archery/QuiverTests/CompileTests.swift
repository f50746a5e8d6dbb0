import Testing

@Suite("What compiles with import Quiver", .timeLimit(.minutes(5)))
struct CompileTests {
  static let refused: [(name: String, call: String)] = [
    (
      "a stream as a unary method", "_ = try await client.call(Diagnostics.methods.source, .init())"
    ),
    ("a unary method as a stream", "_ = try client.stream(Diagnostics.methods.echo, .init())"),
    ("a stream as a watch", "_ = client.watch(Diagnostics.methods.source, .init())"),
    ("a unary method as an open call", "_ = try client.open(Diagnostics.methods.echo)"),
    (
      "the request of another method",
      "_ = try await client.rounds.getFormat(GetTournamentRequest())"
    ),
  ]

  private static func program(_ body: String) -> String {
    """
    import Quiver

    func run(_ client: RPCClient) async throws {
      \(body)
    }
    """
  }

  @Test("a method is not called as one of another kind", arguments: 0..<5)
  func refused(_ number: Int) throws {
    let (name, call) = Self.refused[number]
    let diagnostics = try SourceTree.diagnostics(of: Self.program(call))
    #expect(diagnostics.contains("error:"), "\(name) compiles")
    // For its kind or its message, not because a module or a name is missing.
    for other in ["no such module", "has no member", "cannot find"] {
      #expect(!diagnostics.contains(other), "\(diagnostics)")
    }
  }

  @Test("import Quiver brings the status codes and no types of frames")
  func frames() throws {
    let code = "let code: StatusCode = .unavailable\n  print(code.name)"
    #expect(try SourceTree.diagnostics(of: Self.program(code)) == "")
    let frame = try SourceTree.diagnostics(of: Self.program("_ = Varint.byteCount(of: 1)"))
    #expect(frame.contains("cannot find 'Varint' in scope"), "\(frame)")
  }

  @Test("one import is enough for every kind of call")
  func accepted() throws {
    let program = Self.program(
      """
      let riser = try await client.equipment.risers.create(.with { $0.brand = "Hoyt" })
        _ = try await client.equipment.risers.get(riser.id, options: .init(timeout: .seconds(5)))
        for try await change in client.equipment.watchItems(of: .riser) { print(change) }
        _ = try await client.tournaments.listTournaments()
        for try await message in try client.diagnostics.source(.with { $0.count = 3 }) {
          print(message.payload)
        }
        do {
          _ = try await client.health.check()
        } catch where error.code == .unavailable {
          print(error.message, error.metadata["retry"] ?? "")
        }
      """)
    #expect(try SourceTree.diagnostics(of: program) == "")
  }
}
