import QuiverAPI
import QuiverClient
import QuiverProtobuf
import QuiverRPC

/// What has a label, a name or a day: tokens, invites, certificates, rounds, weights.
extension NameLists {
  static func records(
    _ kind: NamedKind, _ access: Access
  ) async throws(Failure) -> [NamedObject] {
    switch kind {
    case .token: return try await pages(access, tokens)
    case .invite: return try await pages(access, invites)
    case .binding: return try await pages(access, bindings)
    case .weight: return try await pages(access, weights)
    case .deletedWeight: return try await pages(access, deletedWeights)
    case .practice: return try await pages(access, practices)
    case .shareInvite: return try await pages(access, shareInvites)
    case .share: return try await pages(access, given) + pages(access, received)
    case .sharer:
      return try await pages(access) { (access, place) async throws(RPCError) in
        let page = try await shares(.received, access, place)
        return (page.shares.map(sharer), page.nextPageToken)
      }
    default: return try await pages(access, ownRounds)
    }
  }

  /// A page of objects from the place that a token names, and the token of the next one.
  private typealias Page = (objects: [NamedObject], next: String)

  private static func pages(
    _ access: Access, _ read: (Access, String) async throws(RPCError) -> Page
  ) async throws(Failure) -> [NamedObject] {
    var found: [NamedObject] = []
    var place = ""
    repeat {
      let wanted = place
      let page = try await access.attemptPlainly { () async throws(RPCError) in
        try await read(access, wanted)
      }
      found += page.objects
      place = page.next
    } while !place.isEmpty
    return found
  }

  private static func tokens(_ access: Access, _ place: String) async throws(RPCError) -> Page {
    let page = try await access.client.call(
      Admin.listTokens, .with { ($0.pageSize, $0.pageToken) = (500, place) })
    let tokens = page.tokens.filter { $0.revokedAtMilliseconds == nil }.map { token in
      let label = token.label.isEmpty ? "" : " (\(Terminal.oneLine(token.label)))"
      return NamedObject(
        id: token.id, names: [token.label, token.principalName].filter { !$0.isEmpty },
        label: "token of \(Terminal.oneLine(token.principalName))\(label)")
    }
    return (tokens, page.nextPageToken)
  }

  private static func shares(
    _ side: ShareSide, _ access: Access, _ place: String
  ) async throws(RPCError) -> ListSharesResponse {
    try await access.client.call(
      Account.listShares, .with { ($0.side, $0.pageSize, $0.pageToken) = (side, 500, place) })
  }

  private static func sharer(_ share: Share) -> NamedObject {
    NamedObject(
      id: share.ownerID, names: [share.ownerName], label: Terminal.oneLine(share.ownerName))
  }

  private static func given(_ access: Access, _ place: String) async throws(RPCError) -> Page {
    let page = try await shares(.given, access, place)
    let objects = page.shares.map { share in
      NamedObject(
        id: share.id, names: [share.readerName],
        label: "share with \(Terminal.oneLine(share.readerName))")
    }
    return (objects, page.nextPageToken)
  }

  private static func received(_ access: Access, _ place: String) async throws(RPCError) -> Page {
    let page = try await shares(.received, access, place)
    let objects = page.shares.map { share in
      NamedObject(
        id: share.id, names: [share.ownerName],
        label: "share of \(Terminal.oneLine(share.ownerName))")
    }
    return (objects, page.nextPageToken)
  }

  private static func invites(_ access: Access, _ place: String) async throws(RPCError) -> Page {
    let page = try await access.client.call(
      Admin.listInvites, .with { ($0.pageSize, $0.pageToken) = (500, place) })
    let invites = page.invites.map { invite in
      NamedObject(
        id: invite.id, names: invite.label.isEmpty ? [] : [invite.label],
        label: "invite \(Terminal.oneLine(invite.label))")
    }
    return (invites, page.nextPageToken)
  }

  private static func bindings(_ access: Access, _ place: String) async throws(RPCError) -> Page {
    let page = try await access.client.call(
      Admin.listCertificateBindings, .with { ($0.pageSize, $0.pageToken) = (500, place) })
    let bindings = page.bindings.map { binding in
      NamedObject(
        id: binding.id, names: [binding.name, binding.label].filter { !$0.isEmpty },
        label: "certificate of \(Terminal.oneLine(binding.name))")
    }
    return (bindings, page.nextPageToken)
  }

  /// The entries that are not deleted, by their days.
  private static func weights(_ access: Access, _ place: String) async throws(RPCError) -> Page {
    try await weights(access, place, areDeleted: false)
  }

  private static func deletedWeights(
    _ access: Access, _ place: String
  ) async throws(RPCError) -> Page {
    try await weights(access, place, areDeleted: true)
  }

  private static func weights(
    _ access: Access, _ place: String, areDeleted: Bool
  ) async throws(RPCError) -> Page {
    let page = try await access.client.call(
      Logbook.listWeightEntries,
      .with { ($0.deleted, $0.pageSize, $0.pageToken) = (areDeleted, 500, place) })
    let entries = page.entries.map { entry in
      let day = DayText.text(entry.day ?? 0)
      return NamedObject(
        id: entry.id, keys: [.init(kind: "day", text: day)],
        label: "\(WeightText.exact(entry.thousandths)) on \(day)")
    }
    return (entries, page.nextPageToken)
  }

  private static func ownRounds(_ access: Access, _ place: String) async throws(RPCError) -> Page {
    let list = try await access.client.call(Rounds.listFormats, .with { $0.ownOnly = true })
    let formats = list.formats.map { format in
      NamedObject(id: format.id, names: [format.name], label: Terminal.oneLine(format.name))
    }
    return (formats, "")
  }
}
