export { Client, connect } from "./client.js";
export { QuiverError } from "./errors.js";
export { uuid7, uuidText } from "./uuid.js";
export { Watch } from "./watch.js";
