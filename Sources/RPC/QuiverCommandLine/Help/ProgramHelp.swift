/// The content of the help of a program: the source of `--help`, of the manual page and of the
/// completions of shells.
package struct ProgramHelp: Sendable {
  /// A command of the program.
  package struct Command: Sendable {
    /// One word or more, for example `token create`.
    package let name: String
    /// For example `METHOD [JSON]`.
    package let operands: String
    package let summary: String
    /// Paragraphs; lines that begin with a space keep their breaks.
    package let details: String
    /// Its flags, beside those of all commands.
    package let flags: [FlagHelp]

    package init(
      _ name: String, operands: String = "", _ summary: String, details: String = "",
      flags: [FlagHelp] = []
    ) {
      self.name = name
      self.operands = operands
      self.summary = summary
      self.details = details
      self.flags = flags
    }
  }

  /// Flags that belong together.
  package struct Section: Sendable {
    package let title: String
    package let flags: [FlagHelp]

    package init(_ title: String, _ flags: [FlagHelp]) {
      self.title = title
      self.flags = flags
    }
  }

  /// A word and what it means: an exit code, a variable, a file.
  package struct Entry: Sendable {
    package let term: String
    package let meaning: String

    package init(_ term: String, _ meaning: String) {
      self.term = term
      self.meaning = meaning
    }
  }

  package let name: String
  /// The section of the manual: 1 for tools, 8 for servers.
  package let manualSection: Int
  /// What it does, in a few words without a period.
  package let summary: String
  /// What may follow the name, one line a form.
  package let usages: [String]
  package var paragraphs: [String] = []
  package var commands: [Command] = []
  /// The flags that may be given with every command, and without one.
  package var sections: [Section] = []
  package var exitCodes: [Entry] = []
  package var environment: [Entry] = []
  package var files: [Entry] = []
  /// Other manual pages, for example `quiver(1)`.
  package var related: [String] = []

  package init(_ name: String, manualSection: Int, _ summary: String, usages: [String]) {
    self.name = name
    self.manualSection = manualSection
    self.summary = summary
    self.usages = usages
  }

  /// The flags of all sections.
  package var flags: [FlagHelp] { sections.flatMap(\.flags) }

  /// The help in another form than text.
  package enum Form: String, Sendable, CaseIterable {
    case man, bash, zsh, fish
  }

  /// The help in a form.
  package func text(as form: Form) -> String {
    switch form {
    case .man: ManualPage(self).text
    case .bash: BashCompletion(self).text
    case .zsh: ZshCompletion(self).text
    case .fish: FishCompletion(self).text
    }
  }

  /// What `--help` and `--help-as FORM` ask for among the arguments; nil: they ask for none.
  ///
  /// Throws if the form does not exist.
  package func answer(to arguments: [String]) throws(UsageError) -> String? {
    let own = arguments.prefix { $0 != "--" }
    for (place, word) in own.enumerated() {
      let name = "--help-as"
      guard word == name || word.hasPrefix(name + "=") else { continue }
      let value = word == name ? own.dropFirst(place + 1).first : String(word.dropFirst(10))
      guard let form = value.flatMap(Form.init(rawValue:)) else {
        throw UsageError("--help-as requires one of man, bash, zsh and fish")
      }
      return text(as: form)
    }
    return nil
  }
}
