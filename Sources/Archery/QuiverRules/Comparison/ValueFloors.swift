/// From which values on an arrow counts as accurate and as consistent.
public struct ValueFloors: Sendable, Hashable {
  /// min(10, top of the face).
  public let accurate: Int
  /// min(9, second value of the face).
  public let consistent: Int

  /// For a face by its highest and its second value; the top again where it has one value only.
  public init(top: Int, second: Int) {
    accurate = min(10, top)
    consistent = min(9, second)
  }
}
