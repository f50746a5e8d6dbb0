package import QuiverRules
import Synchronization

/// Reads one principal's equipment. Items of other principals are not found.
extension Snapshot {
  private static let counts = Query(
    "SELECT type, active, archived FROM equipment_count WHERE principal_id = ?1 ORDER BY type")

  /// An item of this type; throws `notFound`.
  package func equipment(
    _ type: EquipmentType, _ reference: ObjectReference, principal: Int64
  ) throws(StoreError) -> EquipmentRecord {
    let id = try objectID(reference, kind: .equipment, principal: principal)
    guard let id, let record = try equipment(type, id: id, principal: principal) else {
      throw .noEquipment(type)
    }
    return record
  }

  /// An item of this type; nil if the principal has no such item.
  func equipment(
    _ type: EquipmentType, id: Int64, principal: Int64
  ) throws(StoreError) -> EquipmentRecord? {
    let queries = EquipmentQueries.of(type)
    return try first(queries.select, .integer(id), .integer(principal)) { row in
      queries.record(row)
    }
  }

  /// The number of the principal's items by type, in the hub's order; a constant cost.
  package func equipmentCounts(principal: Int64) throws(StoreError) -> [EquipmentCount] {
    var counts = EquipmentType.allCases.map { EquipmentCount(type: $0, active: 0, archived: 0) }
    let rows = try all(Self.counts, .integer(principal)) { row in
      (type: row.int32(0), active: row.int64(1), archived: row.int64(2))
    }
    for row in rows {
      guard let type = EquipmentType(rawValue: row.type) else { continue }
      counts[Int(type.rawValue) - 1] = EquipmentCount(
        type: type, active: row.active, archived: row.archived)
    }
    return counts
  }
}

/// An item of equipment with its owner, and with its encoded reply once it was asked for.
final class OwnedEquipment: Sendable {
  let principal: Int64
  let record: EquipmentRecord
  private let encoded = AtomicLazyReference<Encoded>()

  private final class Encoded: Sendable {
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }
  }

  init(principal: Int64, record: EquipmentRecord) {
    self.principal = principal
    self.record = record
  }

  /// The record as encoded by `encode`, which is called at most once per thread.
  func encoded(_ encode: (EquipmentRecord) -> [UInt8]) -> [UInt8] {
    if let known = encoded.load() { return known.bytes }
    return encoded.storeIfNil(Encoded(encode(record))).bytes
  }

  /// The item, if it is of that type and the principal's; throws `notFound` otherwise.
  func record(_ type: EquipmentType, principal: Int64) throws(StoreError) -> EquipmentRecord {
    guard self.principal == principal, record.content.type == type else {
      throw .noEquipment(type)
    }
    return record
  }
}

/// The recently read items of equipment.
struct EquipmentCache: CommitObserver {
  let items = ObjectCache<OwnedEquipment>(capacity: StoreLimits.cachedEquipment)

  func didCommit(_ effects: CommitEffects) {
    for change in effects.changes where change.kind == .equipment { items.remove(change.id) }
  }
}

extension Store {
  /// The reply with one item of that type, as it is after the latest acknowledged command, if it is
  /// in memory; throws `notFound` if it is another principal's or of another type.
  ///
  /// `encode` must return the same bytes for the same record, because they are stored with it.
  package func encodedEquipment(
    _ type: EquipmentType, _ reference: ObjectReference, principal: Int64,
    _ encode: (EquipmentRecord) -> [UInt8]
  ) throws(StoreError) -> [UInt8]? {
    guard case .id(let id) = reference,
      case .found(let owned) = features.equipmentCache.items.find(id)
    else { return nil }
    _ = try owned.record(type, principal: principal)
    return owned.encoded(encode)
  }

  /// One item of that type, as it is after the latest acknowledged command; throws `notFound`.
  ///
  /// This is the fastest way to read one item, because it comes from memory if it was read lately
  /// and its texts are not long (`StoreLimits.cachedEquipmentTextBytes`). To read several items of
  /// one state, use `read`.
  package func equipment(
    _ type: EquipmentType, _ reference: ObjectReference, principal: Int64
  ) throws(StoreError) -> EquipmentRecord {
    guard case .id(let id) = reference else {
      return try read { (snapshot) throws(StoreError) in
        try snapshot.equipment(type, reference, principal: principal)
      }
    }
    let cache = features.equipmentCache.items
    switch cache.find(id) {
    case .found(let owned):
      return try owned.record(type, principal: principal)
    case .missing(let version):
      let record = try readOne { (snapshot) throws(StoreError) in
        try snapshot.equipment(type, reference, principal: principal)
      }
      // On PostgreSQL another server may change it, and nothing would remove it from memory.
      if !isShared, record.textByteCount <= StoreLimits.cachedEquipmentTextBytes {
        cache.insert(
          OwnedEquipment(principal: principal, record: record), id: id, version: version)
      }
      return record
    }
  }
}

extension StoreError {
  static func noEquipment(_ type: EquipmentType) -> StoreError {
    StoreError(.notFound, "there is no such \(EquipmentKind.of(type).label.lowercased())")
  }
}
