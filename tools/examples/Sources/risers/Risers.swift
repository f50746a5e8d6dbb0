import Foundation
import Quiver

/// Creates a riser and lists the equipment: risers BRAND MODEL TOKEN-FILE
@main enum Risers {
  static func main() async throws {
    let words = Array(CommandLine.arguments.dropFirst())
    guard words.count == 3, let file = try? String(contentsOfFile: words[2], encoding: .utf8)
    else { fatalError("usage: risers BRAND MODEL TOKEN-FILE") }  // a mistake of the caller's
    let server = ProcessInfo.processInfo.environment["QUIVER_SERVER"] ?? "127.0.0.1:7450"
    let token = file.trimmingCharacters(in: .whitespacesAndNewlines)
    do {
      try await withQuiverClient(.init(server: server, token: token)) { client in
        let riser = try await client.equipment.risers.create(
          .with { ($0.brand, $0.model, $0.lengthInches) = (words[0], words[1], 25) })
        print("created \(riser.id): \(riser.displayBrand) \(riser.displayModel)")
        let list = try await client.equipment.listItems()
        for item in list.items { print("\(item.id)\t\(item.displayBrand) \(item.displayModel)") }
      }
    } catch let error as RPCError {
      print(error)
      exit(1)
    }
  }
}
