// What items of equipment have besides notes: the fields of each of the ten types.

/** @typedef {import("./me_form.js").Field} Field */

const text = (/** @type {string} */ key, /** @type {string} */ label, required = false) => /** @type {Field} */ ({ key, label, required });
const number = (/** @type {string} */ key, /** @type {string} */ label, min = 0, max = 100_000) => /** @type {Field} */ ({ key, label, kind: "number", min, max });
const count = (/** @type {string} */ key, /** @type {string} */ label, min = 0, max = 1000) => /** @type {Field} */ ({ key, label, kind: "integer", min, max });
const day = (/** @type {string} */ key, /** @type {string} */ label) => /** @type {Field} */ ({ key, label, kind: "day" });
/** A choice of an enum: values are written with their prefix. */
const one = (/** @type {string} */ key, /** @type {string} */ label, /** @type {string} */ prefix, /** @type {[string, string][]} */ options, required = false) =>
  /** @type {Field} */ ({ key, label, kind: "choice", required, options: options.map(([value, name]) => [prefix + value, name]) });

const brand = text("brand", "Brand", true), model = text("model", "Model", true);
const otherBrand = text("brand", "Brand"), otherModel = text("model", "Model");
const material = text("material", "Material"), length = number("lengthIn", "Length (in)", 0.01, 100), mass = number("weightG", "Mass (g)");

/**
 * The fields of a type, required ones first; notes come last of all.
 * @type {Record<string, Field[]>}
 */
export const fieldsOf = {
  RISER: [brand, model, length, material, mass, text("gripType", "Grip")],
  LIMBS: [brand, model, number("poundageLb", "Draw weight (lb)", 0.01, 200),
    one("limbLength", "Limb length", "LIMB_LENGTH_", [["SHORT", "Short"], ["MEDIUM", "Medium"], ["LONG", "Long"]]), length, material,
    number("tillerMm", "Tiller (mm)", -100, 100), day("installedOn", "Mounted on")],
  SIGHT: [brand, model, text("type", "Kind"), material, { key: "adjustments", label: "Adjustments", kind: "long" }],
  REST: [brand, model, one("type", "Kind", "REST_TYPE_", [["MAGNETIC", "Magnetic"], ["FLIPPER", "Flipper"], ["BLADE", "Blade"], ["DROP_AWAY", "Drop-away"], ["OTHER", "Other"]]),
    number("verticalPositionMm", "Height (mm)", -200, 200), number("horizontalPositionMm", "Distance from the riser (mm)", -200, 200)],
  PLUNGER: [brand, model, text("tension", "Tension"), one("adjustment", "Adjustment", "PLUNGER_ADJUSTMENT_", [["MICRO", "Micro"], ["CLICK", "Clicks"]]),
    number("positionMm", "Position (mm)", -200, 200)],
  BOW_STRING: [text("maker", "Maker", true), text("stringType", "Type of string", true), otherBrand, otherModel, material, count("strandCount", "Strands", 1, 200),
    text("servingMaterial", "Serving"), length, count("twists", "Twists"), day("installedOn", "Mounted on")],
  STABILIZER: [brand, model, length, mass, count("straightness", "Straightness (1 to 10)", 1, 10),
    one("position", "Position", "STABILIZER_POSITION_", [["LONG", "Long rod"], ["SIDE", "Side rod"], ["EXTENDER", "Extender"], ["VBAR", "V-bar"]])],
  WEIGHT: [text("location", "Location", true), text("name", "Name", true), otherBrand, otherModel, number("ounces", "Ounces", 0, 1000)],
  ARROW: [brand, model, count("spine", "Spine", 1, 5000), length, number("weightGr", "Weight (gr)", 0, 10_000), number("diameterMm", "Diameter (mm)", 0.01, 50),
    count("quantity", "Quantity", 1, 10_000), text("identifier", "Identifier"), text("pointBrand", "Point: brand"), text("pointName", "Point: name"),
    number("pointWeightGr", "Point: weight (gr)", 0, 10_000), text("nockBrand", "Nock: brand"), text("nockName", "Nock: name"), text("nockSize", "Nock: size"),
    number("nockWeightGr", "Nock: weight (gr)", 0, 10_000), text("vanes", "Vanes")],
  ACCESSORY: [text("name", "Name", true),
    one("type", "Kind", "ACCESSORY_TYPE_", [["TAB", "Tab"], ["CHEST_GUARD", "Chest guard"], ["QUIVER", "Quiver"], ["RELEASE", "Release"], ["CLICKER", "Clicker"], ["OTHER", "Other"]], true),
    otherBrand, otherModel, text("purpose", "Purpose"), text("size", "Size"), text("thickness", "Thickness"), material, text("travel", "Travel")],
};

/** The last field of every type. */
export const notes = /** @type {Field} */ ({ key: "notes", label: "Notes", kind: "long" });

/** What a new item has unless something else is typed. */
export const defaults = /** @type {Record<string, Record<string, any>>} */ ({ STABILIZER: { straightness: 5 }, ARROW: { quantity: 1 } });

/** The fields that make the name of an item in lists: the first two of its type. */
export const nameFields = (/** @type {string} */ type) => fieldsOf[type].slice(0, 2);
