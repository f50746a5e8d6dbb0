import QuiverRules

/// What a command knows of the participant whose arrows it writes one after the other, so that it
/// reads the participant once, and stores its tally once.
struct ScoringProgress {
  /// The participant's place with all that the command has written; nil: it must be read.
  var place: ScoringPlace?

  /// The end whose arrows are known; nil: none.
  var end: Int?

  /// The arrows of the end, also those that were retracted.
  var arrows: [ScoredArrowRecord] = []

  /// Whether the tally waits for ``Transaction/finish(_:)``, because the command has several
  /// operations on one end.
  let defersTally: Bool

  /// What the participant's row does not have yet.
  private(set) var pending: TallyChange?

  init(defersTally: Bool = false) { self.defersTally = defersTally }

  /// The tally must be stored with one more change of the same end.
  mutating func add(_ change: TallyChange) {
    guard let before = pending else {
      pending = change
      return
    }
    pending = TallyChange(
      end: before.end, isFull: change.isFull, wasFull: before.wasFull,
      newOperations: before.newOperations + change.newOperations)
  }

  /// What must be stored, which is taken once.
  fileprivate mutating func takePending() -> TallyChange? {
    defer { pending = nil }
    return pending
  }

  /// An arrow of the known end was stored, and the place is this one since.
  mutating func note(_ arrow: ScoredArrowRecord, at place: ScoringPlace) {
    self.place = place
    if let index = arrows.firstIndex(where: { $0.slot.arrowIndex >= arrow.slot.arrowIndex }) {
      if arrows[index].slot == arrow.slot {
        arrows[index] = arrow
      } else {
        arrows.insert(arrow, at: index)
      }
    } else {
      arrows.append(arrow)
    }
  }

  /// What was known may have changed.
  mutating func forget() {
    precondition(pending == nil, "A tally was forgotten that is not stored.")
    place = nil
    end = nil
    arrows = []
  }
}

/// How operations on one end change the participant's counts.
struct TallyChange {
  let end: Int
  let isFull: Bool
  let wasFull: Bool

  /// The operations that got rows.
  let newOperations: Int64
}

extension Transaction {
  /// Stores what is left to store, and forgets what the command knew, because it changes otherwise.
  func storeTally(_ progress: inout ScoringProgress) throws(StoreError) {
    try finish(&progress)
    progress.forget()
  }

  /// Stores the tally that the command's operations have left in the progress.
  func finish(_ progress: inout ScoringProgress) throws(StoreError) {
    guard let change = progress.takePending(), var place = progress.place else { return }
    // It has counted them already.
    place.operationCount -= change.newOperations
    try keepTally(place.participant.tally, change, at: &place)
    progress.place = place
  }
}
