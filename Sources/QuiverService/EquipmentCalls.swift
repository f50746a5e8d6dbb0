import QuiverAPI
import QuiverProtobuf
import QuiverRPC
import QuiverRules
import QuiverStore

/// What the calls of all types of equipment have in common, over the message of each.
struct EquipmentCalls: Sendable {
  let commands: CommandCalls

  func create<Piece: EquipmentMessage>(
    _ piece: Piece?, _ call: CallContext, _ responder: Responder<Piece>
  ) {
    responder.failing { () throws(RPCError) in
      let caller = try call.storeCaller()
      let piece = try Self.given(piece)
      let command = try answering { () throws(StoreError) in
        try CreateEquipment(piece.content, clientID: piece.reference.clientID)
      }
      commands.submit(command, by: caller, call, responder) { Piece($0) }
    }
  }

  func get<Piece: EquipmentMessage>(
    id: Int64, clientID: [UInt8], _ call: CallContext
  ) throws(RPCError) -> Piece {
    let caller = try call.storeCaller()
    let reference = try Self.reference(id: id, clientID: clientID)
    return try answering { () throws(StoreError) in
      Piece(
        try commands.store.equipment(
          Piece.equipmentType, reference, principal: caller.principal))
    }
  }

  func update<Piece: EquipmentMessage>(
    _ piece: Piece?, mask: [String], _ call: CallContext, _ responder: Responder<Piece>
  ) {
    responder.failing { () throws(RPCError) in
      let caller = try call.storeCaller()
      let piece = try Self.given(piece)
      try UpdateMask.check(
        mask, of: Piece.kind, fields: Set(Piece.schema.core.fields.map(\.name)))
      let named = piece.reference
      // A piece that was read carries both ids: the server's is the one that counts.
      let reference = try Self.reference(
        id: named.id, clientID: named.id == 0 ? named.clientID : [],
        prefix: Piece.kind.name + ".")
      let command = try answering { () throws(StoreError) in
        try UpdateEquipment(
          piece.content, isArchived: named.isArchived, of: reference, revision: named.revision,
          mask: mask)
      }
      commands.submit(
        command, by: caller, call, responder, current: { Piece.detail($0) }
      ) { Piece($0) }
    }
  }

  func delete<Piece: EquipmentMessage, Response: Message>(
    _: Piece.Type, id: Int64, clientID: [UInt8], revision: UInt64, _ call: CallContext,
    _ responder: Responder<Response>
  ) {
    responder.failing { () throws(RPCError) in
      let caller = try call.storeCaller()
      let reference = try Self.reference(id: id, clientID: clientID)
      let command = DeleteEquipment(Piece.equipmentType, reference, revision: revision)
      commands.submit(
        command, by: caller, call, responder, current: { Piece.detail($0) }
      ) { _ in Response() }
    }
  }

  private static func given<Piece: EquipmentMessage>(
    _ piece: Piece?
  ) throws(RPCError) -> Piece {
    guard let piece else { throw .invalid(Piece.kind.name, "must be given") }
    return piece
  }

  /// What a request names a piece by: one of both ids.
  private static func reference(
    id: Int64, clientID: [UInt8], prefix: String = ""
  ) throws(RPCError) -> ObjectReference {
    guard id >= 0 else { throw .invalid(prefix + "id", "must be above 0") }
    guard id == 0 || clientID.isEmpty else {
      throw .invalid(prefix + "client_id", "must not be given beside the id; name one of them")
    }
    guard clientID.isEmpty || clientID.count == StoreLimits.keyByteCount else {
      throw .invalid(prefix + "client_id", "must be a UUIDv7 of 16 bytes")
    }
    return try answering { () throws(StoreError) in
      try ObjectReference(id: id, clientID: clientID, field: prefix + "id")
    }
  }
}
