import Foundation

/// Instructions from frame to reply bytes, counted by callgrind; the same each time.
struct InMemoryMeasure {
  static let name = "inmemory"
  static let bound = 4_500.0
  /// What it was when somebody last looked; more than 2 % away is to be explained and put here.
  static let lastCounted: Double? = nil

  let options: Options
  let peers: Peers

  func run() -> [Report.Measure] {
    guard options.wants(Self.name) else { return [] }
    progress(Self.name)
    var measure = Report.Measure(
      name: Self.name, sentence: "one call through the server's state machine, by callgrind")
    var samples: [Double] = []
    do {
      // The difference leaves out what happens once.
      let few = 2_000.0
      let many = 12_000.0
      samples = [(try count(many) - count(few)) / (many - few)]
    } catch {
      measure.remarks.append(String(describing: error))
    }
    measure.figures = [
      Report.Figure(
        name: "instructions a call", unit: "", samples: samples, bound: Self.bound)
    ]
    if let counted = samples.first, let last = Self.lastCounted, abs(counted / last - 1) > 0.02 {
      measure.remarks.append(
        "\(Markdown.number(counted)) instructions, where \(Markdown.number(last)) are checked in")
    }
    return [measure]
  }

  private func count(_ calls: Double) throws -> Double {
    let file = FileManager.default.temporaryDirectory
      .appendingPathComponent("quiver-bench-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: file) }
    _ = try Programs.output([
      "valgrind", "--tool=callgrind", "--callgrind-out-file=\(file.path)", peers.bench, "inmemory",
      "--calls", "\(Int(calls))",
    ])
    let text = try String(contentsOf: file, encoding: .utf8)
    for line in text.split(separator: "\n") where line.hasPrefix("totals: ") {
      if let total = Double(line.dropFirst("totals: ".count)) { return total }
    }
    throw Unmeasured("callgrind gave no total")
  }
}
