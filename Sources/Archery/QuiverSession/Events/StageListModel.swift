public import Observation
public import QuiverAPI
import QuiverProtobuf
import QuiverRPC
import QuiverWire

/// The elimination stages of an event; organisers cut categories, teams and groups to new ones.
///
/// Without a connection the last list stays, and cuts are refused. A cut has its effect once, also
/// if its reply is lost and it is made again.
@MainActor
@Observable
public final class StageListModel: EventAnswerModel, OrganisedModel {
  /// The id that the server assigned to the event.
  public let event: Int64
  /// The stages by their ids; empty before the first load, and after an error.
  public var stages: [EliminationStage] { answer?.stages ?? [] }
  /// The load state of the list.
  public internal(set) var state = LoadState.idle(staleSince: nil)
  /// Why the last cut or deletion was not made; nil if it was. A screen sets it to nil.
  public var changeError: SessionError?
  var answer: ListStagesResponse?

  @ObservationIgnored let session: OfflineSession
  @ObservationIgnored var reads = ReadOrder()

  /// Shows this device's state once it is read, and each later change.
  public init(_ session: OfflineSession, event: Int64) {
    self.session = session
    self.event = event
    startShowing()
  }

  /// Loads the stages; without a connection the last ones stay.
  ///
  /// Throws and sets ``state`` to failed if there are none, and for errors that a retry does not
  /// solve.
  public func load() async throws(SessionError) { try await loadContent() }

  /// Shows this device's state again after a failed load.
  public func clearError() async { await clearFailure() }

  /// Reads this device's state; sends nothing to the server. Does nothing after a failed load.
  public func refresh() async { await showContent() }

  static let contentName = "stages"
  var answerName: String { "stages \(event)" }

  var question: @Sendable (OfflineSession) async throws(SessionError) -> ListStagesResponse {
    let event = event
    return { (session) throws(SessionError) in
      try await session.call(Elimination.listStages, .with { $0.tournamentID = event })
    }
  }
}
