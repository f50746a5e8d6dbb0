import QuiverAPI
import QuiverClient
import QuiverProtobuf
import QuiverRPC
import QuiverRules

/// The event of a rehearsal at the server.
struct RehearsalEvent: Sendable {
  let id: Int64
  let joinCode: String
  /// By the index of the category in the plan.
  private(set) var categories: [Int64] = []
  /// Those of the first day, then those of the second one.
  private(set) var sessions: [Int64] = []
  /// By the index of the archer in the plan.
  private(set) var participants: [Int64] = []
  /// The archers of each target, A first, by day, category and target.
  private(set) var targets: [Target] = []

  /// A target with its archers.
  struct Target: Sendable {
    /// From 0.
    let day: Int
    /// The index in ``sessions``.
    let session: Int
    let number: UInt32
    let category: Int
    /// Indices of archers.
    var archers: [Int]

    /// Its session and number: sessions have targets of the same numbers.
    var place: [Int] { [session, Int(number)] }
  }

  /// Creates the event, its categories and sessions, enters the archers and draws the targets.
  init(_ plan: RehearsalPlan, _ organiser: FaultyTransport, _ findings: Findings) async throws {
    let made = try await organiser.call(
      Tournament.createTournament,
      .with { request in
        request.name = "Rehearsal \(plan.seed)"
        request.format = .with { $0.codename = "wa720_70" }
        request.isPublic = true
        request.maxParticipants = UInt32(plan.archers.count)
      })
    id = made.id
    joinCode = made.joinCode
    try await createCategories(plan, organiser)
    try await addRounds(plan, organiser, findings)
    try await createSessions(plan, organiser)
    try await enter(plan, organiser, findings)
    for day in 0..<plan.dayCount { try await draw(plan, day, organiser, findings) }
  }

  /// The targets of a day, with their indices in ``targets``.
  func targets(ofDay day: Int) -> [(index: Int, target: Target)] {
    targets.enumerated().filter { $0.element.day == day }.map { ($0.offset, $0.element) }
  }

  /// The index of a participant in the plan.
  func archer(_ participant: Int64) -> Int? { participants.firstIndex(of: participant) }

  private mutating func createCategories(
    _ plan: RehearsalPlan, _ organiser: FaultyTransport
  ) async throws {
    let id = id
    for (index, category) in plan.categories.enumerated() {
      var message = EventCategory()
      message.tournamentID = id
      message.code = category.code
      message.name = category.name
      message.bowstyle = category.bowstyle
      message.gender = category.gender
      message.tiePolicy =
        switch category.policy {
        case .xFirst: .unspecified
        case .tensFirst: .waOutdoorLegacy
        }
      if index == 0 {
        let present = try await organiser.call(
          Events.listEventCategories, .with { $0.tournamentID = id })
        guard let first = present.categories.first(where: \.isFirst) else {
          throw RehearsalError("the event has no first category")
        }
        message.id = first.id
        message.revision = first.revision
        let wanted = message
        categories.append(
          try await organiser.call(Events.updateEventCategory, .with { $0.category = wanted }).id)
        continue
      }
      let wanted = message
      categories.append(
        try await organiser.call(
          Events.createEventCategory,
          .with { request in
            request.category = wanted
            request.format = category.round.map { round in .with { $0.codename = round } }
          }
        ).id)
    }
  }

  /// Adds the rounds of the later days to all categories.
  private func addRounds(
    _ plan: RehearsalPlan, _ organiser: FaultyTransport, _ findings: Findings
  ) async throws {
    let id = id
    for day in 1..<max(1, plan.dayCount) {
      let present = try await organiser.call(
        Events.listEventCategories, .with { $0.tournamentID = id }
      ).categories
      // Categories without a round of their own have that of the first one.
      for category in present where category.isFirst || category.ownFormat {
        let round = plan.categories.first { $0.code == category.code }?.round ?? "wa720_70"
        _ = try await organiser.call(
          Events.addQualificationRound,
          .with { request in
            (request.tournamentID, request.categoryID) = (id, category.id)
            request.revision = category.revision
            request.format = .with { format in
              format.codename = round
              format.arrowLimit = UInt32(plan.arrowCount(ofDay: day))
            }
          })
      }
    }
    let categories = try await organiser.call(
      Events.listEventCategories, .with { $0.tournamentID = id }
    ).categories
    for category in categories {
      findings.compare(
        "the first ends of the rounds of \(category.code)",
        category.rounds.map { Int($0.firstEnd) },
        (0..<plan.dayCount).map { plan.ends(ofDay: $0).lowerBound })
    }
  }

