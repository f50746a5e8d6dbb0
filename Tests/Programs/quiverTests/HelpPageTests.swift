import Testing

@testable import quiver_command

@Suite("The pages of the help", .timeLimit(.minutes(5)))
struct HelpPageTests {
  private static var pages: [(name: String, page: HelpPage)] {
    var pages: [(String, HelpPage)] = [("quiver", .overview), ("flags", .flags)]
    for group in Set(Command.all.map { String($0.group) }).sorted() {
      pages.append((group, .group(group)))
      pages += GroupHelp.topics(of: group).map { topic in
        ("\(group) \(topic.word)", .topic(group: group, topic: topic.word))
      }
    }
    return pages + Command.all.map { ($0.name, .command($0)) }
  }

  @Test("Every page has at most 60 lines of at most 80 characters, but for examples")
  func lengths() throws {
    for (name, page) in Self.pages {
      let text = try Help.text(of: page)
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      #expect(lines.count <= Help.mostLines, "\(name) has \(lines.count) lines")
      for line in lines where !line.hasPrefix("  quiver ") {
        #expect(line.count <= HelpLayout.standardWidth, "\(name): \(line)")
      }
    }
  }

  @Test("On a terminal of 40 columns no line of text is longer, but for single words")
  func narrow() throws {
    for (name, page) in Self.pages {
      for line in try Help.text(of: page, HelpLayout(width: 40)).split(separator: "\n")
      where line.count > 40 && !line.hasPrefix(" ") {
        #expect(line.split(separator: " ").count == 1, "\(name): \(line)")
      }
    }
  }

  @Test("Every group has a summary, and every command is in a topic of a group with topics")
  func groups() {
    for area in GroupHelp.areas where area.title != "Others" {
      for group in area.groups {
        #expect(!GroupHelp.commands(of: group).isEmpty, "there is no group \(group)")
        #expect(GroupHelp.summary(of: group).count <= 70, "\(group)")
      }
    }
    let known = Set(Command.all.map(\.name))
    for topic in GroupHelp.eventTopics {
      for name in topic.names { #expect(known.contains("event \(name)"), "event \(name)") }
    }
    let listed = GroupHelp.topics(of: "event").flatMap(\.commands).map(\.name)
    #expect(Set(listed) == Set(GroupHelp.commands(of: "event").map(\.name)))
  }

  /// The words of a command line as a shell divides them: quotes, and what stands before `<` or
  /// `>`.
  private static func words(_ line: String) -> [String] {
    var words: [String] = []
    var word: String?
    var quote: Character?
    for character in line {
      if let open = quote {
        if character == open { quote = nil } else { word = (word ?? "") + String(character) }
      } else if character == "'" || character == "\"" {
        (quote, word) = (character, word ?? "")
      } else if character == " " {
        if let word { words.append(word) }
        word = nil
      } else if character == "<" || character == ">" {
        break
      } else {
        word = (word ?? "") + String(character)
      }
    }
    return words + (word.map { [$0] } ?? [])
  }

  @Test("Every command has an example, and each example is one that the command accepts")
  func examples() throws {
    for command in Command.all {
      let examples = CommandHelp(command).examples
      #expect(!examples.isEmpty, "\(command.name) has no example")
      for example in examples {
        do throws(Failure) {
          guard case .run(let found, let arguments) = try Invocation(Self.words(example)) else {
            Issue.record("\(example) is no command")
            continue
          }
          #expect(found.name == command.name, "\(example)")
          try found.table?.accepts(arguments)
        } catch {
          Issue.record("\(example): \(error.lines)")
        }
      }
    }
  }

  @Test("The page of a type of equipment has the values and the limits of its flags")
  func types() throws {
    for words in [
      ["equipment", "add", "riser", "--help"], ["help", "equipment", "add", "riser"],
      ["equipment", "edit", "--help", "riser"],
      ["equipment", "new", "RISER", "--brand", "x", "-h"],
    ] {
      guard case .help(let page) = try Invocation(words) else {
        Issue.record("\(words) is no page")
        continue
      }
      let text = try Help.text(of: page)
      let lines = text.split(separator: "\n")
      #expect(
        lines.contains { $0.hasPrefix("  --length-in ") && $0.contains("above 0, at most 100") })
      #expect(!text.contains("--poundage-lb") && lines.count <= Help.mostLines)
    }
    for type in ItemType.all {
      let command = try #require(Command.all.first { $0.name == "equipment add" })
      let text = try Help.text(of: .type(command, type))
      #expect(text.split(separator: "\n").count <= Help.mostLines, "\(type.word)")
      for field in type.fields { #expect(text.contains("--\(field.word)"), "\(type.word)") }
    }
  }

  @Test("A word finds the commands that have it, the names first; one that none has is refused")
  func search() throws {
    #expect(HelpSearch.commands(["check"]).first?.name == "event check-in")
    #expect(HelpSearch.commands(["sight", "mark"]).contains { $0.name == "mark add" })
    #expect(throws: Failure.self) { try HelpSearch.text(["zzzz"], HelpLayout()) }
    guard case .help(.search(let words)) = try Invocation(["help", "brackets"]) else {
      Issue.record("it is no search")
      return
    }
    #expect(words == ["brackets"])
    guard
      case .help(.topic(group: "event", topic: "matches")) = try Invocation(
        ["help", "event", "matches"]),
      case .help(.command(let draw)) = try Invocation(["help", "event", "draw"])
    else {
      Issue.record("help of a topic or a command is not found")
      return
    }
    #expect(draw.name == "event draw")
  }

  @Test("The longest name of a command is meant, and a group alone shows its page")
  func invocations() throws {
    guard case .run(let score, let rest) = try Invocation(["event", "match", "score", "RM-8-1"]),
      case .run(let show, _) = try Invocation(["event", "match", "RM-8-1"]),
      case .help(.group("event")) = try Invocation(["event", "--help"]),
      case .help(.command(let health)) = try Invocation(["health", "--help"]),
      case .help(.overview) = try Invocation(["help"])
    else {
      Issue.record("a command line is not understood")
      return
    }
    #expect(score.name == "event match score" && rest.operands == ["RM-8-1"])
    #expect(show.name == "event match" && health.name == "health")
  }

  @Test("A table has a dash for an empty cell, and blocks where the terminal is too narrow")
  func tables() {
    let rows = [
      ["NAME", "CLUB", "TOTAL"], ["Ann", "", "29"], ["B\u{1B}[1m\u{202E}", "City", ""],
    ]
    #expect(
      Table.text(rows, hasHeading: true, within: nil)
        == """
        NAME              CLUB  TOTAL
        Ann               -     29
        B\\u001B[1m\\u202E  City  -
        """)
    #expect(
      Table.text(rows, hasHeading: true, within: 20).hasPrefix("NAME   Ann\nTOTAL  29\n\nNAME  B"))
    #expect(Table.text([["A", "B"], ["弓道", "x"], ["abcd", "y"]]) == "A     B\n弓道  x\nabcd  y")
    #expect(Table.csv(rows.dropLast(), hasCRLF: true) == "NAME,CLUB,TOTAL\r\nAnn,,29")
    #expect(Table.csv(rows.dropLast()) == "NAME,CLUB,TOTAL\nAnn,,29")
  }
}
