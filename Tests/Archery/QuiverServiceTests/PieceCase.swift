import QuiverAPI
import QuiverProtobuf
import QuiverRPC
import QuiverRules
import QuiverWire
import Testing

/// One type of equipment with its six methods, for tests that hold of all ten.
struct PieceCase: Sendable, CustomTestStringConvertible {
  let type: QuiverRules.EquipmentType
  let life: @Sendable (Client) async throws -> Void
  let refusals: @Sendable (Client) async throws -> Void
  let make: @Sendable (Client) async throws -> Int64

  var testDescription: String { kind.name }
  private var kind: EquipmentKind { EquipmentKind.of(type) }

  static let all: [PieceCase] = [
    PieceCase(
      .riser, Equipment.createRiser, Equipment.getRiser, Equipment.updateRiser,
      Equipment.deleteRiser, Equipment.archiveRiser, Equipment.restoreRiser),
    PieceCase(
      .limbs, Equipment.createLimbs, Equipment.getLimbs, Equipment.updateLimbs,
      Equipment.deleteLimbs, Equipment.archiveLimbs, Equipment.restoreLimbs),
    PieceCase(
      .sight, Equipment.createSight, Equipment.getSight, Equipment.updateSight,
      Equipment.deleteSight, Equipment.archiveSight, Equipment.restoreSight),
    PieceCase(
      .rest, Equipment.createRest, Equipment.getRest, Equipment.updateRest,
      Equipment.deleteRest, Equipment.archiveRest, Equipment.restoreRest),
    PieceCase(
      .plunger, Equipment.createPlunger, Equipment.getPlunger, Equipment.updatePlunger,
      Equipment.deletePlunger, Equipment.archivePlunger, Equipment.restorePlunger),
    PieceCase(
      .bowString, Equipment.createBowString, Equipment.getBowString, Equipment.updateBowString,
      Equipment.deleteBowString, Equipment.archiveBowString, Equipment.restoreBowString),
    PieceCase(
      .stabilizer, Equipment.createStabilizer, Equipment.getStabilizer,
      Equipment.updateStabilizer, Equipment.deleteStabilizer, Equipment.archiveStabilizer,
      Equipment.restoreStabilizer),
    PieceCase(
      .weight, Equipment.createWeight, Equipment.getWeight, Equipment.updateWeight,
      Equipment.deleteWeight, Equipment.archiveWeight, Equipment.restoreWeight),
    PieceCase(
      .arrow, Equipment.createArrow, Equipment.getArrow, Equipment.updateArrow,
      Equipment.deleteArrow, Equipment.archiveArrow, Equipment.restoreArrow),
    PieceCase(
      .accessory, Equipment.createAccessory, Equipment.getAccessory, Equipment.updateAccessory,
      Equipment.deleteAccessory, Equipment.archiveAccessory, Equipment.restoreAccessory),
  ]

  private init<Piece: EquipmentPiece>(
    _ type: QuiverRules.EquipmentType, _ create: UnaryMethod<CreatePieceRequest<Piece>, Piece>,
    _ get: UnaryMethod<GetPieceRequest<Piece>, Piece>,
    _ update: UnaryMethod<UpdatePieceRequest<Piece>, Piece>,
    _ delete: UnaryMethod<DeletePieceRequest<Piece>, DeletePieceResponse<Piece>>,
    _ archive: UnaryMethod<ArchivePieceRequest<Piece>, Piece>,
    _ restore: UnaryMethod<RestorePieceRequest<Piece>, Piece>
  ) {
    let calls = PieceMethods(
      type: type, create: create, get: get, update: update, delete: delete, archive: archive,
      restore: restore)
    self.type = type
    life = { client in try await calls.live(client) }
    refusals = { client in try await calls.refuse(client) }
    make = { client in try await client.call(create, calls.request(calls.whole)).id }
  }
}

/// The methods of one type, and what must hold of them.
private struct PieceMethods<Piece: EquipmentPiece>: Sendable {
  let type: QuiverRules.EquipmentType
  let create: UnaryMethod<CreatePieceRequest<Piece>, Piece>
  let get: UnaryMethod<GetPieceRequest<Piece>, Piece>
  let update: UnaryMethod<UpdatePieceRequest<Piece>, Piece>
  let delete: UnaryMethod<DeletePieceRequest<Piece>, DeletePieceResponse<Piece>>
  let archive: UnaryMethod<ArchivePieceRequest<Piece>, Piece>
  let restore: UnaryMethod<RestorePieceRequest<Piece>, Piece>

