import QuiverAPI
import QuiverClient
import QuiverProtobuf
import QuiverRPC
import QuiverRules
import QuiverWire

/// Plays a whole event against a server over real connections, and checks its results.
struct Rehearsal: Sendable {
  let plan: RehearsalPlan
  let log: RehearsalLog
  let findings: Findings
  let hasFaults: Bool
  let staff: RehearsalStaff
  let event: RehearsalEvent
  /// Whether a device is taken over after its silence, and not by the organiser.
  let waitsForSilence: Bool
  /// Calls as a spectator, who has no account.
  let spectator: RPCClient
  /// Without a token.
  let anonymous: RPCClient.Configuration

  /// One target in this number is scored by an offline session.
  private static let targetsPerSession = 3
  private static let correctionCount = 5

  /// Creates the accounts and the event.
  init(
    _ plan: RehearsalPlan, _ administrator: RPCClient.Configuration, _ log: RehearsalLog,
    _ findings: Findings, hasFaults: Bool, waitsForSilence: Bool = false
  ) async throws {
    self.plan = plan
    self.log = log
    self.findings = findings
    self.hasFaults = hasFaults
    self.waitsForSilence = waitsForSilence
    let targetCount = plan.categories.reduce(0) { $0 + $1.targets.count }
    staff = try await RehearsalStaff(
      administrator, scorerCount: targetCount, log, seed: plan.seed, hasFaults: hasFaults)
    event = try await RehearsalEvent(plan, staff.organiser.way, findings)
    var configuration = administrator
    configuration.token = nil
    configuration.tokenSource = nil
    configuration.interceptors = []
    anonymous = configuration
    let nobody = try RPCClient(configuration)
    let code = event.joinCode
    configuration.token = try await nobody.call(
      Tournament.getSpectatorToken, .with { $0.joinCode = code }
    ).token
    await nobody.close(gracePeriod: .zero)
    spectator = try RPCClient(configuration)
  }

  private var organiser: FaultyTransport { staff.organiser.way }

  /// Appoints the officials, checks the archers in and starts the event.
  func open() async throws {
    let id = event.id
    try await appointScorers(ofDay: 0)
    let officials =
      [(staff.judge, EventRole.judge)] + staff.matchScorers.map { ($0, EventRole.scorer) }
    for (member, role) in officials {
      let code = try await code(of: member)
      _ = try await organiser.call(
        Events.setEventOfficial,
        .with { request in
          request.tournamentID = id
          request.principalCode = code
          request.role = role
        })
    }
    for (index, archer) in plan.archers.enumerated() {
      let state: EventEntryState = archer.fate == .doesNotStart ? .didNotStart : .checkedIn
      try await set(state, of: index)
    }
    _ = try await organiser.call(Tournament.startTournament, .with { $0.id = id })
  }

  /// Assigns the archers of each target of a day to its scorer, who keeps those of the day before
  /// until others have them.
  private func appointScorers(ofDay day: Int) async throws {
    let id = event.id
    var scorers: [Int: Int64] = [:]
    for former in 0..<day {
      for (index, target) in event.targets(ofDay: former) {
        for archer in target.archers { scorers[archer] = scorer(ofTarget: index).principal }
      }
    }
    for (index, target) in event.targets(ofDay: day) {
      let session = event.sessions[target.session]
      let scorer = scorer(ofTarget: index)
      let code = try await code(of: scorer)
      let appointed = try await organiser.call(
        Tournament.appointScorer,
        .with { request in
          request.tournamentID = id
          request.principalCode = code
          request.sessionID = session
          request.targets = [target.number]
        })
      for archer in target.archers { scorers[archer] = scorer.principal }
      findings.compare(
        "archers of the scorer of target \(target.number)", Int(appointed.assignedCount),
        scorers.values.count { $0 == scorer.principal })
    }
  }

