extension Message {
  /// Creates a message and sets its fields in a closure: `.with { $0.brand = "Hoyt" }`.
  public static func with<Failure: Error>(
    _ change: (inout Self) throws(Failure) -> Void
  ) throws(Failure) -> Self {
    var message = Self()
    try change(&message)
    return message
  }
}
