import QuiverCrypto
import QuiverRules
import QuiverStore

/// A principal that keeps something of every kind, each text of it with the same mark.
struct FullAccount {
  let principal: Int64
  let token: NewToken
  let mark: String

  /// Everything is `mark` and something more.
  init(
    in store: some CommandPerformer, mark: String, kind: PrincipalRecord.Kind = .user
  ) throws {
    self.mark = mark
    let made = try store.perform(
      CreatePrincipal(kind: kind, displayName: mark + " Robin"), .of(0))
    principal = made.id
    token = try store.perform(CreateToken(principal: principal, label: mark + " phone"), .of(0))
    var change = UpdateProfile.Change()
    change.timeZone = mark + "/Nottingham"
    try perform(UpdateProfile(revision: 1, change), store)
    for number in 1...3 {
      try perform(SetPreference(key: "key.\(number)", value: mark + " value"), store)
    }
    try makeEquipment(store, mark)
    try shoot(store, mark)
    try keepLogbook(store, mark)
    try keepReply(store, mark)
  }

  /// A session alone with a guest, by a format of its own, and a correction.
  private func shoot(_ store: some CommandPerformer, _ mark: String) throws {
    let pass = RoundPass(
      arrowCount: 6, arrowsPerEnd: 3, distance: 18, unit: .metre, face: .tenZone,
      diameterCentimetres: 40)
    let format = RoundFormat(
      name: mark + " format", location: .indoor, body: mark + " club", passes: [pass])
    let own = try perform(try CreateFormat(format), store)
    var content = CreateSession.Content(.own(.id(own.id)))
    content.notes = mark + " notes"
    content.conditions.place = mark + " range"
    content.clientID = try UUIDv7.make(unixMilliseconds: 1_700_000_000_000)
    content.guests = [
      try SessionGuestDraft(name: mark + " Will", clientID: [], path: "guests[0].")
    ]
    let session = try perform(try CreateSession(content), store)
    var name: [UInt8] = []
    for kind in [OperationKind.record, .correct] {
      var arrow = OperationDraft.Content(.id(session.rounds[0].participant.id))
      arrow.kind = kind
      arrow.value = kind == .record ? 9 : 8
      arrow.device = mark + " phone"
      arrow.reason = kind == .record ? "" : mark + " misread"
      arrow.replaces = kind == .record ? nil : .clientID(name)
      name = try UUIDv7.make(unixMilliseconds: 1_700_000_000_000)
      arrow.clientID = name
      try perform(RecordArrows(try OperationDraft(arrow, path: "")), store)
    }
  }

  @discardableResult
  private func perform<C: Command>(
    _ command: C, _ store: some CommandPerformer
  ) throws -> C.Reply {
    try store.perform(command, .of(principal))
  }

  private func makeEquipment(_ store: some CommandPerformer, _ mark: String) throws {
    var ids: [EquipmentType: Int64] = [:]
    for type in EquipmentType.allCases {
      let item = CreateEquipment.init(_:clientID:prefix:)
      let clientID = try UUIDv7.make(unixMilliseconds: 1_700_000_000_000)
      ids[type] = try perform(item(.marked(type, mark), clientID, nil), store).id
    }
    let riser = ids[.riser] ?? 0
    let sight = ids[.sight] ?? 0
    var draft = BowSetupDraft()
    draft.name = mark + " Indoor"
    draft.notes = mark + " notes"
    draft.components = [.init(.id(riser)), .init(.id(sight))]
    let clientID = try UUIDv7.make(unixMilliseconds: 1_700_000_000_000)
    let setup = try perform(CreateBowSetup(draft, clientID: clientID), store)
    try perform(RemoveSetupComponent(.id(riser), from: .id(setup.id)), store)
    // Held by version 1 alone: what remains of it is no item of the lists.
    try perform(DeleteEquipment(.riser, .id(riser), detaches: true), store)
    for owner in [SightMarkOwner.sight(.id(sight)), .setup(.id(setup.id))] {
      let content = SightMarkContent(
        distance: 18, unit: .metre, markValue: 7, notes: mark + " windy")
      try perform(CreateSightMark(content, of: owner), store)
    }
    try perform(ArchiveEquipment(.arrow, .id(ids[.arrow] ?? 0)), store)
  }

  private func keepLogbook(_ store: some CommandPerformer, _ mark: String) throws {
    var draft = WeightEntryDraft()
    (draft.day, draft.thousandths, draft.unit, draft.note) = (100, 80_000, .kilogram, mark)
    for number in 1...2 {
      let clientID = try UUIDv7.make(unixMilliseconds: 1_700_000_000_000)
      let entry = try perform(CreateWeightEntry(draft, clientID: clientID), store)
      if number == 2 { try perform(DeleteWeightEntry(.id(entry.id)), store) }
    }
    let plan = MilestonePlan(
      unit: .kilogram, startThousandths: 80_000, goalThousandths: 70_000, stepThousandths: 2_000,
      startDay: 100)
    try perform(SetWeightPlan(plan, revision: 0), store)
    guard let name = ExerciseName(mark + " press") else { return }
    for day in [Int32(9), 7, 5] {
      let set = LiftSet(day: day, exercise: name, repetitions: 5, weight: 45, unit: .pound)
      let clientID = try UUIDv7.make(unixMilliseconds: 1_700_000_000_000)
      let made = try perform(CreateLiftSet(set, clientID: clientID), store)
      if day == 5 { try perform(DeleteLiftSet(.id(made.id)), store) }
    }
  }

  /// Leaves a reply under an idempotency key, as a call over the wire would.
  private func keepReply(_ store: some CommandPerformer, _ mark: String) throws {
    let options = CommandOptions.of(principal, key: Array(repeating: 7, count: 16), hash: 1)
    _ = try store.call(
      try SetPreference(key: "kept", value: "x"), options, reply: Array((mark + " reply").utf8))
  }
}

extension EquipmentContent {
  /// An item whose every text is that mark.
  static func marked(_ type: EquipmentType, _ mark: String) -> EquipmentContent {
    var content = EquipmentContent.example(type)
    for field in EquipmentKind.of(type).fields {
      if case .text = field.content { content.set(field.name, .text(mark + " text")) }
    }
    return content
  }
}
