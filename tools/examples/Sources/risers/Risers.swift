import Foundation
import QuiverAPI
import QuiverClient
import QuiverRPC
import QuiverWire

/// Creates a riser and lists the equipment, as any program with a token can.
@main
enum Risers {
  static func main() async {
    let words = CommandLine.arguments.dropFirst()
    guard words.count == 3 else {
      print("usage: risers BRAND MODEL TOKEN-FILE (the server is $QUIVER_SERVER)")
      exit(64)
    }
    let names = Array(words)
    guard let token = try? String(contentsOfFile: names[2], encoding: .utf8) else {
      print("cannot read \(names[2])")
      exit(64)
    }
    do {
      try await run(brand: names[0], model: names[1], token: token)
    } catch {
      explain(error)
      exit(1)
    }
  }

  private static func run(brand: String, model: String, token: String) async throws(RPCError) {
    let server = ProcessInfo.processInfo.environment["QUIVER_SERVER"] ?? "127.0.0.1:7450"
    let client = try RPCClient(
      RPCClient.Configuration(
        server: server, token: token.trimmingCharacters(in: .whitespacesAndNewlines)))
    defer { Task { await client.close() } }

    var riser = Riser()
    riser.brand = brand
    riser.model = model
    riser.lengthInches = 25
    var create = CreateItemRequest<Riser>()
    create.item = riser
    let created = try await client.call(Equipment.risers.create, create)
    print("created \(created.id): \(created.displayBrand) \(created.displayModel)")

    var list = ListItemsRequest()
    repeat {
      let page = try await client.call(
        Equipment.listItems, list, options: CallOptions(timeout: .seconds(5)))
      for item in page.items { print("\(item.id)\t\(item.displayBrand) \(item.displayModel)") }
      list.pageToken = page.nextPageToken
    } while !list.pageToken.isEmpty
  }

  /// Says which side ended the call, why, and what may be done about it.
  private static func explain(_ error: RPCError) {
    print(error)
    switch error.code {
    case .invalidArgument: print("What was sent cannot be: \(error.message)")
    case .unauthenticated: print("The token is not good; `quiverd admin-token` makes another.")
    case .unavailable where error.isNotProcessed: print("Nothing happened; it may be tried again.")
    default: break
    }
  }
}
