import QuiverRules
import QuiverStore

/// One numbered operation with the key for repeating it.
///
/// The number determines everything, so that a history of numbers determines what must be stored.
struct Operation: Sendable {
  let number: Int64

  /// The kind of the operation; each eight consecutive numbers have all kinds.
  enum Kind: Sendable, Equatable {
    /// An item without and with a client_id, whose model is the number.
    case create
    case createWithClientID
    /// An update of the item that the previous number created.
    case update
    /// A principal, with its audit row.
    case principal
    /// A command that changes rows and then fails.
    case failure
  }

  static let principal: Int64 = 1

  init(_ number: Int64) { self.number = number }

  var kind: Kind {
    switch number % 8 {
    case 3, 4: .createWithClientID
    case 5: .update
    case 6: .principal
    case 7: .failure
    default: .create
    }
  }

  var key: CommandKey {
    let bytes = withUnsafeBytes(of: number.bigEndian) { Array($0) }
    return CommandKey(
      key: bytes + [UInt8](repeating: 7, count: 8), requestHash: bytes + bytes + bytes + bytes)
  }

  static func clientID(_ number: Int64) -> [UInt8] {
    let bytes = withUnsafeBytes(of: number.bigEndian) { Array($0) }
    return bytes.suffix(6) + [0x70, 0, 0x80, 0] + bytes.suffix(6)
  }

  /// Submits the operation; the reply is the id of the created or changed object.
  func submit(
    to store: Store, noteByteCount: Int, target: any CompletionTarget,
    completion: @escaping @Sendable (Result<[UInt8], StoreError>) -> Void
  ) throws {
    let options = CommandOptions(caller: CommandCaller(principal: Self.principal), idempotency: key)
    switch kind {
    case .create, .createWithClientID:
      let clientID = kind == .create ? [] : Self.clientID(number)
      store.submit(
        try CreateEquipment(Self.content(number, noteByteCount), clientID: clientID), options,
        target: target, encode: { Self.bytes($0.id) }, completion: completion)
    case .update:
      let reference = ObjectReference.clientID(Self.clientID(number - 1))
      var content = Self.content(number - 1, noteByteCount)
      content.set("notes", .text("update \(number)"))
      store.submit(
        try UpdateEquipment(content, of: reference, revision: 1, mask: ["notes"]), options,
        target: target, encode: { Self.bytes($0.id) }, completion: completion)
    case .principal:
      store.submit(
        CreatePrincipal(kind: .user, displayName: "\(number)"), options, target: target,
        encode: { Self.bytes($0.id) }, completion: completion)
    case .failure:
      store.submit(
        FailingLate(inner: try CreateEquipment(Self.content(number, noteByteCount))), options,
        target: target, encode: { _ in [] }, completion: completion)
    }
  }

  private static func content(_ number: Int64, _ noteByteCount: Int) -> EquipmentContent {
    var content = EquipmentContent(type: .riser, values: [.text("Torture"), .text("\(number)")])
    content.set("notes", .text(String(repeating: "n", count: max(1, noteByteCount))))
    return content
  }

  /// An id as in the reply of an operation.
  static func bytes(_ id: Int64) -> [UInt8] {
    withUnsafeBytes(of: id.bigEndian) { Array($0) }
  }
}

/// Creates an item and then fails.
struct FailingLate: Command {
  let inner: CreateEquipment

  func apply(in transaction: borrowing Transaction) throws(StoreError) {
    _ = try inner.apply(in: transaction)
    throw StoreError(.aborted, "it was to fail")
  }
}
