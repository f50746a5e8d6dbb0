import QuiverAPI
import QuiverJSON
import QuiverProtobuf
import QuiverRPC

/// `quiver methods`: the methods of the server.
enum MethodsCommand {
  static let command = Command(
    "methods", summary: "list the server's methods", flags: [.json, .tableOutput, .timeout],
    run: run)

  private static let run: @Sendable (Arguments) async throws(Failure) -> Void = {
    arguments async throws(Failure) in
    _ = try arguments.operands(0...0, "no operands")
    let types = try await Types(of: try Access(arguments))
    if arguments.has(.json) {
      var answer = DescribeResponse()
      answer.methods = types.methods
      try Terminal.print(MessageJSON(isPretty: true).text(of: answer))
      return
    }
    let rows = types.methods.map { method in
      [
        "\(method.id)", method.name, method.requestType, method.responseType,
        MethodText.remarks(kind: method.kind.rawValue, isMutating: method.mutating),
      ].map(Terminal.oneLine)
    }
    try Terminal.print(table: [["ID", "METHOD", "REQUEST", "RESPONSE", "REMARKS"]] + rows)
  }
}

/// The description of a method beside its names.
enum MethodText {
  static func remarks(kind: Int32, isMutating: Bool) -> String {
    var words: [String] = []
    switch MethodKind(rawValue: kind) {
    case .unary: break
    case .clientStreaming: words.append("client streams")
    case .serverStreaming: words.append("server streams")
    case .bidirectional: words.append("both stream")
    case nil: words.append("of another kind")
    }
    if isMutating { words.append("mutating") }
    return words.joined(separator: ", ")
  }
}
