import QuiverAPI
import QuiverClient
import QuiverProtobuf
import QuiverRPC
import QuiverWire

/// A command of one unary method: which argument sets which field, and what is printed.
struct MethodCommand: Sendable {
  let name: String
  let summary: String
  let details: String
  let method: MethodInfo
  let arguments: [MethodArgument]
  let output: MethodOutput
  let change: Change?
  /// Where the revision is read that the request names; nil: it names none, or that of ``change``.
  let revision: RevisionSource?
  let examples: [String]
  /// What it destroys; nil: nothing.
  let destroys: Destruction?

  /// The object that a method changes, of which only the named fields are set.
  struct Change: Sendable {
    /// The field of the request that holds the object.
    let object: String
    /// The method that reads the object, for its revision; nil: the revision of the detail with
    /// which a stale update is refused.
    let reading: MethodInfo?
    /// Whether the request has an `update_mask`; else it replaces the object.
    let hasMask: Bool
    /// Whether the change must name the revision of the object, by the object itself; else it holds
    /// for any, or the request has a field for it.
    let hasRevision: Bool

    /// Traps where the request has no such object or no mask, before the program does anything.
    init(_ object: String, in request: MessageSchema, reading: MethodInfo?, hasMask: Bool) {
      guard let schema = request.field(named: object)?.messageType else {
        preconditionFailure("\(request.name) has no message \(object)")
      }
      precondition(
        !hasMask || request.field(named: "update_mask") != nil, "\(request.name) has no mask")
      self.object = object
      self.reading = reading
      self.hasMask = hasMask
      hasRevision =
        schema.field(named: "revision") != nil && request.field(named: "expected_revision") == nil
    }
  }

  /// - Parameter method: the name without the package, `Tournament/GetTournament`.
  init(
    _ name: String, _ method: String, summary: String, details: String = "",
    _ arguments: [MethodArgument] = [], changes object: String? = nil, read reading: String? = nil,
    hasMask: Bool = true, revision: RevisionSource? = nil, destroys: Destruction? = nil,
    prints output: MethodOutput, examples: [String] = []
  ) {
    self.name = name
    self.summary = summary
    self.details = details
    self.method = Self.method(method)
    self.arguments = arguments
    self.output = output
    self.revision = revision
    self.destroys = destroys
    self.examples = examples
    let input = self.method.schema.input
    change = object.map {
      Change($0, in: input, reading: reading.map(Self.method), hasMask: hasMask)
    }
    // A path that does not exist ends the program before it does anything.
    for argument in arguments { _ = argument.field(in: self.method.schema.input) }
  }

  private static let methods = Dictionary(
    uniqueKeysWithValues: ServiceCatalogue.archery.methods.map { ($0.name, $0) })

  static func method(_ name: String) -> MethodInfo {
    guard let method = methods["quiver.v1.\(name)"] else {
      preconditionFailure("there is no method \(name)")
    }
    return method
  }

  private var isPaged: Bool {
    method.schema.input.field(named: "page_token") != nil
      && method.schema.output.field(named: "next_page_token") != nil
  }

  /// The command.
  var command: Command {
    var flags = arguments.compactMap(\.flag)
    flags += output.flags
    if output.list != nil { flags.append(PageLimit.flag) }
    let kinds = arguments.compactMap(\.form.kind)
    flags += Names.flags(of: kinds)
    if destroys != nil { flags.append(Consent.flag) }
    flags += output.isTable ? [.json, .tableOutput, .timeout] : [.json, .timeout]
    var command = Command(
      name, operands: arguments.compactMap(\.usage).joined(separator: " "), summary: summary,
      details: details, flags: flags, methods: [method.name], examples: examples
    ) { given async throws(Failure) in
      try await run(given)
    }
    command.table = self
    return command
  }

