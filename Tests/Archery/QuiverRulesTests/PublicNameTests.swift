import QuiverRules
import Testing

@Suite("Names in public", .timeLimit(.minutes(5)))
struct PublicNameTests {
  @Test(
    "Initials are the first letters of the words",
    arguments: [
      ("Ann Example", "A. E."), ("Anna-Maria van der Berg", "A.-M. v. d. B."), ("Cher", "C."),
      ("  Ann   Example ", "A. E."), ("Élodie O'Neill", "É. O."), ("李 娜", "李. 娜."),
      ("ليلى علي", "ل. ع."), ("(Jr) \"Bob\" - 3rd", "J. B. 3."), ("--- ***", ""), ("", ""),
      ("🏹 Robin 👨‍👩‍👧", "R."),
    ])
  func initials(_ name: String, _ initials: String) {
    #expect(PublicName.initials(of: name) == initials)
  }

  @Test("A name of 200 characters has as many initials as words")
  func longName() {
    let name = Array(repeating: "ab", count: 66).joined(separator: " ")
    #expect(PublicName.initials(of: name).count == 66 * 3 - 1)
    #expect(PublicName.initials(of: String(repeating: "x", count: 200)) == "x.")
  }

  @Test("What was chosen for an archer comes first, then what shows less of a junior")
  func applying() {
    for event in PublicName.allCases {
      for juniors in PublicName.allCases {
        let adult = PublicName.applying(
          chosen: nil, event: event, juniors: juniors, isUnder18: false)
        #expect(adult == event)
        let junior = PublicName.applying(
          chosen: nil, event: event, juniors: juniors, isUnder18: true)
        #expect(junior.rawValue == max(event.rawValue, juniors.rawValue))
        for chosen in PublicName.allCases {
          let own = PublicName.applying(
            chosen: chosen, event: event, juniors: juniors, isUnder18: true)
          #expect(own == chosen)
        }
      }
    }
  }

  @Test("Without a bib or a letter the name is a neutral one, which says nothing of the archer")
  func neutral() {
    #expect(PublicName.full.text(of: "Ann", bib: "7", id: 12) == nil)
    #expect(PublicName.initials.text(of: "Ann", bib: "7", id: 12) == "A.")
    #expect(PublicName.initials.text(of: "***", bib: "7", id: 12) == "Archer 12")
    #expect(PublicName.bib.text(of: "Ann", bib: "7", id: 12) == "7")
    #expect(PublicName.bib.text(of: "Ann", bib: "", id: 12) == "Archer 12")
  }

  @Test("The age groups of archers under 18 are those of 16 and 17 and below")
  func ages() {
    #expect(
      AgeDivision.allCases.filter(\.isUnder18)
        == [.under18, .under16, .under15, .under14, .under12])
  }
}
