/// Instructions from a frame to the bytes of the reply, counted by callgrind.
struct InMemoryMeasure {
  static let name = "inmemory"
  static let bound = 4_500.0
  /// The expected count; a difference of more than 2 % must be explained and entered here.
  static let lastCounted: Double? = 2_741

  let options: Options
  let peers: Peers

  func run() -> [Report.Measure] {
    guard options.wants(Self.name) else { return [] }
    progress(Self.name)
    var measure = Report.Measure(
      name: Self.name, sentence: "one call through the server's state machine, by callgrind")
    var samples: [Double] = []
    do {
      samples = [
        try Callgrind.instructionsEach { [peers.bench, "inmemory", "--calls", "\($0)"] }
      ]
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
}
