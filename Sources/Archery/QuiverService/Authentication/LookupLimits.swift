/// The limits of checking tokens, each with its default. `docs/limits.md` lists them.
enum LookupLimits {
  /// Lookups of tokens that are at the store at once.
  static let started = 256

  /// Those of one address.
  static let startedPerAddress = 4

  /// Lookups of one address that wait. The oldest ends UNAVAILABLE for a further one.
  static let waitingPerAddress = 20_000

  /// How long lookups wait after the store had no room for one.
  static let retryMilliseconds = 20

  /// Refused tokens that are kept, to answer their repetition without a lookup.
  static let refusedTokens = 4_096

  /// How long they are kept. A token may become good again, since its principal may be enabled.
  static let refusedTokenMilliseconds: UInt64 = 1_000

  /// Refusals of an address, or of a token, that are answered at once in a minute.
  static let promptRefusals = 5

  /// The delay of the first refusal after those; each further one waits twice as long.
  static let firstDelayMilliseconds = 20

  /// The longest delay of a refusal.
  static let longestDelayMilliseconds = 2_000

  /// Refusals of one address that wait. Further ones are answered at once.
  static let delayedPerAddress = 64

  /// Refusals that wait in all.
  static let delayed = 1_024
}
