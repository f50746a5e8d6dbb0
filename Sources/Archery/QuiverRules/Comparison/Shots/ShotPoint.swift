/// The position of an arrow on the face, in radii of the nominal face from its centre.
public struct ShotPoint: Sendable, Hashable {
  /// To the right.
  public let x: Double
  /// Upwards.
  public let y: Double

  /// Creates a value; each parameter is the property of its name.
  public init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }
}
