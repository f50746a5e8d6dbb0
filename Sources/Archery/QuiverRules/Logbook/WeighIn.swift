/// One weight entry as the rules see it.
public struct WeighIn: Sendable, Equatable {
  /// The number that identifies the entry.
  public var id: Int64
  /// The civil day that was stored with it, since 1970-01-01.
  public var day: Int32
  /// When it was weighed, since 1970-01-01 UTC: orders the entries of one day.
  public var instantMilliseconds: Int64
  /// The weight in its own unit.
  public var weight: BodyWeight
  /// Whether it has a note that is more than white space.
  public var hasNote: Bool

  /// Creates a value; each parameter is the property of its name.
  public init(
    id: Int64, day: Int32, instantMilliseconds: Int64, weight: BodyWeight, hasNote: Bool = false
  ) {
    self.id = id
    self.day = day
    self.instantMilliseconds = instantMilliseconds
    self.weight = weight
    self.hasNote = hasNote
  }

  /// By day, then by instant, then by id: the order that every rule takes its entries in.
  public static func isBefore(_ left: WeighIn, _ right: WeighIn) -> Bool {
    if left.day != right.day { return left.day < right.day }
    if left.instantMilliseconds != right.instantMilliseconds {
      return left.instantMilliseconds < right.instantMilliseconds
    }
    return left.id < right.id
  }
}
