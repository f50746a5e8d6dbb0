import QuiverAPI
import QuiverProtobuf
import QuiverRPC
import QuiverStore
import QuiverWire
import Testing

@Suite("Principals", .timeLimit(.minutes(5)))
struct PrincipalTests {
  @Test("An administrator reads and renames a principal by its current revision")
  func rename() async throws {
    try await TestServer.run { server in
      let admin = try server.client(.administrator, named: "Sheriff")
      let robin = try server.principal(named: "Robin")
      var reading = GetPrincipalRequest()
      reading.id = robin.id
      var wish = UpdatePrincipalRequest()
      wish.principal = try await admin.call(Admin.getPrincipal, reading)
      wish.principal?.displayName = " Robin Hood "
      wish.updateMask = ["display_name"]
      let renamed = try await admin.call(Admin.updatePrincipal, wish)
      #expect(renamed.displayName == "Robin Hood" && renamed.revision == 2)
      #expect(try await admin.call(Admin.getPrincipal, reading) == renamed)

      let before = try server.lastSequence()
      let stale = await admin.refusal(Admin.updatePrincipal, wish)
      #expect(stale?.code == .aborted)
      let detail = try #require(stale?.details.first)
      #expect(try Principal(serializedBytes: detail.value) == renamed)
      let bad: [(String, String, (inout UpdatePrincipalRequest) -> Void)] = [
        ("principal: ", "absent", { $0.principal = nil }),
        ("update_mask: ", "empty", { $0.updateMask = [] }),
        ("update_mask[0]: is a field", "kind", { $0.updateMask = ["kind"] }),
        ("update_mask[0]: is no field", "bow", { $0.updateMask = ["bow"] }),
        ("principal.revision: ", "zero", { $0.principal?.revision = 0 }),
        ("principal.display_name: ", "blank", { $0.principal?.displayName = " " }),
      ]
      for (prefix, name, change) in bad {
        var request = wish
        change(&request)
        let refusal = await admin.refusal(Admin.updatePrincipal, request)
        #expect(refusal?.code == .invalidArgument, "\(name)")
        #expect(refusal?.message.hasPrefix(prefix) == true, "\(name)")
      }
      wish.principal?.id = 99
      #expect(await admin.refusal(Admin.updatePrincipal, wish)?.code == .notFound)
      reading.id = 99
      #expect(await admin.refusal(Admin.getPrincipal, reading)?.code == .notFound)
      #expect(try server.lastSequence() == before)
    }
  }

  @Test(
    "Disabling a principal closes its connections and refuses its tokens until it is enabled",
    .timeLimit(.minutes(1)))
  func disabling() async throws {
    try await TestServer.run { server in
      let admin = try server.client(.administrator, named: "Sheriff")
      let robin = try server.principal(named: "Robin")
      let open = try server.client(of: robin.id, [])
      _ = try await open.call(Equipment.risers.create, .of(.hoyt))
      var disabling = DisablePrincipalRequest()
      disabling.id = robin.id
      let disabled = try await admin.call(Admin.disablePrincipal, disabling)
      #expect(disabled.disabledAtMilliseconds != nil)
      #expect(try await admin.call(Admin.disablePrincipal, disabling) == disabled)

      // The store refuses it at once, the server when the connection has gone.
      var refusals: [RPCError?] = []
      while refusals.last??.code != .unauthenticated {
        refusals.append(await open.refusal(Equipment.risers.create, .of(.hoyt)))
      }
      #expect(refusals.allSatisfy { $0 != nil })
      let late = try server.client(of: robin.id, [])
      let refusal = await late.refusal(Equipment.listItems, ListItemsRequest())
      #expect(refusal?.code == .unauthenticated)

      var enabling = EnablePrincipalRequest()
      enabling.id = robin.id
      let enabled = try await admin.call(Admin.enablePrincipal, enabling)
      #expect(enabled.disabledAtMilliseconds == nil)
      let again = try server.client(of: robin.id, [])
      let items = try await again.call(Equipment.listItems, ListItemsRequest()).items
      #expect(items.count == 1)
    }
  }

  @Test("The last administrator cannot be disabled; one of two can")
  func lastAdministrator() async throws {
    try await TestServer.run { server in
      let admin = try server.client(.administrator, named: "Sheriff")
      let sheriff = try await admin.call(Account.whoAmI, WhoAmIRequest()).principal
      var wish = DisablePrincipalRequest()
      wish.id = sheriff?.id ?? 0
      let refusal = await admin.refusal(Admin.disablePrincipal, wish)
      #expect(refusal?.code == .failedPrecondition)
      let john = try server.principal(.administrator, named: "Prince John")
      wish.id = john.id
      #expect(
        try await admin.call(Admin.disablePrincipal, wish).disabledAtMilliseconds != nil)
      wish.id = sheriff?.id ?? 0
      #expect(
        await admin.refusal(Admin.disablePrincipal, wish)?.code == .failedPrecondition)
      wish.id = 99
      #expect(await admin.refusal(Admin.disablePrincipal, wish)?.code == .notFound)
    }
  }
}
