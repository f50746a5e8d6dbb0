// Events that clubs shoot: the round of each bow, and how its matches are shot.

/**
 * @typedef {{code: string, name: string, bowstyle: string, gender?: string, format: string}} Category
 * @typedef {{key: string, name: string, categories: Category[], archersPerTarget: number,
 *   tiePolicy: string}} Template
 */

const recurve = "BOWSTYLE_RECURVE", compound = "BOWSTYLE_COMPOUND", barebow = "BOWSTYLE_BAREBOW", longbow = "BOWSTYLE_LONGBOW";
const women = "ARCHER_GENDER_FEMALE", open = "ARCHER_GENDER_OPEN";

/** @param {Partial<Record<"R" | "C" | "B" | "L", string>>} formats by bow @returns {Category[]} */
function categories(formats) {
  /** @type {[string, string, string][]} */
  const bows = [["R", "Recurve", recurve], ["C", "Compound", compound], ["B", "Barebow", barebow], ["L", "Longbow", longbow]];
  return bows.flatMap(([letter, name, bowstyle]) => {
    const format = formats[/** @type {"R"} */ (letter)];
    return format ? [
      { code: `${letter}W`, name: `${name} Women`, bowstyle, gender: women, format },
      { code: `${letter}M`, name: `${name} Men`, bowstyle, gender: open, format },
    ] : [];
  });
}

/**
 * The first format of a template is that of the event.
 * @type {Template[]}
 */
export const templates = [
  { key: "wa18", name: "WA 18 m", archersPerTarget: 4, tiePolicy: "TIE_POLICY_WA_INDOOR",
    categories: categories({ R: "wa18", C: "wa18_compound", B: "wa18", L: "wa18" }) },
  { key: "wa25", name: "WA 25 m", archersPerTarget: 4, tiePolicy: "TIE_POLICY_WA_INDOOR",
    categories: categories({ R: "wa25", C: "wa25_compound", B: "wa25", L: "wa25" }) },
  { key: "wa720", name: "WA 720 (70 m, 50 m)", archersPerTarget: 4, tiePolicy: "TIE_POLICY_WA_OUTDOOR_2026",
    categories: categories({ R: "wa720_70", C: "wa720_50_c", B: "wa720_50_b" }) },
  { key: "wa1440", name: "WA 1440", archersPerTarget: 4, tiePolicy: "TIE_POLICY_WA_OUTDOOR_2026",
    categories: [
      { code: "RM", name: "Recurve Men", bowstyle: recurve, gender: open, format: "wa1440_90" },
      { code: "RW", name: "Recurve Women", bowstyle: recurve, gender: women, format: "wa1440_70" },
      { code: "CM", name: "Compound Men", bowstyle: compound, gender: open, format: "wa1440_90" },
      { code: "CW", name: "Compound Women", bowstyle: compound, gender: women, format: "wa1440_70" },
    ] },
  { key: "portsmouth", name: "Portsmouth", archersPerTarget: 4, tiePolicy: "TIE_POLICY_IMPERIAL",
    categories: categories({ R: "portsmouth", C: "portsmouth_compound", B: "portsmouth", L: "portsmouth" }) },
  { key: "worcester", name: "Worcester", archersPerTarget: 4, tiePolicy: "TIE_POLICY_IMPERIAL",
    categories: categories({ R: "worcester", C: "worcester", B: "worcester", L: "worcester" }) },
  { key: "bray", name: "Bray I", archersPerTarget: 4, tiePolicy: "TIE_POLICY_IMPERIAL",
    categories: categories({ R: "bray_i", C: "bray_i_compound", B: "bray_i", L: "bray_i" }) },
  { key: "frostbite", name: "Frostbite", archersPerTarget: 4, tiePolicy: "TIE_POLICY_IMPERIAL",
    categories: categories({ R: "frostbite", C: "frostbite", B: "frostbite", L: "frostbite" }) },
  { key: "york", name: "York, Hereford, Bristol", archersPerTarget: 3, tiePolicy: "TIE_POLICY_IMPERIAL",
    categories: [
      { code: "RM", name: "Recurve Men", bowstyle: recurve, gender: open, format: "york" },
      { code: "RW", name: "Recurve Women", bowstyle: recurve, gender: women, format: "hereford" },
      { code: "CM", name: "Compound Men", bowstyle: compound, gender: open, format: "york" },
      { code: "CW", name: "Compound Women", bowstyle: compound, gender: women, format: "hereford" },
    ] },
  { key: "vegas", name: "Vegas 300", archersPerTarget: 4, tiePolicy: "TIE_POLICY_X_FIRST",
    categories: categories({ R: "vegas_300", C: "vegas_300", B: "vegas_300" }) },
];