  /// The code that a member shows to the organiser; it is asked for until a reply arrives.
  private func code(of member: RehearsalStaff.Member) async throws -> String {
    for _ in 0..<100 {
      do {
        return try await member.way.call(
          Account.getIntroductionCode, GetIntroductionCodeRequest()
        ).code
      } catch let error as RPCError where error.code == .unavailable {
        try await Task.sleep(for: .milliseconds(20))
      }
    }
    throw FaultyTransport.lost
  }

  /// Who scores a target; on each day the targets have the same scorers.
  private func scorer(ofTarget index: Int) -> RehearsalStaff.Member {
    staff.scorers[index % staff.scorers.count]
  }

  private func set(_ state: EventEntryState, of archer: Int) async throws {
    let participant = event.participants[archer]
    let entry = try await staff.judge.way.call(
      Events.setEventEntryState,
      .with { request in
        request.participantID = participant
        request.state = state
      })
    findings.compare("the state of participant \(participant)", entry.state, state)
  }

  /// Has all targets shot at the same time, each by its device; then rules on what is left.
  func shootQualification() async throws {
    let wrong = wrongSlots()
    let cards = secondCards(besides: wrong)
    let codes = try await demandLeases()
    var late: [LateDevice] = []
    for day in 0..<plan.dayCount {
      if day > 0 { try await appointScorers(ofDay: day) }
      late += try await shootAllTargets(ofDay: day, codes, wrong, cards)
    }
    try await refuseForeignArrow()
    try await checkCalls()
    try await rejectTakenOver()
    try await correct(wrong)
    try await checkCards(cards)
    try await checkPaperCards()
    for (index, archer) in plan.archers.enumerated() {
      let participant = event.participants[index]
      switch archer.fate {
      case .stops: try await set(.didNotFinish, of: index)
      case .withdraws:
        _ = try await organiser.call(
          Tournament.withdrawParticipant,
          .with { ($0.participantID, $0.reason) = (participant, "a broken bow") })
      case .isDisqualified:
        _ = try await organiser.call(
          Tournament.disqualifyParticipant,
          .with { ($0.participantID, $0.reason) = (participant, "equipment") })
      case .shootsAll, .doesNotStart, .isLate, .isOnPaper: break
      }
    }
    try await finalise()
    for var device in late { try await device.phone.send() }
    try await ruleOnLateOperations()
  }

  /// Finalises the event: while steps are open the server refuses it until it is told to go on, and
  /// the standings say which ones are open.
  private func finalise() async throws {
    let id = event.id
    let steps = try await organiser.call(Events.getEventProgress, .with { $0.tournamentID = id })
      .steps
    let obstacles = steps.filter { step in
      !step.done && [.secondCards, .disputes, .confirmations].contains(step.kind)
    }
    do {
      _ = try await organiser.call(Tournament.finaliseTournament, .with { $0.id = id })
      findings.compare("open steps of a finalised event", obstacles.map(\.kind), [])
    } catch let error as RPCError where error.code == .failedPrecondition {
      let detail = error.details.first { $0.type == OpenEventSteps.schema.core.name }
      findings.compare(
        "the open steps", try OpenEventSteps(serializedBytes: detail?.value ?? []).steps, obstacles)
      _ = try await organiser.call(
        Tournament.finaliseTournament, .with { ($0.id, $0.anyway) = (id, true) })
    }
    let category = event.categories.first ?? 0
    let standings = try await organiser.call(
      Events.getCategoryStandings, .with { ($0.tournamentID, $0.categoryID) = (id, category) })
    findings.compare(
      "the open steps of the results", standings.openSteps.map(\.kind),
      steps.filter { step in
        !step.done
          && [.qualification, .secondCards, .disputes, .confirmations].contains(step.kind)
      }.map(\.kind))
  }