  private func run(_ given: Arguments) async throws(Failure) {
    _ = try operands(given)
    try output.check(given)
    let limit = try PageLimit(given)
    var filled = try filled(given)
    let access = try Access(given)
    try await setStandards(&filled, access)
    try await setRounds(&filled, access, given)
    let names = Names(access, given)
    try await setNames(&filled, names)
    if let revision {
      let set = filled.typed.filter { $0.argument.path.count == 2 }.map { $0.argument.path[1] }
      try await revision.set(&filled.request, given: Set(set), access)
    }
    if let change, filled.mask.isEmpty, change.hasMask {
      throw given.usage("nothing is given to change")
    }
    if let destroys, destroys.happens(with: filled.typed.map(\.argument.name)) {
      try Consent.ask(filled.sentence(destroys.act), given)
    }
    let reply: DynamicMessage
    do throws(RPCError) {
      reply = try await self.reply(to: filled, limit, access)
    } catch {
      throw failure(error, filled, access)
    }
    let labels = given.has(.json) ? [:] : try await labels(of: reply, names)
    try output.show(reply, request: filled.request, labels: labels, given)
  }

  /// The labels of the objects that the rows of a reply name by their ids. Whoever may not list
  /// these objects sees the ids.
  private func labels(
    of reply: DynamicMessage, _ names: Names
  ) async throws(Failure) -> MethodOutput.Labels {
    var labels: MethodOutput.Labels = [:]
    for kind in output.labelledKinds(in: reply) {
      do throws(Failure) {
        for object in try await names.objects(kind) {
          labels[kind, default: [:]][object.id] = object.label
        }
      } catch {
        guard error.isHidden else { throw error }
      }
    }
    return labels
  }

  /// A request with the typed texts of its arguments.
  private struct Filled: Sendable {
    var request: DynamicMessage
    /// The names of the object's fields that are set.
    var mask: [String] = []
    var typed: [(argument: MethodArgument, text: String)] = []
    /// By the name of an argument, the labels of the objects that it names.
    var labels: [String: String] = [:]

    /// A sentence in which `{NAME}` is what an argument names, with its id.
    func sentence(_ template: String) -> String {
      template.replacing(/\{([A-Z-]+)\}/) { match in
        let name = String(match.1)
        let text = typed.first { $0.argument.name == name }?.text ?? ""
        return labels[name] ?? Terminal.oneLine(text)
      }
    }
  }

  /// Whether the arguments can be used as far as that is known without a server.
  func accepts(_ given: Arguments) throws(Failure) {
    _ = try operands(given)
    _ = try filled(given)
  }

  private func operands(_ given: Arguments) throws(Failure) -> [String] {
    let lowest = arguments.count(where: \.isNeededOperand)
    let isOpen = arguments.contains(where: \.takesRest)
    let highest = isOpen ? 1_001 : arguments.count(where: \.isOperand)
    let usage = arguments.filter(\.isOperand).compactMap(\.usage).joined(separator: " ")
    return try given.operands(lowest...highest, usage.isEmpty ? "no operands" : usage)
  }

  private func filled(_ given: Arguments) throws(Failure) -> Filled {
    var filled = Filled(request: DynamicMessage(method.schema.input))
    var operands = given.operands[...]
    for argument in arguments {
      let texts = try argument.texts(given, &operands)
      guard !texts.isEmpty else { continue }
      try set(argument, texts, &filled, given)
    }
    return filled
  }

  private func set(
    _ argument: MethodArgument, _ texts: [String], _ filled: inout Filled, _ given: Arguments
  ) throws(Failure) {
    let field = argument.field(in: method.schema.input)
    var values: [FieldValue] = []
    for text in texts {
      guard let value = argument.form.value(text, of: field) else {
        let words = field.enumType.map(EnumWord.all) ?? []
        throw given.usage(
          "\(argument.name) expects \(argument.form.wanted(field)), not \(text)"
            + Spelling.question(text, among: words))
      }
      values.append(value)
      if case .fixed = argument.place { continue }
      filled.typed.append((argument, text))
    }
    guard let first = values.first else { return }
    filled.request.set(argument.path, to: field.isRepeated ? .list(values) : first)
    if argument.form.isCode(texts[0]), argument.hasCode(in: method.schema.input) {
      filled.request.set(argument.path.dropLast() + ["principal_code"], to: .string(texts[0]))
    }
    if argument.form == .distance, let (_, unit) = FieldForm.distance(texts[0]) {
      filled.request.set(argument.path.dropLast() + ["unit"], to: .enum(unit.rawValue))
    }
    if let other = filled.typed.first(where: { typed in
      typed.argument.path == argument.path && typed.argument.name != argument.name
    }) {
      throw given.usage("\(other.argument.name) and \(argument.name) exclude each other")
    }
    guard let change, argument.path.first == change.object, argument.path.count == 2,
      !["id", "participant_id", "revision", "key"].contains(field.name)
    else { return }
    filled.mask.append(field.name)
    if argument.form == .distance { filled.mask.append("unit") }
  }

