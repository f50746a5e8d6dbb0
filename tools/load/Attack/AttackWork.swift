import QuiverDispatch
import QuiverRPC
import QuiverRules

/// Attackers: each actor has a thread, connections and, where its attack needs one, an account of
/// its own.
///
/// Their failures count in no objective: they are what the server refuses, by code.
final class AttackWork: RoleWork {
  let tallies: [Tally]
  private let role: Scenario.Role
  private let settings: AttackSettings
  private let context: RunContext
  private let endpoint: Endpoint
  private let connectTally: Tally
  private let methodTallies: [String: Tally]

  /// How the connections of attackers are called beside their methods.
  static let connect = "connect"

  /// - Parameter tallies: of the connections, then of the methods by name.
  init(
    _ role: Scenario.Role, _ settings: AttackSettings, _ context: RunContext, _ endpoint: Endpoint,
    connect: Tally, methods: [String: Tally]
  ) {
    self.role = role
    self.settings = settings
    self.context = context
    self.endpoint = endpoint
    connectTally = connect
    methodTallies = methods
    tallies = [connect] + methods.sorted { $0.key < $1.key }.map(\.value)
  }

  func live(_ life: ActorLife) async {
    let number = life.number
    let seed = context.scenario.seed(of: role) ^ UInt64(number) << 40
    let tokens = context.attackerTokens[role.name] ?? []
    let hasRun = await AttackThread.run { [self] in
      let behaviour = AttackRequests.behaviour(
        settings, token: number < tokens.count ? tokens[number] : nil, isTLS: endpoint.isSecure,
        connect: connectTally, { methodTallies[$0] ?? connectTally }, SplitMix64(seed: seed))
      Attacker(endpoint, settings, behaviour, connectTally).run { life.shallStop }
    }
    if !hasRun { connectTally.note("threads that could not be made") }
  }
}
