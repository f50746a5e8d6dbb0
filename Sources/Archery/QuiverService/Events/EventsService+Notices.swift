import QuiverAPI
import QuiverProtobuf
import QuiverRPC
import QuiverRules
import QuiverStore

extension EventsService {
  var noticeRoutes: [Route] {
    [
      .responding(Events.sendEventNotice, sendNotice),
      .reading(Events.listEventNotices, commands, listNotices),
      .responding(Events.pauseShooting, pauseShooting),
      .responding(Events.resumeShooting, resumeShooting),
    ]
  }

  func sendNotice(
    _ request: SendEventNoticeRequest, _ call: CallContext, _ responder: Responder<EventNotice>
  ) throws {
    let caller = try commands.commandCaller(call)
    var content = EventNoticeContent()
    content.text = request.text
    content.isPublic = request.isPublic
    content.session = request.sessionID
    content.firstTarget = request.firstTarget
    content.lastTarget = request.lastTarget
    commands.submit(
      try SendNotice(content, to: request.tournamentID), by: caller, call, responder
    ) { EventNotice($0) }
  }

  func listNotices(
    _ request: ListEventNoticesRequest, _ call: CallContext
  ) throws -> ListEventNoticesResponse {
    let viewer = try call.viewer(of: request.tournamentID)
    var response = ListEventNoticesResponse()
    response.notices = try commands.store.read { (snapshot) throws(StoreError) in
      try snapshot.notices(event: request.tournamentID, principal: viewer.principal)
        .map(EventNotice.init)
    }
    return response
  }

  func pauseShooting(
    _ request: PauseShootingRequest, _ call: CallContext, _ responder: Responder<ShootingPause>
  ) throws {
    let caller = try commands.commandCaller(call)
    commands.submit(
      try PauseShooting(request.tournamentID, reason: request.reason), by: caller, call, responder
    ) { ShootingPause($0) }
  }

  func resumeShooting(
    _ request: ResumeShootingRequest, _ call: CallContext, _ responder: Responder<ShootingPause>
  ) throws {
    let caller = try commands.commandCaller(call)
    commands.submit(
      ResumeShooting(request.tournamentID, pause: request.pauseID), by: caller, call, responder
    ) {
      ShootingPause($0)
    }
  }
}

extension EventNotice {
  init(_ record: EventNoticeRecord) {
    self.init()
    id = record.id
    tournamentID = record.event
    text = record.content.text
    isPublic = record.content.isPublic
    sessionID = record.content.session
    firstTarget = record.content.firstTarget
    lastTarget = record.content.lastTarget
    authorRole = QuiverAPI.EventRole(rawValue: record.authorRole.rawValue)
    sentAtMilliseconds = record.sentAtMilliseconds
  }
}

extension ShootingPause {
  init(_ record: ShootingPauseRecord) {
    self.init()
    id = record.id
    tournamentID = record.event
    reason = record.reason
    startedAtMilliseconds = record.startedAtMilliseconds
    startedBy = record.startedByName
    startedByRole = QuiverAPI.EventRole(rawValue: record.startedByRole.rawValue)
    endedAtMilliseconds = record.endedAtMilliseconds ?? 0
    endedBy = record.endedByName
  }
}
