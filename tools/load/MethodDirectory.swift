import QuiverAPI
import QuiverClient
import QuiverCommandLine
import QuiverJSON
import QuiverProtobuf
import QuiverRPC
import QuiverWire

/// The methods of a server, from reflection, so that any server can be loaded.
struct MethodDirectory: Sendable {
  private let pool: DescriptorPool
  private let entries: [MethodEntry]

  /// Fetches the methods from the server.
  init(of client: RPCClient, timeout: Duration = .seconds(10)) async throws(Failure) {
    do throws(RPCError) {
      let answer = try await client.call(
        Reflection.describe, DescribeRequest(), options: CallOptions(timeout: timeout))
      entries = answer.methods
      do throws(DescriptorError) {
        pool = try DescriptorPool(fileDescriptorSet: answer.fileDescriptorSet)
      } catch {
        throw RPCError(.internal, "the server's description cannot be read: \(error)")
      }
    } catch {
      throw Failure(
        .unreachable, "\(client.configuration.server): \(error.code.name): \(error.message)")
    }
  }

  /// The method with this name, in full or abbreviated to its unique end.
  func method(_ name: String) throws(Failure) -> MethodInfo {
    let exact = entries.filter { $0.name == name || $0.name == "quiver.v1." + name }
    let found = exact.isEmpty ? entries.filter { $0.name.hasSuffix("/" + name) } : exact
    guard found.count <= 1 else {
      throw Failure(
        .unreachable,
        "\(name) may be any of \(found.map(\.name).sorted().joined(separator: ", "))")
    }
    guard let entry = found.first, let kind = MethodKind(rawValue: entry.kind.rawValue),
      let input = pool.messages[entry.requestType], let output = pool.messages[entry.responseType]
    else { throw Failure(.unreachable, "the server has no method \(name)") }
    let short = entry.name.split(separator: "/").last.map(String.init) ?? entry.name
    return MethodInfo(
      id: entry.id, name: entry.name, kind: kind, isMutating: entry.mutating,
      isAnonymous: entry.anonymous,
      schema: MethodSchema(id: entry.id, name: short, kind: kind, input: input, output: output))
  }

  /// Encodes a request of a method from JSON.
  static func request(_ json: String, of method: MethodInfo) throws(Failure) -> [UInt8] {
    do throws(JSONError) {
      return try MessageJSON().message(method.schema.input, from: Array(json.utf8))
        .serializedBytes()
    } catch {
      throw Failure(.usage, "-d: bad JSON for \(method.schema.input.name): \(error)")
    }
  }
}

/// Why nothing was measured, or what the result means, with the exit code.
struct Failure: Error {
  enum Code: Int32 {
    case objectiveBroken = 1
    case usage = 2
    case generatorLate = 3
    case unreachable = 4
    case writesLost = 5
    case outputFailed = 74
    /// What a shell reports of SIGINT.
    case interrupted = 130
    /// What a shell reports of SIGPIPE: the reader of the output has closed the pipe.
    case outputClosed = 141
  }

  let code: Code
  let sentence: String

  static let writesLost = Failure(
    .writesLost, "acknowledged writes are lost, doubled or reordered, or totals are wrong")

  /// SIGINT ended the load before its time.
  static let interrupted = Failure(
    .interrupted, "interrupted: the figures are those of the time until then")

  /// A server that answers nothing any more.
  static func silent(_ timeout: Duration) -> Failure {
    Failure(
      .unreachable, "the server has answered nothing for \(timeout); nothing was read back")
  }

  static func notReadBack(_ error: RPCError) -> Failure {
    Failure(
      .unreachable,
      "what was written could not be read back: \(error.code.name): \(error.message)")
  }

  /// Standard output cannot be written.
  init(_ error: OutputError) {
    self.init(error.isClosedPipe ? .outputClosed : .outputFailed, error.description)
  }

  init(_ code: Code, _ sentence: String) {
    self.code = code
    self.sentence = sentence
  }
}
