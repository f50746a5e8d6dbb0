import QuiverAPI
import QuiverCalendar
import QuiverRPC
import QuiverRules
import QuiverStore

extension EventsService {
  private static let documentReads = ReadScheduler(.long)

  var documentRoutes: [Route] { [.asynchronous(Events.getEventDocument, getDocument)] }

  /// It reads the entries of the event, so it is a long read.
  func getDocument(
    _ request: GetEventDocumentRequest, _ call: CallContext
  ) async throws -> GetEventDocumentResponse {
    let principal = try call.storeCaller().principal
    guard EventDocument.kinds.contains(request.kind) else {
      throw RPCError.invalid("kind", "must be one of the kinds of documents")
    }
    let document = EventDocument(
      store: commands.store,
      scope: EventDocumentScope(
        principal: principal, event: request.tournamentID, kind: request.kind.rawValue,
        category: request.categoryID, session: request.sessionID),
      kind: request.kind,
      zone: try CivilZone.given(
        request.timeZone.isEmpty ? "UTC" : request.timeZone, field: "time_zone"),
      linkBase: try Self.checkedLink(request.linkBase))
    do throws(StoreError) {
      return try await Self.documentReads.run(of: .principal(principal)) {
        () throws(StoreError) in try document.response(request.pageToken)
      }
    } catch {
      throw RPCError(error)
    }
  }

  /// An address that a QR code may begin with.
  private static func checkedLink(_ link: String) throws -> String {
    guard !link.isEmpty else { return "" }
    guard link.utf8.count <= StoreLimits.documentLinkByteCount,
      link.hasPrefix("https://") || link.hasPrefix("http://"),
      link.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    else {
      throw RPCError.invalid(
        "link_base",
        "must begin with https:// or http:// and have at most "
          + "\(StoreLimits.documentLinkByteCount) characters of ASCII, without spaces")
    }
    return link
  }
}
