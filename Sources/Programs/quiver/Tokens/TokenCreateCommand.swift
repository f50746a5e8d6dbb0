import QuiverAPI
import QuiverClient
import QuiverJSON
import QuiverRPC

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// `quiver token create`: a token of a principal, which the command can create.
enum TokenCreateCommand {
  private static let principal = Flag(
    "--principal", .word("PRINCIPAL"), "whose token it is: a name or an id")
  private static let name = Flag(
    "--name", .word("NAME"), "create a principal with this name, 1 to 50 characters")
  private static let kind = Flag(
    "--kind", .word("KIND"), "the kind of the new principal: user, service or administrator")
  private static let label = Flag(
    "--label", .word("TEXT"), "what the token is for, at most 200 characters")
  private static let expires = Flag(
    "--expires", .word("TIME"),
    "when it expires: 12h, 30d or 8w from now; never by default")
  private static let secretFile = Flag(
    "--secret-file", .word("FILE"),
    "write the secret to this new file, which only you can read, instead of printing it")
  private static let scope = Flag(
    "--scope", .words("SCOPE"),
    "what the token permits: read, write or admin, may be given more than once; by default all"
      + " that the principal may do")

  static let command = Command(
    "token create", operands: "--principal PRINCIPAL | --name NAME --kind KIND",
    summary: "create a token, and a principal if needed",
    details: """
      Prints the token's secret to standard output; it is not shown again. With --json the token
      and its secret as JSON. A file that a shell makes with > can often be read by others: use
      --secret-file FILE, which must not exist yet and gets mode 600.
      """,
    flags: [principal, name, kind, label, expires, scope, secretFile, .json, .timeout],
    names: [.account],
    examples: [
      "token create --name Ann --kind user --secret-file ann.token",
      "token create --principal Ann --label tablet --expires 30d",
    ], run: run)

  private static let kinds: [String: PrincipalKind] = [
    "user": .user, "service": .service, "administrator": .administrator,
  ]

  private static let scopes: [String: TokenScope] = [
    "read": .read, "write": .write, "admin": .admin,
  ]

  private static let run: @Sendable (Arguments) async throws(Failure) -> Void = {
    arguments async throws(Failure) in
    _ = try arguments.operands(0...0, "no operands")
    var request = CreateTokenRequest()
    request.label = arguments.value(of: label) ?? ""
    if let text = arguments.value(of: expires) {
      guard let span = TimeSpan.milliseconds(text) else {
        throw arguments.usage("--expires expects a time like 12h, 30d or 8w, not \(text)")
      }
      request.expiresAtMilliseconds = Int64(Date().timeIntervalSince1970 * 1_000) + span
    }
    for text in arguments.values(of: scope) {
      guard let scope = scopes[text] else {
        throw arguments.usage("--scope expects read, write or admin, not \(text)")
      }
      request.scopes.append(scope)
    }
    let owner = try owner(arguments)
    // Made before the token is: a secret that cannot be stored would be lost.
    let file = try arguments.value(of: secretFile).map { (path) throws(Failure) in
      try newFile(path, arguments)
    }
    let access = try Access(arguments)
    switch owner {
    case .existing(let text):
      request.principalID = try await Names(access, arguments).id(
        of: text, .account, principal.name)
    case .new(let principal):
      let made = try await access.attempt { () async throws(RPCError) in
        try await access.client.call(Admin.createPrincipal, principal)
      }
      request.principalID = made.id
      Terminal.notice(
        "principal \(made.id): \(TokenText.kind(made.kind)) \(Terminal.oneLine(made.displayName))")
    }
    let wanted = request
    let answer = try await access.attempt { () async throws(RPCError) in
      try await access.client.call(Admin.createToken, wanted)
    }
    let isJSON = arguments.has(.json)
    let text =
      isJSON ? MessageJSON(printsZeros: true, isPretty: true).text(of: answer) : answer.secret
    if !isJSON, let token = answer.token {
      Terminal.notice(
        "token \(token.id), expires \(TokenText.time(token.expiresAtMilliseconds))")
    }
    do throws(Failure) {
      if let file {
        try file.write(line: answer.secret)
        try file.keep()
      } else {
        try Terminal.print(text)
      }
    } catch {
      // The secret can no longer be read.
      let id = answer.token?.id ?? 0
      throw error.adding(
        "token \(id) was created, but its secret is lost; revoke it: quiver token revoke \(id)")
    }
  }

  private static func newFile(
    _ path: String, _ arguments: Arguments
  ) throws(Failure) -> OutputFile {
    guard path != "-" else {
      throw arguments.usage("--secret-file names a file; without it the secret is printed")
    }
    guard !arguments.has(.json) else {
      throw arguments.usage("--secret-file and --json exclude each other")
    }
    return try OutputFile.make(path: path)
  }

  private enum Owner {
    case existing(String)
    case new(CreatePrincipalRequest)
  }

  private static func owner(_ arguments: Arguments) throws(Failure) -> Owner {
    if let text = arguments.value(of: principal) {
      guard !arguments.has(name), !arguments.has(kind) else {
        throw arguments.usage("--principal names a principal; --name and --kind create one")
      }
      return .existing(text)
    }
    guard let display = arguments.value(of: name), let text = arguments.value(of: kind) else {
      throw arguments.usage("expected --principal PRINCIPAL, or --name NAME and --kind KIND")
    }
    guard let kind = kinds[text] else {
      throw arguments.usage("--kind expects user, service or administrator, not \(text)")
    }
    var request = CreatePrincipalRequest()
    request.displayName = display
    request.kind = kind
    return .new(request)
  }
}
