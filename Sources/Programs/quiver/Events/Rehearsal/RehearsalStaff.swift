import QuiverAPI
import QuiverClient
import QuiverProtobuf
import QuiverRPC
import QuiverWire

/// The people of a rehearsal with their devices: each has an account, a token and a network.
struct RehearsalStaff: Sendable {
  let organiser: Member
  let judge: Member
  /// One for each target.
  let scorers: [Member]
  /// They score matches, two at a time.
  let matchScorers: [Member]

  static let matchScorerCount = 12

  /// A person with a device.
  struct Member: Sendable {
    let principal: Int64
    let name: String
    let configuration: RPCClient.Configuration
    let way: FaultyTransport
  }

  /// Creates the accounts, as an administrator.
  init(
    _ administrator: RPCClient.Configuration, scorerCount: Int, _ log: RehearsalLog,
    seed: UInt64, hasFaults: Bool
  ) async throws {
    let office = try FaultyTransport(administrator, log, seed: seed, hasFaults: false)
    var number: UInt64 = 0
    func member(_ name: String, isPhone: Bool = true) async throws -> Member {
      number += 1
      let principal = try await office.call(
        Admin.createPrincipal,
        .with { request in
          request.kind = .user
          request.displayName = name
        })
      let token = try await office.call(
        Admin.createToken,
        .with { request in
          request.principalID = principal.id
          request.label = "rehearsal"
        })
      var configuration = administrator
      configuration.token = token.secret
      configuration.tokenSource = nil
      configuration.interceptors = []
      return Member(
        principal: principal.id, name: name, configuration: configuration,
        way: try FaultyTransport(
          configuration, log, seed: seed &+ number, hasFaults: hasFaults && isPhone))
    }
    do {
      organiser = try await member("Rehearsal organiser", isPhone: false)
    } catch let error as RPCError where error.code == .permissionDenied {
      throw RehearsalError("a rehearsal creates accounts: the token must be an administrator's")
    }
    judge = try await member("Rehearsal judge", isPhone: false)
    var scorers: [Member] = []
    for target in 0..<scorerCount {
      scorers.append(try await member("Rehearsal scorer \(target + 1)"))
    }
    self.scorers = scorers
    var others: [Member] = []
    for index in 0..<Self.matchScorerCount {
      others.append(try await member("Rehearsal match scorer \(index + 1)"))
    }
    matchScorers = others
    await office.close()
  }

  private var everybody: [Member] { scorers + matchScorers + [judge, organiser] }

  /// Closes all connections.
  func close() async {
    for member in everybody { await member.way.close() }
  }

  /// Deletes the accounts; returns the names of those that stay.
  func deleteAccounts(_ log: RehearsalLog) async -> [String] {
    var left: [String] = []
    for member in everybody {
      do {
        let way = try FaultyTransport(member.configuration, log, seed: 0, hasFaults: false)
        _ = try await way.call(
          Account.deleteMyAccount, .with { $0.confirmation = member.name })
        await way.close()
      } catch {
        left.append(member.name)
      }
    }
    return left
  }
}
