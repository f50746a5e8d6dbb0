import QuiverAPI
import QuiverRules
import Synchronization

/// An export of another app as the lines of a strength log.
final class WorkoutFile: ChunkSource {
  let byteCount: Int64
  private let rest: Mutex<ArraySlice<UInt8>>

  /// Reads a whole file; uses the unit in the file, and names the rows that are left out.
  init(
    _ path: String, _ word: String, _ options: inout ImportOptions, _ arguments: Arguments
  ) throws(Failure) {
    guard let app = WorkoutCSV.App(rawValue: word) else {
      throw arguments.usage(
        "--format is \(WorkoutCSV.App.allCases.map(\.rawValue).joined(separator: " or ")), not"
          + " \(word)")
    }
    let bytes = path == "-" ? try InputText.standardInput() : try InputText.bytes(ofFile: path)
    let file: WorkoutCSV
    do throws(RuleViolation) {
      file = try WorkoutCSV(bytes, from: app, unit: MassUnit(rawValue: options.unit.rawValue))
    } catch {
      throw .input("\(path): \(error.field) \(error.message)")
    }
    Terminal.notice(unknownColumns: file.unknownColumns)
    if file.skippedCount > 0 {
      Terminal.notice("\(file.skippedCount) rows without repetitions or weight are left out")
    }
    for line in file.badLines.shown {
      Terminal.printError("line \(line.number) \(line.reason)")
    }
    guard options.lenient || file.badLines.count == 0 else {
      throw .input(
        "\(path): \(file.badLines.count) lines cannot be read; --lenient skips them")
    }
    options.unit = QuiverAPI.WeightUnit(rawValue: file.unit.rawValue)
    let log = file.sets.map { $0.line(in: file.unit) }.joined()
    byteCount = Int64(log.utf8.count)
    rest = Mutex(Array(log.utf8)[...])
  }

  func next(atMost count: Int) throws(Failure) -> [UInt8] {
    rest.withLock { rest in
      defer { rest = rest.dropFirst(count) }
      return Array(rest.prefix(count))
    }
  }
}
