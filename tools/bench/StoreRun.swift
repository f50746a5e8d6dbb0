import Foundation
import QuiverAPI
import QuiverProtobuf
import QuiverRPC

/// One run of a measure of the store, with its results.
struct StoreRun {
  let number: Int
  let servers: StoreServers
  let peers: Peers
  let options: Options
  private(set) var figures: [(name: String, value: Double)] = []
  private(set) var subjects: [(name: String, unit: String, value: Double)] = []

  init(number: Int, servers: StoreServers, peers: Peers, options: Options) {
    self.number = number
    self.servers = servers
    self.peers = peers
    self.options = options
  }

  mutating func figure(_ name: String, _ value: Double) { figures.append((name, value)) }

  mutating func subject(_ name: String, _ unit: String, _ value: Double) {
    subjects.append((name, unit, value))
  }

  /// The calls of the load client.
  enum Call {
    case echo, create, read

    fileprivate var words: [String] {
      switch self {
      case .echo: ["--method", "769"]
      case .create:
        ["--method", "\(Equipment.risers.create.info.id)", "--keys", "--request", Self.creation]
      case .read:
        // The first item that any run has created.
        ["--method", "\(Equipment.risers.get.info.id)", "--request", "0801"]
      }
    }

    /// The first archer reads the first item; all archers write.
    fileprivate var tokens: String {
      switch self {
      case .echo, .read: StoreServers.firstToken
      case .create: StoreServers.tokens
      }
    }

    static let creation: String = {
      var request = CreateItemRequest<Riser>()
      var riser = Riser()
      riser.brand = "Hoyt"
      riser.model = "Formula Xi"
      request.item = riser
      return MessageCoder().encode(request).map { String(format: "%02X", $0) }.joined()
    }()
  }

  /// The load client's arguments for a call; a rate of 0 is unlimited.
  func load(
    _ call: Call, on server: Server, connections: Int, depth: Int = 1, rate: Double = 0,
    seconds: Double? = nil
  ) -> [String] {
    [peers.path("load")] + call.words + [
      "--token-file", server.folder.appendingPathComponent(call.tokens).path,
      "--connect", "127.0.0.1:\(server.port)", "--connections", "\(connections)",
      "--depth", "\(depth)", "--rate", "\(rate)", "--seconds", "\(seconds ?? options.seconds)",
      "--timeout-ms", "20000", "--pid", "\(server.pid)",
    ]
  }

  /// Runs a load to its end.
  func sample(_ words: [String]) throws -> StoreMeasures.Sample {
    try Self.checked(
      try Programs.json(StoreMeasures.Sample.self, words, core: Programs.loadCore))
  }

  /// Runs a load during another one; returns the sample of the first.
  func sample(_ words: [String], beside other: [String]) throws -> StoreMeasures.Sample {
    let log = servers.direct.appendingPathComponent("beside")
    let process = try Programs.start(other, log: log, core: Programs.loadCore)
    defer {
      process.terminate()
      process.waitUntilExit()
    }
    // The other load's warm-up is longer than its connecting.
    usleep(400_000)
    let sample = try sample(words)
    guard process.isRunning else {
      let said = (try? String(contentsOf: log, encoding: .utf8)) ?? ""
      throw Unmeasured("the load beside ended early: \(said.suffix(200))")
    }
    return sample
  }

  /// Writes the same with the C API on the server's core, in batches of this size.
  func direct(group: Int) throws -> StoreMeasures.Direct {
    try Programs.json(
      StoreMeasures.Direct.self,
      [
        peers.path("store_direct"), "write",
        servers.direct.appendingPathComponent("data/quiver.db").path,
        "\(StoreServers.callers)", "\(group)", "\(options.seconds)",
      ], core: Programs.serverCore)
  }

  /// Syncs this many pages at a time on the same disk.
  func sync(pages: Int) throws -> StoreMeasures.Sync {
    try Programs.json(
      StoreMeasures.Sync.self,
      [
        peers.path("store_direct"), "sync", servers.direct.appendingPathComponent("sync").path,
        "\(pages)", "\(options.seconds)",
      ], core: Programs.serverCore)
  }

  /// The size of the log's file in bytes, which never shrinks.
  func logByteCount(of server: Server) -> Double {
    let path = server.folder.appendingPathComponent("data/quiver.db-wal").path
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    return (attributes?[.size] as? Double) ?? Double((attributes?[.size] as? Int) ?? 0)
  }

  private static func checked(_ sample: StoreMeasures.Sample) throws -> StoreMeasures.Sample {
    guard sample.errors == 0, sample.calls > 0, sample.serverCPUNanoseconds > 0 else {
      throw Unmeasured("\(sample.errors) of \(sample.calls) calls failed")
    }
    return sample
  }
}
