import QuiverAPI
import QuiverRPC

/// Every body is the same: the type is all that differs.
extension EquipmentService {
  func createArrow(
    _ request: CreateArrowRequest, _ call: CallContext, _ responder: Responder<Arrow>
  ) {
    calls.create(request, call, responder)
  }

  func getArrow(_ request: GetArrowRequest, _ call: CallContext) throws(RPCError) -> Arrow {
    try calls.get(request, call)
  }

  func updateArrow(
    _ request: UpdateArrowRequest, _ call: CallContext, _ responder: Responder<Arrow>
  ) {
    calls.update(request, call, responder)
  }

  func deleteArrow(
    _ request: DeleteArrowRequest, _ call: CallContext, _ responder: Responder<DeleteArrowResponse>
  ) {
    calls.delete(request, call, responder)
  }

  func archiveArrow(
    _ request: ArchiveArrowRequest, _ call: CallContext, _ responder: Responder<Arrow>
  ) {
    calls.archive(request, call, responder)
  }

  func restoreArrow(
    _ request: RestoreArrowRequest, _ call: CallContext, _ responder: Responder<Arrow>
  ) {
    calls.restore(request, call, responder)
  }

  func createAccessory(
    _ request: CreateAccessoryRequest, _ call: CallContext, _ responder: Responder<Accessory>
  ) {
    calls.create(request, call, responder)
  }

  func getAccessory(_ request: GetAccessoryRequest, _ call: CallContext) throws(RPCError)
    -> Accessory
  {
    try calls.get(request, call)
  }

  func updateAccessory(
    _ request: UpdateAccessoryRequest, _ call: CallContext, _ responder: Responder<Accessory>
  ) {
    calls.update(request, call, responder)
  }

  func deleteAccessory(
    _ request: DeleteAccessoryRequest, _ call: CallContext,
    _ responder: Responder<DeleteAccessoryResponse>
  ) {
    calls.delete(request, call, responder)
  }

  func archiveAccessory(
    _ request: ArchiveAccessoryRequest, _ call: CallContext, _ responder: Responder<Accessory>
  ) {
    calls.archive(request, call, responder)
  }

  func restoreAccessory(
    _ request: RestoreAccessoryRequest, _ call: CallContext, _ responder: Responder<Accessory>
  ) {
    calls.restore(request, call, responder)
  }
}
