import QuiverWire
import TestSupport
import Testing

@testable import QuiverDispatch

@Suite("Admission of connections", .timeLimit(.minutes(5)))
struct ConnectionAdmissionTests {
  private static func admission(
    total: Int = 1_000, address: Int = 1_000, anonymous: Int = 1_000, principal: Int = 1_000
  ) -> ConnectionAdmission {
    var limits = Limits()
    limits.maxConnections = total
    limits.maxConnectionsPerAddress = address
    limits.maxAnonymousConnectionsPerAddress = anonymous
    limits.maxConnectionsPerPrincipal = principal
    return ConnectionAdmission(limits)
  }

  @Test("An address at its limit of anonymous connections closes its oldest one for a new one")
  func perAddress() {
    var admission = Self.admission(anonymous: 2)
    #expect(admission.admit(from: "b") == .accept(id: 1))
    #expect(admission.admit(from: "a") == .accept(id: 2))
    #expect(admission.admit(from: "a") == .accept(id: 3))
    #expect(admission.admit(from: "a") == .acceptInPlace(id: 4, of: 2))
    admission.close(2, network: "a", principal: nil)
    #expect(admission.admit(from: "b") == .accept(id: 5))
  }

  @Test("Connections with a token are not anonymous and are not closed for others")
  func known() {
    var admission = Self.admission(anonymous: 1)
    for id in 1...5 as ClosedRange<UInt64> {
      #expect(admission.admit(from: "a") == .accept(id: id))
      #expect(admission.identify(id, principal: 7) == true)
    }
    #expect(admission.anonymousCount == 0)
  }

  @Test("Anonymous connections leave 5 % of the process to callers with a token")
  func reserve() {
    var admission = Self.admission(total: 100)
    for id in 1...95 as ClosedRange<UInt64> {
      #expect(admission.admit(from: "n\(id)") == .accept(id: id))
    }
    #expect(admission.admit(from: "new") == .acceptInPlace(id: 96, of: 1))
    #expect(admission.identify(96, principal: 1) == true)
  }

  @Test("A process full of authenticated connections refuses a new one")
  func full() {
    var admission = Self.admission(total: 10)
    for id in 1...10 as ClosedRange<UInt64> {
      #expect(admission.admit(from: "n\(id)") != .reject)
      #expect(admission.identify(id, principal: Int64(id)) == true)
    }
    #expect(admission.admit(from: "new") == .reject)
    admission.close(3, network: "n3", principal: 3)
    #expect(admission.admit(from: "new") == .accept(id: 11))
  }

  @Test("The number of connections never exceeds the hard limit, even if none can be closed")
  func hardLimit() {
    var limits = Limits()
    limits.maxConnections = 10
    limits.maxRejectedConnections = 5
    var admission = ConnectionAdmission(limits)
    var accepted = 0
    for attempt in 0..<100 {
      switch admission.admit(from: "n\(attempt)") {
      case .accept: accepted += 1
      case .acceptInPlace(_, let busy):
        accepted += 1
        admission.retain(busy)
      case .reject: break
      }
    }
    #expect(accepted == 15 && admission.connectionCount == 15)
  }

  @Test("A principal has as many connections as its limit, and another one when one closes")
  func perPrincipal() {
    var admission = Self.admission(principal: 2)
    for id in 1...3 as ClosedRange<UInt64> {
      #expect(admission.admit(from: "a") == .accept(id: id))
    }
    #expect(admission.identify(1, principal: 9) == true)
    #expect(admission.identify(2, principal: 9) == true)
    #expect(admission.identify(3, principal: 9) == false)
    admission.close(1, network: "a", principal: 9)
    #expect(admission.identify(3, principal: 9) == true)
  }

  @Test("A busy connection becomes the last candidate for closing, and the next one follows")
  func busy() {
    var admission = Self.admission(anonymous: 3)
    for id in 1...3 as ClosedRange<UInt64> {
      #expect(admission.admit(from: "a") == .accept(id: id))
    }
    #expect(admission.admit(from: "a") == .acceptInPlace(id: 4, of: 1))
    admission.retain(1)
    #expect(admission.nextVictim(for: 4) == 2)
    admission.retain(2)
    #expect(admission.nextVictim(for: 4) == 3)
    admission.retain(3)
    #expect(admission.nextVictim(for: 4) == 1)
    // Once the caller of one of them is known there is room.
    #expect(admission.needsRoom(for: 4))
    #expect(admission.identify(2, principal: 1) == true)
    #expect(!admission.needsRoom(for: 4))
  }

  @Test("The connections of an address are closed in their order, whatever others do meanwhile")
  func ages() {
    var admission = Self.admission(anonymous: 3)
    var open: [UInt64] = []
    var next: UInt64 = 1
    for round in 0..<1_000 {
      // Others come and go, and some stay.
      for network in ["b", "c", "d\(round)"] {
        let id = next
        next += 1
        switch admission.admit(from: network) {
        case .accept(id): break
        case .acceptInPlace(id, let old): admission.close(old, network: network, principal: nil)
        case let decision: Issue.record("\(decision)")
        }
        if network.hasPrefix("d") { admission.close(id, network: network, principal: nil) }
      }
      let decision = admission.admit(from: "a")
      if open.count < 3 {
        #expect(decision == .accept(id: next))
      } else {
        #expect(decision == .acceptInPlace(id: next, of: open[0]))
        admission.close(open.removeFirst(), network: "a", principal: nil)
      }
      open.append(next)
      next += 1
    }
  }

