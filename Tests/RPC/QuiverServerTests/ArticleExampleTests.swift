import QuiverServer
import QuiverTLS
import Synchronization
import TestCertificates
import Testing

// The examples of the article "Writing a service" that the package of the example has no use for.

private enum Inventory: RPCService {
  struct Methods: Sendable {
    let getItem = UnaryMethod<Item, Item>("test.inventory.v1.Inventory/GetItem", id: 13_057)
  }

  static let methods = Methods()
}

private struct Item: Message {
  var sku = ""
  static let schema = Schema<Self>("test.inventory.v1.Item", .string(1, "sku", \.sku))
}

/// A part of what a shop has.
private struct Shelf: Sendable {
  var skus: Set<String>

  func find(_ sku: String) -> Item? { skus.contains(sku) ? .with { $0.sku = sku } : nil }
}

struct CertificateProvider: IdentityProvider {
  func principal(for credentials: Credentials) async throws -> Principal? {
    guard let name = credentials.certificateURIs.first else { return nil }
    return Principal(name, mayMutate: name.hasPrefix("urn:shop:"))
  }
}

struct CallLog: ServerInterceptor {
  let write: @Sendable (String) -> Void

  func start(
    _ method: CalledMethod, _ call: CallContext
  ) throws(RPCError) -> (@Sendable (CallOutcome) -> Void)? {
    let caller = call.principal?.name ?? "nobody"
    return { outcome in write("\(method.name) \(caller) \(outcome.code) \(outcome.duration)") }
  }
}

@Suite(.timeLimit(.minutes(1))) struct ArticleExampleTests {
  private static func service(_ shelves: [Shelf]) -> Service {
    Service(
      Inventory.self,
      [
        .handle(Inventory.getItem) { request, call in
          for shelf in shelves {
            try Task.checkCancellation()
            if let item = shelf.find(request.sku) { return item }
          }
          throw RPCError(.notFound, "sku: no such item")
        }
      ])
  }

  @Test("The example of cancelling ends its call CANCELLED")
  func theExampleOfCancelling() async throws {
    let shelves = [Shelf(skus: ["bow"])]
    let handlers = NoteHandlers().with { $0.services = [Self.service(shelves)] }
    try await withServer(handlers) { _, address in
      let client = try BalancedClient(.init(servers: [address]))
      let item = try await client.call(Inventory.getItem, .with { $0.sku = "bow" })
      #expect(item.sku == "bow")
      let options = CallOptions(timeout: .seconds(5))
      let reading = Task {
        try await client.call(Inventory.getItem, .with { $0.sku = "bow" }, options: options)
      }
      reading.cancel()
      let ended = await code { _ = try await reading.value }
      // The reply may have come before.
      #expect(ended == .cancelled || ended == .ok)
      await client.close()
    }
  }

  @Test("The example of authentication knows a caller by its certificate and another by its token")
  func theExampleOfAuthentication() async throws {
    let authority = try TestAuthority()
    let own = try authority.issue("server")
    let issued = try authority.issue("shop", "URI:urn:shop:7")
    let shown = TLSConfiguration.ClientCertificate(
      certificateFile: issued.certificateFile, keyFile: issued.keyFile)
    let (authorities, certificate) = (authority.authorityFile, own.certificateFile)
    let (key, token) = (own.keyFile, "0123456789abcdef")
    for isByToken in [false, true] {
      let handlers = NoteHandlers().with { configuration in
        configuration.addresses = ["tls://127.0.0.1:0"]
        configuration.security = ServerSecurity(
          certificateFile: certificate, keyFile: key,
          clientCertificates: .optional(authoritiesFile: authorities))
        configuration.identity = CertificateProvider()
        if isByToken {
          configuration.identity = TokenIdentityProvider([token: Principal("shop")])
        }
      }
      try await withServer(handlers) { _, address in
        var tls = TLSConfiguration(trustedRoots: .file(authorities))
        tls.clientCertificate = isByToken ? nil : shown
        var configuration = BalancedClient.Configuration(servers: [address])
        configuration.connection.token = isByToken ? token : nil
        configuration.connection.security = try .tls(tls)
        let client = try BalancedClient(configuration)
        let hello = try await client.call(Notes.hello, Note())
        #expect(hello.text == (isByToken ? "shop" : "urn:shop:7"))
        await client.close()
      }
    }
  }

  @Test("The examples of limits and of observing make a server that counts and logs its calls")
  func theExamplesOfLimitsAnd() async throws {
    let lines = Mutex<[String]>([])
    let handlers = NoteHandlers().with { configuration in
      configuration.limits.maxMessageBytes = 1_048_576
      configuration.limits.maxConcurrentStreams = 100
      configuration.limits.maxConnectionsPerPrincipal = 16
      configuration.limits.sharePercent = 25
      configuration.metricsAddress = "127.0.0.1:0"
      configuration.interceptors = [CallLog { line in lines.withLock { $0.append(line) } }]
    }
    try await withServer(handlers) { server, address in
      try await withClient(address) { client in _ = try await client.call(Notes.get, Note()) }
      #expect(server.metricsAddresses.count == 1)
      #expect(server.metricsText.contains("quiver_server_handled_total"))
    }
    let first = lines.withLock { $0.first } ?? ""
    #expect(first.hasPrefix("test.notes.v1.Notes/Get address:127.0.0.1 OK "))
  }
}
