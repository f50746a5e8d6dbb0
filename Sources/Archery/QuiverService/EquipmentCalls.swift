import QuiverAPI
import QuiverProtobuf
import QuiverRPC
import QuiverRules
import QuiverStore

/// What the calls of all types of equipment have in common, over the message of each.
struct EquipmentCalls: Sendable {
  let commands: CommandCalls

  /// The field besides those of a kind that may be changed.
  private static let archivedField = "archived"

  func create<Piece: EquipmentMessage>(
    _ request: CreatePieceRequest<Piece>, _ call: CallContext, _ responder: Responder<Piece>
  ) {
    responder.failing { () throws(RPCError) in
      let caller = try call.storeCaller()
      let piece = try Self.given(request.piece)
      let command = try answering { () throws(StoreError) in
        try CreateEquipment(piece.content, clientID: piece.clientID)
      }
      commands.submit(command, by: caller, call, responder) { Piece($0) }
    }
  }

  func get<Piece: EquipmentMessage>(
    _ request: GetPieceRequest<Piece>, _ call: CallContext
  ) throws(RPCError) -> Piece {
    let caller = try call.storeCaller()
    let reference = try ObjectReference.given(id: request.id, clientID: request.clientID)
    return try answering { () throws(StoreError) in
      Piece(
        try commands.store.equipment(
          Piece.equipmentType, reference, principal: caller.principal))
    }
  }

  func update<Piece: EquipmentMessage>(
    _ request: UpdatePieceRequest<Piece>, _ call: CallContext, _ responder: Responder<Piece>
  ) {
    responder.failing { () throws(RPCError) in
      let caller = try call.storeCaller()
      let piece = try Self.given(request.piece)
      let kind = Piece.kind
      try NamedFields.check(
        request.updateMask, changeable: Set(kind.fields.map(\.name) + [Self.archivedField]),
        of: Piece.self, called: kind.name)
      let reference = try ObjectReference.read(
        id: piece.id, clientID: piece.clientID, prefix: kind.name + ".")
      let command = try answering { () throws(StoreError) in
        try UpdateEquipment(
          piece.content, isArchived: piece.archived, of: reference, revision: piece.revision,
          mask: request.updateMask)
      }
      commands.submit(
        command, by: caller, call, responder
      ) { Piece($0) }
    }
  }

  func delete<Piece: EquipmentMessage>(
    _ request: DeletePieceRequest<Piece>, _ call: CallContext,
    _ responder: Responder<DeletePieceResponse<Piece>>
  ) {
    responder.failing { () throws(RPCError) in
      let caller = try call.storeCaller()
      let reference = try ObjectReference.given(id: request.id, clientID: request.clientID)
      let command = DeleteEquipment(
        Piece.equipmentType, reference, revision: request.revision, detaches: request.detach)
      commands.submit(
        command, by: caller, call, responder
      ) { _ in DeletePieceResponse() }
    }
  }

  func archive<Piece: EquipmentMessage>(
    _ request: ArchivePieceRequest<Piece>, _ call: CallContext, _ responder: Responder<Piece>
  ) {
    putAway(true, id: request.id, request.clientID, revision: request.revision, call, responder)
  }

  func restore<Piece: EquipmentMessage>(
    _ request: RestorePieceRequest<Piece>, _ call: CallContext, _ responder: Responder<Piece>
  ) {
    putAway(false, id: request.id, request.clientID, revision: request.revision, call, responder)
  }

  private func putAway<Piece: EquipmentMessage>(
    _ isArchived: Bool, id: Int64, _ clientID: [UInt8], revision: UInt64, _ call: CallContext,
    _ responder: Responder<Piece>
  ) {
    responder.failing { () throws(RPCError) in
      let caller = try call.storeCaller()
      let reference = try ObjectReference.given(id: id, clientID: clientID)
      let command = ArchiveEquipment(
        Piece.equipmentType, reference, revision: revision, isArchived: isArchived)
      commands.submit(
        command, by: caller, call, responder
      ) { Piece($0) }
    }
  }

  private static func given<Piece: EquipmentMessage>(
    _ piece: Piece?
  ) throws(RPCError) -> Piece {
    guard let piece else { throw .invalid(Piece.kind.name, "must be given") }
    return piece
  }
}