  @Test("Connections above the limits stay without a token's caller only up to the reserve")
  func spares() {
    var admission = Self.admission(total: 100)
    for id in 1...95 as ClosedRange<UInt64> {
      #expect(admission.admit(from: "n\(id)") == .accept(id: id))
    }
    var ended: [UInt64] = []
    for (id, network) in zip(96...UInt64(102), ["a", "b", "a", "a", "b", "a", "b"]) {
      _ = admission.admit(from: network)
      if let old = admission.keepAsSpare(id) {
        ended.append(old)
        admission.close(old, network: old == 97 ? "b" : "a", principal: nil)
      }
    }
    // Five places: the oldest of the address with most of them ends, and where two addresses have
    // as many, the oldest of both.
    #expect(ended == [96, 97])
    #expect(admission.mayStayAnonymous(98) == false)
    #expect(admission.mayStayAnonymous(1) == true)
    // A connection whose HELLO has no token is no caller's.
    #expect(admission.keepAsSpare(1) == 1)
    #expect(admission.identify(98, principal: 1) == true)
    _ = admission.admit(from: "c")
    #expect(admission.keepAsSpare(103) == nil)
  }

  @Test("Connections of a proxy are counted by the address in the PROXY header")
  func proxied() {
    var admission = Self.admission(address: 3, anonymous: 2)
    for id in 1...10 as ClosedRange<UInt64> {
      #expect(admission.admit(from: nil) == .accept(id: id))
    }
    #expect(admission.locate(1, in: "a") == .accept(id: 1))
    #expect(admission.locate(2, in: "a") == .accept(id: 2))
    #expect(admission.locate(3, in: "a") == .acceptInPlace(id: 3, of: 1))
    #expect(admission.locate(4, in: "a") == .reject)
    #expect(admission.locate(5, in: "b") == .accept(id: 5))
  }

  @Test(
    "Counts return to zero after connections open and close in any order",
    arguments: 0..<20 as Range<UInt64>)
  func balance(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var admission = Self.admission(total: 50, address: 20, anonymous: 10, principal: 15)
    var open: [(id: UInt64, network: String, principal: Int64?)] = []
    for _ in 0..<2_000 {
      switch Int.random(in: 0..<4, using: &random) {
      case 0, 1:
        let network = "n\(Int.random(in: 0..<4, using: &random))"
        switch admission.admit(from: network) {
        case .accept(let id): open.append((id, network, nil))
        case .acceptInPlace(let id, let victim):
          open.append((id, network, nil))
          if let place = open.firstIndex(where: { $0.id == victim }) {
            #expect(open[place].principal == nil, "seed \(seed)")
            admission.close(victim, network: open[place].network, principal: nil)
            open.remove(at: place)
          } else {
            Issue.record("seed \(seed): \(victim) is not open")
          }
        case .reject: break
        }
      case 2:
        guard let place = open.indices.randomElement(using: &random) else { continue }
        let principal = Int64.random(in: 1...5, using: &random)
        if open[place].principal == nil, admission.identify(open[place].id, principal: principal) {
          open[place].principal = principal
        }
      default:
        guard let place = open.indices.randomElement(using: &random) else { continue }
        let one = open.remove(at: place)
        admission.close(one.id, network: one.network, principal: one.principal)
      }
      #expect(admission.connectionCount == open.count, "seed \(seed)")
      #expect(open.count <= 50, "seed \(seed)")
    }
    for one in open { admission.close(one.id, network: one.network, principal: one.principal) }
    #expect(admission.connectionCount == 0 && admission.anonymousCount == 0, "seed \(seed)")
  }
}

@Suite("Trusted networks", .timeLimit(.minutes(5)))
struct TrustedNetworksTests {
  @Test("A list of networks contains the addresses in them")
  func lists() throws {
    let networks = try #require(TrustedNetworks("10.0.0.0/8,2001:db8::/32,192.0.2.7"))
    #expect(networks.contains(try address("10.1.2.3")))
    #expect(!networks.contains(try address("11.1.2.3")))
    #expect(networks.contains(try address("2001:db8:1::1")))
    #expect(!networks.contains(try address("2001:db9::1")))
    #expect(networks.contains(try address("192.0.2.7")))
    #expect(!networks.contains(try address("192.0.2.8")))
    #expect(networks.contains(try address("::ffff:192.0.2.7")))
    #expect(!networks.contains(SocketAddress(unixPath: "a.sock")))
    #expect(try #require(TrustedNetworks("unix")).contains(SocketAddress(unixPath: "a.sock")))
  }

  @Test(
    "A malformed list is refused",
    arguments: ["", "10.0.0.0/33", "a", "::1/129", "1.2.3.4,"])
  func malformed(_ text: String) {
    #expect(TrustedNetworks(text) == nil)
  }

  @Test("IPv6 addresses are counted by their first 64 bits, IPv4 addresses completely")
  func counted() {
    #expect(CountedNetwork.name(of: "2001:db8:1:2:3:4:5:6") == "2001:db8:1:2::/64")
    #expect(CountedNetwork.name(of: "2001:db8:1:2::") == "2001:db8:1:2::/64")
    #expect(CountedNetwork.name(of: "192.0.2.7") == "192.0.2.7")
    #expect(CountedNetwork.name(of: "::ffff:192.0.2.7") == "192.0.2.7")
    #expect(CountedNetwork.name(of: "unix") == "unix")
  }

  private func address(_ host: String) throws -> SocketAddress {
    let text = host.contains(":") ? "[\(host)]:1" : "\(host):1"
    let endpoint = try #require(Endpoint(text))
    return try #require(try endpoint.resolve(passive: false).first)
  }
}
