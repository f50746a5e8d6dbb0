public import Observation
public import QuiverAPI
import QuiverProtobuf
import QuiverRPC
import QuiverWire

/// The office of an event: the steps of the day with what is missing, the officials, and which
/// device scores which target.
///
/// Without a connection it shows what the server last sent. Changes need a connection and the role
/// of an organiser; each has its effect once, also if its reply is lost and it is made again.
@MainActor
@Observable
public final class EventOfficeModel: OrganisedModel {
  /// The id that the server assigned to the event.
  public let event: Int64
  /// The steps of the day; empty before the first load, and after an error.
  public private(set) var steps: [EventStep] = []
  /// The pauses of the shooting, newest first.
  public private(set) var pauses: [ShootingPause] = []
  /// The officials, without the organiser who created the event.
  public private(set) var officials: [EventOfficial] = []
  /// The leases of scoring devices, by session, target and card.
  public private(set) var leases: [TargetLease] = []
  /// Whether only devices with a lease score.
  public private(set) var demandsLeases = false
  /// The load state of the office.
  public internal(set) var state = LoadState.idle(staleSince: nil)
  /// Why the last change was not made; nil if it was. A screen sets it to nil.
  public var changeError: SessionError?

  @ObservationIgnored let session: OfflineSession
  @ObservationIgnored var reads = ReadOrder()

  /// Shows this device's state once it is read, and each later change.
  public init(_ session: OfflineSession, event: Int64) {
    self.session = session
    self.event = event
    startShowing(changesOf: .eventAnswer(OfficeNames(event).leases))
  }

  /// Loads the steps, the officials and the leases; without a connection the last ones stay.
  ///
  /// Throws and sets ``state`` to failed if there are none, and for errors that a retry does not
  /// solve.
  public func load() async throws(SessionError) { try await loadContent() }

  /// Starts the event, or resumes it after a pause.
  ///
  /// An event in which nobody takes part is refused with the field `anyway`, unless that is set.
  public func start(anyway: Bool = false) async throws(SessionError) {
    try await organise("start the event", Tournament.startTournament) {
      ($0.id, $0.anyway) = (event, anyway)
    }
  }

  /// Finalises the event.
  ///
  /// While ``steps`` that results need are open, it is refused with the field `anyway`, unless that
  /// is set. Arrows that were not shot are none of them.
  public func finalise(anyway: Bool = false) async throws(SessionError) {
    try await organise("finalise the event", Tournament.finaliseTournament) {
      ($0.id, $0.anyway) = (event, anyway)
    }
  }

  /// Gives a user a role, instead of the one that it has: somebody who has a part in an event of
  /// this user's.
  public func appoint(_ principal: Int64, as role: EventRole) async throws(SessionError) {
    try await organise("appoint an official", Events.setEventOfficial) {
      ($0.tournamentID, $0.principalID, $0.role) = (event, principal, role)
    }
  }

  /// Gives who shows this code a role, instead of the one that it has.
  public func appoint(code: String, as role: EventRole) async throws(SessionError) {
    try await organise("appoint an official", Events.setEventOfficial) {
      ($0.tournamentID, $0.principalCode, $0.role) = (event, code, role)
    }
  }

  /// A code with which an organiser of any event appoints this user. Needs a connection.
  public func introductionCode() async throws(SessionError) -> IntroductionCode {
    try await session.call(Account.getIntroductionCode, GetIntroductionCodeRequest())
  }

  /// Removes the role of a user.
  public func dismiss(_ principal: Int64) async throws(SessionError) {
    try await organise("dismiss an official", Events.removeEventOfficial) {
      ($0.tournamentID, $0.principalID) = (event, principal)
    }
  }

  /// Demands leases, or ends them; new codes invalidate those that were printed before.
  public func demandLeases(
    _ demanded: Bool, newCodes: Bool = false
  ) async throws(SessionError) {
    try await organise("change the leases", Events.setEventLeases) {
      ($0.tournamentID, $0.demanded, $0.newCodes) = (event, demanded, newCodes)
    }
  }

  /// Ends a lease, for example of a device whose battery is empty.
  public func end(_ lease: TargetLease) async throws(SessionError) {
    try await organise("end a lease", Events.leaveTarget) { request in
      (request.tournamentID, request.sessionID) = (event, lease.sessionID)
      (request.target, request.card) = (lease.target, lease.card)
    }
  }

  /// The codes with which devices join the targets of a session. Needs a connection; codes are not
  /// stored on this device.
  public func codes(ofSession id: Int64) async throws(SessionError) -> [TargetCode] {
    try await session.call(
      Events.listTargetCodes, .with { ($0.tournamentID, $0.sessionID) = (event, id) }
    ).codes
  }

  /// Shows this device's state again after a failed load.
  public func clearError() async { await clearFailure() }

  /// Reads this device's state; sends nothing to the server. Does nothing after a failed load.
  public func refresh() async { await showContent() }

  static let contentName = "the office of an event"
  var hasContent: Bool { !steps.isEmpty }

  var fetch: Fetch {
    let (session, event) = (session, event)
    return { (store) throws(SessionError) in try await session.fetchOffice(of: event, store) }
  }

  func read() async throws(SessionError) -> (content: EventOfficeContent, fetchedAt: Int64?) {
    let names = OfficeNames(event)
    return try await session.store().read { (transaction) throws(SessionError) in
      var content = EventOfficeContent()
      let steps: (answer: GetEventProgressResponse, fetchedAt: Int64)? =
        try transaction.eventAnswer(names.steps)
      content.steps = steps?.answer.steps ?? []
      content.pauses = steps?.answer.pauses ?? []
      content.officials = try transaction.eventAnswer(names.officials)?.answer ?? .init()
      content.leases = try transaction.eventAnswer(names.leases)?.answer ?? .init()
      return (content, steps?.fetchedAt)
    }
  }

  func show(_ content: EventOfficeContent?) {
    steps = content?.steps ?? []
    pauses = content?.pauses ?? []
    officials = content?.officials.officials ?? []
    leases = content?.leases.leases ?? []
    demandsLeases = content?.leases.demanded ?? false
  }
}

/// What a model of an office reads from this device.
struct EventOfficeContent: Sendable {
  var steps: [EventStep] = []
  var pauses: [ShootingPause] = []
  var officials = ListEventOfficialsResponse()
  var leases = ListTargetLeasesResponse()
}

/// The names under which the parts of an office are stored.
private struct OfficeNames: Sendable {
  let steps: String
  let officials: String
  let leases: String

  init(_ event: Int64) {
    (steps, officials, leases) = ("steps \(event)", "officials \(event)", "leases \(event)")
  }
}

extension OfflineSession {
  /// Fetches the steps, the officials and the leases of an event.
  fileprivate func fetchOffice(
    of event: Int64, _ store: LocalStore
  ) async throws(SessionError) {
    let steps = try await call(Events.getEventProgress, .with { $0.tournamentID = event })
    let officials = try await call(Events.listEventOfficials, .with { $0.tournamentID = event })
    let leases = try await call(Events.listTargetLeases, .with { $0.tournamentID = event })
    let names = OfficeNames(event)
    try await store.write { (transaction) throws(SessionError) in
      try transaction.keepEventAnswer(names.steps, steps, limits: store.limits)
      try transaction.keepEventAnswer(names.officials, officials, limits: store.limits)
      try transaction.keepEventAnswer(names.leases, leases, limits: store.limits)
    }
  }
}
