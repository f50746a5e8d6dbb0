public import Observation
public import QuiverAPI
import QuiverProtobuf
import QuiverRPC
public import QuiverRules
import QuiverWire

/// The ends of an event on which two cards differ, for the judge who rules on them.
///
/// Without a connection the last list stays; rulings need a connection.
@MainActor
@Observable
public final class CardDisputesModel: EventAnswerModel, OrganisedModel {
  /// The id that the server assigned to the event.
  public let event: Int64
  /// The disputes by participant and end; empty before the first load, and after an error.
  public var disputes: [CardDispute] { answer?.disputes ?? [] }
  /// The load state of the list.
  public internal(set) var state = LoadState.idle(staleSince: nil)
  /// Why the last ruling was not made; nil if it was. A screen sets it to nil.
  public var changeError: SessionError?
  var answer: ListCardDisputesResponse?

  @ObservationIgnored let session: OfflineSession
  @ObservationIgnored var reads = ReadOrder()

  /// Shows this device's state once it is read, and each later change.
  public init(_ session: OfflineSession, event: Int64) {
    self.session = session
    self.event = event
    startShowing()
  }

  /// Loads the disputes; without a connection the last ones stay.
  ///
  /// Throws and sets ``state`` to failed if there are none, and for errors that a retry does not
  /// solve.
  public func load() async throws(SessionError) { try await loadContent() }

  /// Rules on a dispute, as a judge or an organiser: these arrows count. `reason` has 1 to 200
  /// characters. Has its effect once, also if the reply is lost and the same ruling is made again.
  public func rule(
    _ dispute: CardDispute, _ arrows: [ArrowScore], reason: String
  ) async throws(SessionError) {
    try await organise(
      "rule on an end", Events.ruleOnEnd,
      keep: { (transaction, card) throws(SessionError) in try transaction.takeChanged(card) },
      { request in
        (request.participantID, request.endIndex) = (dispute.participantID, dispute.endIndex)
        (request.arrows, request.reason) = (arrows.map { MatchArrow($0) }, reason)
      })
  }

  /// Shows this device's state again after a failed load.
  public func clearError() async { await clearFailure() }

  /// Reads this device's state; sends nothing to the server. Does nothing after a failed load.
  public func refresh() async { await showContent() }

  static let contentName = "disputes"
  var answerName: String { "disputes \(event)" }

  var question: @Sendable (OfflineSession) async throws(SessionError) -> ListCardDisputesResponse {
    let event = event
    return { (session) throws(SessionError) in try await session.disputes(of: event) }
  }
}

extension OfflineSession {
  private static let disputePageSize: UInt32 = 500

  /// All disputes of an event, up to the limit of objects on this device.
  fileprivate func disputes(of event: Int64) async throws(SessionError) -> ListCardDisputesResponse
  {
    var request = ListCardDisputesRequest()
    (request.tournamentID, request.pageSize) = (event, Self.disputePageSize)
    var all = ListCardDisputesResponse()
    repeat {
      let page = try await call(Events.listCardDisputes, request)
      all.disputes += page.disputes
      request.pageToken = page.nextPageToken
    } while try goesOn(request.pageToken, all.disputes.count)
    return all
  }
}
