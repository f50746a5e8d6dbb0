public import Observation
public import QuiverAPI
import QuiverProtobuf
import QuiverRPC
import QuiverWire

/// The standings of a part of an event: of a category, a session or a club, ranked among
/// themselves.
///
/// Each row has the totals of its rounds, how a tie was decided, and whether its card is
/// provisional, agreed or confirmed. Without a connection the last standings of the part stay.
@MainActor
@Observable
public final class CategoryStandingsModel: EventAnswerModel, OrganisedModel {
  /// Which archers are ranked among themselves.
  public struct Part: Sendable, Hashable {
    /// The id of the category; 0: all.
    public var category: Int64
    /// The id of the session; 0: all.
    public var session: Int64
    /// The name of the club; empty: all.
    public var club: String

    /// A part; without parameters all archers of the event.
    public init(category: Int64 = 0, session: Int64 = 0, club: String = "") {
      (self.category, self.session, self.club) = (category, session, club)
    }
  }

  /// The id that the server assigned to the event.
  public let event: Int64
  /// The part that is shown.
  public private(set) var part: Part
  /// The rows, ranked ones first; empty before the first load of the part, and after an error.
  public var rows: [CategoryStandingsRow] { answer?.rows ?? [] }
  /// The tie policy; nil: nothing was loaded.
  public var policy: TiePolicyInfo? { answer?.policy }
  /// Whether the event is not finalised yet.
  public var isProvisional: Bool { answer?.provisional ?? true }
  /// The number of ranked archers who have arrows left to shoot.
  public var shootingCount: Int { Int(answer?.shootingCount ?? 0) }
  /// The number of ranked archers whose card archer and scorer have not both confirmed.
  public var unconfirmedCount: Int { Int(answer?.unconfirmedCount ?? 0) }
  /// What is not finished of the qualification, although the event is finalised.
  public var openSteps: [EventStep] { answer?.openSteps ?? [] }
  /// The load state of the standings.
  public internal(set) var state = LoadState.idle(staleSince: nil)
  /// Why the last tie was not decided; nil if it was. A screen sets it to nil.
  public var changeError: SessionError?
  var answer: GetCategoryStandingsResponse?

  @ObservationIgnored let session: OfflineSession
  @ObservationIgnored var reads = ReadOrder()

  /// Shows this device's state once it is read, and each later change.
  public init(_ session: OfflineSession, event: Int64, part: Part = Part()) {
    self.session = session
    self.event = event
    self.part = part
    startShowing()
  }

  /// Loads the standings of the part; without a connection the last ones stay.
  ///
  /// Throws and sets ``state`` to failed if there are none, and for errors that a retry does not
  /// solve.
  public func load() async throws(SessionError) { try await loadContent() }

  /// Shows the standings of another part, and loads them.
  public func choose(_ part: Part) async throws(SessionError) {
    guard part != self.part else { return }
    try await select { self.part = part }
  }

  /// Whether archer and scorer have confirmed the card of a row.
  public static func isConfirmed(_ row: CategoryStandingsRow) -> Bool {
    row.card?.status == .confirmed
  }

  /// Shows this device's state again after a failed load.
  public func clearError() async { await clearFailure() }

  /// Reads this device's state; sends nothing to the server. Does nothing after a failed load.
  public func refresh() async { await showContent() }

  static let contentName = "standings"
  var selection: String { answerName }
  var answerName: String { "standings \(event) \(part.category) \(part.session) \(part.club)" }

  var question:
    @Sendable (OfflineSession) async throws(SessionError) -> GetCategoryStandingsResponse
  {
    let (event, part) = (event, part)
    return { (session) throws(SessionError) in try await session.standings(of: event, part) }
  }
}

extension OfflineSession {
  private static let standingsPageSize: UInt32 = 500

  /// The standings of a part with all their pages, up to the limit of participants.
  fileprivate func standings(
    of event: Int64, _ part: CategoryStandingsModel.Part
  ) async throws(SessionError) -> GetCategoryStandingsResponse {
    var request = GetCategoryStandingsRequest()
    (request.tournamentID, request.categoryID) = (event, part.category)
    (request.sessionID, request.club) = (part.session, part.club)
    request.pageSize = Self.standingsPageSize
    var all = try await call(Events.getCategoryStandings, request)
    while !all.nextPageToken.isEmpty, all.rows.count < configuration.limits.maxParticipants {
      request.pageToken = all.nextPageToken
      let page = try await call(Events.getCategoryStandings, request)
      all.rows += page.rows
      all.nextPageToken = page.nextPageToken
    }
    return all
  }
}
