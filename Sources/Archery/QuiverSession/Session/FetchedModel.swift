import QuiverProtobuf
import QuiverRPC
import QuiverWire

/// Reads content from the server, and stores it on this device.
typealias Fetch = @Sendable (LocalStore) async throws(SessionError) -> Void

/// A model whose whole content is read from the server by one fetch.
@MainActor
protocol FetchedModel: StoredModel {
  /// Reads what the model shows now.
  var fetch: Fetch { get }
}

extension FetchedModel {
  /// Sends the pending changes, then loads the content, as ``StoredModel/loadContent(_:)`` does.
  func loadContent() async throws(SessionError) { try await loadContent(fetch) }
}

/// A model of what organisers and judges change over the server.
///
/// Such a change needs a connection. It has its effect once, also if its reply is lost and it is
/// made again.
@MainActor
protocol OrganisedModel: FetchedModel {
  /// Why the last such change was not made; nil if it was.
  var changeError: SessionError? { get set }
}

extension OrganisedModel {
  /// Has a change made once, and reads the content again.
  ///
  /// `fill` sets the request, and throws for values that no request can have. `keep` stores what
  /// the reply has, before the content is read again. What is thrown is in ``changeError`` too.
  @discardableResult
  func organise<Request: Message, Response: Message>(
    _ operation: String, _ method: UnaryMethod<Request, Response>,
    keep: @escaping @Sendable (LocalTransaction, Response) throws(SessionError) -> Void = { _, _ in
    },
    _ fill: (inout Request) throws(SessionError) -> Void
  ) async throws(SessionError) -> Response {
    do throws(SessionError) {
      let request = try filled(operation, fill)
      let fetch = fetch
      let reply = try await change(operation) { (session) async throws(SessionError) in
        let reply = try await session.once(method, request)
        // The change is made: what cannot be stored of its reply is read below, or later.
        try? await session.store().write { (transaction) throws(SessionError) in
          try keep(transaction, reply)
        }
        // Without a connection the next load shows it.
        _ = await session.load(fetch)
        return reply
      }
      changeError = nil
      return reply
    } catch {
      changeError = error
      throw error
    }
  }

  private func filled<Request: Message>(
    _ operation: String, _ fill: (inout Request) throws(SessionError) -> Void
  ) throws(SessionError) -> Request {
    var request = Request()
    do throws(SessionError) {
      try fill(&request)
    } catch {
      throw error.whileTrying(to: operation)
    }
    return request
  }
}

extension UInt32 {
  /// The number of a field in a request; throws for a negative or too large one.
  init(_ number: Int, field: String) throws(SessionError) {
    guard let value = Self(exactly: number) else {
      throw SessionError(.invalid, "must be from 0 to \(Self.max), not \(number)", field: field)
    }
    self = value
  }
}
