/// Replies with pages of the current standings of one event or of its parts, encoded, until
/// something that they show changes.
///
/// All users whose own row is not on the page share one reply if it is the last page, and so do all
/// spectators; a token for the next page is good for its caller alone. It has at most `limit` bytes
/// of replies, questions and the tables that contain them; a reply that does not fit replaces all.
package struct KeptStandings: Sendable {
  /// What a reply depends on, apart from the rows.
  package struct Question: Sendable, Hashable {
    /// Nil: a spectator.
    var principal: Int64?
    /// Nil: the whole event.
    let part: Snapshot.EntryFilter?
    /// The teams that are asked for; nil: archers.
    let teams: Teams?
    let pageSize: Int64
    let pageToken: String

    /// Which teams a reply has.
    struct Teams: Sendable, Hashable {
      let scope: TeamScope
      let form: TeamForm
    }

    /// The question for the teams of a scope.
    package init(principal: Int64?, _ scope: TeamScope, _ form: TeamForm) {
      self.principal = principal
      part = nil
      teams = Teams(scope: scope, form: form)
      (pageSize, pageToken) = (0, "")
    }

    package init(
      principal: Int64?, part: Snapshot.EntryFilter? = nil, pageSize: UInt32, pageToken: String
    ) {
      self.principal = principal
      self.part = part
      teams = nil
      self.pageSize = StoreLimits.pageSize(pageSize)
      self.pageToken = pageToken
    }

    /// Whether a reply depends on more of the event than its rows.
    var isOfPart: Bool { part != nil || teams != nil }

    /// The bytes of its texts.
    package var textByteCount: Int { pageToken.utf8.count + (part?.club.utf8.count ?? 0) }
  }

  struct Reply: Sendable {
    let bytes: [UInt8]
    let head: TournamentHead
    /// The users whose rows are on the page: the reply to one of them marks that row.
    let users: Set<Int64>
    let hasNextPage: Bool
    /// Whether it shows other names to who has a part in the event: then it is kept for spectators.
    let hidesNames: Bool
  }

  /// The memory of a reply; a set of users has up to 32 bytes for each.
  private static func byteCount(of reply: Reply, to question: Question) -> Int {
    reply.bytes.count + question.textByteCount + 32 * reply.users.count
      + StoreLimits.keptReplyOverheadBytes
  }

  private let limit: Int
  private var replies: [Question: Reply] = [:]
  private var byteCount = 0

  init(limit: Int) { self.limit = limit }

  func reply(for question: Question, at now: Int64) -> [UInt8]? {
    if let own = replies[question] {
      return own.head.isOpen(to: question.principal, at: now) ? own.bytes : nil
    }
    guard let principal = question.principal else { return nil }
    var shared = question
    shared.principal = nil
    guard let reply = replies[shared], !reply.hasNextPage, !reply.users.contains(principal),
      !reply.hidesNames, reply.head.isOpen(to: principal, at: now)
    else { return nil }
    return reply.bytes
  }

  mutating func keep(_ reply: Reply, for question: Question) {
    guard !reply.hidesNames || question.principal == nil else { return }
    var question = question
    if let principal = question.principal, !reply.hasNextPage, !reply.users.contains(principal) {
      question.principal = nil
    }
    let added = Self.byteCount(of: reply, to: question)
    guard added <= limit else { return }
    if byteCount + added > limit { removeAll() }
    let replaced = replies[question].map { Self.byteCount(of: $0, to: question) } ?? 0
    byteCount += added - replaced
    replies[question] = reply
  }

  mutating func removeAll() {
    guard !replies.isEmpty else { return }
    replies.removeAll(keepingCapacity: replies.capacity <= 64)
    byteCount = 0
  }
}
