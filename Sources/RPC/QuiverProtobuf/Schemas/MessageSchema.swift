internal import Synchronization

/// A message type without its Swift type: the full name, the fields, and the
/// `ProtobufCMessageDescriptor` that is built from them at first use.
public final class MessageSchema: Sendable {
  /// The full name, as in `quiver.v1.Riser`.
  package let name: String

  /// The fields as declared.
  package let fields: [FieldSchema]

  /// What is wrong with the numbers and names of the fields, as a sentence; nil: nothing is.
  ///
  /// A debug build traps where such a schema is made. A release build traps where a message is
  /// first read or written, so that a server can refuse the schema when it is created.
  package let fault: String?

  /// The Swift type behind it; none for a type read from a descriptor set.
  let swiftType: SwiftType?

  @usableFromInline
  package let plan: PlanReference

  /// One builder at a time; taken at a type's first use only.
  private static let building = Mutex<Void>(())

  /// A schema without a Swift type, for `DynamicMessage`.
  package convenience init(name: String, fields: [FieldSchema]) {
    self.init(name: name, fields: fields, swiftType: nil)
  }

  init(name: String, fields: [FieldSchema], swiftType: SwiftType?) {
    let fault = Self.fault(name, fields)
    if let fault { assertionFailure(fault) }
    self.fault = fault
    self.name = name
    self.fields = fields
    self.swiftType = swiftType
    plan = PlanReference()
    plan.pointer.pointee.schema = Unmanaged.passUnretained(self)
  }

  deinit {
    plan.destroy()
  }

  /// The first number out of range, or number or name that is used twice.
  package static func fault(_ name: String, _ fields: [FieldSchema]) -> String? {
    for (index, field) in fields.enumerated() {
      let inRange = field.number > 0 && field.number < 1 << 29
      guard inRange, !(19_000..<20_000).contains(field.number) else {
        return "field number \(field.number) of \(name) is out of range"
      }
      for other in fields[..<index] where other.number == field.number || other.name == field.name {
        return "field \(field.name) = \(field.number) of \(name) is declared twice"
      }
    }
    return nil
  }

  /// The field with a number.
  package func field(number: Int32) -> FieldSchema? {
    fields.first { $0.number == number }
  }

  /// The field with a name, as written in the `.proto` file.
  package func field(named name: String) -> FieldSchema? {
    // By place: a field is large, and is copied once it is the right one.
    for index in fields.indices where fields[index].name == name { return fields[index] }
    return nil
  }

  /// The names along a cycle of message types, if this one is on or above one.
  package func cycle() -> [String]? {
    var done: Set<ObjectIdentifier> = []
    return cycle(below: [], done: &done)
  }

  private func cycle(
    below path: [MessageSchema], done: inout Set<ObjectIdentifier>
  ) -> [String]? {
    if let start = path.firstIndex(where: { $0 === self }) {
      return path[start...].map(\.name) + [name]
    }
    guard !done.contains(ObjectIdentifier(self)) else { return nil }
    for field in fields {
      if let cycle = field.messageType?.cycle(below: path + [self], done: &done) { return cycle }
    }
    done.insert(ObjectIdentifier(self))
    return nil
  }

  /// Builds the plan and the descriptor, of sub-messages first.
  ///
  /// Traps when the types form a cycle: libprotobuf-c has no depth limit of its own.
  func prepare() {
    if let cycle = cycle() {
      preconditionFailure("messages must not contain themselves: \(cycle.joined(separator: " > "))")
    }
    Self.building.withLock { _ in buildPlan() }
  }

  private func buildPlan() {
    guard !plan.pointer.pointee.isReady.load(ordering: .acquiring) else { return }
    if let fault { preconditionFailure(fault) }
    for field in fields { field.messageType?.buildPlan() }
    PlanBuilder.build(self)
    if let swiftType {
      precondition(swiftType.hasZeroDefaults(plan), "\(name).init() must leave every field zero")
    }
    plan.pointer.pointee.isReady.store(true, ordering: .releasing)
  }
}
