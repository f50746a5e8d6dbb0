/// The commands of Logbook that need no code of their own.
enum LogbookMethods {
  static let commands: [MethodCommand] = weights + strength

  private static let weights: [MethodCommand] = [
    MethodCommand(
      "logbook list", "Logbook/ListWeightEntries", summary: "list weight entries, newest first",
      [.switching("--deleted", "deleted", "the deleted ones, which can be restored for 30 days")],
      prints: .list(
        "entries",
        [
          "ID=id", "DAY=day", "WEIGHT=thousandths", "UNIT=unit", "BODY FAT=body_fat_percent",
          "NOTE=note", "DELETED=deleted_at_ms",
        ])),
    MethodCommand(
      "logbook show", "Logbook/GetWeightEntry", summary: "show a weight entry",
      [.operand("ENTRY", "id", .named(.weight))], prints: .object),
    MethodCommand(
      "logbook edit", "Logbook/UpdateWeightEntry", summary: "change a weight entry",
      details: "Fields that are not named keep their values.",
      [
        .operand("ENTRY", "weight_entry.id", .named(.weight)),
        .flag("--weight", "weight_entry.thousandths", "WEIGHT", "a number like 80.5"),
        .flag("--unit", "weight_entry.unit", "lb|kg", "the unit of the weight"),
        .flag("--day", "weight_entry.day", "YYYY-MM-DD", "the day"),
        .flag("--note", "weight_entry.note", "TEXT", "at most 4,000 characters"),
        .flag("--body-fat", "weight_entry.body_fat_percent", "PERCENT", "1 to 75"),
        .flag("--revision", "weight_entry.revision", "N", "change it only at this revision"),
      ],
      changes: "weight_entry", read: "Logbook/GetWeightEntry",
      prints: .sentence("entry {id} is changed")),
    MethodCommand(
      "logbook rm", "Logbook/DeleteWeightEntry", summary: "delete a weight entry",
      details: "It can be restored for 30 days.", [.operand("ENTRY", "id", .named(.weight))],
      destroys: "deletes weight entry {ENTRY}, which can be restored for 30 days",
      prints: .sentence("entry {id} is deleted")),
    MethodCommand(
      "logbook restore", "Logbook/RestoreWeightEntry", summary: "restore a deleted weight entry",
      [.operand("ENTRY", "id", .named(.deletedWeight))],
      prints: .sentence("entry {id} is restored")),
    MethodCommand(
      "plan set", "Logbook/SetWeightPlan", summary: "set the plan of your weight",
      details: "It replaces the present plan. Milestones are multiples of the step.",
      [
        .operand("START", "plan.start_thousandths"), .operand("GOAL", "plan.goal_thousandths"),
        .flag(
          "--step", "plan.step_thousandths", "WEIGHT", "5, 10 or 15 lb; 2, 5 or 7 kg",
          isNeeded: true),
        .flag("--unit", "plan.unit", "lb|kg", "by default that of your profile").or(.profileUnit),
        .flag("--from", "plan.start_day", "YYYY-MM-DD", "the first day; today by default")
          .or(.today),
      ],
      changes: "plan", read: "Logbook/GetWeightPlan", hasMask: false,
      prints: .sentence("the plan goes from {start_thousandths} to {goal_thousandths} {unit}")),
    MethodCommand(
      "plan show", "Logbook/GetWeightPlan", summary: "show the plan of your weight",
      prints: .object),
    MethodCommand(
      "plan rm", "Logbook/DeleteWeightPlan", summary: "delete the plan of your weight",
      destroys: "deletes the plan of your weight",
      prints: .sentence("the plan is deleted")),
    MethodCommand(
      "plan milestones", "Logbook/GetMilestones",
      summary: "show the milestones of the plan, and when its goal is predicted",
      prints: .object),
    MethodCommand(
      "training", "Logbook/GetTrainingLog", summary: "show weight, strength and rounds by day",
      [
        .flag("--from", "from_day", "YYYY-MM-DD", "the first day", isNeeded: true),
        .flag("--to", "to_day", "YYYY-MM-DD", "the last day; today by default").or(.today),
        .flag("--unit", "unit", "lb|kg", "by default that of your profile"),
        .flag("--zone", "time_zone", "NAME", "an IANA time zone; your profile's by default"),
      ],
      prints: .list(
        "days",
        [
          "DAY=day", "WEIGHT=mean_weight_thousandths", "ENTRIES=weight_entry_count",
          "EXERCISES=exercises", "ROUNDS=rounds",
        ])),
  ]

  private static let strength: [MethodCommand] = [
    MethodCommand(
      "strength add", "Logbook/CreateSet", summary: "add a line to the strength log",
      [
        .operand("EXERCISE", "set.exercise"), .operand("REPETITIONS", "set.repetitions"),
        .operand("WEIGHT", "set.weight"),
        .flag("--sets", "set.sets", "N", "the number of sets; unknown by default"),
        .flag("--unit", "set.unit", "lb|kg", "by default that of your profile").or(.profileUnit),
        .flag("--day", "set.day", "YYYY-MM-DD", "today by default").or(.today),
      ],
      prints: .sentence("set {id} is added: {repetitions} x {weight} {unit} on {day}")),
    MethodCommand(
      "strength sets", "Logbook/ListSets", summary: "list the sets of an exercise, newest first",
      [.operand("EXERCISE", "exercise")],
      prints: .list(
        "sets",
        [
          "ID=id", "DAY=day", "SETS=sets", "REPETITIONS=repetitions", "WEIGHT=weight",
          "UNIT=unit", "ONE-REP MAX=one_rep_max",
        ])),
    MethodCommand(
      "strength set", "Logbook/GetSet", summary: "show a set",
      [.operand("SET", "id", .named(.set))],
      prints: .object),
    MethodCommand(
      "strength edit", "Logbook/UpdateSet", summary: "change a set",
      details: "Fields that are not named keep their values.",
      [
        .operand("SET", "set.id", .named(.set)),
        .flag("--exercise", "set.exercise", "NAME", "1 to 200 characters"),
        .flag("--sets", "set.sets", "N", "1 to 100"),
        .flag("--repetitions", "set.repetitions", "N", "1 to 1,000"),
        .flag("--weight", "set.weight", "WEIGHT", "a number like 82.5"),
        .flag("--unit", "set.unit", "lb|kg", "the unit of the weight"),
        .flag("--day", "set.day", "YYYY-MM-DD", "the day"),
        .flag("--revision", "set.revision", "N", "change it only at this revision"),
      ],
      changes: "set", read: "Logbook/GetSet", prints: .sentence("set {id} is changed")),
    MethodCommand(
      "strength rm", "Logbook/DeleteSet", summary: "delete a set",
      [.operand("SET", "id", .named(.set))], destroys: "deletes set {SET}",
      prints: .sentence("set {request.id} is deleted")),
    MethodCommand(
      "strength near", "Logbook/GetNearestLift",
      summary: "show the daily maximum that is nearest to a day",
      [
        .operand("EXERCISE", "exercise"), .operand("DAY", "day"),
        .flag("--unit", "unit", "lb|kg", "by default that of your profile"),
      ], prints: .object),
    MethodCommand(
      "strength formulas", "Logbook/CompareFormulas",
      summary: "show the one-rep max of a set by each formula",
      [
        .operand("REPETITIONS", "repetitions"), .operand("WEIGHT", "weight"),
        .flag("--unit", "unit", "lb|kg", "by default that of your profile").or(.profileUnit),
      ],
      prints: .list("estimates", ["FORMULA=formula", "ONE-REP MAX=one_rep_max"])),
  ]
}
