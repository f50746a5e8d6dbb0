extension CountedTable {
  /// The tables of migration 17: what administrators make counts for them, and rows of the audit
  /// count for the principal of the action. They do not count for the rate.
  static let administration = [
    CountedTable(
      "invite", owner: "$.created_by", fixed: 160, texts: ["label"], columns: ["created_by"],
      isRated: false),
    CountedTable(
      "acting_grant", owner: "$.granted_by", fixed: 96, columns: ["granted_by"], isRated: false),
    CountedTable(
      "certificate_binding", owner: "$.created_by", fixed: 128, texts: ["san_value", "label"],
      columns: ["created_by"], isRated: false),
    CountedTable(
      "audit", fixed: 128, texts: ["action", "before", "after", "device", "reason"],
      isRated: false),
  ]
}
