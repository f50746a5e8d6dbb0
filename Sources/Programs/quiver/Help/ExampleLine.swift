import QuiverAPI
import QuiverProtobuf
import QuiverRPC

/// A command line that shows the use of a command which a table describes.
enum ExampleLine {
  /// Values by the names of operands and flags, for fields whose type does not say enough.
  private static let values: [String: String] = [
    "CODE": "42DV-NBWN", "NAME": "Ann", "OUT": "12", "IN": "15", "TEXT": "'practice ends at 9:50'",
    "--code": "RM", "--name": "'recurve men'", "--reason": "'ill'", "--bib": "12",
    "--club": "'City Archers'", "NUMBER": "2", "SIZE": "16", "TARGET": "12", "LETTER": "B",
    "DEVICE": "phone", "CARD": "1", "EXERCISE": "Squat", "REPETITIONS": "5", "WEIGHT": "82.5",
    "START": "90", "GOAL": "80", "--step": "2", "KEY": "theme", "VALUE": "dark",
    "DAY": "2026-05-23",
    "--from": "2026-05-01", "GROUPS": "4", "COUNT": "2", "SEED": "1", "ID": "3", "TOTAL": "271",
    "DECISION": "'the arrow counts 9'", "MARK": "12.5", "REVISION": "",
  ]

  /// The examples of commands with code of their own, which have none beside it.
  static let written: [String: [String]] = [
    "login": [
      "login club --server tls://archery.example:7450 < my.token",
      "login home --token-file my.token",
    ],
    "logout": ["logout club"],
    "contexts": ["contexts"],
    "call": [
      "call GetTournament '{\"id\":1}'", "call Equipment/ListItems '{}' --compact",
    ],
    "methods": ["methods"],
    "describe": ["describe Riser", "describe Events/DrawTargets --json"],
    "health": ["health --wait --server tls://archery.example:7450"],
    "version": ["version"],
    "token rotate": ["token rotate --overlap 1h"],
    "account export": ["account export my-data.json"],
    "account usage": ["account usage"],
    "squad": ["squad", "squad --weeks 12"],
    "admin backup": ["admin backup /var/backups/quiver.db"],
    "admin verify": ["admin verify"],
    "admin audit": ["admin audit --since 24h", "admin audit --since 30d --output csv > audit.csv"],
    "top": ["top"],
    "equipment hub": ["equipment hub"],
    "equipment list": ["equipment list", "equipment list riser --output csv"],
    "equipment add": ["equipment add riser --brand Hoyt --model 'Formula XD' --length-in 25"],
    "setup list": ["setup list --all"],
    "compare": ["compare 'Club bow' 'New limbs' --range 30d --plot compare.svg"],
    "classification": ["classification wa18 --bowstyle recurve --gender open --age adult"],
    "records bests": ["records bests"],
    "records handicap": ["records handicap"],
    "tournament join": ["tournament join 42DV-NBWN-7XS3-0AM1"],
    "tournament replay": ["tournament replay scores.csv --policy WA_INDOOR --order random"],
    "event rehearse": [
      "event rehearse", "event rehearse --practice --qr --address http://192.0.2.7:7480",
    ],
    "round import": ["round import practice.csv"],
    "round import-scores": ["round import-scores scores.csv --dry-run"],
    "round export-scores": ["round export-scores > scores.csv"],
    "board": ["board 42DV-NBWN-7XS3-0AM1"],
    "logbook weights": ["logbook weights"],
    "logbook add": ["logbook add 80.5"],
    "logbook trend": ["logbook trend"],
    "logbook import": ["logbook import weights.csv"],
    "logbook export": ["logbook export weights.csv"],
    "strength import": ["strength import strength.csv"],
    "strength list": ["strength list"],
    "strength show": ["strength show Squat"],
    "strength export": ["strength export sets.csv"],
  ]

  static func text(of table: MethodCommand) -> String {
    var words = [table.name]
    var hasFlag = false
    for argument in table.arguments {
      let field = argument.field(in: table.method.schema.input)
      switch argument.place {
      case .operand, .operands: words.append(value(argument, field))
      case .neededFlag(let flag): words += [flag.name, value(argument, field)]
      case .flag(let flag):
        // One flag shows how an object is changed.
        guard table.change?.hasMask == true, !hasFlag, flag.name != "--revision" else { continue }
        hasFlag = true
        words += [flag.name, value(argument, field)]
      case .optionalOperand, .fixed: continue
      }
    }
    return words.joined(separator: " ")
  }

  private static func value(_ argument: MethodArgument, _ field: FieldSchema) -> String {
    switch argument.form {
    case .named(let kind): return kind.example
    case .component: return "'Uukha VX1000'"
    case .round: return "wa18"
    case .distance: return "70m"
    case .pass: return "36,70m,10-zone,122,6"
    case .name: return "Ben"
    case .tieShots: return "X,9@12.5"
    case .range: return "30d"
    case .span, .fromNow, .ago: return "12h"
    case .day: return "2026-05-23"
    case .instant: return "2026-12-05T09:30"
    case .matchRound: return "quarterfinals"
    case .side: return "1"
    case .plain: break
    }
    if let known = values[argument.name] { return known }
    if let type = field.enumType {
      return type === WeightUnit.schema ? "kg" : EnumWord.all(type).first ?? ""
    }
    if FieldText.isDay(field) { return "2026-05-23" }
    switch field.type {
    case .bool: return "yes"
    case .string: return "'a text'"
    default: return "1"
    }
  }
}

extension NamedKind {
  /// A name of the kind in examples.
  var example: String {
    switch self {
    case .event: "Indoor"
    case .category: "RM"
    case .session: "morning"
    case .archer: "12B"
    case .stage: "RM"
    case .match: "RM-8-1"
    case .setup: "'Club bow'"
    case .item: "'Hoyt Formula XD'"
    case .device: "'phone 3'"
    case .call: "12"
    case .token: "phone"
    case .invite: "spring"
    case .binding: "board.club.example"
    case .weight, .deletedWeight: "2026-05-23"
    case .practice: "last"
    case .shooter: "me"
    case .mark: "70m"
    case .set: "'Squat last'"
    case .late: "12B-3-1"
    case .typed: "part-1"
    case .shareInvite: "last"
    case .ownRound: "'Club 30'"
    case .share, .sharer: "'Ann Archer'"
    case .official, .account: "Ann"
    }
  }
}