  private static let parts = ["Morning", "Afternoon"]

  private mutating func createSessions(
    _ plan: RehearsalPlan, _ organiser: FaultyTransport
  ) async throws {
    for day in 0..<plan.dayCount { try await createSessions(plan, day, organiser) }
  }

  private mutating func createSessions(
    _ plan: RehearsalPlan, _ day: Int, _ organiser: FaultyTransport
  ) async throws {
    let id = id
    for (index, part) in Self.parts.enumerated() {
      let name = day == 0 ? part : "\(part) of day \(day + 1)"
      let last = plan.categories.filter { $0.session == index }.map(\.targets.upperBound).max()
      let session = try await organiser.call(
        Events.createEventSession,
        .with { request in
          request.session = .with { session in
            session.tournamentID = id
            session.name = name
            session.startsAtMilliseconds =
              1_800_000_000_000 + Int64(day * 24 + index * 4) * 3_600_000
            session.round = UInt32(day + 1)
            session.firstTarget = 1
            session.lastTarget = last ?? 1
            session.archersPerTarget = UInt32(RehearsalPlan.archersPerTarget)
          }
        })
      sessions.append(session.id)
    }
  }

  /// Imports all entries, twice: the second time changes nothing.
  private mutating func enter(
    _ plan: RehearsalPlan, _ organiser: FaultyTransport, _ findings: Findings
  ) async throws {
    var request = ImportEventEntriesRequest()
    request.tournamentID = id
    for archer in plan.archers {
      var draft = EventEntryDraft()
      draft.name = archer.name
      draft.bib = archer.bib
      draft.club = archer.club
      draft.country = archer.country
      draft.licence = "L\(archer.bib)"
      draft.categoryCode = plan.categories[archer.category].code
      draft.sessionID = sessions[plan.categories[archer.category].session]
      request.entries.append(draft)
    }
    let first = try await organiser.call(Events.importEventEntries, request)
    let again = try await organiser.call(Events.importEventEntries, request)
    participants = first.entries.map(\.participantID)
    findings.compare(
      "entries after a second import", again.entries.map(\.participantID), participants)
    findings.compare("entries", participants.count, plan.archers.count)
  }

  private mutating func draw(
    _ plan: RehearsalPlan, _ day: Int, _ organiser: FaultyTransport, _ findings: Findings
  ) async throws {
    var places: Set<String> = []
    for (index, category) in plan.categories.enumerated() {
      var request = DrawTargetsRequest()
      request.tournamentID = id
      let session = day * Self.parts.count + category.session
      request.sessionID = sessions[session]
      // On later days nobody has a session yet.
      request.includeWaiting = day > 0
      request.categoryID = categories[index]
      request.method = .random
      request.firstTarget = category.targets.lowerBound
      request.lastTarget = category.targets.upperBound
      request.seed = (plan.seed | 1) &+ UInt64(day) &* 2
      let drawn = try await organiser.call(Events.drawTargets, request).entries
      findings.compare("drawn entries of \(category.code)", drawn.count, category.archerCount)
      for entry in drawn {
        findings.compare(
          "the target of bib \(entry.bib) is one of its category's",
          category.targets.contains(entry.target), true)
        findings.compare(
          "the place of bib \(entry.bib) is its own",
          places.insert("\(category.session) \(entry.target)\(entry.letter)").inserted, true)
      }
      for number in category.targets {
        let archers = drawn.filter { $0.target == number }.sorted { $0.letter < $1.letter }
          .compactMap { archer($0.participantID) }
        guard !archers.isEmpty else { continue }
        targets.append(
          Target(
            day: day, session: session, number: number, category: index, archers: archers))
      }
    }
  }
}
