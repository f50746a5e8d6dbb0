import QuiverAPI
import QuiverClient
import QuiverRPC
import QuiverWire

/// A principal that exists for one run, so that everything that the run creates can be deleted.
///
/// A run that an administrator starts gets one. Deleting the account deletes its data and tokens.
struct TemporaryCaller: Sendable {
  let token: String
  private let id: Int64
  private let name: String

  /// Creates a principal and its token; nil if the caller of `client` is not an administrator.
  ///
  /// - Parameters:
  ///   - kind: an administrator if the run itself makes principals.
  ///   - name: the name of the run.
  init?(
    of client: RPCClient, kind: PrincipalKind, name: String, timeout: Duration = .seconds(10)
  ) async throws(Failure) {
    do throws(RPCError) {
      let options = CallOptions(timeout: timeout)
      let caller = try await client.call(Account.whoAmI, WhoAmIRequest(), options: options)
      guard caller.principal?.kind == .administrator else { return nil }
      var principal = CreatePrincipalRequest()
      principal.kind = kind
      principal.displayName = name
      id = try await client.call(Admin.createPrincipal, principal, options: options).id
      var request = CreateTokenRequest()
      request.principalID = id
      request.label = name
      token = try await client.call(Admin.createToken, request, options: options).secret
      self.name = name
    } catch {
      // A server may know no accounts, and an anonymous caller has none.
      guard [.unauthenticated, .unimplemented, .permissionDenied].contains(error.code) else {
        throw Failure(
          .unreachable, "a principal for the run could not be made: \(error.code.name)")
      }
      return nil
    }
  }

  /// Deletes the account; returns what stays on the server, nil if nothing does.
  func delete(over client: RPCClient, timeout: Duration = .seconds(30)) async -> String? {
    await Self.delete(name, over: client, timeout: timeout).map {
      "principal \(id) and its data: \($0)"
    }
  }

  /// Deletes the account of the caller of `client`; returns why that failed.
  static func delete(
    _ name: String, over client: RPCClient, timeout: Duration = .seconds(30)
  ) async -> String? {
    var request = DeleteMyAccountRequest()
    request.confirmation = name
    let end = ContinuousClock.now + timeout
    while true {
      do throws(RPCError) {
        _ = try await client.call(
          Account.deleteMyAccount, request, options: CallOptions(timeout: timeout))
        return nil
      } catch {
        // A call whose reply was lost was repeated: the account has gone, and its token with it.
        guard error.code != .unauthenticated else { return nil }
        // Commands of an attack may still wait in the share of its principal.
        guard error.code == .resourceExhausted, error.isNotProcessed, ContinuousClock.now < end
        else { return "\(error.code.name): \(error.message)" }
        try? await Task.sleep(for: .milliseconds(100))
      }
    }
  }
}
