import QuiverAPI
import QuiverClient
import QuiverProtobuf
import QuiverRPC
import QuiverRules

/// What `quiver event create` makes of its flags, without an earlier event.
struct EventPlan: Sendable {
  var request = CreateTournamentRequest()
  var categories: [CategoryPlan] = []
  /// Nil: no session.
  var session: EventSession?

  /// A category: its code, and what is known of its archers.
  struct CategoryPlan: Sendable, Equatable {
    let code: String
    var bowstyle = Bowstyle.unspecified
    var gender = ArcherGender.unspecified
    var age = AgeGroup.unspecified
    var name = ""
    /// The codename of its round; empty: that of the event.
    var format = ""

    /// A category of a template. `format` is the round of the event.
    init(_ category: EventTemplateCategory, of format: String) {
      code = category.code
      name = category.name
      (bowstyle, gender, age) = (category.bowstyle, category.gender, category.ageGroup)
      self.format = category.format == format ? "" : category.format
    }

    /// `CODE`, or `CODE:BOWSTYLE:GENDER:AGE` with as many words as are known. A code of World
    /// Archery says them itself: a letter for the bow, an age group, M or W, as in `RM` or `CU18W`.
    /// Nil with the word that is not known.
    init(_ text: String) throws(Unknown) {
      let words = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
      guard (1...4).contains(words.count), !words[0].isEmpty else { throw Unknown(word: text) }
      code = words[0]
      if words.count == 1 { readCode() }
      if words.count > 1 {
        bowstyle = Bowstyle(rawValue: try Self.number(words[1], Bowstyle.schema))
      }
      if words.count > 2 {
        gender = ArcherGender(rawValue: try Self.number(words[2], ArcherGender.schema))
      }
      if words.count > 3 { age = AgeGroup(rawValue: try Self.number(words[3], AgeGroup.schema)) }
    }

    /// A word that no field has.
    struct Unknown: Error {
      let word: String
      var known: [String] = []
    }

    private static func number(
      _ word: String, _ schema: EnumSchema
    ) throws(Unknown) -> Int32 {
      guard let number = EnumWord.number(of: word, schema) else {
        throw Unknown(word: word, known: EnumWord.all(schema))
      }
      return number
    }

    /// World Archery's Book 2, appendix 1: codes of divisions, classes and genders.
    private mutating func readCode() {
      let bows: [Character: Bowstyle] = [
        "R": .recurve, "C": .compound, "B": .barebow, "L": .longbow, "T": .traditional,
      ]
      let ages: [String: AgeGroup] = [
        "": .adult, "U21": .under21, "U18": .under18, "U15": .under15, "50": .over50,
      ]
      guard let bow = code.first.flatMap({ bows[$0] }), let last = code.last,
        code.count >= 2, let age = ages[String(code.dropFirst().dropLast())],
        last == "M" || last == "W"
      else { return }
      (bowstyle, self.age) = (bow, age)
      gender = last == "M" ? .open : .female
    }
  }

  init() {}

  /// What a template says, with some of its categories.
  init(_ template: EventTemplate, categories wanted: [EventTemplateCategory]) {
    let format = wanted.first?.format ?? ""
    request.format = .with { $0.codename = format }
    request.tiePolicy = template.tiePolicy
    categories = wanted.map { CategoryPlan($0, of: format) }
  }

  /// Creates the event; deletes it again if a part of it cannot be created.
  func create(_ client: RPCClient) async throws(RPCError) -> TournamentEvent {
    let request = request
    let event = try await client.call(Tournament.createTournament, request)
    do throws(RPCError) {
      try await addCategories(to: event.id, client)
      if var session {
        session.tournamentID = event.id
        let wanted = session
        _ = try await client.call(Events.createEventSession, .with { $0.session = wanted })
      }
    } catch {
      await Self.deleteIncomplete(event.id, client)
      throw error
    }
    return event
  }

  /// Deletes an event of which a part could not be created, or says that it stays.
  static func deleteIncomplete(_ event: Int64, _ client: RPCClient) async {
    do throws(RPCError) {
      _ = try await client.call(Tournament.deleteTournament, .with { $0.id = event })
    } catch {
      Terminal.notice(
        "event \(event) is not complete and could not be deleted: quiver tournament rm \(event)"
          + " deletes it")
    }
  }

  /// The first category is that of the new event.
  private func addCategories(to id: Int64, _ client: RPCClient) async throws(RPCError) {
    guard !categories.isEmpty else { return }
    let made = try await client.call(Events.listEventCategories, .with { $0.tournamentID = id })
    for (index, plan) in categories.enumerated() {
      var category = EventCategory()
      (category.tournamentID, category.code) = (id, plan.code)
      category.name = plan.name
      (category.bowstyle, category.gender, category.ageGroup) = (
        plan.bowstyle, plan.gender, plan.age
      )
      if index == 0, let first = made.categories.first(where: \.isFirst) {
        (category.id, category.revision) = (first.id, first.revision)
        let wanted = category
        _ = try await client.call(Events.updateEventCategory, .with { $0.category = wanted })
      } else {
        let wanted = category
        _ = try await client.call(
          Events.createEventCategory,
          .with { request in
            request.category = wanted
            if !plan.format.isEmpty { request.format = .with { $0.codename = plan.format } }
          })
      }
    }
  }
}
