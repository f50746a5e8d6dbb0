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
public final class CardDisputesModel: EventAnswerModel {
  /// The id that the server assigned to the event.
  public let event: Int64
  /// The disputes by participant and end; empty before the first load, and after an error.
  public private(set) var disputes: [CardDispute] = []
  /// The load state of the list.
  public internal(set) var state = LoadState.idle(staleSince: nil)

  @ObservationIgnored let session: OfflineSession
  @ObservationIgnored var reads = ReadOrder()
  @ObservationIgnored private var isLoaded = false

  /// Shows this device's state once it is read, and each later change.
  public init(_ session: OfflineSession, event: Int64) {
    self.session = session
    self.event = event
    let key = ChangeKey.eventAnswer(answerName)
    startShowing { !$0.isDisjoint(with: [key, .connection]) }
  }

  /// Loads the disputes; without a connection the last ones stay.
  ///
  /// Throws and sets ``state`` to failed if there are none, and for errors that a retry does not
  /// solve.
  public func load() async throws(SessionError) {
    let event = event
    try await loadAnswer { (session) throws(SessionError) in
      try await session.disputes(of: event)
    }
  }

  /// Rules on a dispute, as a judge or an organiser: these arrows count. `reason` has 1 to 200
  /// characters. Has its effect once, also if the reply is lost and the same ruling is made again.
  public func rule(
    _ dispute: CardDispute, _ arrows: [ArrowScore], reason: String
  ) async throws(SessionError) {
    var request = RuleOnEndRequest()
    (request.participantID, request.endIndex) = (dispute.participantID, dispute.endIndex)
    request.arrows = arrows.map { score in
      .with { ($0.value, $0.isX) = (UInt32(clamping: score.value), score.isX) }
    }
    request.reason = reason
    let (ruling, event, name) = (request, event, answerName)
    try await change("rule on an end") { (session) async throws(SessionError) in
      let card = try await session.once(Events.ruleOnEnd, ruling)
      try await session.store().write { (transaction) throws(SessionError) in
        try transaction.takeChanged(card)
      }
      // Without a connection the next load shows it.
      _ = await session.load { (store) throws(SessionError) in
        let left = try await session.disputes(of: event)
        try await store.write { (transaction) throws(SessionError) in
          try transaction.keepEventAnswer(name, left, limits: store.limits)
        }
      }
    }
  }

  /// Shows this device's state again after a failed load.
  public func clearError() async { await clearFailure() }

  /// Reads this device's state; sends nothing to the server. Does nothing after a failed load.
  public func refresh() async { await showContent() }

  typealias Answer = ListCardDisputesResponse
  static let contentName = "disputes"
  var hasContent: Bool { isLoaded }
  var answerName: String { "disputes \(event)" }

  func show(_ content: EventAnswerContent<ListCardDisputesResponse>?) {
    disputes = content?.answer?.disputes ?? []
    isLoaded = content?.answer != nil
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
