/// Decode plus encode against libprotobuf-c's own unpack plus pack.
struct CodecMeasures {
  struct Sample: Decodable {
    var bytes: Int
    var ns: Double
  }

  static let messages = [("echo", 40, 2_000_000), ("items", 186, 400_000)]

  let options: Options
  let peers: Peers

  func run() -> [Report.Measure] {
    Self.messages.filter { options.wants("codec-\($0.0)") }.map { name, byteCount, iterations in
      begin("codec-\(name)")
      return measure(name, byteCount, iterations)
    }
  }

  private func measure(_ name: String, _ byteCount: Int, _ iterations: Int) -> Report.Measure {
    var measure = Report.Measure(
      name: "codec-\(name)", sentence: "decode and encode of \(byteCount) bytes")
    var own: [Double] = []
    var peer: [Double] = []
    do {
      try peers.check([peers.path("codec")])
      for run in 0..<options.runs {
        let commands = [[peers.path("codec")], [peers.bench, "codec"]]
        for offset in 0..<2 {
          let index = (run + offset) % 2
          let ns = try sample(commands[index] + [name, "\(iterations)"], byteCount)
          if index == 0 { peer.append(ns) } else { own.append(ns) }
        }
      }
    } catch {
      measure.remarks.append(String(describing: error))
    }
    measure.subjects = [
      Report.Subject(name: "libprotobuf-c", unit: "ns", samples: peer),
      Report.Subject(name: "Quiver", unit: "ns", samples: own),
    ]
    measure.figures = [
      Report.Figure(
        name: "Quiver to libprotobuf-c", unit: "", samples: Statistics.ratios(own, peer),
        bound: 2.0, goal: 1.6)
    ]
    measure.figures += instructions(name, &measure.remarks)
    return measure
  }

  /// Reported beside the times, because instructions do not vary. Runs a tenth more as warm-up.
  private func instructions(_ name: String, _ remarks: inout [String]) -> [Report.Figure] {
    do {
      let own = try Callgrind.instructionsEach { [peers.bench, "codec", name, "\($0)"] } / 1.1
      let peer = try Callgrind.instructionsEach { [peers.path("codec"), name, "\($0)"] } / 1.1
      return [
        Report.Figure(name: "instructions, Quiver", unit: "", samples: [own.rounded()]),
        Report.Figure(name: "instructions, libprotobuf-c", unit: "", samples: [peer.rounded()]),
      ]
    } catch {
      remarks.append(String(describing: error))
      return []
    }
  }

  private func sample(_ command: [String], _ byteCount: Int) throws -> Double {
    let sample = try Programs.json(Sample.self, command, core: Programs.serverCore)
    guard sample.bytes == byteCount else {
      throw Unmeasured("the message has \(sample.bytes) bytes, not \(byteCount)")
    }
    return sample.ns
  }
}
