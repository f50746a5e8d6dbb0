import Synchronization

/// What was scored in the scenario's event: which arrows were sent, which were acknowledged and
/// when. Any thread may use it. Its size is that of the event: so many bytes an arrow, never more.
final class ScoreBook: Sendable {
  let tournament: Int64
  /// By their places, in the order in which they were entered.
  let participants: [Int64]
  /// Arrows of each end.
  let ends: [Int]
  /// Values that an arrow can have, and the top value where there is an X on the face.
  let values: [UInt32]
  let topWithX: UInt32?
  private let places: [Int64: Int]
  private let cards: Mutex<[Card]>

  /// What became of one participant.
  struct Card: Sendable {
    /// By end and arrow, one after the other.
    var arrows: [Mark] = []
    var commits: [Commit] = []
  }

  /// One slot.
  struct Mark: Sendable, Equatable {
    enum State: UInt8, Sendable { case open, unclear, acknowledged }

    var value: UInt8 = 0
    var isX = false
    var state = State.open
  }

  /// One call that scored.
  struct Commit: Sendable {
    let sent: UInt64
    /// 0: it has not been answered.
    var answered: UInt64 = 0
    /// The first of its operations, as the server numbers them.
    var operation: Int64 = 0
    /// Arrows of the participant with it.
    let arrowCount: Int
  }

  /// One attempt at a call that scores.
  struct Attempt: Sendable {
    /// By what its answer is noted.
    var commit = 0
    /// The slots that nothing had been sent for before it.
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

  /// The places that fall to one of so many scorers.
  func places(of scorer: Int, among count: Int) -> [Int] {
    Array(stride(from: scorer, to: participants.count, by: max(1, count)))
  }

  func place(of participant: Int64) -> Int? { places[participant] }

  var arrowsPerParticipant: Int { ends.reduce(0, +) }

  /// The place of an arrow in the order of shooting.
  func slot(end: Int, arrow: Int) -> Int { ends[..<end].reduce(arrow, +) }

  func card(_ place: Int) -> Card { cards.withLock { $0[place] } }

  /// The first end of a participant that is not acknowledged whole; nil: all are.
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

  /// Arrows are sent.
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
      // Sent again, since its outcome was unclear: it is the same commit.
      let count = slot + marks.count
      if cards[place].commits.last?.arrowCount != count {
        cards[place].commits.append(Commit(sent: now, arrowCount: count))
      }
      attempt.commit = cards[place].commits.count - 1
      return attempt
    }
  }

  /// What was sent is acknowledged.
  func acknowledged(
    _ place: Int, _ attempt: Attempt, from slot: Int, count: Int, operation: Int64, at now: UInt64
  ) {
    cards.withLock { cards in
      for index in slot..<slot + count { cards[place].arrows[index].state = .acknowledged }
      cards[place].commits[attempt.commit].answered = now
      cards[place].commits[attempt.commit].operation = operation
    }
  }

  /// An attempt certainly had no effect; one before it may have had.
  func withdrawn(_ place: Int, _ attempt: Attempt) {
    cards.withLock { cards in
      for index in attempt.opened where cards[place].arrows[index].state == .unclear {
        cards[place].arrows[index].state = .open
      }
    }
  }
}

/// How long what was scored took to those who watch.
struct CommitLedger: Sendable {
  private let scores: ScoreBook
  /// Arrows of each participant that the subscriber has seen; at most those of its window and of
  /// what was in it.
  private var seen: [Int64: Int] = [:]

  /// Of one commit to one subscriber, in nanoseconds.
  struct Delay: Sendable, Equatable {
    /// From the moment when the scorer had its answer; 0: the subscriber's message was there first.
    let sinceAnswer: UInt64
    /// From the moment when the scorer sent it.
    let sinceSending: UInt64
  }

  init(_ scores: ScoreBook) { self.scores = scores }

  /// The watch begins anew: what a snapshot shows was committed at any time.
  mutating func snapshot(_ participant: Int64, arrowCount: Int) { seen[participant] = arrowCount }

  /// A row has come at `now`; returns the delay of each commit that it shows first.
  mutating func row(_ participant: Int64, arrowCount: Int, now: UInt64) -> [Delay] {
    defer { seen[participant] = arrowCount }
    // Who comes into the window comes with commits of any age.
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
  /// The commits that brought a participant's arrows above one count, up to another.
  fileprivate func commits(of participant: Int64, above: Int, upto: Int) -> [Commit] {
    guard let place = places[participant] else { return [] }
    return cards.withLock { cards in
      cards[place].commits.reversed().prefix { $0.arrowCount > above }
        .filter { $0.arrowCount <= upto }
    }
  }
}
