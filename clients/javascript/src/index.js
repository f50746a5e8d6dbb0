export { Client, connect } from "./client.js";
export { QuiverError } from "./errors.js";
export { Outbox } from "./outbox.js";
export { OutboxError } from "./outboxerror.js";
export { mostRescued, rescuePrefix, rescueText, rescueTexts } from "./rescue.js";
export * as scoring from "./scoring.js";
export { uuid7, uuidText } from "./uuid.js";
export { Watch } from "./watch.js";
