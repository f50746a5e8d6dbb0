import GatewayCalls
import QuiverDispatch
import QuiverRPC

/// Attackers of a gateway: each actor has a thread, connections from a loopback address of its own
/// and, where its attack needs one, an account.
///
/// Their failures count in no objective: they are what the gateway refuses.
final class GatewayAttackWork: RoleWork {
  let tallies: [Tally]
  private let tally: Tally
  private let role: Scenario.Role
  private let settings: GatewayAttackSettings
  private let context: RunContext
  private let dial: Dial
  private let address: GatewayAddress

  /// How what attackers send is called in reports.
  static let request = "requests"

  init(
    _ role: Scenario.Role, _ settings: GatewayAttackSettings, _ context: RunContext, _ dial: Dial,
    _ address: GatewayAddress, _ tally: Tally
  ) {
    self.role = role
    self.settings = settings
    self.context = context
    self.dial = dial
    self.address = address
    self.tally = tally
    tallies = [tally]
  }

  func live(_ life: ActorLife) async {
    let endpoint =
      settings.attack.reachesServer ? dial.endpoints.addresses[0] : address.endpoint
    let tokens = context.attackerTokens[role.name] ?? []
    let requests = GatewayRequests(
      settings: settings, host: "\(endpoint)", tally: tally,
      token: life.number < tokens.count ? tokens[life.number] : nil, spectator: await spectator())
    // The thread ends with the scenario even if nobody stops it.
    let end = Clock.nanoseconds() &+ LoadRun.nanoseconds(context.scenario.seconds)
    let hasRun = await AttackThread.run { [settings, tally] in
      GatewayAttacker(endpoint, settings, requests.behaviour(), tally)
        .run(until: end) { life.shallStop }
    }
    if !hasRun { tally.note("threads that could not be made") }
  }

  /// Nil if the scenario has no event.
  private func spectator() async -> GatewayRequests.Spectator? {
    guard let code = context.variables["event_code"]?.text, let scores = context.scores else {
      return nil
    }
    var token: String?
    if settings.attack == .spectatorWindows {
      let caller = GatewayCaller(dial.transport, address, .spectator(joinCode: code))
      token = try? await caller.token()
    }
    return .init(
      joinCode: code, token: token, tournament: scores.tournament,
      participants: scores.participants)
  }
}