  private var kind: EquipmentKind { EquipmentKind.of(type) }

  /// A piece that says something in every field.
  var whole: Piece {
    var piece = Piece()
    for field in kind.fields { set(field, in: &piece) }
    return piece
  }

  func request(_ piece: Piece?) -> CreatePieceRequest<Piece> {
    var request = CreatePieceRequest<Piece>()
    request.piece = piece
    return request
  }

  /// Made, read, changed, put away, brought back and deleted.
  func live(_ client: Client) async throws {
    let made = try await client.call(create, request(whole))
    for field in kind.fields {
      #expect(made.fieldValue(field.name) == whole.fieldValue(field.name), "\(field.name)")
    }
    #expect(!made.displayBrand.isEmpty && !made.displayModel.isEmpty && made.revision == 1)
    var read = GetPieceRequest<Piece>()
    read.id = made.id
    #expect(try await client.call(get, read) == made)

    var change = UpdatePieceRequest<Piece>()
    change.piece = made
    change.piece?.notes = "changed"
    change.updateMask = kind.fields.map(\.name)
    let changed = try await client.call(update, change)
    #expect(changed.notes == "changed" && changed.revision == 2)

    var away = ArchivePieceRequest<Piece>()
    away.id = made.id
    away.revision = 2
    #expect(try await client.call(archive, away).archived)
    #expect(await client.refusal(archive, away)?.code == .aborted)
    var back = RestorePieceRequest<Piece>()
    back.id = made.id
    let restored = try await client.call(restore, back)
    #expect(!restored.archived && restored.revision == 4)
    #expect(try await client.call(restore, back) == restored)

    var deletion = DeletePieceRequest<Piece>()
    deletion.id = made.id
    _ = try await client.call(delete, deletion)
    #expect(await client.refusal(get, read)?.code == .notFound)
    #expect(await client.refusal(restore, back)?.code == .notFound)
  }

  /// Each field that a rule speaks of is refused by its path.
  func refuse(_ client: Client) async throws {
    let missing = await client.refusal(create, request(nil))
    #expect(missing?.code == .invalidArgument)
    #expect(missing?.message.hasPrefix("\(kind.name): ") == true)
    for field in kind.fields {
      for bad in Self.badValues(field) {
        var piece = whole
        let isSet = piece.setFieldValue(field.name, bad)
        #expect(isSet, "\(field.name)")
        let refusal = await client.refusal(create, request(piece))
        #expect(refusal?.code == .invalidArgument, "\(field.name): \(bad)")
        let message = refusal?.message ?? ""
        #expect(message.hasPrefix("\(kind.name).\(field.name): "), "\(message)")
      }
    }
    var change = UpdatePieceRequest<Piece>()
    change.piece = try await client.call(create, request(whole))
    change.updateMask = ["notes", "setup_use_count"]
    let refusal = await client.refusal(update, change)
    #expect(refusal?.message.hasPrefix("update_mask[1]: ") == true)
  }

  private func set(_ field: EquipmentField, in piece: inout Piece) {
    let isSet =
      switch field.content {
      case .text: piece.setFieldValue(field.name, .string("\(field.name) é🏹"))
      case .real(let range, _): piece.setFieldValue(field.name, .double(range.upperBound))
      case .integer(let range):
        piece.setFieldValue(field.name, .uint32(UInt32(range.upperBound)))
      case .enumeration(let labels):
        piece.setFieldValue(field.name, .enum(Int32(labels.count)))
      case .day: piece.setFieldValue(field.name, .int32(-1))
      }
    #expect(isSet, "\(Piece.self) has no field \(field.name) of its kind")
  }

  private static func badValues(_ field: EquipmentField) -> [FieldValue] {
    switch field.content {
    case .text(let length):
      [.string(.init(repeating: "é", count: length + 1))]
        + (field.isRequired ? [.string(""), .string(" \u{2003}")] : [])
    case .real(let range, let excludesLowerBound):
      [
        .double(range.upperBound.nextUp), .double(.nan), .double(-.infinity),
        .double(excludesLowerBound ? range.lowerBound : range.lowerBound.nextDown),
      ]
    case .integer(let range):
      [.uint32(UInt32(range.upperBound) + 1), .uint32(.max)]
        + (range.lowerBound > 0 ? [.uint32(0)] : [])
    case .enumeration(let labels):
      [.enum(-1), .enum(Int32(labels.count) + 1)] + (field.isRequired ? [.enum(0)] : [])
    case .day: [.int32(.min), .int32(.max)]
    }
  }
}
