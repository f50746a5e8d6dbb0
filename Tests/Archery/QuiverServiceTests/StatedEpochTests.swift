import QuiverAPI
import QuiverClient
import QuiverProtobuf
import QuiverRPC
import QuiverStore
import QuiverWire
import TestServers
import TestSupport
import Testing

/// What calls state of the epoch that they are made for.
@Suite("Calls that state an epoch", .timeLimit(.minutes(5))) struct StatedEpochTests {
  private func options(_ epoch: UInt64, key: IdempotencyKey? = nil) -> CallOptions {
    var options = CallOptions(idempotencyKey: key)
    options.storeEpoch = epoch
    return options
  }

  @Test("after a restore, calls of the former epoch neither edit by revision 0 nor repeat a change")
  func formerEpoch() async throws {
    let directory = try TemporaryDirectory()
    let former = try ArcheryServer(ArcheryServer.Choices(directory: directory.path))
    let token = try former.token()
    let before = try RPCClient(RPCClient.Configuration(server: former.address, token: token))
    let riser = try await before.call(Equipment.risers.create, .of(.hoyt))
    let epoch = try await before.call(Account.whoAmI, WhoAmIRequest()).storeEpoch
    #expect(epoch == former.store.epoch)
    await before.close()
    await former.end()
    _ = try StoreEpochs.beginNew(dataDirectory: directory.path, database: nil)

    let server = try ArcheryServer(ArcheryServer.Choices(directory: directory.path))
    let client = try RPCClient(RPCClient.Configuration(server: server.address, token: token))
    let current = try await client.call(Account.whoAmI, WhoAmIRequest()).storeEpoch
    #expect(current != epoch)
    var archive = ArchiveItemRequest<Riser>()
    archive.id = riser.id
    let edit = await #expect(throws: RPCError.self) {
      try await client.call(Equipment.risers.archive, archive, options: options(epoch))
    }
    #expect(edit?.code == .aborted)
    #expect(edit?.details.map(\.type) == ["quiver.v1.Riser"])
    let shown = try Riser(serializedBytes: edit?.details.first?.value ?? [])
    #expect(shown.id == riser.id && !shown.archived)
    let key = IdempotencyKey.random()
    let repeated = await #expect(throws: RPCError.self) {
      try await client.call(
        Equipment.risers.create, .of(.hoyt), options: options(epoch, key: key))
    }
    #expect(repeated?.code == .failedPrecondition)
    #expect(repeated?.message.hasPrefix("idempotency_key: ") == true)
    let items = try await client.call(Equipment.listItems, ListItemsRequest()).items
    #expect(items.count == 1)
    // The same calls, made for the current epoch.
    _ = try await client.call(
      Equipment.risers.create, .of(.hoyt), options: options(current, key: key))
    let archived = try await client.call(
      Equipment.risers.archive, archive, options: options(current))
    #expect(archived.archived)
    await client.close()
    await server.end()
  }
}
