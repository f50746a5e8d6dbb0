public import Observation
public import QuiverAPI
import QuiverProtobuf
import QuiverRPC
import QuiverWire

/// The tournaments of this user, or all public ones; creates tournaments and joins them.
///
/// Without a connection the last list stays, and changes are refused. A change has its effect once,
/// also if its reply is lost and it is made again. ``OfflineSession/loadTournament(_:)`` downloads
/// a tournament of the list, so that ``ScoringModel`` can score it.
@MainActor
@Observable
public final class TournamentListModel: EventAnswerModel, OrganisedModel {
  /// Which tournaments are shown.
  public enum Part: Sendable, Hashable {
    /// Those that this user organises, scores or takes part in.
    case own
    /// All public ones.
    case everybodys
  }

  /// The tournaments that are shown.
  public private(set) var part: Part
  /// At most ``SessionLimits/maxFetchedObjects`` tournaments; empty before the first load of the
  /// part, and after an error.
  public var tournaments: [TournamentEvent] { answer?.tournaments ?? [] }
  /// The load state of the list.
  public internal(set) var state = LoadState.idle(staleSince: nil)
  /// Why the last tournament was not created or joined; nil if it was. A screen sets it to nil.
  public var changeError: SessionError?
  var answer: ListTournamentsResponse?

  @ObservationIgnored let session: OfflineSession
  @ObservationIgnored var reads = ReadOrder()

  /// Shows this device's state once it is read, and each later change.
  public init(_ session: OfflineSession, part: Part = .own) {
    self.session = session
    self.part = part
    startShowing()
  }

  /// Loads the part; without a connection the last list of it stays.
  ///
  /// Throws and sets ``state`` to failed if there is none, and for errors that a retry does not
  /// solve.
  public func load() async throws(SessionError) { try await loadContent() }

  /// Shows another part, and loads it.
  public func choose(_ part: Part) async throws(SessionError) {
    guard part != self.part else { return }
    try await select { self.part = part }
  }

  /// Creates a tournament in a library format, or an own one; `fill` sets further fields.
  @discardableResult
  public func create(
    _ name: String, format: FormatReference,
    _ fill: (inout CreateTournamentRequest) -> Void = { _ in }
  ) async throws(SessionError) -> TournamentEvent {
    try await organise("create a tournament", Tournament.createTournament) { request in
      fill(&request)
      (request.name, request.format) = (name, format)
    }
  }

  /// Joins the tournament of a code, with a bow setup by the id that the server assigned; 0: none.
  @discardableResult
  public func join(code: String, setup: Int64 = 0) async throws(SessionError) -> Participant {
    try await organise("join a tournament", Tournament.joinTournament) {
      ($0.joinCode, $0.setupID) = (code, setup)
    }
  }

  /// Joins a public tournament, with a bow setup by the id that the server assigned; 0: none.
  @discardableResult
  public func join(
    _ tournament: TournamentEvent, setup: Int64 = 0
  ) async throws(SessionError) -> Participant {
    try await organise("join a tournament", Tournament.joinTournament) {
      ($0.tournamentID, $0.setupID) = (tournament.id, setup)
    }
  }

  /// Shows this device's state again after a failed load.
  public func clearError() async { await clearFailure() }

  /// Reads this device's state; sends nothing to the server. Does nothing after a failed load.
  public func refresh() async { await showContent() }

  static let contentName = "tournaments"
  private static let pageSize: UInt32 = 500
  var selection: String { answerName }
  var answerName: String { part == .own ? "tournaments" : "public tournaments" }

  var question: @Sendable (OfflineSession) async throws(SessionError) -> ListTournamentsResponse {
    var first = ListTournamentsRequest()
    (first.publicOnly, first.pageSize) = (part == .everybodys, Self.pageSize)
    let request = first
    return { (session) throws(SessionError) in
      var request = request
      var all = try await session.call(Tournament.listTournaments, request)
      let limit = session.configuration.limits.maxFetchedObjects
      while !all.nextPageToken.isEmpty, all.tournaments.count < limit {
        request.pageToken = all.nextPageToken
        let page = try await session.call(Tournament.listTournaments, request)
        all.tournaments += page.tournaments
        all.nextPageToken = page.nextPageToken
      }
      return all
    }
  }
}
