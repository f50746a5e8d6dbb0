public import Observation
public import QuiverAPI
import QuiverProtobuf
import QuiverRPC
import QuiverWire

/// The final results of an event that was finalised.
///
/// Without a connection the last results stay. An event that is not finalised has none: loading
/// them is an error.
@MainActor
@Observable
public final class EventResultsModel: EventAnswerModel {
  /// The id that the server assigned to the event.
  public let event: Int64
  /// The rows, ranked ones first, of at most ``SessionLimits/maxParticipants``; empty before the
  /// first load, and after an error.
  public var rows: [LeaderboardRow] { answer?.rows ?? [] }
  /// The row of this user; nil: this user takes no part, or nothing was loaded.
  public var ownRow: LeaderboardRow? { rows.first(where: \.isCaller) }
  /// The tie policy; nil: nothing was loaded.
  public var policy: TiePolicyInfo? { answer?.policy }
  /// The number of operations that wait for a decision of the organiser.
  public var lateCount: Int { Int(answer?.lateCount ?? 0) }
  /// What is not finished, although the event is finalised; empty: nothing.
  public var openSteps: [EventStep] { answer?.openSteps ?? [] }
  /// The load state of the results.
  public internal(set) var state = LoadState.idle(staleSince: nil)
  var answer: GetResultsResponse?

  @ObservationIgnored let session: OfflineSession
  @ObservationIgnored var reads = ReadOrder()

  /// Shows this device's state once it is read, and each later change.
  public init(_ session: OfflineSession, event: Int64) {
    self.session = session
    self.event = event
    startShowing()
  }

  /// Loads the results; without a connection the last ones stay.
  ///
  /// Throws and sets ``state`` to failed if there are none, and for errors that a retry does not
  /// solve.
  public func load() async throws(SessionError) { try await loadContent() }

  /// Shows this device's state again after a failed load.
  public func clearError() async { await clearFailure() }

  /// Reads this device's state; sends nothing to the server. Does nothing after a failed load.
  public func refresh() async { await showContent() }

  static let contentName = "results"
  private static let pageSize: UInt32 = 500
  var answerName: String { "results \(event)" }

  var question: @Sendable (OfflineSession) async throws(SessionError) -> GetResultsResponse {
    var first = GetResultsRequest()
    (first.tournamentID, first.pageSize) = (event, Self.pageSize)
    let request = first
    return { (session) throws(SessionError) in
      var request = request
      var all = try await session.call(Tournament.getResults, request)
      let limit = session.configuration.limits.maxParticipants
      while !all.nextPageToken.isEmpty, all.rows.count < limit {
        request.pageToken = all.nextPageToken
        let page = try await session.call(Tournament.getResults, request)
        all.rows += page.rows
        all.nextPageToken = page.nextPageToken
      }
      return all
    }
  }
}
