import Foundation
import InventoryAPI
import InventoryService
import QuiverServer
import Testing

@Test("Stock is adjusted once for each call and never falls below zero")
func stockIsAdjustedOnceFor() async throws {
  let folder = FileManager.default.temporaryDirectory
  let path = folder.appending(path: UUID().uuidString).path
  let server = try RPCServer(
    .init(addresses: ["127.0.0.1:0"], services: [try Stock(path: path).service]))
  let client = try RPCClient(.init(server: try server.start()[0]))
  let running = Task { try await server.run() }
  let options = CallOptions(idempotencyKey: .random())
  for _ in 0..<2 {
    let item = try await client.call(
      Inventory.adjust, .with { ($0.sku, $0.change) = ("bow", 3) }, options: options)
    #expect(item.quantity == 3)
  }
  let error = await #expect(throws: RPCError.self) {
    try await client.call(Inventory.adjust, .with { ($0.sku, $0.change) = ("bow", -4) })
  }
  #expect(error?.code == .failedPrecondition)
  let item = try await client.call(Inventory.getItem, .with { $0.sku = "bow" })
  #expect(item.quantity == 3)
  await client.close()
  running.cancel()
  try await running.value
}
