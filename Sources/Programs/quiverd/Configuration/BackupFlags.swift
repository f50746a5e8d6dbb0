import QuiverCommandLine
import QuiverStore

extension Flag {
  /// Scheduled backups.
  static var backups: [Flag] { [backupDirectory, backupEvery, backupKeep, backupKeepFor] }

  private static var backupDirectory: Flag {
    Flag(
      "--backup-directory", "DIR",
      "make backups in this directory, an absolute path; default: none are made"
    ) { (value, configuration) throws(UsageError) in
      guard value.hasPrefix("/") else {
        throw UsageError("--backup-directory requires an absolute path")
      }
      configuration.backups.directory = value
    }
    .shown { $0.backups.directory.isEmpty ? [] : [$0.backups.directory] }
  }

  private static var backupEvery: Flag {
    Flag(
      "--backup-every", "TIME",
      "how often a backup is made: 90s, 30m, 6h or 7d; at least 1s; default 24h", .reloadable
    ) { (value, configuration) throws(UsageError) in
      configuration.backups.intervalMilliseconds = try Self.milliseconds(
        value, from: 1_000, of: "--backup-every")
    }
    .shown { [Self.text($0.backups.intervalMilliseconds)] }
  }

  private static var backupKeep: Flag {
    Flag(
      "--backup-keep", "N", "how many backups are kept, 1 to 1000; default 7", .reloadable
    ) { (value, configuration) throws(UsageError) in
      guard let count = Int(value), (1...StoreLimits.listedBackups).contains(count) else {
        throw UsageError(
          "--backup-keep requires a number from 1 to \(StoreLimits.listedBackups)")
      }
      configuration.backups.keptCount = count
    }
    .shown { ["\($0.backups.keptCount)"] }
  }

  private static var backupKeepFor: Flag {
    Flag(
      "--backup-keep-for", "TIME",
      "how long a backup is kept, except the newest one: 12h, 30d; default 30d", .reloadable
    ) { (value, configuration) throws(UsageError) in
      configuration.backups.keptMilliseconds = try Self.milliseconds(
        value, from: 60_000, of: "--backup-keep-for")
    }
    .shown { [Self.text($0.backups.keptMilliseconds)] }
  }

  private static var units: [(letter: Character, milliseconds: Int64)] {
    [("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1_000)]
  }
  private static var longest: Int64 { 10_000 * 86_400_000 }

  private static func milliseconds(
    _ text: String, from least: Int64, of name: String
  ) throws(UsageError) -> Int64 {
    guard let letter = text.last, let unit = units.first(where: { $0.letter == letter }),
      let count = Int64(text.dropLast()), count > 0, count <= longest / unit.milliseconds,
      count * unit.milliseconds >= least
    else { throw UsageError("\(name) requires a time such as 90s, 30m, 6h or 7d") }
    return count * unit.milliseconds
  }

  /// The time in the largest unit in which it is a whole number.
  private static func text(_ milliseconds: Int64) -> String {
    let unit = units.first { milliseconds % $0.milliseconds == 0 } ?? ("s", 1_000)
    return "\(milliseconds / unit.milliseconds)\(unit.letter)"
  }
}
