/// The sums of a part of a card, as somebody types them from a paper. A count that is nil is not
/// known.
public struct TypedTotalEntry: Sendable, Equatable {
  /// The number of a distance, from 1; 0: the whole round.
  public var part = 0
  /// The sum of the arrows.
  public var total: Int
  /// Arrows above 0.
  public var hits: Int?
  /// Arrows of the face's top value, X included.
  public var golds: Int?
  /// The number of X.
  public var xCount: Int?
  /// When it was shot, in milliseconds since 1970-01-01 UTC; 0: now.
  public var shotAtMilliseconds: Int64 = 0
  /// Which paper it is from; at most 200 characters.
  public var paper = ""
  /// The id of the typed total that is corrected; 0: there is none yet.
  public var replaces: Int64 = 0
  /// Of a correction: 1 to 200 characters.
  public var reason = ""

  /// The total alone.
  public init(total: Int) { self.total = total }
}
