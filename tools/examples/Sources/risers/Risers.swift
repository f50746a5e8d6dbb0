import Foundation
import Quiver

/// Creates a riser and lists the equipment: risers BRAND MODEL TOKEN-FILE
@main enum Risers {
  static func main() async throws {
    let words = Array(CommandLine.arguments.dropFirst())
    guard words.count == 3 else { end(64, "usage: risers BRAND MODEL TOKEN-FILE") }
    guard let file = try? String(contentsOfFile: words[2], encoding: .utf8) else {
      end(64, "risers: cannot read \(words[2])")
    }
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
      end(1, "risers: \(error)")
    }
    // `print` keeps text back, and says nothing of a disk that is full.
    guard fflush(nil) == 0 else { end(74, "risers: cannot write standard output") }
  }

  private static func end(_ code: Int32, _ sentence: String) -> Never {
    FileHandle.standardError.write(Data((sentence + "\n").utf8))
    exit(code)
  }
}
