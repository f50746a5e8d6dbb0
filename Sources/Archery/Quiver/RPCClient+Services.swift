public import QuiverAPI
public import QuiverClient
public import QuiverRPC

extension RPCClient {
  /// Equipment and bow setups.
  public var equipment: ServiceClient<Equipment> { ServiceClient(self) }
  /// Tournaments, their participants, scores and standings.
  public var tournaments: ServiceClient<Tournament> { ServiceClient(self) }
  /// Categories, entries, sessions, targets and officials of tournaments.
  public var events: ServiceClient<Events> { ServiceClient(self) }
  /// Cuts, brackets and matches of events.
  public var elimination: ServiceClient<Elimination> { ServiceClient(self) }
  /// Round formats, shooting sessions and score cards.
  public var rounds: ServiceClient<Rounds> { ServiceClient(self) }
  /// Body weight, strength and the training log.
  public var logbook: ServiceClient<Logbook> { ServiceClient(self) }
  /// Comparisons of bow setups and archers, and handicaps.
  public var comparison: ServiceClient<Comparison> { ServiceClient(self) }
  /// The caller's own profile, preferences and data.
  public var account: ServiceClient<Account> { ServiceClient(self) }
  /// Principals, tokens, invites, backups and checks of the store, for administrators.
  public var admin: ServiceClient<Admin> { ServiceClient(self) }
  /// Whether the server and its services serve.
  public var health: ServiceClient<Health> { ServiceClient(self) }
  /// Methods that test a connection.
  public var diagnostics: ServiceClient<Diagnostics> { ServiceClient(self) }
}
