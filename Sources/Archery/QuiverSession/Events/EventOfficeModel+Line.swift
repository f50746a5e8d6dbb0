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
    let event = event
    let request = SendEventNoticeRequest.with { request in
      (request.tournamentID, request.text, request.isPublic) = (event, text, isPublic)
      request.sessionID = id
      request.firstTarget = UInt32(clamping: targets?.lowerBound ?? 0)
      request.lastTarget = UInt32(clamping: targets?.upperBound ?? 0)
    }
    return try await change("send a notice") { (session) async throws(SessionError) in
      let notice = try await session.once(Events.sendEventNotice, request)
      let store = try session.store()
      try await store.write { (transaction) throws(SessionError) in
        try transaction.takeNotices(
          .with { $0.notices = [notice] }, of: event, limits: store.limits)
      }
      return notice
    }
  }

  /// Notes that nobody shoots from now on, for a reason of 1 to 200 characters. Arrows are entered
  /// as before.
  public func pauseShooting(reason: String) async throws(SessionError) {
    let event = event
    try await changePause(
      "pause the shooting", Events.pauseShooting,
      .with { ($0.tournamentID, $0.reason) = (event, reason) })
  }

  /// Notes that the shooting goes on.
  public func resumeShooting() async throws(SessionError) {
    let event = event
    try await changePause(
      "resume the shooting", Events.resumeShooting, .with { $0.tournamentID = event })
  }

  /// Has the change made once, and loads the office; without a connection the next load shows it.
  private func changePause<Request: Message>(
    _ operation: String, _ method: UnaryMethod<Request, ShootingPause>, _ request: Request
  ) async throws(SessionError) {
    let event = event
    try await change(operation) { (session) async throws(SessionError) in
      let pause = try await session.once(method, request)
      let store = try session.store()
      try await store.write { (transaction) throws(SessionError) in
        try transaction.takePause(pause, of: event, limits: store.limits)
      }
    }
    try? await load()
  }
}
