import QuiverAPI
import QuiverCalendar
import QuiverRPC
import QuiverStore

extension AccountService {
  func shareData(
    _ request: ShareDataRequest, _ call: CallContext, _ responder: Responder<Share>
  ) throws {
    let caller = try call.storeCaller()
    let reader: ShareData.Reader
    switch (request.principalCode.isEmpty, request.shareID) {
    case (false, 0): reader = .code(request.principalCode)
    case (true, 1...): reader = .share(request.shareID)
    default:
      throw RPCError.invalid(
        "principal_code", "must be the code of who may read, or share_id be given")
    }
    let terms = try terms(request.parts, untilDay: request.untilDay, of: caller.principal)
    commands.submit(ShareData(reader, terms), by: caller, call, responder) { Share($0) }
  }

  func createShareInvite(
    _ request: CreateShareInviteRequest, _ call: CallContext,
    _ responder: Responder<CreateShareInviteResponse>
  ) throws {
    let caller = try call.storeCaller()
    let terms = try terms(request.parts, untilDay: request.untilDay, of: caller.principal)
    commands.submit(try CreateShareInvite(terms), by: caller, call, responder) { made in
      var response = CreateShareInviteResponse()
      response.invite = ShareInvite(made.record)
      response.code = made.code
      return response
    }
  }

  /// A wrong code is refused before it reaches the writer.
  func acceptShareInvite(
    _ request: AcceptShareInviteRequest, _ call: CallContext, _ responder: Responder<Share>
  ) throws {
    let caller = try call.storeCaller()
    let store = commands.store
    try invites.find(request.code, call) { () throws(StoreError) in
      let invite = try store.read { (snapshot) throws(StoreError) in
        try snapshot.shareInvite(code: request.code)
      }
      guard invite != nil else { throw AcceptShareInvite.unknownCode }
    }
    commands.submit(AcceptShareInvite(code: request.code), by: caller, call, responder) {
      Share($0)
    }
  }

  func endShareInvite(
    _ request: EndShareInviteRequest, _ call: CallContext, _ responder: Responder<ShareInvite>
  ) throws {
    let caller = try call.storeCaller()
    commands.submit(EndShareInvite(id: request.inviteID), by: caller, call, responder) {
      ShareInvite($0)
    }
  }

  func listShareInvites(
    _ request: ListShareInvitesRequest, _ call: CallContext
  ) throws -> ListShareInvitesResponse {
    let caller = try call.storeCaller()
    let page = try commands.store.read { (snapshot) throws(StoreError) in
      try snapshot.shareInvites(
        of: caller.principal, pageSize: request.pageSize, pageToken: request.pageToken)
    }
    var response = ListShareInvitesResponse()
    response.invites = page.items.map(ShareInvite.init)
    response.nextPageToken = page.nextPageToken
    return response
  }

  func listShares(
    _ request: ListSharesRequest, _ call: CallContext
  ) throws -> ListSharesResponse {
    let caller = try call.storeCaller()
    guard let side = QuiverStore.ShareSide(rawValue: Int64(request.side.rawValue)) else {
      throw RPCError.invalid("side", "must be given or received")
    }
    let page = try commands.store.read { (snapshot) throws(StoreError) in
      try snapshot.shares(
        of: caller.principal, side: side, pageSize: request.pageSize,
        pageToken: request.pageToken)
    }
    var response = ListSharesResponse()
    response.shares = page.items.map(Share.init)
    response.nextPageToken = page.nextPageToken
    return response
  }

  func endShare(
    _ request: EndShareRequest, _ call: CallContext, _ responder: Responder<Share>
  ) throws {
    let caller = try call.storeCaller()
    commands.submit(EndShare(id: request.shareID), by: caller, call, responder) { Share($0) }
  }

  /// What a request shares, until the end of a day in the owner's time zone.
  private func terms(
    _ parts: [SharePart], untilDay: Int32, of owner: Int64
  ) throws -> ShareTerms {
    let name = try commands.store.read { (snapshot) throws(StoreError) in
      try snapshot.principal(id: owner).timeZone
    }
    // Of the last day that there is, the beginning is far enough ahead to be refused.
    let next = untilDay == .max ? untilDay : untilDay + 1
    // A profile may have no zone, or one that this machine's calendar has lost.
    let end =
      (try? CivilZone(name))?.startMilliseconds(ofDay: next)
      ?? CivilZone.utcStartMilliseconds(ofDay: next)
    return try ShareTerms(
      parts: try ActingScopes(parts: parts), untilDay: untilDay, endsAtMilliseconds: end)
  }
}

extension ActingScopes {
  private static let sharedParts: [(scope: ActingScopes, part: SharePart)] = [
    (.equipmentPart, .equipment), (.roundsPart, .rounds), (.comparisonPart, .comparison),
    (.weightPart, .weight), (.strengthPart, .strength), (.trainingLogPart, .trainingLog),
  ]

  /// The parts that a request names; throws INVALID_ARGUMENT with the place of one that is none.
  init(parts: [SharePart]) throws {
    self = []
    for (place, part) in parts.enumerated() {
      guard let known = Self.sharedParts.first(where: { $0.part == part }) else {
        throw RPCError.invalid(
          "parts[\(place)]",
          "must be equipment, rounds, comparison, weight, strength or training log")
      }
      formUnion(known.scope)
    }
  }

  /// The parts as messages, in the order of their numbers.
  var shareParts: [SharePart] { Self.sharedParts.filter { contains($0.scope) }.map(\.part) }
}

extension Share {
  init(_ record: ShareRecord) {
    self.init()
    id = record.id
    ownerID = record.owner
    ownerName = record.ownerName
    readerID = record.reader
    readerName = record.readerName
    parts = record.parts.shareParts
    untilDay = record.untilDay
    endsAtMilliseconds = record.endsAtMilliseconds
    createdAtMilliseconds = record.createdAtMilliseconds
    lastReadAtMilliseconds = record.lastReadAtMilliseconds
  }
}

extension ShareInvite {
  init(_ record: ShareInviteRecord) {
    self.init()
    id = record.id
    parts = record.parts.shareParts
    untilDay = record.untilDay
    createdAtMilliseconds = record.createdAtMilliseconds
    expiresAtMilliseconds = record.expiresAtMilliseconds
  }
}
