/// Instructions from a frame to the bytes of the reply, counted by callgrind.
struct InMemoryMeasure {
  static let name = "inmemory"
  static let bound = 4_500.0
  /// The expected count; a difference of more than 2 % must be explained and entered here.
  static let lastCounted: Double? = 2_741

  /// What an echo of a service of others may cost more than `Diagnostics/Echo`.
  static let serviceBound = 1.03

  let options: Options
  let peers: Peers

  func run() -> [Report.Measure] {
    guard options.wants(Self.name) else { return [] }
    begin(Self.name)
    var measure = Report.Measure(
      name: Self.name, sentence: "one call through the server's state machine, by callgrind")
    var samples: [Double] = []
    var serviceSamples: [Double] = []
    var asyncSamples: [Double] = []
    do {
      samples = [try instructions("nothing")]
      serviceSamples = [try instructions("service") / samples[0]]
      asyncSamples = [try instructions("async-service") / instructions("async")]
    } catch {
      measure.remarks.append(String(describing: error))
    }
    measure.figures = [
      Report.Figure(
        name: "instructions a call", unit: "", samples: samples, bound: Self.bound),
      Report.Figure(
        name: "a handler of QuiverServer to the runtime's", unit: "", samples: serviceSamples,
        bound: Self.serviceBound),
      Report.Figure(
        name: "an async handler of QuiverServer to an async route", unit: "",
        samples: asyncSamples),
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
