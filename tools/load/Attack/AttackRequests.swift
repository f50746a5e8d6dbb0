import QuiverAPI
import QuiverProtobuf
import QuiverRPC
import QuiverRules

/// The calls of attackers.
enum AttackRequests {
  typealias Source = CallingBehaviour.Source

  /// The longest note that an item or an entry may have, in characters.
  private static let noteLength = 4_000
  private static let letters = "abcdefghijklmnopqrstuvwxyz"
  private static let codeLetters = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"

  /// The methods that an attack calls, for its tallies.
  static func methods(of attack: Attack) -> [String] {
    switch attack {
    case .unreadWatches: [Logbook.watchWeights.name, Logbook.importWeights.name]
    case .unreadExports: [Logbook.exportWeights.name, Logbook.importWeights.name]
    case .unfinishedMessages: [Logbook.importWeights.name]
    case .wrongCodes: [Account.redeemInvite.name, Tournament.joinTournament.name]
    case .bulkStoring: [Equipment.accessories.create.name, Logbook.importWeights.name]
    case .pipelinedCreates: [Equipment.accessories.create.name]
    case .leaderboardTopics:
      [Tournament.createTournament.name, Tournament.watchLeaderboard.name]
    case .changeListeners:
      [
        Equipment.watchHub.name, Logbook.watchWeights.name, Equipment.accessories.create.name,
      ]
    case .wrongTokens, .anonymousConnections, .halfOpenHandshakes: []
    }
  }

  static func behaviour(
    _ settings: AttackSettings, token: String?, isTLS: Bool, connect: Tally,
    _ tally: (String) -> Tally, _ random: SplitMix64
  ) -> any AttackBehaviour {
    let attack = settings.attack
    let calling = { (sources: [Source], changes: Source?, topics: ((Int64) -> Source)?) in
      CallingBehaviour(
        settings, token: token, sources: sources, changes: changes, topics: topics, random)
    }
    let imports = Source(
      method: Logbook.importWeights.id, isStream: false, tally: tally(Logbook.importWeights.name)
    ) { largeImport(entries: attack == .bulkStoring ? 200 : 700, &$0) }
    switch attack {
    case .wrongTokens, .anonymousConnections, .halfOpenHandshakes:
      return ConnectingBehaviour(attack, isTLS: isTLS, connect, random)
    case .unfinishedMessages: return UnfinishedBehaviour(settings, token: token, imports.tally)
    case .unreadWatches: return calling([watchWeights(tally)], imports, nil)
    case .unreadExports: return calling([exports(tally)], imports, nil)
    case .bulkStoring: return calling([imports, largeItem(tally)], nil, nil)
    case .pipelinedCreates: return calling([smallItem(tally)], nil, nil)
    case .wrongCodes: return calling([wrongInvite(tally), wrongJoin(tally)], nil, nil)
    case .changeListeners:
      let hub = Source(
        method: Equipment.watchHub.id, isStream: true, tally: tally(Equipment.watchHub.name)
      ) { _ in [] }
      return calling([hub, watchWeights(tally)], smallItem(tally), nil)
    case .leaderboardTopics:
      let watch = tally(Tournament.watchLeaderboard.name)
      return calling([event(tally)], nil) { id in
        Source(method: Tournament.watchLeaderboard.id, isStream: true, tally: watch) { _ in
          var request = WatchLeaderboardRequest()
          request.tournamentID = id
          return request.serializedBytes()
        }
      }
    }
  }

  // MARK: Methods

  private static func watchWeights(_ tally: (String) -> Tally) -> Source {
    Source(
      method: Logbook.watchWeights.id, isStream: true, tally: tally(Logbook.watchWeights.name)
    ) { _ in [] }
  }

  private static func exports(_ tally: (String) -> Tally) -> Source {
    Source(
      method: Logbook.exportWeights.id, isStream: false, tally: tally(Logbook.exportWeights.name)
    ) { _ in
      var request = ExportWeightsRequest()
      request.pageSize = 500
      return request.serializedBytes()
    }
  }

  private static func smallItem(_ tally: (String) -> Tally) -> Source {
    Source(
      method: Equipment.accessories.create.id, isStream: false,
      tally: tally(Equipment.accessories.create.name)
    ) { random in item(noteLength: 0, &random) }
  }

  private static func largeItem(_ tally: (String) -> Tally) -> Source {
    Source(
      method: Equipment.accessories.create.id, isStream: false,
      tally: tally(Equipment.accessories.create.name)
    ) { random in item(noteLength: noteLength, &random) }
  }

  private static func item(noteLength: Int, _ random: inout SplitMix64) -> [UInt8] {
    var request = CreateItemRequest<Accessory>()
    var item = Accessory()
    item.name = RandomCode.text(12, of: letters, &random)
    item.type = .tab
    item.notes = note(noteLength, &random)
    request.item = item
    return request.serializedBytes()
  }

  private static func wrongInvite(_ tally: (String) -> Tally) -> Source {
    Source(
      method: Account.redeemInvite.id, isStream: false, tally: tally(Account.redeemInvite.name)
    ) { random in
      var request = RedeemInviteRequest()
      request.code = RandomCode.text(8, of: codeLetters, &random)
      return request.serializedBytes()
    }
  }

  private static func wrongJoin(_ tally: (String) -> Tally) -> Source {
    Source(
      method: Tournament.joinTournament.id, isStream: false,
      tally: tally(Tournament.joinTournament.name)
    ) { random in
      var request = JoinTournamentRequest()
      request.joinCode = RandomCode.text(6, of: codeLetters, &random)
      return request.serializedBytes()
    }
  }

  private static func event(_ tally: (String) -> Tally) -> Source {
    Source(
      method: Tournament.createTournament.id, isStream: false,
      tally: tally(Tournament.createTournament.name), createsTopic: true
    ) { random in
      var request = CreateTournamentRequest()
      request.name = RandomCode.text(12, of: letters, &random)
      var format = FormatReference()
      format.codename = "wa18"
      request.format = format
      return request.serializedBytes()
    }
  }

  // MARK: Text

  /// Entries with the longest notes, none equal to another.
  private static func largeImport(entries: Int, _ random: inout SplitMix64) -> [UInt8] {
    var text = WeightCSV.header + "\n"
    for number in 0..<entries {
      let day = String(number % 28 + 101).dropFirst()
      text += "2024-01-\(day),\(60 + random.next() % 30),kg,\(note(noteLength, &random)),\n"
    }
    var request = ImportWeightsRequest()
    request.csv = Array(text.utf8)
    return request.serializedBytes()
  }

  /// A text that differs from others and is quick to make.
  private static func note(_ length: Int, _ random: inout SplitMix64) -> String {
    guard length > 16 else { return "" }
    return RandomCode.text(16, of: letters, &random)
      + String(repeating: "q", count: length - 16)
  }
}
