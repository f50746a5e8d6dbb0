import Foundation
import QuiverStore

/// The time from the start of `quiverd` until it accepts connections, with a large store that was
/// stopped cleanly.
struct StartMeasure {
  static let name = "start-1gb"
  private static let sentence = "the start of a server with 1 GB of data after a clean stop"
  private static let byteCount = 1_000_000_000
  /// Sets between two looks at the size of the database.
  private static let slice: Int32 = 1_000_000

  let options: Options
  let peers: Peers

  func run() -> [Report.Measure] {
    guard options.wants(Self.name) else { return [] }
    begin(Self.name)
    var measure = Report.Measure(name: Self.name, sentence: Self.sentence)
    var samples: [Double] = []
    do {
      guard let subject = Subject.all(peers).first(where: { $0.server == "quiverd" }) else {
        throw Unmeasured("no server to call")
      }
      let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("quiver-bench-\(UUID().uuidString)")
      defer { try? FileManager.default.removeItem(at: folder) }
      try Self.fill(folder.appendingPathComponent("data"))
      // The first start looks at the schema and remembers that it was right.
      for run in 0...options.runs {
        let server = try Server(subject, in: folder)
        if run > 0 { samples.append(server.startMilliseconds) }
        server.stop()
      }
    } catch {
      measure.remarks.append(String(describing: error))
    }
    measure.figures = [
      Report.Figure(
        name: "until connections are accepted", unit: "ms", samples: samples, bound: 1_000)
    ]
    return [measure]
  }

  /// Imports sets of one archer after another until the database has its size.
  private static func fill(_ data: URL) throws {
    try FileManager.default.createDirectory(at: data, withIntermediateDirectories: true)
    let store = try Store(.unlimited(data.path))
    defer { store.close() }
    let nobody = CommandOptions(caller: CommandCaller(principal: 0))
    let database = data.appendingPathComponent("quiver.db").path
    for number in 0..<100 {
      let archer = try store.perform(
        CreatePrincipal(kind: .user, displayName: "Archer \(number)"), nobody)
      let options = CommandOptions(caller: CommandCaller(principal: archer.id))
      try LoggedData.lift(store, slice, setsPerDay: 60, options)
      let size = try FileManager.default.attributesOfItem(atPath: database)[.size] as? Int ?? 0
      progress("  \(size / 1_000_000) MB")
      if size >= byteCount { return }
    }
    throw Unmeasured("the database did not reach \(byteCount) bytes")
  }
}
