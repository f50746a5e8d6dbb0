import QuiverAPI
import QuiverRules
import QuiverSession
import ServerPrograms

/// Edits one object at random. What the object is afterwards is printed before the edit begins, and
/// that it is stored after its method returned.
extension Device {
  func edit(_ random: inout SplitMix64) async throws {
    switch Int.random(in: 0..<20, using: &random) {
    case 0..<4: try await editRiser(&random)
    case 4..<6: try await editSetup(&random)
    case 6..<9: try await editWeight(&random)
    case 9..<12: try await editLift(&random)
    case 12..<14: try await editMark(&random)
    case 14..<18: try await editRound(&random)
    default:
      if name == Self.firstName { try await editSingle(&random) }
    }
  }

  /// Above this number of objects of a kind they are rather deleted than made.
  private static let mostObjects = 25

  /// Runs `body` between the two lines.
  private func change(
    _ kind: EditedObject.Kind, _ name: String, to value: String?,
    _ body: () async throws -> LocalID?
  ) async throws {
    let object = EditedObject(kind: kind, name: name)
    Self.print(.begin(object, value))
    let id = try await body()
    Self.print(.done)
    guard let value else {
      objects[object] = nil
      return
    }
    objects[object] = (id ?? objects[object]?.id ?? LocalID(rawValue: 0), value)
  }

  /// One of the objects of a kind; nil if a new one should be made.
  private func one(
    of kind: EditedObject.Kind, _ random: inout SplitMix64
  ) -> (name: String, id: LocalID, value: String)? {
    let known = objects.filter { $0.key.kind == kind }.sorted { $0.key < $1.key }
    guard let found = known.randomElement(using: &random),
      known.count >= Self.mostObjects || Int.random(in: 0..<3, using: &random) > 0
    else { return nil }
    return (found.key.name, found.value.id, found.value.value)
  }

  private func editRiser(_ random: inout SplitMix64) async throws {
    let isHeld = Int.random(in: 0..<4, using: &random) == 0
    let kind = isHeld ? EditedObject.Kind.held : .riser
    let heldCount = objects.keys.count { $0.kind == .held }
    guard let known = isHeld && heldCount < 3 ? nil : one(of: kind, &random) else {
      var riser = Riser()
      riser.model = newName()
      riser.brand = isHeld ? Self.heldBrand : "Hoyt"
      let made = riser
      return try await change(kind, made.model, to: Self.value(made)) {
        try await session.create(made)
      }
    }
    guard var riser = try await session.item(Riser.self, known.id) else {
      throw Complaint("riser \(known.name) is not in the store")
    }
    switch Int.random(in: 0..<5, using: &random) {
    case 0 where !isHeld:
      try await change(kind, known.name, to: nil) {
        try await session.delete(known.id)
        return nil
      }
    case 1:
      riser.archived.toggle()
      let isArchived = riser.archived
      try await change(kind, known.name, to: Self.value(riser)) {
        try await session.setArchived(isArchived, known.id)
        return nil
      }
    default:
      riser.notes = newName()
      let wanted = riser
      try await change(kind, known.name, to: Self.value(wanted)) {
        try await session.update(known.id, to: wanted)
        return nil
      }
    }
  }

  private func editSetup(_ random: inout SplitMix64) async throws {
    let held = objects.filter { $0.key.kind == .held && $0.value.value.hasSuffix("|") }
      .sorted { $0.key < $1.key }.randomElement(using: &random)
    guard let known = one(of: .setup, &random) else {
      var setup = BowSetup()
      setup.name = newName()
      if let held { setup.components = [try await session.component(held.value.id)] }
      let made = setup
      return try await change(.setup, made.name, to: Self.value(made)) {
        try await session.create(made)
      }
    }
    guard var setup = try await session.setup(known.id) else {
      throw Complaint("setup \(known.name) is not in the store")
    }
    switch Int.random(in: 0..<4, using: &random) {
    case 0:
      try await change(.setup, known.name, to: nil) {
        try await session.delete(known.id)
        return nil
      }
    case 1 where held != nil:
      guard let held else { return }
      let value = "\(setup.notes)|\(held.key.name)"
      try await change(.setup, known.name, to: value) {
        try await session.put(held.value.id, in: known.id)
        return nil
      }
    default:
      setup.notes = newName()
      let wanted = setup
      try await change(.setup, known.name, to: Self.value(wanted)) {
        try await session.update(known.id, to: wanted)
        return nil
      }
    }
  }

  private func editWeight(_ random: inout SplitMix64) async throws {
    let thousandths = Int64.random(in: 100_000...200_000, using: &random)
    func entry(_ name: String) -> WeightEntry {
      var entry = WeightEntry()
      entry.note = name
      entry.day = 19_000
      entry.measuredAtMilliseconds = 1_000
      entry.unit = .pound
      entry.thousandths = thousandths
      return entry
    }
    guard let known = one(of: .weight, &random) else {
      let made = entry(newName())
      return try await change(.weight, made.note, to: "\(thousandths)") {
        try await session.create(made)
      }
    }
    if known.value == "deleted" {
      let logged = RestorableModel(session)
      await logged.refresh()
      guard let deleted = logged.entries.first(where: { $0.id == known.id }) else {
        throw Complaint("weight \(known.name) cannot be restored")
      }
      return try await change(.weight, known.name, to: "\(deleted.entry.thousandths)") {
        try await session.restore(known.id)
        return nil
      }
    }
    if Int.random(in: 0..<3, using: &random) == 0 {
      return try await change(.weight, known.name, to: "deleted") {
        try await session.delete(known.id)
        return nil
      }
    }
    try await change(.weight, known.name, to: "\(thousandths)") {
      try await session.update(known.id, to: entry(known.name))
      return nil
    }
  }

