import QuiverAPI
import QuiverClient
import QuiverProtobuf
import QuiverRPC
import QuiverRules
import QuiverWire

/// Phones without accounts on the line: takeovers, moves, calls and rescues.
extension Rehearsal {
  /// How long a device says nothing before another one takes its target over, with some allowance.
  private static let silence = Duration.seconds(3 * 60 + 5)

  /// The codes of all plates, by target.
  func plateCodes() async throws -> [UInt32: String] {
    let id = event.id
    let codes = try await staff.organiser.way.call(
      Events.createPlateCodes, .with { $0.tournamentID = id }
    ).codes
    return Dictionary(
      codes.map { ($0.target, $0.code) }, uniquingKeysWith: { first, _ in first })
  }

  /// What happens on targets on a day: not on those of archers with second cards, whose devices
  /// have leases of their own.
  func troubles(ofDay day: Int) -> [TargetTrouble] {
    let cards = secondCards(besides: wrongSlots()).map(\.archer)
    return TargetTrouble.all(ofDay: day, of: event, plan, besides: Set(cards))
  }

  /// Has the targets of a trouble shot.
  func play(_ trouble: TargetTrouble, _ plates: [UInt32: String], _ wrong: [Int: ArrowSlot])
    async throws
  {
    switch trouble {
    case .takeover(let target): try await takeOver(target, plates, wrong)
    case .rescue(let target): try await rescue(target, plates, wrong)
    case .move(let first, let second): try await move(first, second, plates, wrong)
    }
  }

  func plate(
    _ target: RehearsalEvent.Target, _ plates: [UInt32: String]
  ) throws -> LineDevice.Plate {
    guard let code = plates[target.number] else {
      throw RehearsalError("target \(target.number) has no plate")
    }
    return LineDevice.Plate(
      code: code, session: event.sessions[target.session], target: target.number)
  }

  func device(
    _ name: String, at target: RehearsalEvent.Target, _ number: UInt64
  ) throws -> LineDevice {
    try LineDevice(
      "\(name) of target \(target.number)", of: event.id, anonymous, log,
      seed: plan.seed &+ UInt64(target.number) &* 15_485_863 &+ UInt64(target.session) &* 32_452_843
        &+ number, hasFaults: hasFaults)
  }

  /// A phone loses the network in the middle of the round; another one scores from the plate.
  private func takeOver(
    _ target: RehearsalEvent.Target, _ plates: [UInt32: String], _ wrong: [Int: ArrowSlot]
  ) async throws {
    let plate = try plate(target, plates)
    let archers = archers(of: target, wrong)
    var former = try device("phone", at: target, 1)
    var next = try device("second phone", at: target, 2)
    try await former.join(plate)
    let range = plan.ends(ofDay: target.day)
    let middle = range.lowerBound + range.count / 2
    try await former.phone.score(archers, range.lowerBound..<middle - 1)
    try await call(from: &former, plate, archers, in: middle - 1)
    let expected = keepTwoEnds(from: middle, archers, on: &former)
    try await former.report()
    try await compareReport(of: former)
    for takesOver in [false, true] {
      findings.compare(
        "the answer to a second phone at target \(target.number)",
        try await next.refusal(plate, takesOver: takesOver), .failedPrecondition)
    }
    try await hand(target, plate, from: former, to: &next)
    var rest: [ScoringOperation] = []
    for end in [middle] + Array((middle + 2)..<range.upperBound) {
      for archer in archers where end < archer.shotEndCount {
        rest +=
          end == middle
          ? next.phone.records(end, of: archer) : next.phone.operations(end, of: archer)
      }
    }
    next.phone.enqueue(rest)
    try await next.phone.send()
    try await former.phone.send()
    compareReturned(expected, target)
    try await compareLease(plate, next)
    for device in [former, next] { await device.close() }
  }

  /// Two ends stay on a phone: another one scores the first of them, and not the second one.
  /// Returns the verdict that each arrow gets then.
  private func keepTwoEnds(
    from middle: Int, _ archers: [TargetArcher], on device: inout LineDevice
  ) -> [[UInt8]: Verdict] {
    var expected: [[UInt8]: Verdict] = [:]
    for end in [middle, middle + 1] {
      for (number, archer) in archers.enumerated() where end < archer.shotEndCount {
        for var operation in device.phone.records(end, of: archer) {
          let isOther = end == middle && number == 1 && operation.arrowIndex == 0
          if isOther {
            let arrow = archer.recorded(at: ArrowSlot(endIndex: end, arrowIndex: 0))
            let other = PlainPhone.other(than: arrow)
            (operation.value, operation.isX) = (UInt32(other.value), other.isX)
          }
          expected[operation.clientID] = end > middle ? .stored : isOther ? .late : .same
          device.phone.enqueue([operation])
        }
      }
    }
    return expected
  }

