import InventoryAPI
import QuiverClientCore

@main struct Main {
  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 3, let count = Int(arguments[2]) else {
      return print("usage: inventory-client ADDRESS CALLS")
    }
    let servers = arguments[1].split(separator: ",").map(String.init)
    let client = try BalancedClient(.init(servers: servers))
    let item = try await client.call(
      Inventory.adjust, .with { ($0.sku, $0.change) = ("arrow", 12) })
    print("\(item.sku): \(item.quantity)")
    for try await item in try client.stream(Inventory.listItems, .with { $0.prefix = "arr" }) {
      print("listed \(item.sku)")
    }
    // The load run: 16 tasks that read the item.
    let clock = ContinuousClock()
    let time = try await clock.measure {
      try await withThrowingTaskGroup { group in
        for _ in 0..<16 {
          group.addTask {
            for _ in 0..<count / 16 {
              _ = try await client.call(Inventory.getItem, .with { $0.sku = "arrow" })
            }
          }
        }
        try await group.waitForAll()
      }
    }
    print("\(count / 16 * 16) calls in \(time)")
    await client.close()
  }
}
