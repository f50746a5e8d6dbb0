public import QuiverAPI
import QuiverProtobuf
import QuiverRPC

/// What the user lets others read, and others let it read. Needs a connection.
extension OfflineSession {
  /// What the user shares and receives, as far as it is in force, in the order of creation.
  public func shares(_ side: ShareSide = .unspecified) async throws(SessionError) -> [Share] {
    var request: ListSharesRequest = .with { ($0.side, $0.pageSize) = (side, 500) }
    var shares: [Share] = []
    repeat {
      let page = try await sharing("load shares", Account.listShares, request)
      shares += page.shares
      request.pageToken = page.nextPageToken
    } while !request.pageToken.isEmpty
    return shares
  }

  /// A code by which an archer names this user as a reader, and an organiser appoints it.
  public func introductionCode() async throws(SessionError) -> IntroductionCode {
    try await sharing("load the code", Account.getIntroductionCode, .init())
  }

  /// Lets who shows a code read parts of the user's data, until the end of a day in the profile's
  /// zone. A share with the same reader gets the new parts and day.
  @discardableResult
  public func share(
    _ parts: [SharePart], withCode code: String, untilDay day: Int32
  ) async throws(SessionError) -> Share {
    try await sharing(once: "share", Account.shareData) {
      ($0.principalCode, $0.parts, $0.untilDay) = (code, parts, day)
    }
  }

  /// Changes the parts and the day of a share that the user gives.
  @discardableResult
  public func change(
    _ share: Share, to parts: [SharePart], untilDay day: Int32
  ) async throws(SessionError) -> Share {
    try await sharing(once: "change a share", Account.shareData) {
      ($0.shareID, $0.parts, $0.untilDay) = (share.id, parts, day)
    }
  }

  /// Ends a share that the user gives or receives. It ends at once, also for what is open.
  public func end(_ share: Share) async throws(SessionError) {
    _ = try await sharing(once: "end a share", Account.endShare) { $0.shareID = share.id }
  }

  /// Makes an invitation to read parts of the user's data; its code is not shown again.
  public func inviteToShare(
    _ parts: [SharePart], untilDay day: Int32
  ) async throws(SessionError) -> CreateShareInviteResponse {
    // Without a key of its own: codes are not stored, so that a repeated call would have none.
    try await sharing(
      "make an invitation", Account.createShareInvite,
      .with { ($0.parts, $0.untilDay) = (parts, day) })
  }

  /// Accepts an invitation by its code.
  @discardableResult
  public func acceptShareInvite(code: String) async throws(SessionError) -> Share {
    try await sharing(once: "accept an invitation", Account.acceptShareInvite) { $0.code = code }
  }

  /// The archers who share with the user, with what they have shot and changed in the last weeks; 0
  /// weeks means 8.
  public func squad(weeks: UInt32 = 0) async throws(SessionError) -> [SquadMember] {
    var request: GetSquadRequest = .with { $0.weeks = weeks }
    var members: [SquadMember] = []
    repeat {
      let page = try await sharing("load the squad", Account.getSquad, request)
      members += page.members
      request.pageToken = page.nextPageToken
    } while !request.pageToken.isEmpty
    return members
  }

  private func sharing<Request: Message, Response: Message>(
    _ what: String, _ method: UnaryMethod<Request, Response>, _ request: Request
  ) async throws(SessionError) -> Response {
    do throws(SessionError) {
      return try await call(method, request)
    } catch {
      throw error.whileTrying(to: what)
    }
  }

  private func sharing<Request: Message, Response: Message>(
    once what: String, _ method: UnaryMethod<Request, Response>,
    _ fill: (inout Request) -> Void
  ) async throws(SessionError) -> Response {
    var request = Request()
    fill(&request)
    do throws(SessionError) {
      return try await once(method, request)
    } catch {
      throw error.whileTrying(to: what)
    }
  }
}
