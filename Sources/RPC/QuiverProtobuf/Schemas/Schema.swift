/// The schema of one message type: its full name and its fields.
///
/// Cheap to make; the descriptors behind it are built when the type is first encoded or decoded.
public struct Schema<Root: Message>: Sendable {
  /// The same, without the Swift type.
  @usableFromInline
  package let core: MessageSchema

  @usableFromInline
  package let plan: PlanReference

  /// - Parameters:
  ///   - name: the full name, as in `quiver.v1.End`.
  ///   - fields: every field once. Traps on a number or a name that is used twice.
  public init(_ name: String, _ fields: Field<Root>...) {
    core = MessageSchema(
      name: name, fields: fields.map(\.schema), swiftType: SwiftType(Root.self))
    plan = core.plan
  }
}

/// The properties of the Swift type that the schema uses.
struct SwiftType: Sendable {
  /// Whether a fresh value encodes to nothing, as the decoder relies on.
  let hasZeroDefaults: @Sendable (_ plan: PlanReference) -> Bool

  init<Root: Message>(_: Root.Type) {
    hasZeroDefaults = { plan in
      withUnsafePointer(to: Root()) {
        MessageSizer.isZero(plan.pointer, UnsafeRawPointer($0))
      }
    }
  }
}
