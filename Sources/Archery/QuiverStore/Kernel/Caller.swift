/// Who is behind a command.
package struct Caller: Sendable, Equatable {
  /// The principal whose objects and idempotency keys these are; 0 is nobody.
  package let principal: Int64

  /// The principal that really calls: another than `principal` where a service acts for a user.
  package let actor: Int64

  /// The token that it showed; 0 is none.
  package let tokenID: Int64

  package init(principal: Int64, actor: Int64? = nil, tokenID: Int64 = 0) {
    self.principal = principal
    self.actor = actor ?? principal
    self.tokenID = tokenID
  }
}
