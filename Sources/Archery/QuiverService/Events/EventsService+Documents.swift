import QuiverAPI
import QuiverCalendar
import QuiverPapers
import QuiverRPC
import QuiverRules
import QuiverStore

extension EventsService {
  var documentRoutes: [Route] { [.asynchronous(Events.getEventDocument, getDocument)] }

  /// It reads the entries of the event, so it is a long read.
  func getDocument(
    _ request: GetEventDocumentRequest, _ call: CallContext
  ) async throws -> GetEventDocumentResponse {
    let principal = try call.storeCaller().principal
    guard EventDocument.kinds.contains(request.kind) else {
      throw RPCError.invalid("kind", "must be one of the kinds of documents")
    }
    guard request.sessionID == 0 || !EventDocument.results.contains(request.kind) else {
      throw RPCError.invalid("session_id", "is for lists of entries, score cards and the calendar")
    }
    let language = try Self.checkedLanguage(request.language)
    var document = EventDocument(
      store: commands.store,
      scope: EventDocumentScope(
        principal: principal, event: request.tournamentID, kind: request.kind.rawValue,
        category: request.categoryID, session: request.sessionID,
        lastRank: try Self.checkedRank(request.diplomaRanks), bothScorers: request.bothScorers),
      kind: request.kind,
      zone: try CivilZone.given(
        request.timeZone.isEmpty ? "UTC" : request.timeZone, field: "time_zone"),
      linkBase: try Self.checkedLink(request.linkBase),
      template: try Self.checkedTemplate(request.diplomaText, language))
    document.language = language
    document.cardsPerPage = try Self.checkedCards(request.cardsPerPage)
    let asked = document
    do throws(StoreError) {
      return try await Self.longReads.run(of: .principal(principal)) {
        () throws(StoreError) in try asked.response(request.pageToken)
      }
    } catch {
      throw RPCError(error)
    }
  }

  /// The text of diplomas.
  private static func checkedTemplate(
    _ text: String, _ language: PaperLanguage
  ) throws -> DiplomaTemplate {
    guard text.utf8.count <= StoreLimits.diplomaTextByteCount else {
      throw RPCError.invalid(
        "diploma_text", "must have at most \(StoreLimits.diplomaTextByteCount) bytes")
    }
    do throws(DiplomaTemplate.UnknownValue) {
      return try DiplomaTemplate(text.isEmpty ? DiplomaTemplate.standard(language) : text)
    } catch {
      let known = DiplomaTemplate.Value.allCases.map { "{\($0.rawValue)}" }
      throw RPCError.invalid(
        "diploma_text",
        "has {\(error.name.prefix(40))}, which is none of \(known.joined(separator: ", "))")
    }
  }

  /// The last rank that gets a diploma.
  private static func checkedRank(_ rank: UInt32) throws -> Int {
    guard rank <= StoreLimits.diplomaRanks else {
      throw RPCError.invalid("diploma_ranks", "must be at most \(StoreLimits.diplomaRanks)")
    }
    return rank == 0 ? 3 : Int(rank)
  }

  /// How many score cards are on a page.
  private static func checkedCards(_ count: UInt32) throws -> Int {
    guard count != 0 else { return 1 }
    guard ScoreCardPaper.pageCounts.contains(Int(count)) else {
      throw RPCError.invalid("cards_per_page", "must be 1, 2 or 4")
    }
    return Int(count)
  }

  /// The language of the words on a paper.
  private static func checkedLanguage(_ text: String) throws -> PaperLanguage {
    guard !text.isEmpty else { return .english }
    guard let language = PaperLanguage(rawValue: text) else {
      let known = PaperLanguage.allCases.map(\.rawValue)
      throw RPCError.invalid("language", "must be one of \(known.joined(separator: ", "))")
    }
    return language
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
