public import QuiverProtobuf

/// Asks for a new piece.
public struct CreatePieceRequest<Piece: EquipmentPiece>: Message {
  /// What to make; what the server sets, and `archived`, is not read.
  public var piece: Piece?

  public init() {}

  public static var schema: Schema<Self> { Piece.requests.create }
}

/// Asks for a piece by its id or by its client_id.
public struct GetPieceRequest<Piece: EquipmentPiece>: Message {
  public var id: Int64 = 0
  public var clientID: [UInt8] = []

  public init() {}

  public static var schema: Schema<Self> { Piece.requests.get }
}

/// Changes the fields of a piece that the mask names.
public struct UpdatePieceRequest<Piece: EquipmentPiece>: Message {
  /// Names its id (or client_id) and the revision that was read.
  public var piece: Piece?
  /// Names of fields as in the `.proto` file; a field named and absent is cleared.
  public var updateMask: [String] = []

  public init() {}

  public static var schema: Schema<Self> { Piece.requests.update }
}

/// Deletes a piece by its id or by its client_id.
public struct DeletePieceRequest<Piece: EquipmentPiece>: Message {
  public var id: Int64 = 0
  public var clientID: [UInt8] = []
  /// 0: whatever it is by now.
  public var revision: UInt64 = 0
  /// Takes it out of the bow setups that hold it, each as a new version; without this such a piece
  /// is not deleted.
  public var detach = false

  public init() {}

  public static var schema: Schema<Self> { Piece.requests.delete }
}

/// The piece is gone.
public struct DeletePieceResponse<Piece: EquipmentPiece>: Message {
  public init() {}

  public static var schema: Schema<Self> { Piece.requests.deleteResponse }
}

/// Puts a piece away: out of lists, unless they ask for it, but not out of setups.
public struct ArchivePieceRequest<Piece: EquipmentPiece>: Message {
  public var id: Int64 = 0
  public var clientID: [UInt8] = []
  /// 0: whatever it is by now.
  public var revision: UInt64 = 0

  public init() {}

  public static var schema: Schema<Self> { Piece.requests.archive }
}

/// Brings an archived piece back.
public struct RestorePieceRequest<Piece: EquipmentPiece>: Message {
  public var id: Int64 = 0
  public var clientID: [UInt8] = []
  /// 0: whatever it is by now.
  public var revision: UInt64 = 0

  public init() {}

  public static var schema: Schema<Self> { Piece.requests.restore }
}
