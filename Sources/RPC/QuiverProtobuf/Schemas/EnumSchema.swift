/// The name and the values of an enum.
public final class EnumSchema: Sendable {
  /// The full name, as in `quiver.v1.ServingStatus`.
  package let name: String

  /// Numbers and names as declared; the first is zero.
  package let values: [Value]

  /// One declared value.
  package struct Value: Sendable, Hashable {
    package let number: Int32
    package let name: String
  }

  /// - Parameters:
  ///   - name: the full name.
  ///   - values: numbers and names as declared. Traps unless the first is zero, as proto3 demands.
  public convenience init(_ name: String, _ values: [(Int32, String)]) {
    precondition(values.first?.0 == 0, "the first value of enum \(name) must be zero")
    self.init(name: name, values: values.map { Value(number: $0.0, name: $0.1) })
  }

  package init(name: String, values: [Value]) {
    self.name = name
    self.values = values
  }

  /// The first name declared for a number.
  package func name(of number: Int32) -> String? {
    values.first { $0.number == number }?.name
  }

  /// The number declared under a name.
  package func number(named name: String) -> Int32? {
    values.first { $0.name == name }?.number
  }
}
