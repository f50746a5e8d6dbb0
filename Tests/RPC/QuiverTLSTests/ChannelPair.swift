import CTLS
import QuiverRPC
import QuiverWire
import TestCertificates
import Testing

@testable import QuiverTLS

/// The channels of a client and a server, connected in memory.
struct ChannelPair {
  let client: TLSChannel
  let server: TLSChannel
  /// The bytes that each has written and the other has not read.
  private(set) var fromClient: [UInt8] = []
  private(set) var fromServer: [UInt8] = []
  /// The bytes that each has decrypted.
  private(set) var atClient: [UInt8] = []
  private(set) var atServer: [UInt8] = []
  private(set) var clientError: SecureChannelError?
  private(set) var serverError: SecureChannelError?
  private var hasStarted = false

  init(_ client: TLSClient, _ server: TLSServer, host: String = "localhost") throws {
    self.client = try #require(try client.makeChannel(to: host) as? TLSChannel)
    self.server = try #require(server.makeChannel() as? TLSChannel)
  }

  /// Lets both read until no bytes are left, in chunks of this size.
  mutating func run(chunkBytes: Int = .max) {
    start()
    while !fromClient.isEmpty || !fromServer.isEmpty {
      let toServer = fromClient
      fromClient = []
      receive(atServer: toServer, chunkBytes: chunkBytes)
      let toClient = fromServer
      fromServer = []
      receive(atClient: toClient, chunkBytes: chunkBytes)
    }
  }

  mutating func start() {
    guard !hasStarted else { return }
    hasStarted = true
    var wire = ByteQueue()
    do throws(SecureChannelError) { try client.start(wire: &wire) } catch { clientError = error }
    fromClient += Array(wire.bytes)
  }

  mutating func receive(atServer bytes: [UInt8], chunkBytes: Int = .max) {
    var error: SecureChannelError?
    (atServer, fromServer) = Self.receive(
      bytes, by: server, chunkBytes, (atServer, fromServer), &error)
    serverError = serverError ?? error
  }

  mutating func receive(atClient bytes: [UInt8], chunkBytes: Int = .max) {
    var error: SecureChannelError?
    (atClient, fromClient) = Self.receive(
      bytes, by: client, chunkBytes, (atClient, fromClient), &error)
    clientError = clientError ?? error
  }

  /// Removes and returns the bytes that the client has written.
  mutating func takeFromClient() -> [UInt8] {
    defer { fromClient = [] }
    return fromClient
  }

  mutating func send(fromClient plain: [UInt8]) throws {
    fromClient += try Self.encrypt(plain, by: client)
  }

  mutating func send(fromServer plain: [UInt8]) throws {
    fromServer += try Self.encrypt(plain, by: server)
  }

  mutating func closeClient() {
    var wire = ByteQueue()
    client.close(wire: &wire)
    fromClient += Array(wire.bytes)
  }

  static func encrypt(_ plain: [UInt8], by channel: TLSChannel) throws -> [UInt8] {
    var wire = ByteQueue()
    var error: SecureChannelError?
    plain.withUnsafeBytes { bytes in
      do throws(SecureChannelError) {
        try channel.send(bytes, wire: &wire)
      } catch let thrown {
        error = thrown
      }
    }
    if let error { throw error }
    return Array(wire.bytes)
  }

  private static func receive(
    _ bytes: [UInt8], by channel: TLSChannel, _ chunkBytes: Int, _ before: ([UInt8], [UInt8]),
    _ error: inout SecureChannelError?
  ) -> ([UInt8], [UInt8]) {
    var plain = ByteQueue()
    var wire = ByteQueue()
    var rest = bytes[...]
    while !rest.isEmpty {
      let chunk = Array(rest.prefix(chunkBytes))
      rest = rest.dropFirst(chunkBytes)
      chunk.withUnsafeBytes { bytes in
        do throws(SecureChannelError) {
          try channel.receive(bytes, plain: &plain, wire: &wire)
        } catch let thrown {
          error = thrown
        }
      }
      guard error == nil else { break }
    }
    return (before.0 + Array(plain.bytes), before.1 + Array(wire.bytes))
  }
}

extension TestAuthority {
  func server(
    _ issued: Issued, clients: TLSServer.ClientCertificates = .none, _ keys: TicketKeys = .init()
  ) throws -> TLSServer {
    try TLSServer(
      .init(
        certificateFile: issued.certificateFile, keyFile: issued.keyFile,
        clientCertificates: clients), keys)
  }

  func client(
    certificate: Issued? = nil, pins: [[UInt8]] = [], name: String? = nil
  ) throws -> TLSClient {
    var configuration = TLSConfiguration(trustedRoots: .file(authorityFile))
    configuration.pinnedPublicKeys = pins
    configuration.serverName = name
    configuration.clientCertificate = certificate.map {
      .init(certificateFile: $0.certificateFile, keyFile: $0.keyFile)
    }
    return try TLSClient(configuration)
  }
}
