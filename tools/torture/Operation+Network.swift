import GatewayCalls
import QuiverAPI
import QuiverClient
import QuiverRPC
import QuiverStore
import QuiverWire

/// Numbered operations as calls over a network.
extension Operation {
  /// Calls the server; returns the id of the created or changed object. The failing kind is
  /// NOT_FOUND.
  func call(_ client: any CallCarrier) async throws(RPCError) -> Int64 {
    let options = CallOptions(idempotencyKey: IdempotencyKey(key.key))
    switch kind {
    case .create, .createWithClientID:
      var request = CreateItemRequest<Riser>()
      var riser = Riser()
      riser.brand = "Torture"
      riser.model = "\(number)"
      riser.notes = "n"
      riser.clientID = kind == .create ? [] : Self.clientID(number)
      request.item = riser
      return try await client.call(Equipment.risers.create, request, options: options).id
    case .update:
      var request = UpdateItemRequest<Riser>()
      var riser = Riser()
      riser.clientID = Self.clientID(number - 1)
      riser.revision = 1
      riser.notes = "update \(number)"
      request.item = riser
      request.updateMask = ["notes"]
      return try await client.call(Equipment.risers.update, request, options: options).id
    case .principal:
      var request = CreatePrincipalRequest()
      request.kind = .user
      request.displayName = "\(number)"
      return try await client.call(Admin.createPrincipal, request, options: options).id
    case .failure:
      var request = DeleteItemRequest<Riser>()
      request.id = 999_999_999
      _ = try await client.call(Equipment.risers.delete, request, options: options)
      return 0
    }
  }

  /// Whether the operation creates an item that can be read by its id.
  var createsItem: Bool { kind == .create || kind == .createWithClientID }

  /// Reads the item that the operation has created; returns what is wrong with it, or nil.
  func readBack(_ client: any CallCarrier, id: Int64) async throws(RPCError) -> String? {
    var request = GetItemRequest<Riser>()
    request.id = id
    do throws(RPCError) {
      let riser = try await client.call(Equipment.risers.get, request)
      return riser.model == "\(number)"
        ? nil : "operation \(number) was acknowledged, and its item reads otherwise"
    } catch {
      guard error.code == .notFound else { throw error }
      return "operation \(number) was acknowledged and cannot be read"
    }
  }
}
