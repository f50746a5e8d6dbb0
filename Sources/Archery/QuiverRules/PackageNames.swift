// The modules of this package use these names. Apps, which import QuiverRules beside QuiverAPI, do
// not see them: there the names belong to the messages.

package typealias ComparisonMetric = SetupMetric
package typealias ComparisonRange = ArrowSelection
package typealias ComparisonVerdict = SetupVerdict
package typealias DeltaDirection = DifferenceDirection
package typealias DistanceUnit = LengthUnit
package typealias EquipmentGroup = ItemGroup
package typealias EquipmentType = ItemType
package typealias Face = TargetFace
package typealias InferenceMethod = IntervalMethod
package typealias LiftSet = StrengthSet
package typealias OneRepMaxFormula = LiftFormula
package typealias PairDeltas = SetupDifferences
package typealias PairInference = DifferenceInference
package typealias PlaceVerdict = PlaceConclusion
package typealias RankKey = RankCriterion
package typealias RankMove = RankChange
package typealias RoundFormat = RoundDefinition
package typealias RoundLocation = RoundVenue
package typealias RoundPass = PassDefinition
package typealias TiePolicy = TieBreak
package typealias TrendDirection = WeightDirection
package typealias WeightSection = WeightMonth
package typealias WeightUnit = MassUnit
