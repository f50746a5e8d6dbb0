import Foundation

/// Counts a program's instructions, which do not depend on the load of the machine.
enum Callgrind {
  /// The instructions for each repetition; what a command does once cancels out.
  ///
  /// - Parameter command: the command for a number of repetitions.
  static func instructionsEach(
    few: Int = 2_000, many: Int = 12_000, _ command: (Int) -> [String]
  ) throws -> Double {
    return (try total(command(many)) - total(command(few))) / Double(many - few)
  }

  private static func total(_ command: [String]) throws -> Double {
    let file = FileManager.default.temporaryDirectory
      .appendingPathComponent("quiver-bench-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: file) }
    _ = try Programs.output(
      ["valgrind", "--tool=callgrind", "--callgrind-out-file=\(file.path)"] + command)
    let text = try String(contentsOf: file, encoding: .utf8)
    for line in text.split(separator: "\n") where line.hasPrefix("totals: ") {
      if let total = Double(line.dropFirst("totals: ".count)) { return total }
    }
    throw Unmeasured("callgrind gave no total")
  }
}
