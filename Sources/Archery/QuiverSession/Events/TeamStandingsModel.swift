public import Observation
public import QuiverAPI
import QuiverProtobuf
import QuiverRPC
import QuiverWire

/// The teams of clubs or countries in a category, ranked by the sums of their best archers.
///
/// Without a connection the last standings of the same teams stay. ``StageListModel`` cuts them.
@MainActor
@Observable
public final class TeamStandingsModel: EventAnswerModel {
  /// Which teams are ranked among themselves.
  public struct Part: Sendable, Hashable {
    /// The id of the category.
    public var category: Int64
    /// Of mixed teams the id of the category of the other gender; else 0.
    public var secondCategory: Int64
    /// How their matches are scored: it has the number of archers of a team.
    public var system: MatchSystem
    /// What the archers of a team have in common.
    public var group: TeamGroup

    /// The teams of a category.
    public init(
      category: Int64, secondCategory: Int64 = 0, system: MatchSystem = .teamSets,
      group: TeamGroup = .club
    ) {
      (self.category, self.secondCategory) = (category, secondCategory)
      (self.system, self.group) = (system, group)
    }
  }

  /// The id that the server assigned to the event.
  public let event: Int64
  /// The teams that are shown.
  public private(set) var part: Part
  /// The best teams, at most 500; empty before the first load of the part, and after an error.
  public var rows: [TeamStandingsRow] { answer?.rows ?? [] }
  /// The number of all teams.
  public var teamCount: Int { Int(answer?.rowCount ?? 0) }
  /// The tie policy; nil: nothing was loaded.
  public var policy: TiePolicyInfo? { answer?.policy }
  /// The load state of the standings.
  public internal(set) var state = LoadState.idle(staleSince: nil)
  var answer: GetTeamStandingsResponse?

  @ObservationIgnored let session: OfflineSession
  @ObservationIgnored var reads = ReadOrder()

  /// Shows this device's state once it is read, and each later change.
  public init(_ session: OfflineSession, event: Int64, part: Part) {
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

  /// Shows the standings of other teams, and loads them.
  public func choose(_ part: Part) async throws(SessionError) {
    guard part != self.part else { return }
    try await select { self.part = part }
  }

  /// The teams that share the last rank of a cut to so many teams, if not all of them advance.
  ///
  /// A cut needs the names of all of them in the order in which the tie was decided:
  /// ``StageListModel/cutTeams(_:to:hasBronzeMatch:seed:tie:)``.
  public func rowsTied(acrossCutTo size: Int) -> [TeamStandingsRow] {
    guard rows.indices.contains(size - 1) else { return [] }
    let rank = rows[size - 1].rank
    let sharing = rows.filter { $0.rank == rank }
    return spansCut(from: Int(rank), count: sharing.count, to: size) ? sharing : []
  }

  /// Shows this device's state again after a failed load.
  public func clearError() async { await clearFailure() }

  /// Reads this device's state; sends nothing to the server. Does nothing after a failed load.
  public func refresh() async { await showContent() }

  static let contentName = "standings of teams"
  var selection: String { answerName }
  var answerName: String {
    "teams \(event) \(part.category) \(part.secondCategory) \(part.system.rawValue)"
      + " \(part.group.rawValue)"
  }

  var question: @Sendable (OfflineSession) async throws(SessionError) -> GetTeamStandingsResponse {
    let (event, part) = (event, part)
    return { (session) throws(SessionError) in
      try await session.call(
        Events.getTeamStandings,
        .with { request in
          (request.tournamentID, request.categoryID) = (event, part.category)
          (request.secondCategoryID, request.system) = (part.secondCategory, part.system)
          request.group = part.group
        })
    }
  }
}
