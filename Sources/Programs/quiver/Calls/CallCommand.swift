import QuiverClient
import QuiverJSON
import QuiverProtobuf
import QuiverRPC
import QuiverWire

/// `quiver call`: any method of the server, with JSON in and out.
enum CallCommand {
  private static let data = Flag(
    "-d", .word("JSON"), "the request: JSON, @FILE, or @- for standard input")
  private static let metadata = Flag(
    "--metadata", .words("KEY=VALUE"), "metadata of the call; may be given more than once")
  private static let key = Flag(
    "--idempotency-key", .word("HEX"),
    "32 hexadecimal digits under which the call has its effect once; mutating methods get one of"
      + " their own if none is given")
  private static let compact = Flag("--compact", .none, "print each reply on one line")
  private static let most = Flag(
    "--max", .word("N"), "cancel the call after N replies of a stream")

  private static let template = Flag(
    "--template", .none, "print a request with all its fields, for editing, and make no call")

  static let command = Command(
    "call", operands: "METHOD [JSON]", summary: "call a method with JSON",
    details: """
      METHOD is a full name, quiver.v1.Equipment/ListItems, or an end of it that only one method
      has: Equipment/ListItems, ListItems. `quiver methods` lists them. Without JSON the
      request is empty. The reply is JSON with all its fields, also those that are zero.

      Where the request is a stream, each line of the JSON is a message, and `-d @-` sends lines as
      they are typed, up to the end of the input. Where the reply is a stream, each message is
      printed as it comes. Streams have no time limit unless --timeout sets one.
      """,
    flags: [data, .timeout, metadata, key, compact, most, template], run: run)

  private static let run: @Sendable (Arguments) async throws(Failure) -> Void = {
    arguments async throws(Failure) in
    let words = try arguments.operands(1...2, "METHOD and one JSON")
    let source = try request(arguments, words.dropFirst().first)
    var options = try options(arguments)
    let limit = try limit(arguments)
    let access = try Access(arguments)
    let types = try await Types(of: access)
    let method = try types.method(words[0])
    let printer = MessageJSON(printsZeros: true, isPretty: !arguments.has(compact))
    guard !arguments.has(template) else {
      return try Terminal.print(printer.text(of: RequestTemplate.message(method.schema.input)))
    }
    var writeFailure: Failure?
    do throws(RPCError) {
      if method.kind == .unary {
        let bytes = try encoded(try source.whole(), as: method.schema.input)
        let reply = try await access.client.callEncoded(method, bytes, options: options)
        let text = try text(of: reply.message, method.schema.output, printer)
        writeFailure = failure { () throws(Failure) in try Terminal.print(text) }
      } else {
        if arguments.value(of: .timeout) != nil { options.timeout = access.timeout }
        writeFailure = try await stream(
          method, source, options, access, printing: limit, printer)
      }
    } catch {
      if error.origin == .client, error.code == .invalidArgument {
        throw .input(error.message)
      }
      throw access.failure(error, types: types)
    }
    if let writeFailure { throw writeFailure }
  }

  /// The error that `body` throws.
  static func failure(_ body: () throws(Failure) -> Void) -> Failure? {
    do throws(Failure) {
      try body()
      return nil
    } catch {
      return error
    }
  }

  private static func limit(_ arguments: Arguments) throws(Failure) -> Int {
    guard let text = arguments.value(of: most) else { return .max }
    guard let limit = Int(text), limit > 0 else {
      throw arguments.usage("--max expects a number from 1, not \(text)")
    }
    return limit
  }

  static func text(
    of bytes: [UInt8], _ schema: MessageSchema, _ printer: MessageJSON
  ) throws(RPCError) -> String {
    do throws(DecodeError) {
      return try printer.text(of: bytes, schema)
    } catch {
      throw RPCError(.internal, "the reply does not decode: \(error)", origin: .client)
    }
  }

  /// The JSON of the request, from its source.
  private static func request(
    _ arguments: Arguments, _ operand: String?
  ) throws(Failure) -> RequestSource {
    guard let text = arguments.value(of: data) else { return .text(Array((operand ?? "{}").utf8)) }
    guard operand == nil else { throw arguments.usage("the request is given twice, also by -d") }
    guard text.hasPrefix("@") else { return .text(Array(text.utf8)) }
    let path = String(text.dropFirst())
    guard !path.isEmpty else { throw arguments.usage("-d @ expects a file, or - behind it") }
    return path == "-" ? .standardInput : .text(try InputText.bytes(ofFile: path))
  }

  private static func options(_ arguments: Arguments) throws(Failure) -> CallOptions {
    var options = CallOptions()
    for pair in arguments.values(of: metadata) {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, !parts[0].isEmpty else {
        throw arguments.usage("--metadata expects KEY=VALUE, not \(pair)")
      }
      options.metadata.append(String(parts[0]), String(parts[1]))
    }
    if let text = arguments.value(of: key) {
      guard let bytes = Hexadecimal.bytes(text), let key = IdempotencyKey(bytes) else {
        throw arguments.usage("--idempotency-key expects 32 hexadecimal digits, not \(text)")
      }
      options.idempotencyKey = key
    }
    return options
  }
}
