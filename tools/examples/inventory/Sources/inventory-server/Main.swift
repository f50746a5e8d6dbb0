import Glibc
import InventoryService
import QuiverServer

@main struct Main {
  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 3 else {
      print("usage: inventory-server ADDRESS DATABASE")
      exit(64)
    }
    let configuration = RPCServer.Configuration(
      addresses: [arguments[1]], services: [try Stock(path: arguments[2]).service])
    let server = try RPCServer(configuration)
    print("listening on \(try server.start()[0])")
    try await server.runUntilTerminated()
  }
}
