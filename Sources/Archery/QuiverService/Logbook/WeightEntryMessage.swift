import QuiverAPI
import QuiverRPC
import QuiverRules
import QuiverStore

extension WeightEntry: ObjectMessage {
  /// The proto field that holds an entry.
  static let fieldName = "weight_entry"

  init(_ record: WeightEntryRecord) {
    self.init()
    id = record.id
    clientID = record.clientID
    revision = record.revision
    createdAtMilliseconds = record.createdAtMilliseconds
    updatedAtMilliseconds = record.updatedAtMilliseconds
    thousandths = record.content.thousandths
    unit = record.content.unit?.message ?? .unspecified
    day = record.content.day
    measuredAtMilliseconds = record.measuredAtMilliseconds
    clockAhead = record.isClockAhead
    note = record.content.note
    bodyFatPercent = record.content.bodyFatPercent
    deletedAtMilliseconds = record.deletedAtMilliseconds
  }

  /// The archer's fields; `timeZone` decides the day if the entry has none.
  func draft(timeZone: String = "") -> WeightEntryDraft {
    var draft = WeightEntryDraft()
    draft.day = day
    draft.measuredAtMilliseconds = measuredAtMilliseconds
    draft.timeZone = timeZone
    draft.thousandths = thousandths
    draft.unit = QuiverRules.WeightUnit(rawValue: unit.rawValue)
    draft.note = note
    draft.bodyFatPercent = bodyFatPercent
    return draft
  }
}

extension WeightLogRow {
  init(_ row: QuiverRules.WeightRow, _ record: WeightEntryRecord) {
    self.init()
    entry = WeightEntry(record)
    weekday = row.weekday
    thousandths = row.thousandths
    movingAverageThousandths = row.movingAverage
    weeklyRate = row.weeklyRate.map(WeeklyWeightRate.init)
    direction = QuiverAPI.TrendDirection(rawValue: row.direction.rawValue)
    hasNote = row.entry.hasNote
  }
}

extension WeeklyWeightRate {
  init(_ rate: WeeklyRate) {
    self.init()
    thousandths = rate.thousandths
    daysBetween = rate.daysBetween
    thousandthsPerSevenDays = rate.thousandthsPerSevenDays
  }
}

extension QuiverAPI.WeightSection {
  init(_ record: WeightSectionRecord) {
    self.init()
    year = record.month.year
    month = record.month.month
    rows = record.rows.map { WeightLogRow($0.row, $0.entry) }
  }
}

extension WeightPlan {
  init(_ record: WeightPlanRecord) {
    self.init()
    unit = record.plan.unit.message
    startThousandths = record.plan.startThousandths
    goalThousandths = record.plan.goalThousandths
    stepThousandths = record.plan.stepThousandths
    startDay = record.plan.startDay
    revision = record.revision
    updatedAtMilliseconds = record.updatedAtMilliseconds
  }
}

extension BadImportLine {
  init(_ line: BadLine) {
    self.init()
    number = line.number
    reason = line.reason.description
  }
}
