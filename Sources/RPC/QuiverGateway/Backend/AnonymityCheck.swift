import QuiverClient
import QuiverProtobuf
import QuiverRPC
import QuiverWire
import Synchronization

/// Whether the server takes a call of a caller without a token, as the gateway makes it, for one of
/// nobody. May be used from any thread.
///
/// A server that is older than the mark of such calls takes them for the gateway's own where the
/// connection identifies a principal. No caller without a token is served there.
final class AnonymityCheck: Sendable {
  private enum Finding {
    case unknown, nobody
    case somebody(String)
  }

  private let clients: TokenClients
  private let finding = Mutex(Finding.unknown)
  private let isKnown = Atomic<Bool>(false)

  private static let whoAmI = UnaryMethod<IdentityQuestion, IdentityAnswer>(
    "quiver.v1.Account/WhoAmI", id: 5121)

  init(_ clients: TokenClients) { self.clients = clients }

  /// The server has said last that they are anonymous.
  var isNobody: Bool { isKnown.load(ordering: .relaxed) }

  /// Asks the server; answers as whom it takes such calls, in a sentence, or nil: nobody. Throws
  /// where it does not answer.
  func ask() async throws(RPCError) -> String? {
    var options = CallOptions(timeout: .seconds(2))
    options.metadata.append(StatedCaller.anonymousKey, "1")
    do throws(RPCError) {
      let answer = try await clients.client(for: nil, on: nil).client
        .call(Self.whoAmI, IdentityQuestion(), options: options)
      let sentence =
        "the server takes callers without a token for principal \(answer.principal?.id ?? 0): it is"
        + " older than this gateway, or changes what it forwards"
      note(.somebody(sentence))
      return sentence
    } catch {
      guard error.origin == .server, [.unauthenticated, .unimplemented].contains(error.code) else {
        throw error
      }
      note(.nobody)
      return nil
    }
  }

  private func note(_ new: Finding) {
    finding.withLock { finding in
      finding = new
      if case .nobody = new {
        isKnown.store(true, ordering: .relaxed)
      } else {
        isKnown.store(false, ordering: .relaxed)
      }
    }
  }

  /// Throws FAILED_PRECONDITION where such calls are somebody's, and why the server cannot be asked
  /// where that is not known.
  func check() async throws(RPCError) {
    let sentence: String?
    switch finding.withLock({ $0 }) {
    case .nobody: return
    case .somebody(let known): sentence = known
    case .unknown: sentence = try await ask()
    }
    guard let sentence else { return }
    throw RPCError(
      .failedPrecondition, "no call without a token is served: \(sentence)", isNotProcessed: true)
  }
}

/// `quiver.v1.WhoAmIRequest`.
struct IdentityQuestion: Message {
  static let schema = Schema<Self>("quiver.v1.WhoAmIRequest")
}

/// The first field of `quiver.v1.WhoAmIResponse`.
struct IdentityAnswer: Message {
  var principal: IdentifiedPrincipal?

  static let schema = Schema<Self>(
    "quiver.v1.WhoAmIResponse", .message(1, "principal", \.principal))
}

/// The first field of `quiver.v1.Principal`.
struct IdentifiedPrincipal: Message {
  var id: Int64 = 0

  static let schema = Schema<Self>("quiver.v1.Principal", .int64(1, "id", \.id))
}
