public import QuiverRPC

/// What answers ``Equipment`` about arrow and accessory.
public protocol ArrowAndAccessoryHandlers: Sendable {
  func createArrow(
    _ request: CreateArrowRequest, _ call: CallContext, _ responder: Responder<Arrow>)
  func getArrow(
    _ request: GetArrowRequest, _ call: CallContext
  ) throws(RPCError) -> Arrow
  func updateArrow(
    _ request: UpdateArrowRequest, _ call: CallContext, _ responder: Responder<Arrow>)
  func deleteArrow(
    _ request: DeleteArrowRequest, _ call: CallContext, _ responder: Responder<DeleteArrowResponse>)
  func archiveArrow(
    _ request: ArchiveArrowRequest, _ call: CallContext, _ responder: Responder<Arrow>)
  func restoreArrow(
    _ request: RestoreArrowRequest, _ call: CallContext, _ responder: Responder<Arrow>)

  func createAccessory(
    _ request: CreateAccessoryRequest, _ call: CallContext, _ responder: Responder<Accessory>)
  func getAccessory(
    _ request: GetAccessoryRequest, _ call: CallContext
  ) throws(RPCError) -> Accessory
  func updateAccessory(
    _ request: UpdateAccessoryRequest, _ call: CallContext, _ responder: Responder<Accessory>)
  func deleteAccessory(
    _ request: DeleteAccessoryRequest, _ call: CallContext,
    _ responder: Responder<DeleteAccessoryResponse>)
  func archiveAccessory(
    _ request: ArchiveAccessoryRequest, _ call: CallContext, _ responder: Responder<Accessory>)
  func restoreAccessory(
    _ request: RestoreAccessoryRequest, _ call: CallContext, _ responder: Responder<Accessory>)
}

extension ArrowAndAccessoryHandlers {
  @inlinable
  public var arrowAndAccessoryRoutes: [Route] {
    [
      .responding(Equipment.createArrow, createArrow),
      .synchronous(Equipment.getArrow, getArrow),
      .responding(Equipment.updateArrow, updateArrow),
      .responding(Equipment.deleteArrow, deleteArrow),
      .responding(Equipment.archiveArrow, archiveArrow),
      .responding(Equipment.restoreArrow, restoreArrow),
      .responding(Equipment.createAccessory, createAccessory),
      .synchronous(Equipment.getAccessory, getAccessory),
      .responding(Equipment.updateAccessory, updateAccessory),
      .responding(Equipment.deleteAccessory, deleteAccessory),
      .responding(Equipment.archiveAccessory, archiveAccessory),
      .responding(Equipment.restoreAccessory, restoreAccessory),
    ]
  }
}