  /// Another phone gets a target: after the silence of the first one, or by the organiser.
  private func hand(
    _ target: RehearsalEvent.Target, _ plate: LineDevice.Plate, from former: LineDevice,
    to next: inout LineDevice
  ) async throws {
    guard waitsForSilence else {
      try await release(target, plate)
      try await next.join(plate)
      return
    }
    try await Task.sleep(for: Self.silence)
    let joined = try await next.join(plate, takesOver: true)
    findings.compare(
      "from whom target \(target.number) was taken over", joined.lease?.takenOverFrom,
      former.name)
  }

  private func compareReturned(
    _ expected: [[UInt8]: Verdict], _ target: RehearsalEvent.Target
  ) {
    for (id, verdict) in expected {
      let found = log.verdict(ofScore: id)
      // A reply may have been lost.
      findings.compare(
        "the verdict on an arrow of a phone that lost target \(target.number)",
        found == .same && verdict == .stored ? .stored : found, verdict)
      switch verdict {
      case .stored: break
      case .late: log.reject(id)
      default: log.exclude(id)
      }
    }
  }

  /// The organiser takes a target over and leaves it.
  private func release(_ target: RehearsalEvent.Target, _ plate: LineDevice.Plate) async throws {
    let office = staff.organiser.way
    let lease =
      try await office.call(
        Events.joinTarget,
        .with { request in
          (request.code, request.device, request.card) = (plate.code, "office", 1)
          (request.takeOver, request.sessionID) = (true, plate.session)
        }
      ).lease ?? TargetLease()
    findings.compare("the target that the organiser has", lease.target, target.number)
    _ = try await office.call(
      Events.leaveTarget,
      .with { request in
        (request.tournamentID, request.sessionID) = (lease.tournamentID, lease.sessionID)
        (request.target, request.card) = (lease.target, 1)
      })
  }

  /// Somebody without a token delivers what a phone cannot send; later it sends the same.
  private func rescue(
    _ target: RehearsalEvent.Target, _ plates: [UInt32: String], _ wrong: [Int: ArrowSlot]
  ) async throws {
    let plate = try plate(target, plates)
    let archers = archers(of: target, wrong)
    var device = try device("phone", at: target, 1)
    try await device.join(plate)
    let range = plan.ends(ofDay: target.day)
    let middle = range.lowerBound + range.count / 2
    try await device.phone.score(archers, range.lowerBound..<middle - 1)
    try await call(from: &device, plate, archers, in: middle - 1)
    for archer in archers where middle < archer.shotEndCount {
      let operations = device.phone.operations(middle, of: archer)
      device.phone.enqueue(operations)
      let text = device.text(of: operations)
      log.sent(operations)
      for isRepeated in [false, true] {
        let delivered = try await Self.deliver(text, by: device.nobody)
        log.answered(delivered.verdicts)
        findings.compare("the device of a delivery", delivered.device, device.name)
        for (operation, verdict) in zip(operations, delivered.verdicts) {
          findings.compare(
            "the verdict on a delivered arrow of participant \(operation.participantID)",
            verdict.verdict == .same || !isRepeated && verdict.verdict == .stored, true)
        }
        findings.compare(
          "the number of verdicts of a delivery", delivered.verdicts.count, operations.count)
      }
    }
    let waiting = device.phone.queue
    try await refuseForgery(device.text(of: waiting), by: device.nobody)
    try await device.phone.send()
    for operation in waiting {
      findings.compare(
        "the verdict on an arrow that was delivered before",
        log.verdict(ofScore: operation.clientID), .same)
    }
    try await device.phone.score(archers, (middle + 1)..<range.upperBound)
    try await compareLease(plate, device)
    await device.close()
  }

  private static func deliver(
    _ text: String, by nobody: FaultyTransport
  ) async throws -> DeliverOperationsResponse {
    var delivered = DeliverOperationsResponse()
    try await MatchDevices.repeated { () async throws in
      delivered = try await nobody.call(Events.deliverOperations, .with { $0.text = text })
    }
    return delivered
  }

  /// A text of which one character was changed is not known.
  private func refuseForgery(_ text: String, by nobody: FaultyTransport) async throws {
    let forged = String(text.dropLast()) + (text.hasSuffix("A") ? "Q" : "A")
    var code: StatusCode?
    do {
      _ = try await Self.deliver(forged, by: nobody)
    } catch let error as RPCError {
      code = error.code
    }
    findings.compare(
      "whether a forged delivery is refused", code == .notFound || code == .resourceExhausted, true)
  }

