/// Instructions from a frame to the bytes of the reply, counted by callgrind.
struct InMemoryMeasure {
  static let name = "inmemory"
  static let bound = 4_500.0
  /// The expected count; a difference of more than 2 % must be explained and entered here.
  static let lastCounted: Double? = 2_741

  /// What a handler of `QuiverServer` may cost more than one of the runtime.
  static let serviceBound = 1.03

  let options: Options
  let peers: Peers

  func run() -> [Report.Measure] {
    guard options.wants(Self.name) else { return [] }
    progress(Self.name)
    var measure = Report.Measure(
      name: Self.name, sentence: "one call through the server's state machine, by callgrind")
    var samples: [Double] = []
    var serviceSamples: [Double] = []
    do {
      samples = [try instructions("nothing")]
      serviceSamples = [try instructions("service") / instructions("async")]
    } catch {
      measure.remarks.append(String(describing: error))
    }
    measure.figures = [
      Report.Figure(
        name: "instructions a call", unit: "", samples: samples, bound: Self.bound),
      Report.Figure(
        name: "a handler of QuiverServer to an async one", unit: "", samples: serviceSamples,
        bound: Self.serviceBound),
    ]
    if let counted = samples.first, let last = Self.lastCounted, abs(counted / last - 1) > 0.02 {
      measure.remarks.append(
        "\(Markdown.number(counted)) instructions, where \(Markdown.number(last)) are checked in")
    }
    return [measure]
  }

  private func instructions(_ observed: String) throws -> Double {
    try Callgrind.instructionsEach { [peers.bench, "inmemory", "--calls", "\($0)", observed] }
  }
}
