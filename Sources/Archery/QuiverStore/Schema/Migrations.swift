/// Every step of the schema, in order.
extension Migration {
  static let all: [Migration] = [
    Migration(number: 1, name: "kernel, principals, equipment", script: kernel + equipment),
    Migration(number: 2, name: "profiles, preferences, scopes, invites", script: accounts),
    Migration(number: 3, name: "bow setups, sight marks", script: bowSetups),
    Migration(number: 4, name: "indexes of accounts", script: accountIndexes),
    Migration(number: 5, name: "rounds, tournaments", script: scoring + tournaments),
    Migration(number: 6, name: "rollups of arrows", script: rollups),
    Migration(number: 7, name: "acting for users", script: acting),
    Migration(number: 8, name: "body weight, strength", script: weightLog + strengthLog),
    Migration(number: 9, name: "days of rounds", script: roundDays),
    Migration(
      number: 10, name: "deleted weight plans, hashes of what is gone", script: goneContent),
  ]
}
