import QuiverAPI
import QuiverClient
import QuiverProtobuf
import QuiverRPC

/// An event in which people practise with their phones: invented archers, two ends of which are
/// shot at leased targets that have plates.
enum PracticeEvent {
  static let archerCounts = 1...120
  static let usualArchers = 8
  private static let archersPerTarget = 4
  private static let arrows: UInt32 = 6

  /// Creates and starts it; deletes it again where a step fails.
  static func create(
    archers count: Int, _ client: RPCClient
  ) async throws(RPCError) -> (event: TournamentEvent, codes: [TargetCode]) {
    var plan = EventPlan()
    plan.request.name = "Practice"
    plan.request.maxParticipants = UInt32(archerCounts.upperBound)
    plan.request.format = .with { ($0.codename, $0.arrowLimit) = ("wa18", arrows) }
    plan.session = .with { session in
      session.name = "Practice"
      session.firstTarget = 1
      session.lastTarget = UInt32((count + archersPerTarget - 1) / archersPerTarget)
      session.archersPerTarget = UInt32(archersPerTarget)
    }
    let event = try await plan.create(client)
    do throws(RPCError) {
      return (event, try await open(event.id, archers: count, client))
    } catch {
      await EventPlan.deleteIncomplete(event.id, client)
      throw error
    }
  }

  private static func open(
    _ event: Int64, archers count: Int, _ client: RPCClient
  ) async throws(RPCError) -> [TargetCode] {
    let sessions = try await client.call(
      Events.listEventSessions, .with { $0.tournamentID = event }
    ).sessions
    let session = sessions.first?.id ?? 0
    let entries = (0..<count).map { number in
      EventEntryDraft.with { entry in
        let letter = ["A", "B", "C", "D"][number % archersPerTarget]
        entry.target = UInt32(number / archersPerTarget + 1)
        (entry.letter, entry.sessionID) = (letter, session)
        entry.name = "Archer \(entry.target)\(letter)"
        entry.bib = "\(number + 1)"
      }
    }
    _ = try await client.call(
      Events.importEventEntries, .with { ($0.tournamentID, $0.entries) = (event, entries) })
    _ = try await client.call(
      Events.setEventLeases, .with { ($0.tournamentID, $0.demanded) = (event, true) })
    _ = try await client.call(
      Tournament.startTournament, .with { ($0.id, $0.anyway) = (event, true) })
    return try await client.call(
      Events.createPlateCodes, .with { $0.tournamentID = event }
    ).codes
  }
}
