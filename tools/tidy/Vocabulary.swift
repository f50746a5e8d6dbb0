/// The words that this package does not use, as data.
struct Vocabulary {
  struct Entry {
    /// Words in lower case. A single word is also found inside identifiers, a phrase only in text.
    var forms: [String]
    var instead: String
    /// Phrases in which the word has its usual meaning.
    var exceptPhrases: [String] = []
    /// Prefixes of paths in which the word has its usual meaning.
    var exceptPaths: [String] = []
  }

  static let entries: [Entry] = [
    Entry(
      forms: [
        "rooms", "a room", "the room", "one room", "each room", "this room", "its room",
        "another room", "every room",
      ], instead: "module", exceptPhrases: ["the room left", "the room for", "the room there is"]),
    Entry(
      // A judge is an official of an event.
      forms: ["judged", "judging"], instead: "validate, authenticate, authorize, check"),
    Entry(forms: ["luck", "lucky"], instead: "jitter, heuristic"),
    Entry(
      forms: ["settle", "settles", "settled", "settling"],
      instead: "flush, update interest, reconcile, await idle"),
    Entry(
      forms: ["lane", "lanes"], instead: "pooled connection, subchannel",
      exceptPhrases: ["d lane s", "d lane", "shooting lane", "shooting lanes", "target lane"],
      exceptPaths: ["Sources/Archery/QuiverRules/Handicaps/"]),
    Entry(forms: ["unheard"], instead: "dropped connection"),
    Entry(
      forms: ["turn away", "turns away", "turned away", "turning away"], instead: "reject, refuse",
      exceptPhrases: ["max turned away"]),
    Entry(forms: ["lets in", "let in", "letting in"], instead: "accept, admit, authenticate"),
    Entry(forms: ["chore", "chores"], instead: "background task"),
    Entry(forms: ["sweeper", "sweepers"], instead: "expirer"),
    Entry(forms: ["log keeper"], instead: "checkpointer"),
    Entry(forms: ["own thread"], instead: "dedicated thread"),
    Entry(forms: ["put away", "puts away", "putting away"], instead: "archive"),
    Entry(forms: ["bring back", "brings back", "brought back"], instead: "restore"),
    Entry(forms: ["audience", "audiences"], instead: "topic, subscribers"),
    Entry(forms: ["newcomer", "newcomers", "watcher", "watchers"], instead: "subscriber"),
    Entry(forms: ["end blind", "ends blind", "ended blind"], instead: "end unauthorized"),
    Entry(forms: ["piece", "pieces"], instead: "item (of equipment), part, chunk, token"),
    Entry(
      forms: ["house", "houses", "town", "towns", "ward", "wards"],
      instead: "test server, manual reactor"),
    Entry(forms: ["ear", "hears"], instead: "receive, frame parser"),
    Entry(forms: ["if not given"], instead: "default"),
    Entry(
      forms: ["held against", "holds against", "hold against"],
      instead: "compared with, checked against"),
    Entry(forms: ["mend", "mends", "mended"], instead: "repair, fix"),
    Entry(forms: ["stranger", "strangers"], instead: "other user, unknown client"),
    Entry(forms: ["gentle"], instead: "regular"),
    Entry(forms: ["thief"], instead: "the action, as in delete"),
    Entry(forms: ["its kin", "and kin"], instead: "similar cases"),
    Entry(forms: ["crumb", "crumbs"], instead: "chunk"),
    Entry(forms: ["lets go of", "let go of", "is let go"], instead: "release, drop, resume"),
    Entry(forms: ["worth telling"], instead: "report"),
    Entry(forms: ["made anew", "makes anew"], instead: "create again, rebuild"),
    Entry(
      forms: ["whatever it is by now", "as it is by now"],
      instead: "matches any revision, in its current state"),
    Entry(forms: ["patience ends", "patience is over"], instead: "timeout"),
  ]

  /// Folders and files that are not checked, for a migration in progress.
  static let pending: [String] = []

  /// Files that name the words: this table and its tests.
  static let exemptFiles: Set<String> = [
    "tools/tidy/Vocabulary.swift", "Tests/Tools/tidyTests/VocabularyTests.swift",
  ]
}
