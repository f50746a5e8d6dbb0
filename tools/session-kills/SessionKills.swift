import Foundation
import QuiverCommandLine
import ServerPrograms

/// Kills apps that edit and sync through an offline session, and checks that nothing is lost or
/// doubled.
@main
struct SessionKills {
  static let usage = """
    usage: session-kills run [--kills N] [--seed N] [--plant lost|double]
                         [--servers ADDRESS,… --token-file FILE]
               kills two devices and their server at random times, again and again, and compares
               the devices' stores and the server's with the acknowledged edits. With --plant the
               devices lose edits, or make objects twice, which must be found. With --servers the
               devices use these servers of one database, which it does not kill, each device from
               another one on; the token is an administrator's
           session-kills device ADDRESS,… TOKEN DIRECTORY NAME SEED FIRST [lost|double]
               one device: prints what its store has, then edits and syncs until it is killed, and
               numbers its objects from FIRST; with SEED 0 it sends everything, loads everything,
               prints what its store has, and ends
    """

  @MainActor
  static func main() async {
    StandardStreams.prepare()
    do {
      exit(try await run(Array(CommandLine.arguments.dropFirst())))
    } catch {
      FileHandle.standardError.write(Data("session-kills: \(error)\n".utf8))
      exit(1)
    }
  }

  @MainActor
  private static func run(_ words: [String]) async throws -> Int32 {
    switch (words.first, words.count) {
    case ("run", 1...):
      var kills = KilledDevices(
        killCount: Int(try number("--kills", 20, words)), seed: try number("--seed", 1, words))
      kills.defect = try value("--plant", words).map(defect)
      if let list = try value("--servers", words) {
        guard let file = try value("--token-file", words) else {
          throw Complaint("--servers requires --token-file")
        }
        kills.servers = SharedServers(list, token: try SharedServers.token(inFile: file))
      }
      return try await kills.run() ? 0 : 1
    case ("device", 7...8):
      guard let seed = UInt64(words[5]), let first = Int(words[6]) else {
        throw Complaint("the seed and the first number must be numbers")
      }
      let device = try await Device(
        servers: words[1].split(separator: ",").map(String.init), token: words[2],
        directory: words[3], name: words[4], first: first)
      device.defect = try words.count == 8 ? defect(words[7]) : nil
      try await device.run(seed: seed)
      return 0
    default:
      StandardOutput.printOrExit(usage)
      return 64
    }
  }

  private static func defect(_ text: String) throws -> Device.Defect {
    guard let defect = Device.Defect(rawValue: text) else {
      throw Complaint("the defect must be lost or double")
    }
    return defect
  }

  private static func value(_ flag: String, _ words: [String]) throws -> String? {
    guard let place = words.firstIndex(of: flag) else { return nil }
    guard place + 1 < words.count else { throw Complaint("\(flag) requires a value") }
    return words[place + 1]
  }

  private static func number(
    _ flag: String, _ standard: UInt64, _ words: [String]
  ) throws -> UInt64 {
    guard let text = try value(flag, words) else { return standard }
    guard let number = UInt64(text), (1...UInt64(Int32.max)).contains(number) else {
      throw Complaint("\(flag) requires a number from 1")
    }
    return number
  }
}