  /// Has the targets of a day shot at the same time; returns the devices that still have
  /// operations.
  private func shootAllTargets(
    ofDay day: Int, _ codes: [[UInt32: String]], _ wrong: [Int: ArrowSlot], _ cards: [SecondCard]
  ) async throws -> [LateDevice] {
    var misread = wrong
    for card in cards {
      if let slot = card.wrongSlot { misread[card.archer] = slot }
    }
    let slots = misread
    let troubles = troubles(ofDay: day)
    let troubled = Set(troubles.flatMap(\.targets).map(\.place))
    let plates = try await plateCodes()
    return try await withThrowingTaskGroup(of: [LateDevice].self) { group in
      for trouble in troubles {
        group.addTask {
          try await play(trouble, plates, slots)
          return []
        }
      }
      for (index, target) in event.targets(ofDay: day) where !troubled.contains(target.place) {
        guard let code = codes[target.session][target.number] else {
          throw RehearsalError("target \(target.number) has no code")
        }
        group.addTask { try await shoot(target, index, slots, code: code) }
        let second = cards.filter { target.archers.contains($0.archer) }
        guard !second.isEmpty else { continue }
        group.addTask {
          try await keep(second, target, index, code: code, plates)
          return []
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
  }

  /// A device that still has operations.
  private struct LateDevice: Sendable { var phone: PlainPhone }

  private func shoot(
    _ target: RehearsalEvent.Target, _ index: Int, _ wrong: [Int: ArrowSlot], code: String
  ) async throws -> [LateDevice] {
    let archers = archers(of: target, wrong)
    let scorer = scorer(ofTarget: index)
    let seed = plan.seed &+ UInt64(index) &* 7_919
    let device = "target \(target.number)"
    let hasSession =
      index % Self.targetsPerSession == 0 && !archers.contains(where: \.isLate)
    guard !hasSession else {
      let phone = try await SessionPhone(
        scorer.configuration, log, device: device, seed: seed, hasFaults: hasFaults)
      do {
        try await phone.score(archers, of: event.id, code: code)
      } catch {
        await phone.close()
        throw error
      }
      await phone.close()
      return []
    }
    try await SecondDevice.join(code, device, card: 1, over: scorer.way)
    var phone = PlainPhone(scorer.way, device: device, seed: seed, shuffles: hasFaults)
    try await phone.score(archers)
    return phone.queue.isEmpty ? [] : [LateDevice(phone: phone)]
  }

  /// The archers of a target as its devices see them.
  func archers(of target: RehearsalEvent.Target, _ wrong: [Int: ArrowSlot]) -> [TargetArcher] {
    target.archers.map { index in
      let archer = plan.archers[index]
      return TargetArcher(
        index: index, participant: event.participants[index], ends: archer.ends,
        shotEndCount: archer.recordedEndCount, range: plan.ends(ofDay: target.day),
        isLate: archer.fate == .isLate, wrong: wrong[index])
    }
  }

  /// Slots that a device records with another value, by the index of the archer.
  func wrongSlots() -> [Int: ArrowSlot] {
    var random = SplitMix64(seed: plan.seed &+ 17)
    let archers = plan.archers.indices.filter {
      plan.archers[$0].fate == .shootsAll && plan.archers[$0].paper == nil
    }
    return Dictionary(
      uniqueKeysWithValues: archers.shuffled(using: &random).prefix(Self.correctionCount).map {
        let end = Int.random(in: 0..<plan.endCount, using: &random)
        let arrow = Int.random(in: 0..<RehearsalPlan.arrowsPerEnd, using: &random)
        return ($0, ArrowSlot(endIndex: end, arrowIndex: arrow))
      })
  }

  /// Corrects what devices recorded wrongly, as the organiser.
  private func correct(_ wrong: [Int: ArrowSlot]) async throws {
    var phone = PlainPhone(
      organiser, device: "office", seed: plan.seed &+ 18, shuffles: hasFaults)
    for (archer, slot) in wrong.sorted(by: { $0.key < $1.key }) {
      let participant = event.participants[archer]
      let head = log.head(of: participant, end: slot.endIndex, arrow: slot.arrowIndex)
      guard let head else { throw RehearsalError("nothing was sent that could be corrected") }
      let arrow = plan.archers[archer].ends[slot.endIndex][slot.arrowIndex]
      phone.enqueue([
        phone.operation(.correct, arrow, at: slot, of: participant, replacing: head)
      ])
    }
    try await phone.send()
  }

  /// A scorer cannot score an archer of another target.
  private func refuseForeignArrow() async throws {
    guard let scorer = staff.scorers.first, let other = event.targets.last?.archers.first else {
      return
    }
    var phone = PlainPhone(
      scorer.way, device: "target 1", seed: plan.seed &+ 21, shuffles: false)
    let operation = phone.operation(
      .record, .init(value: 10), at: ArrowSlot(endIndex: 0, arrowIndex: 0),
      of: event.participants[other])
    try await MatchDevices.repeated { () async throws in
      let verdicts = try await scorer.way.call(
        Tournament.applyOperations, ApplyOperationsRequest.with { $0.operations = [operation] }
      ).verdicts
      findings.compare(
        "the verdict on an arrow of another target", verdicts.map(\.verdict), [.refused])
    }
    log.exclude(operation.clientID)
  }

  /// Admits the late operations but the last one, which changes an arrow and is rejected.
  private func ruleOnLateOperations() async throws {
    guard let index = plan.archers.firstIndex(where: { $0.fate == .shootsAll && $0.paper == nil })
    else { return }
    var phone = PlainPhone(
      organiser, device: "office", seed: plan.seed &+ 19, shuffles: false)
    let participant = event.participants[index]
    guard let head = log.head(of: participant, end: 0, arrow: 0) else { return }
    let change = phone.operation(
      .correct, PlainPhone.other(than: plan.archers[index].ends[0][0]),
      at: ArrowSlot(endIndex: 0, arrowIndex: 0), of: participant, replacing: head)
    phone.enqueue([change])
    try await phone.send()
    log.exclude(change.clientID)
    let id = event.id
    let waiting = try await organiser.call(
      Tournament.listLateOperations, .with { ($0.tournamentID, $0.pageSize) = (id, 500) }
    ).operations
    let rejected = waiting.filter { $0.operation?.clientID == change.clientID }.map(\.id)
    let admitted = waiting.map(\.id).filter { !rejected.contains($0) }
    findings.compare("late operations to reject", rejected.count, 1)
    findings.compare("whether there are late operations to admit", admitted.isEmpty, false)
    _ = try await organiser.call(
      Tournament.rejectOperations,
      .with { ($0.tournamentID, $0.operationIDs, $0.reason) = (id, rejected, "too late") })
    // Those that wait for others that are late are admitted in the next round.
    for _ in 0..<8 {
      let waiting = try await organiser.call(
        Tournament.listLateOperations, .with { ($0.tournamentID, $0.pageSize) = (id, 500) }
      ).operations.map(\.id)
      guard !waiting.isEmpty else { return }
      _ = try await organiser.call(
        Tournament.admitOperations,
        .with { ($0.tournamentID, $0.operationIDs, $0.reason) = (id, waiting, "no network") })
    }
    findings.note("late operations could not be admitted")
  }

  /// Records how the ties of the plan were decided, as the judge.
  func decideTies() async throws {
    let id = event.id
    for tie in plan.ties {
      let category = event.categories[tie.category]
      let participants = tie.archers.map { event.participants[$0] }
      _ = try await staff.judge.way.call(
        Elimination.decideTie,
        .with { request in
          request.tournamentID = id
          request.categoryID = category
          request.participantIDs = participants
          request.decision = tie.decision
        })
    }
  }

  /// Closes all connections.
  func close() async {
    await staff.close()
    await spectator.close(gracePeriod: .zero)
  }
}
