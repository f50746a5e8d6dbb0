import Foundation
import Quiver

/// Creates a riser and lists the equipment: risers BRAND MODEL [TOKEN-FILE]
@main enum Risers {
  static func main() async throws {
    let words = Array(CommandLine.arguments.dropFirst())
    guard (2...3).contains(words.count) else { end(64, "usage: risers BRAND MODEL [TOKEN-FILE]") }
    do {
      let login = try Login(
        tokenFile: words.count == 3 ? words[2] : nil,
        environment: ProcessInfo.processInfo.environment)
      guard let path = login.tokenFile else {
        end(64, "risers: there is no token: name a file, or log in with quiver login")
      }
      guard let file = try? String(contentsOfFile: path, encoding: .utf8) else {
        end(64, "risers: cannot read \(path)")
      }
      let token = file.trimmingCharacters(in: .whitespacesAndNewlines)
      try await withQuiverClient(.init(server: login.server, token: token)) { client in
        let riser = try await client.equipment.risers.create(
          .with { ($0.brand, $0.model, $0.lengthInches) = (words[0], words[1], 25) })
        print("created \(riser.id): \(riser.displayBrand) \(riser.displayModel)")
        let list = try await client.equipment.listItems()
        for item in list.items { print("\(item.id)\t\(item.displayBrand) \(item.displayModel)") }
      }
    } catch let error as Login.Unusable {
      end(64, "risers: \(error.sentence)")
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