  /// Two archers change their places in the middle of the round; an end of each waits meanwhile.
  private func move(
    _ first: RehearsalEvent.Target, _ second: RehearsalEvent.Target, _ plates: [UInt32: String],
    _ wrong: [Int: ArrowSlot]
  ) async throws {
    let targets = [first, second]
    let places = try targets.map { try plate($0, plates) }
    var archers = targets.map { self.archers(of: $0, wrong) }
    var devices = try targets.map { try device("phone", at: $0, 1) }
    let range = plan.ends(ofDay: first.day)
    let middle = range.lowerBound + range.count / 2
    var letters: [Int64: String] = [:]
    for side in [0, 1] {
      let joined = try await devices[side].join(places[side])
      for entry in joined.entries { letters[entry.participantID] = entry.letter }
      try await devices[side].phone.score(archers[side], range.lowerBound..<middle - 1)
      try await call(from: &devices[side], places[side], archers[side], in: middle - 1)
      if let moved = archers[side].first, middle < moved.shotEndCount {
        let waiting = devices[side].phone.records(middle, of: moved)
        devices[side].phone.enqueue(waiting)
      }
    }
    guard let left = archers[0].first, let right = archers[1].first else { return }
    let letter = letters[right.participant] ?? ""
    let placed = try await staff.judge.way.call(
      Events.placeEventEntry,
      .with { request in
        (request.participantID, request.sessionID) = (left.participant, places[0].session)
        (request.target, request.letter, request.swap) = (places[1].target, letter, true)
      })
    findings.compare(
      "the place of a moved archer", "\(placed.target)\(placed.letter)",
      "\(places[1].target)\(letter)")
    (archers[0][0], archers[1][0]) = (right, left)
    // What waits for an archer follows to the other target.
    for side in [0, 1] {
      let waiting = devices[side].phone.queue
      try await devices[side].phone.send()
      for operation in waiting {
        findings.compare(
          "whether a waiting arrow of a moved archer is kept",
          [.stored, .same].contains(log.verdict(ofScore: operation.clientID)), true)
      }
      let joined = try await devices[side].join(places[side])
      findings.compare(
        "who shoots on target \(places[side].target) after a move",
        Set(joined.entries.map(\.participantID)), Set(archers[side].map(\.participant)))
    }
    for side in [0, 1] {
      let others = Array(archers[side].dropFirst())
      try await devices[side].phone.score(others, middle..<(middle + 1))
      try await devices[side].phone.score(archers[side], (middle + 1)..<range.upperBound)
      try await compareLease(places[side], devices[side])
    }
    // Of an archer who has moved a phone changes nothing.
    if range.upperBound - 1 < left.shotEndCount {
      let slot = ArrowSlot(endIndex: range.upperBound - 1, arrowIndex: 0)
      let late = devices[0].phone.operation(
        .record, PlainPhone.other(than: left.recorded(at: slot)), at: slot,
        of: left.participant)
      devices[0].phone.enqueue([late])
      try await devices[0].phone.send()
      findings.compare(
        "the verdict on another arrow of an archer who has moved",
        log.verdict(ofScore: late.clientID), .late)
      log.reject(late.clientID)
    }
    for device in devices { await device.close() }
  }

  /// An end in which the equipment of an archer fails: the last arrows are shot after the others.
  private static let owedCount = 2

  /// Scores an end in which an archer owes arrows for a while, and calls officials from the target.
  private func call(
    from device: inout LineDevice, _ plate: LineDevice.Plate, _ archers: [TargetArcher],
    in end: Int
  ) async throws {
    let owing = archers.first { end < $0.shotEndCount }
    let others = archers.filter { $0.index != owing?.index }
    try await device.phone.score(others, end..<end + 1)
    guard let owing else { return }
    let records = device.phone.records(end, of: owing)
    device.phone.enqueue(Array(records.dropLast(Self.owedCount)))
    try await device.phone.send()
    try await checkOwed(by: owing, in: end, isCalled: false)
    try await raise(from: &device, plate, by: owing.participant, in: end)
    try await checkOwed(by: owing, in: end, isCalled: true)
    device.phone.enqueue(Array(records.suffix(Self.owedCount)))
    try await device.phone.send()
    try await checkOwed(by: owing, in: end, isCalled: true)
  }

