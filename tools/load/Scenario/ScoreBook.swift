import Synchronization

/// The arrows of the scenario's event: which were sent, which were acknowledged and when. Any
/// thread may use it. Its size is fixed by the event.
final class ScoreBook: Sendable {
  let tournament: Int64
  /// By index, in the order of their entry.
  let participants: [Int64]
  /// The number of arrows of each end.
  let ends: [Int]
  /// The values of an arrow, and the top value if the face has an X.
  let values: [UInt32]
  let topWithX: UInt32?
  private let places: [Int64: Int]
  private let cards: Mutex<[Card]>

  /// The arrows of one participant.
  struct Card: Sendable {
    /// By end and arrow.
    var arrows: [Mark] = []
    var commits: [Commit] = []
  }

  /// The state of one slot.
  struct Mark: Sendable, Equatable {
    enum State: UInt8, Sendable { case open, unclear, acknowledged }

    var value: UInt8 = 0
    var isX = false
    var state = State.open
  }

  /// One scoring call.
  struct Commit: Sendable {
    let sent: UInt64
    /// 0 if it has no reply.
    var answered: UInt64 = 0
    /// The server's id of its first operation.
    var operation: Int64 = 0
    /// The participant's number of arrows including it.
    let arrowCount: Int
  }

  /// One attempt of a scoring call.
  struct Attempt: Sendable {
    /// The commit of its reply.
    var commit = 0
    /// The slots for which nothing had been sent before it.
    var opened: [Int] = []
  }

  init(
    tournament: Int64, participants: [Int64], ends: [Int], values: [UInt32], topWithX: UInt32?
  ) {
    self.tournament = tournament
    self.participants = participants
    self.ends = ends
    self.values = values
    self.topWithX = topWithX
    places = Dictionary(
      participants.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    cards = Mutex(Array(repeating: Card(), count: participants.count))
  }

  /// The indexes of one of several scorers.
  func places(of scorer: Int, among count: Int) -> [Int] {
    Array(stride(from: scorer, to: participants.count, by: max(1, count)))
  }

  func place(of participant: Int64) -> Int? { places[participant] }

  var arrowsPerParticipant: Int { ends.reduce(0, +) }

  /// The index of an arrow in shooting order.
  func slot(end: Int, arrow: Int) -> Int { ends[..<end].reduce(arrow, +) }

  func card(_ place: Int) -> Card { cards.withLock { $0[place] } }

  /// The first end of a participant that is not fully acknowledged; nil if all are.
  func openEnd(_ place: Int) -> Int? {
    cards.withLock { cards in
      var slot = 0
      for (end, count) in ends.enumerated() {
        let marks = cards[place].arrows
        guard slot + count <= marks.count,
          marks[slot..<slot + count].allSatisfy({ $0.state == .acknowledged })
        else { return end }
        slot += count
      }
      return nil
    }
  }

  /// Records sent arrows.
  func sent(_ place: Int, from slot: Int, _ marks: [Mark], at now: UInt64) -> Attempt {
    cards.withLock { cards in
      var attempt = Attempt()
      if cards[place].arrows.isEmpty {
        cards[place].arrows = Array(repeating: Mark(), count: arrowsPerParticipant)
      }
      for (offset, mark) in marks.enumerated() {
        let state = cards[place].arrows[slot + offset].state
        guard state != .acknowledged else { continue }
        if state == .open { attempt.opened.append(slot + offset) }
        cards[place].arrows[slot + offset] = mark
        cards[place].arrows[slot + offset].state = .unclear
      }
      // A repeated call with an unknown outcome is the same commit.
      let count = slot + marks.count
      if cards[place].commits.last?.arrowCount != count {
        cards[place].commits.append(Commit(sent: now, arrowCount: count))
      }
      attempt.commit = cards[place].commits.count - 1
      return attempt
    }
  }

  /// Records an acknowledgement.
  func acknowledged(
    _ place: Int, _ attempt: Attempt, from slot: Int, count: Int, operation: Int64, at now: UInt64
  ) {
    cards.withLock { cards in
      for index in slot..<slot + count { cards[place].arrows[index].state = .acknowledged }
      cards[place].commits[attempt.commit].answered = now
      cards[place].commits[attempt.commit].operation = operation
    }
  }

  /// An attempt had no effect; an earlier one may have had it.
  func withdrawn(_ place: Int, _ attempt: Attempt) {
    cards.withLock { cards in
      for index in attempt.opened where cards[place].arrows[index].state == .unclear {
        cards[place].arrows[index].state = .open
      }
    }
  }
}

/// Measures the time from scoring to the subscribers.
struct CommitLedger: Sendable {
  private let scores: ScoreBook
  /// The number of arrows of each participant that the subscriber has received, for those in its
  /// window and those that left it.
  private var seen: [Int64: Int] = [:]

  /// The delays of one commit to one subscriber, in nanoseconds.
  struct Delay: Sendable, Equatable {
    /// Since the scorer's reply; 0 if the subscriber's message arrived first.
    let sinceAnswer: UInt64
    /// Since the scorer sent it.
    let sinceSending: UInt64
  }

  init(_ scores: ScoreBook) { self.scores = scores }

  /// The watch restarts: the rows of a snapshot were committed at any time.
  mutating func snapshot(_ participant: Int64, arrowCount: Int) { seen[participant] = arrowCount }

  /// A row arrived at `now`; returns the delay of each commit that it shows first.
  mutating func row(_ participant: Int64, arrowCount: Int, now: UInt64) -> [Delay] {
    defer { seen[participant] = arrowCount }
    // A participant that enters the window has commits of any age.
    guard let before = seen[participant], before < arrowCount else { return [] }
    return scores.commits(of: participant, above: before, upto: arrowCount).map { commit in
      Delay(
        sinceAnswer: commit.answered == 0 || commit.answered > now ? 0 : now - commit.answered,
        sinceSending: now > commit.sent ? now - commit.sent : 0)
    }
  }

  /// A participant has left the window.
  mutating func removed(_ participant: Int64) { seen[participant] = nil }
}

extension ScoreBook {
  /// The commits that raised a participant's arrows above one count, up to another.
  fileprivate func commits(of participant: Int64, above: Int, upto: Int) -> [Commit] {
    guard let place = places[participant] else { return [] }
    return cards.withLock { cards in
      cards[place].commits.reversed().prefix { $0.arrowCount > above }
        .filter { $0.arrowCount <= upto }
    }
  }
}
