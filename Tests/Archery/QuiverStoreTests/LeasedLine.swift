import QuiverRules

@testable import QuiverStore

/// An event whose participants stand on target 1.
struct LeasedLine {
  let cards: CardBench
  let session: Int64
  let event: Int64

  var bench: EventBench { cards.bench }

  init(in bench: EventBench? = nil) throws {
    cards = try CardBench(try bench ?? EventBench())
    event = cards.event.head.id
    var content = EventSessionContent()
    (content.name, content.lastTarget) = ("line", 2)
    session = try cards.bench.perform(
      try PutEventSession(0, of: event, revision: 0, content)
    ).id
    for (id, letter) in [(cards.own, "A"), (cards.entry, "B")] {
      var change = UpdateEntry.Change()
      change.session = session
      try cards.bench.perform(UpdateEntry(id, change))
      try cards.bench.perform(
        try PlaceEntry(id, session: session, target: 1, letter: letter, swaps: false))
    }
  }

  func demand(_ isDemanded: Bool = true, newCodes: Bool = false) throws {
    try bench.perform(
      DemandLeases(event: event, isDemanded: isDemanded, makesNewCodes: newCodes))
  }

  func code(_ target: UInt32 = 1, as principal: Int64? = nil) throws -> String {
    let (organiser, event, session) = (principal ?? bench.organiser, event, session)
    return try bench.store.read { (snapshot) throws(StoreError) in
      try snapshot.targetCodes(
        event: event, session: session, targets: nil, principal: organiser
      )[Int(target) - 1].code
    }
  }

  @discardableResult
  func join(
    _ code: String, _ device: String, _ card: LeasedCard = .first, as principal: Int64,
    takesOver: Bool = false
  ) throws -> JoinedTarget {
    try bench.perform(
      try JoinTarget(code: code, card, device: device, takesOver: takesOver), as: principal)
  }

  /// How an arrow of a device ends.
  func arrow(
    _ index: Int, _ device: String, as principal: Int64, _ participant: Int64? = nil
  ) throws -> StoreError? {
    try cards.refusal {
      try bench.record(participant ?? cards.entry, 0, index, "9", as: principal) {
        $0.device = device
      }
    }
  }
}
