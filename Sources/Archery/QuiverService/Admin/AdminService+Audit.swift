import QuiverAPI
import QuiverRPC
import QuiverStore

extension AdminService {
  func listAudit(
    _ request: ListAuditRequest, _ call: CallContext
  ) throws -> ListAuditResponse {
    _ = try call.administrator()
    var filter = AuditFilter()
    filter.fromMilliseconds = request.fromMilliseconds
    filter.untilMilliseconds = request.untilMilliseconds
    filter.principal = request.principalID
    filter.objectID = request.objectID
    filter.action = request.action
    if !request.objectKind.isEmpty {
      guard let kind = AuditedKind.kind(named: request.objectKind) else {
        throw RPCError.invalid(
          "object_kind", "must be one of \(AuditedKind.names.joined(separator: ", "))")
      }
      filter.kind = kind
    }
    let wanted = filter
    let page = try commands.store.read { (snapshot) throws(StoreError) in
      try snapshot.audit(wanted, pageSize: request.pageSize, pageToken: request.pageToken)
    }
    var response = ListAuditResponse()
    response.entries = page.items.map(QuiverAPI.AuditEntry.init)
    response.nextPageToken = page.nextPageToken
    return response
  }

  func transferTournament(
    _ request: TransferTournamentRequest, _ call: CallContext,
    _ responder: Responder<TransferTournamentResponse>
  ) throws {
    let caller = try call.administrator()
    let command = TransferTournament(id: request.tournamentID, organiser: request.organiserID)
    commands.submit(command, by: caller, call, responder) { reply in
      var response = TransferTournamentResponse()
      response.tournamentID = reply.id
      response.organiserID = reply.organiser
      response.previousOrganiserID = reply.previous
      return response
    }
  }
}

extension QuiverAPI.AuditEntry {
  init(_ record: AuditRecord) {
    self.init()
    sequence = record.sequence
    atMilliseconds = record.atMilliseconds
    actorID = record.actor
    principalID = record.principal
    tokenID = record.tokenID
    action = record.entry.action
    objectKind = AuditedKind.name(of: record.entry.kind)
    objectID = record.entry.objectID
    topicID = record.entry.topic
    before = record.entry.before
    after = record.entry.after
    device = record.entry.device
    reason = record.entry.reason
  }
}

/// The words for kinds of objects in the audit.
enum AuditedKind {
  private static let words: [(kind: ObjectKind, name: String)] = [
    (ObjectKind(rawValue: 0), "server"), (.principal, "principal"), (.token, "token"),
    (.invite, "invite"), (.preference, "preference"), (.actingGrant, "acting-grant"),
    (.shareInvite, "share-invite"),
    (.certificateBinding, "certificate-binding"), (.equipment, "equipment"),
    (.bowSetup, "bow-setup"), (.sightMark, "sight-mark"), (.roundFormat, "round-format"),
    (.session, "session"), (.participant, "participant"), (.round, "round"),
    (.tournament, "tournament"), (.lateOperation, "late-operation"), (.membership, "membership"),
    (.weightEntry, "weight-entry"), (.weightPlan, "weight-plan"), (.liftSet, "lift-set"),
    (.strengthLog, "strength-log"),
  ]

  static var names: [String] { words.map(\.name) }

  static func kind(named name: String) -> ObjectKind? {
    words.first { $0.name == name }?.kind
  }

  static func name(of kind: ObjectKind) -> String {
    words.first { $0.kind == kind }?.name ?? "\(kind.rawValue)"
  }
}