  /// Compares what the card of an archer says to be owed with the arrows that were sent of an end.
  private func checkOwed(by archer: TargetArcher, in end: Int, isCalled: Bool) async throws {
    let sent = Set(
      log.scores.filter { sent in
        sent.operation.participantID == archer.participant && sent.operation.endIndex == end
      }.map(\.operation.arrowIndex))
    let open = isCalled ? min(Self.owedCount, archer.ends[end].count - sent.count) : 0
    let card = try await staff.judge.way.call(
      Events.getComparedCard, .with { $0.participantID = archer.participant })
    findings.compare(
      "the arrows that bib \(plan.archers[archer.index].bib) owes in end \(end + 1)",
      card.owed.map { [$0.endIndex, $0.arrowCount] },
      open > 0 ? [[UInt32(end), UInt32(open)]] : [])
  }

  /// Calls officials from a target; the judge resolves one of the calls. Every second call about
  /// owed arrows names no end.
  private func raise(
    from device: inout LineDevice, _ plate: LineDevice.Plate, by archer: Int64, in end: Int
  ) async throws {
    let calls: [(TargetCallKind, Int64, UInt32, String)] = [
      (.equipmentFailure, archer, UInt32(Self.owedCount), "a string broke"),
      (.judge, 0, 0, "an arrow on the line"), (.absentArcher, archer, 0, ""),
    ]
    for (kind, participant, owed, text) in calls {
      let isNamed = owed > 0 && plate.target % 2 == 0
      let raised = try await device.call(
        kind, participant, owes: owed, in: isNamed ? UInt32(end) : nil, text, from: plate,
        findings)
      let decision = kind == .judge ? "seen at target \(plate.target)" : ""
      log.called(
        RehearsalLog.Call(
          id: raised.id, target: plate.target, kind: kind, participant: participant,
          owedArrows: owed, end: owed > 0 ? UInt32(end) : nil, text: text, decision: decision))
      guard !decision.isEmpty else { continue }
      let id = event.id
      var times: Set<Int64> = []
      for _ in 0..<2 {
        let resolved = try await staff.judge.way.call(
          Events.resolveTargetCall,
          .with { ($0.tournamentID, $0.callID, $0.decision) = (id, raised.id, decision) })
        times.insert(resolved.resolvedAtMilliseconds)
      }
      findings.compare("the times at which a call was resolved", times.count, 1)
    }
  }

  /// Compares all calls from the line with those that devices raised.
  func checkCalls() async throws {
    let id = event.id
    var found: [RehearsalLog.Call] = []
    var open: Set<Int64> = []
    for includesResolved in [true, false] {
      var request = ListTargetCallsRequest()
      (request.tournamentID, request.pageSize) = (id, 100)
      request.includeResolved = includesResolved
      repeat {
        let page = try await staff.judge.way.call(Events.listTargetCalls, request)
        for call in page.calls {
          guard includesResolved else {
            open.insert(call.id)
            continue
          }
          found.append(RehearsalLog.Call(call))
        }
        request.pageToken = page.nextPageToken
      } while !request.pageToken.isEmpty
    }
    let expected = log.calls.sorted { $0.id > $1.id }
    findings.compare("the calls from the line", found, expected)
    findings.compare(
      "the open calls", open, Set(expected.filter(\.decision.isEmpty).map(\.id)))
  }

  /// Rejects what devices sent that had lost their targets, where others had scored.
  func rejectTakenOver() async throws {
    let id = event.id
    let waiting = try await staff.organiser.way.call(
      Tournament.listLateOperations, .with { ($0.tournamentID, $0.pageSize) = (id, 500) }
    ).operations
    findings.compare(
      "the late operations of devices that lost their targets",
      Set(waiting.compactMap { $0.operation?.clientID }), log.rejected)
    let rows = waiting.map(\.id)
    guard !rows.isEmpty else { return }
    _ = try await staff.organiser.way.call(
      Tournament.rejectOperations,
      .with { request in
        (request.tournamentID, request.operationIDs) = (id, rows)
        request.reason = "the other phone was right"
      })
  }

  private func compareLease(_ plate: LineDevice.Plate, _ device: LineDevice) async throws {
    let id = event.id
    let leases = try await staff.organiser.way.call(
      Events.listTargetLeases, .with { $0.tournamentID = id }
    ).leases
    let lease = leases.first {
      $0.sessionID == plate.session && $0.target == plate.target && $0.card == 1
    }
    findings.compare("who has target \(plate.target)", lease?.principalID, device.principal)
    findings.compare("the device of target \(plate.target)", lease?.device, device.name)
  }

  private func compareReport(of device: LineDevice) async throws {
    let id = event.id
    let devices = try await staff.organiser.way.call(
      Events.listEventDevices, .with { $0.tournamentID = id }
    ).devices
    findings.compare(
      "how many operations wait on \(device.name)",
      devices.first { $0.principalID == device.principal }?.report?.waitingOperations,
      UInt32(device.phone.queue.count))
  }
}