  private func editLift(_ random: inout SplitMix64) async throws {
    var set = QuiverAPI.LiftSet()
    set.exercise = name
    set.unit = .kilogram
    set.weight = Double(Int.random(in: 20...200, using: &random))
    set.repetitions = UInt32.random(in: 1...12, using: &random)
    guard let known = one(of: .lift, &random) else {
      let text = newName()
      set.day = Int32(text.dropFirst(name.count)) ?? 0
      let made = set
      return try await change(.lift, text, to: Self.value(made)) { try await session.create(made) }
    }
    if Int.random(in: 0..<4, using: &random) == 0 {
      return try await change(.lift, known.name, to: nil) {
        try await session.delete(known.id)
        return nil
      }
    }
    set.day = Int32(known.name.dropFirst(name.count)) ?? 0
    let wanted = set
    try await change(.lift, known.name, to: Self.value(wanted)) {
      try await session.update(known.id, to: wanted)
      return nil
    }
  }

  private func editMark(_ random: inout SplitMix64) async throws {
    var mark = SightMark()
    mark.distance = 70
    mark.unit = .metre
    mark.markValue = Double(Int.random(in: 0...1_000, using: &random))
    guard let sight else {
      var made = Sight()
      (made.brand, made.model) = ("Shibuya", name)
      sight = try await session.create(made)
      return
    }
    guard let known = one(of: .mark, &random) else {
      mark.notes = newName()
      let made = mark
      return try await change(.mark, made.notes, to: "\(made.markValue)") {
        try await session.create(made, of: sight)
      }
    }
    if Int.random(in: 0..<4, using: &random) == 0 {
      return try await change(.mark, known.name, to: nil) {
        try await session.delete(known.id)
        return nil
      }
    }
    mark.notes = known.name
    let wanted = mark
    try await change(.mark, known.name, to: "\(wanted.markValue)") {
      try await session.update(known.id, to: wanted)
      return nil
    }
  }

  private func editRound(_ random: inout SplitMix64) async throws {
    let open = objects.filter { $0.key.kind == .round }.sorted {
      $0.value.id.rawValue < $1.value.id.rawValue
    }
    .last
    var model: ScoringModel?
    if let open {
      let scoring = ScoringModel(session, event: open.value.id)
      scoring.stopFollowing()
      await scoring.refresh()
      if !scoring.isRoundComplete { model = scoring }
    }
    guard let open, let model, let own = model.participants.first, let card = model.card(own.id)
    else {
      var conditions = SessionConditions()
      conditions.place = newName()
      let place = conditions
      return try await change(.round, place.place, to: Self.roundValue(nil, [])) {
        try await session.startRounds(codename: "wa18", arrowLimit: 30, conditions: place)
      }
    }
    var arrows = card.ends.flatMap(\.arrows).compactMap { $0?.score?.value }
    var conditions = model.conditions ?? SessionConditions()
    switch Int.random(in: 0..<10, using: &random) {
    case 0:
      conditions.weather = Weather(rawValue: Int32.random(in: 1...5, using: &random))
      let wanted = conditions
      try await change(.round, open.key.name, to: Self.roundValue(wanted.weather, arrows)) {
        try await model.setConditions(wanted)
        return nil
      }
    case 1 where !arrows.isEmpty:
      let score = ArrowScore(value: Int.random(in: 1...9, using: &random))
      arrows[arrows.count - 1] = score.value
      let place = arrows.count - 1
      try await change(.round, open.key.name, to: Self.roundValue(conditions.weather, arrows)) {
        try await model.correct(
          score, at: ArrowSlot(endIndex: place / 3, arrowIndex: place % 3), of: own.id,
          reason: "misread")
        return nil
      }
    default:
      let score = ArrowScore(value: Int.random(in: 1...10, using: &random))
      arrows.append(score.value)
      try await change(.round, open.key.name, to: Self.roundValue(conditions.weather, arrows)) {
        try await model.enter(score)
        return nil
      }
    }
  }

  private func editSingle(_ random: inout SplitMix64) async throws {
    if Bool.random(using: &random) {
      guard var profile = try await session.profile() else { return load() }
      profile.displayName = newName()
      profile.units = Bool.random(using: &random) ? .metric : .imperial
      let wanted = profile
      return try await change(.profile, name, to: Self.value(wanted)) {
        try await session.updateProfile(to: wanted)
        return nil
      }
    }
    let isThere = objects[EditedObject(kind: .plan, name: name)] != nil
    if isThere, Int.random(in: 0..<3, using: &random) == 0 {
      return try await change(.plan, name, to: nil) {
        try await session.deleteWeightPlan()
        return nil
      }
    }
    var plan = WeightPlan()
    plan.unit = .pound
    plan.stepThousandths = 5_000
    plan.startThousandths = Int64.random(in: 150_000...200_000, using: &random)
    plan.goalThousandths = Int64.random(in: 100_000...149_000, using: &random)
    let wanted = plan
    try await change(.plan, name, to: Self.value(wanted)) {
      try await session.setWeightPlan(wanted)
      return nil
    }
  }

  /// Loads the profile, which can be changed from then on.
  private func load() {
    let session = session
    Task { @MainActor in try? await ProfileModel(session).load() }
  }
}
