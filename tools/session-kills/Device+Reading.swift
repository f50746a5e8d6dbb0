import QuiverAPI
import QuiverRules
import QuiverSession

/// Reads the device's objects from its store.
extension Device {
  func readObjects() async throws {
    objects = [:]
    try await readEquipment()
    let logbook = LogbookModel(session)
    await logbook.refresh()
    for row in logbook.sections.flatMap(\.rows) {
      take(.weight, row.entry.note, row.id, "\(row.entry.thousandths)")
    }
    let restorable = RestorableModel(session)
    await restorable.refresh()
    for deleted in restorable.entries {
      take(.weight, deleted.entry.note, deleted.id, "deleted")
    }
    for item in try await session.liftSets(of: name) {
      take(.lift, "\(name)\(item.set.day)", item.id, Self.value(item.set))
    }
    for event in try await session.scoringEvents() {
      let model = ScoringModel(session, event: event.id)
      model.stopFollowing()
      await model.refresh()
      guard let own = model.participants.first, let card = model.card(own.id) else { continue }
      let arrows = card.ends.flatMap(\.arrows).compactMap { $0?.score?.value }
      take(
        .round, model.conditions?.place ?? "", event.id,
        Self.roundValue(model.conditions?.weather, arrows))
    }
    if name == Self.firstName { try await readSingles() }
  }

  private func readEquipment() async throws {
    for item in try await session.items(of: .riser, includesArchived: true) {
      guard let riser = try await session.item(Riser.self, item.id) else { continue }
      take(
        riser.brand == Self.heldBrand ? .held : .riser, riser.model, item.id, Self.value(riser))
    }
    for item in try await session.setups(includesInactive: true) {
      guard let setup = try await session.setup(item.id) else { continue }
      take(.setup, setup.name, item.id, Self.value(setup))
    }
    for item in try await session.items(of: .sight) where item.displayModel == name {
      sight = item.id
      for mark in try await session.sightMarks(of: item.id) {
        take(.mark, mark.sightMark.notes, mark.id, "\(mark.sightMark.markValue)")
      }
    }
  }

  private func readSingles() async throws {
    if let plan = try await session.weightPlan() {
      take(.plan, name, LocalID(rawValue: 0), Self.value(plan))
    }
    // Its user has another name at first.
    if let profile = try await session.profile(), profile.displayName.hasPrefix(name) {
      take(.profile, name, LocalID(rawValue: 0), Self.value(profile))
    }
  }

  /// Keeps an object of this device; one that is there twice is printed twice.
  private func take(_ kind: EditedObject.Kind, _ name: String, _ id: LocalID, _ value: String) {
    guard name.hasPrefix(self.name) else { return }
    let object = EditedObject(kind: kind, name: name)
    if objects.updateValue((id, value), forKey: object) != nil { Self.print(.has(object, value)) }
  }

  nonisolated static let firstName = "a"
  /// The brand of risers that setups have.
  nonisolated static let heldBrand = "Held"

  nonisolated static func value(_ riser: Riser) -> String {
    "\(riser.notes)|\(riser.archived ? "archived" : "")"
  }

  nonisolated static func value(_ setup: BowSetup) -> String {
    "\(setup.notes)|\(setup.components.map(\.displayModel).joined(separator: ","))"
  }

  nonisolated static func value(_ set: QuiverAPI.LiftSet) -> String {
    "\(set.weight)|\(set.repetitions)"
  }

  nonisolated static func roundValue(_ weather: Weather?, _ arrows: [Int]) -> String {
    "\(weather?.rawValue ?? 0)|\(arrows.map { "\($0)" }.joined(separator: ","))"
  }

  nonisolated static func value(_ plan: WeightPlan) -> String {
    "\(plan.startThousandths)|\(plan.goalThousandths)"
  }

  nonisolated static func value(_ profile: Profile) -> String {
    "\(profile.displayName)|\(profile.units.rawValue)"
  }
}
