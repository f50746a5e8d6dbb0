public import QuiverAPI
import QuiverProtobuf
import QuiverRPC
import QuiverWire

/// What organisers and judges tell the line. ``EventNoticesModel`` shows it on all devices.
extension EventOfficeModel {
  /// The pause of the shooting; nil: there is none.
  public var pause: ShootingPause? { pauses.first { $0.endedAtMilliseconds == 0 } }

  /// Sends a notice of 1 to 300 characters to those who take part, if `isPublic` to everybody who
  /// sees the event.
  ///
  /// It is for all, for a session, or for some targets of it. Has its effect once, also if the
  /// reply is lost and the same notice is sent again.
  @discardableResult
  public func send(
    _ text: String, isPublic: Bool = false, toSession id: Int64 = 0,
    targets: ClosedRange<Int>? = nil
  ) async throws(SessionError) -> EventNotice {
    let (event, limits) = (event, session.configuration.limits)
    return try await organise(
      "send a notice", Events.sendEventNotice,
      keep: { (transaction, notice) throws(SessionError) in
        try transaction.takeNotices(.with { $0.notices = [notice] }, of: event, limits: limits)
      },
      { (request: inout SendEventNoticeRequest) throws(SessionError) in
        (request.tournamentID, request.text, request.isPublic) = (event, text, isPublic)
        request.sessionID = id
        request.firstTarget = try UInt32(targets?.lowerBound ?? 0, field: "first_target")
        request.lastTarget = try UInt32(targets?.upperBound ?? 0, field: "last_target")
      })
  }

  /// Notes that nobody shoots from now on, for a reason of 1 to 200 characters. Arrows are entered
  /// as before.
  public func pauseShooting(reason: String) async throws(SessionError) {
    let event = event
    try await changePause("pause the shooting", Events.pauseShooting) {
      ($0.tournamentID, $0.reason) = (event, reason)
    }
  }

  /// Notes that the shooting goes on.
  public func resumeShooting() async throws(SessionError) {
    let event = event
    try await changePause("resume the shooting", Events.resumeShooting) {
      $0.tournamentID = event
    }
  }

  private func changePause<Request: Message>(
    _ operation: String, _ method: UnaryMethod<Request, ShootingPause>,
    _ fill: (inout Request) throws(SessionError) -> Void
  ) async throws(SessionError) {
    let (event, limits) = (event, session.configuration.limits)
    try await organise(
      operation, method,
      keep: { (transaction, pause) throws(SessionError) in
        try transaction.takePause(pause, of: event, limits: limits)
      }, fill)
  }
}