  private func setStandards(
    _ filled: inout Filled, _ access: Access
  ) async throws(Failure) {
    let given = Set(filled.typed.map(\.argument.name))
    for argument in arguments where !given.contains(argument.name) {
      switch argument.standard {
      case .none: break
      case .today: filled.request.set(argument.path, to: .int32(DayText.today()))
      case .profileUnit:
        let profile = try await access.attemptPlainly { () async throws(RPCError) in
          try await access.client.call(Account.getProfile, GetProfileRequest())
        }
        let unit: WeightUnit = profile.units == .metric ? .kilogram : .pound
        filled.request.set(argument.path, to: .enum(unit.rawValue))
      }
    }
  }

  /// Sets the rounds: of the library by their codenames, own ones by their ids.
  private func setRounds(
    _ filled: inout Filled, _ access: Access, _ given: Arguments
  ) async throws(Failure) {
    for (argument, text) in filled.typed where argument.form == .round {
      let found = try await RoundText.reference(text, argument.name, given, access)
      filled.request.set(argument.path + ["codename"], to: .string(found.codename))
      filled.request.set(argument.path + ["id"], to: .int64(found.id))
    }
  }

  /// Sets the ids of what is named, in the order of the arguments.
  private func setNames(_ filled: inout Filled, _ names: Names) async throws(Failure) {
    for argument in arguments {
      guard let kind = argument.form.kind else { continue }
      let texts = filled.typed.filter { $0.argument.name == argument.name }.map(\.text)
      guard let first = texts.first,
        !(argument.form.isCode(first) && argument.hasCode(in: method.schema.input))
      else { continue }
      var ids: [Int64] = []
      for text in texts {
        let item = argument.form == .component ? FieldForm.component(text)?.item ?? text : text
        ids.append(try await names.id(of: item, kind, argument.name))
      }
      if destroys != nil, let object = await names.object(kind, ids[0]) {
        filled.labels[argument.name] = object.labelWithID
      }
      let field = argument.field(in: method.schema.input)
      if argument.form == .component {
        filled.request.set(argument.path + ["equipment_id"], to: .int64(ids[0]))
      } else {
        let values = ids.map { FieldValue.int64($0) }
        filled.request.set(argument.path, to: field.isRepeated ? .list(values) : values[0])
      }
    }
  }

  private func reply(
    to filled: Filled, _ limit: PageLimit, _ access: Access
  ) async throws(RPCError) -> DynamicMessage {
    guard let change else { return try await pages(of: filled.request, limit, access) }
    var request = filled.request
    if change.hasMask {
      request.set("update_mask", .list(filled.mask.map { .string($0) }))
    }
    guard change.hasRevision,
      request.value(at: [Substring(change.object), "revision"])?.value.isZero != false
    else {
      return try await access.call(method, request)
    }
    if let reading = change.reading {
      let current = try await revision(reading, request, change, access)
      request.set([change.object, "revision"], to: .uint64(current))
      return try await access.call(method, request)
    }
    // The first revision is tried; a later one is in the detail of the refusal.
    request.set([change.object, "revision"], to: .uint64(1))
    do throws(RPCError) {
      return try await access.call(method, request)
    } catch {
      guard error.code == .aborted, let current = Self.revision(in: error, request, change) else {
        throw error
      }
      request.set([change.object, "revision"], to: .uint64(current))
      return try await access.call(method, request)
    }
  }

  /// The revision of the object as it is now; 0 where there is none.
  private func revision(
    _ reading: MethodInfo, _ request: DynamicMessage, _ change: Change, _ access: Access
  ) async throws(RPCError) -> UInt64 {
    var asked = DynamicMessage(reading.schema.input)
    if reading.schema.input.field(named: "id") != nil,
      let id = request.value(at: [Substring(change.object), "id"])?.value
    {
      asked.set("id", id)
    }
    do throws(RPCError) {
      return try await access.call(reading, asked).revision
    } catch {
      guard error.code == .notFound, !change.hasMask else { throw error }
      return 0
    }
  }

