import QuiverRules

/// A name in a client certificate that authenticates a principal.
package struct CertificateName: Sendable, Hashable {
  package let kind: Kind

  /// A DNS name in lower case, or a URI unchanged.
  package let value: String

  /// The kind of a subject alternative name. The raw values are stored.
  package enum Kind: Int64, Sendable, CaseIterable {
    case dns = 1
    case uri = 2
  }

  /// Throws `invalidArgument` if the value is not valid for its kind.
  package init(_ kind: Kind, _ value: String, field: String = "name") throws(StoreError) {
    self.kind = kind
    self.value = kind == .dns ? value.lowercased() : value
    let bytes = self.value.utf8
    switch kind {
    case .dns:
      guard (1...253).contains(bytes.count), bytes.first != 0x2E, bytes.last != 0x2E,
        bytes.allSatisfy({ byte in
          (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x2D
            || byte == 0x2E
        })
      else { throw .invalid(field, "must be a DNS name without a wildcard") }
    case .uri:
      guard (1...StoreLimits.certificateURIByteCount).contains(bytes.count), value.contains(":"),
        bytes.allSatisfy({ (0x21...0x7E).contains($0) })
      else { throw .invalid(field, "must be an absolute URI") }
    }
  }

  /// A stored name.
  init(storedKind: Int64, value: String) throws(StoreError) {
    guard let kind = Kind(rawValue: storedKind) else {
      throw StoreError(.dataLoss, "a certificate binding has an unknown kind")
    }
    self.kind = kind
    self.value = value
  }
}

/// A certificate name with its principal.
package struct CertificateBindingRecord: Sendable, Equatable {
  package let id: Int64
  package let principal: PrincipalRecord
  package let name: CertificateName
  package let label: String
  package let createdBy: Int64
  package let createdAtMilliseconds: Int64
}

/// Binds a certificate name to a principal; returns an existing identical binding.
package struct BindCertificate: Command {
  private let principal: Int64
  private let name: CertificateName
  private let label: String

  private static let insert = Query(
    """
    INSERT INTO certificate_binding (principal_id, san_kind, san_value, label, created_by,
      created_at_ms)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6)
    """, key: "id")

  package init(principal: Int64, name: CertificateName, label: String = "") {
    self.principal = principal
    self.name = name
    self.label = label
  }

  package func apply(
    in transaction: borrowing Transaction
  ) throws(StoreError) -> CertificateBindingRecord {
    let label = try validating { () throws(RuleViolation) in
      try TextLimits.checked(self.label, length: TextLimits.nameLength, path: "label")
    }
    let owner = try transaction.snapshot.principal(id: principal)
    try owner.checkPresent()
    if let bound = try transaction.snapshot.certificateBinding(name) {
      guard bound.principal.id == principal else {
        throw StoreError(
          .alreadyExists, "the name is bound to principal \(bound.principal.id)", field: "name",
          notProcessed: true)
      }
      return bound
    }
    guard
      try transaction.snapshot.certificateBindingCount(of: principal)
        < StoreLimits.certificateBindingsPerPrincipal
    else {
      throw StoreError.reached(
        .certificateBindingsPerPrincipal,
        "a principal may have \(StoreLimits.certificateBindingsPerPrincipal) certificate bindings",
        notProcessed: false)
    }
    let now = transaction.nowMilliseconds
    let id = try transaction.insert(
      Self.insert, .integer(principal), .integer(name.kind.rawValue), .text(name.value),
      .text(label), .integer(transaction.caller.actor), .integer(now))
    try transaction.record(.created, of: .certificateBinding, id: id, principal: principal)
    try transaction.audit(
      AuditEntry(
        action: "certificate.bind", kind: .certificateBinding, objectID: id, topic: principal,
        device: name.value))
    return CertificateBindingRecord(
      id: id, principal: owner, name: name, label: label, createdBy: transaction.caller.actor,
      createdAtMilliseconds: now)
  }
}

/// Removes a binding; connections that use it are closed after the commit.
package struct UnbindCertificate: Command {
  package static var endsPermissions: Bool { true }

  package static var storesContent: Bool { false }

  private let id: Int64

  private static let delete = Query("DELETE FROM certificate_binding WHERE id = ?1")

  package init(id: Int64) { self.id = id }

  package func apply(
    in transaction: borrowing Transaction
  ) throws(StoreError) -> CertificateBindingRecord {
    let binding = try transaction.snapshot.certificateBinding(id: id)
    try transaction.run(Self.delete, .integer(id))
    try transaction.record(
      .deleted, of: .certificateBinding, id: id, principal: binding.principal.id)
    try transaction.audit(
      AuditEntry(
        action: "certificate.unbind", kind: .certificateBinding, objectID: id,
        topic: binding.principal.id, device: binding.name.value))
    return binding
  }
}

extension Snapshot {
  private static let columns = """
    SELECT b.id, b.san_kind, b.san_value, b.label, b.created_by, b.created_at_ms,
      \(PrincipalRecord.columns)
    FROM certificate_binding b JOIN principal p ON p.id = b.principal_id
    """
  private static let byID = Query(columns + " WHERE b.id = ?1")
  private static let byName = Query(columns + " WHERE b.san_kind = ?1 AND b.san_value = ?2")
  private static let pageOfAll = Query(
    columns + " WHERE b.id < ?1 ORDER BY b.id DESC LIMIT ?2")
  private static let pageOfPrincipal = Query(
    columns + " WHERE b.principal_id = ?3 AND b.id < ?1 ORDER BY b.id DESC LIMIT ?2")
  private static let countOfPrincipal = Query(
    "SELECT count(*) FROM certificate_binding WHERE principal_id = ?1")
  private static let idsOfPrincipal = Query(
    "SELECT id FROM certificate_binding WHERE principal_id = ?1 ORDER BY id")

  /// The binding with that id; throws `notFound`.
  package func certificateBinding(id: Int64) throws(StoreError) -> CertificateBindingRecord {
    let found = try first(Self.byID, .integer(id), map: CertificateBindingRecord.init(row:))
    guard let found else { throw StoreError(.notFound, "there is no certificate binding \(id)") }
    return found
  }

  /// The binding of a name; nil if it is not bound.
  package func certificateBinding(
    _ name: CertificateName
  ) throws(StoreError) -> CertificateBindingRecord? {
    try first(
      Self.byName, .integer(name.kind.rawValue), .text(name.value),
      map: CertificateBindingRecord.init(row:))
  }

  /// A page of bindings by id, newest first, of one principal, or of all if it is 0.
  package func certificateBindings(
    principal: Int64, pageSize: UInt32, pageToken: String
  ) throws(StoreError) -> Page<CertificateBindingRecord> {
    let token = PageToken(scope: [.text("certificates"), .integer(principal)])
    let before = try token.position(in: pageToken, key: pageTokenKey) ?? .max
    let size = StoreLimits.pageSize(pageSize)
    let rows =
      principal == 0
      ? try all(
        Self.pageOfAll, .integer(before), .integer(size + 1),
        map: CertificateBindingRecord.init(row:))
      : try all(
        Self.pageOfPrincipal, .integer(before), .integer(size + 1), .integer(principal),
        map: CertificateBindingRecord.init(row:))
    return token.page(rows, size: size, key: pageTokenKey) { $0.id }
  }

  func certificateBindingCount(of principal: Int64) throws(StoreError) -> Int64 {
    try first(Self.countOfPrincipal, .integer(principal)) { row in row.int64(0) } ?? 0
  }

  func certificateBindingIDs(of principal: Int64) throws(StoreError) -> [Int64] {
    try all(Self.idsOfPrincipal, .integer(principal)) { row in row.int64(0) }
  }
}

extension CertificateBindingRecord {
  init(row: Row) throws(StoreError) {
    self.init(
      id: row.int64(0), principal: try PrincipalRecord(row: row, from: 6),
      name: try CertificateName(storedKind: row.int64(1), value: row.text(2)),
      label: row.text(3), createdBy: row.int64(4), createdAtMilliseconds: row.int64(5))
  }
}

extension Store {
  /// The binding of the first of the verified names that is bound to an active principal; nil if
  /// none is.
  package func authenticate(
    certificate names: [CertificateName]
  ) throws(StoreError) -> CertificateBindingRecord? {
    try read { (snapshot) throws(StoreError) in
      for name in names {
        if let binding = try snapshot.certificateBinding(name), binding.principal.isActive {
          return binding
        }
      }
      return nil
    }
  }
}