  /// The revision of the current object in the detail of an ABORTED update.
  private static func revision(
    in error: RPCError, _ request: DynamicMessage, _ change: Change
  ) -> UInt64? {
    guard case .message(let object)? = request[change.object],
      let detail = error.details.first(where: { $0.type == object.schema.name }),
      let current = try? DynamicMessage(object.schema, serializedBytes: detail.value)
    else { return nil }
    return current.revision
  }

  /// The reply; of a list all its pages, up to `limit` rows.
  private func pages(
    of request: DynamicMessage, _ limit: PageLimit, _ access: Access
  ) async throws(RPCError) -> DynamicMessage {
    guard let list = output.list else { return try await access.call(method, request) }
    guard isPaged else {
      var reply = try await access.call(method, request)
      if case .list(let rows)? = reply[list] { reply.set(list, .list(limit.first(of: rows))) }
      return reply
    }
    var request = request
    var rows: [FieldValue] = []
    while true {
      request.set("page_size", .uint32(limit.pageSize(after: rows.count)))
      var page = try await access.call(method, request)
      if case .list(let more)? = page[list] { rows += more }
      let next = page["next_page_token"] ?? .string("")
      guard !next.isZero, !limit.isReached(rows.count) else {
        page.set(list, .list(limit.first(of: rows)))
        page.set("next_page_token", .string(""))
        return page
      }
      request.set("page_token", next)
    }
  }

  /// The failure in the words of the command line.
  private func failure(_ error: RPCError, _ filled: Filled, _ access: Access) -> Failure {
    let isStale = error.code == .aborted && (revision != nil || change != nil)
    let hint = isStale ? " (somebody changed it meanwhile: look at it, and give --revision N)" : ""
    return access.plainFailure(named(error, filled), hint: hint)
  }

  /// The error with the argument as it was typed in place of the path of its field.
  private func named(_ error: RPCError, _ filled: Filled) -> RPCError {
    guard let place = ErrorPlace(error.message) else { return error }
    let typed = filled.typed.filter { place.fields.starts(with: $0.argument.path) }
    // Of a list, `participant_ids[2]`, the element.
    let index = place.index
    let number = index ?? 0
    guard typed.count == 1 || index != nil && typed.indices.contains(number) else { return error }
    let (argument, text) = typed.count == 1 ? typed[0] : typed[number]
    var error = error
    let value = argument.flag?.value.hasWord == false ? "" : " \(text)"
    error.message = place.message(with: "\(argument.name)\(value)")
    if FieldText.isIndex(argument.field(in: method.schema.input)) {
      error.message = CountedPlace.fromOne(error.message)
    }
    return error
  }
}

extension Flag.Value {
  /// Whether a value follows the flag.
  var hasWord: Bool {
    if case .none = self { false } else { true }
  }
}

extension MethodArgument {
  /// Whether the message that has its field takes the code of a principal too.
  fileprivate func hasCode(in schema: MessageSchema) -> Bool {
    fieldWithMessage(in: schema).message.field(named: "principal_code") != nil
  }

  fileprivate var isOperand: Bool {
    switch place {
    case .operand, .optionalOperand, .operands: true
    case .flag, .neededFlag, .fixed: false
    }
  }

  fileprivate var isNeededOperand: Bool {
    switch place {
    case .operand, .operands: true
    case .optionalOperand, .flag, .neededFlag, .fixed: false
    }
  }

  fileprivate var takesRest: Bool {
    if case .operands = place { true } else { false }
  }
}

extension Access {
  /// Calls a method by its schema.
  func call(
    _ method: MethodInfo, _ request: DynamicMessage
  ) async throws(RPCError) -> DynamicMessage {
    let reply = try await client.callEncoded(method, request.serializedBytes())
    do throws(DecodeError) {
      return try DynamicMessage(method.schema.output, serializedBytes: reply.message)
    } catch {
      throw RPCError(.internal, "the reply does not decode: \(error)", origin: .client)
    }
  }
}
