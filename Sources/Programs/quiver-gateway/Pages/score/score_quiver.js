/** What the page takes of the client: one place that says where it is. */
export { connect } from "../client/client.js";
export { QuiverError } from "../client/errors.js";
export { base64 } from "../client/json.js";
export { Outbox } from "../client/outbox.js";
export { OutboxError } from "../client/outboxerror.js";
export { rescueTexts } from "../client/rescue.js";
export * as scoring from "../client/scoring.js";
export { Store } from "../client/store.js";
export { uuid7 } from "../client/uuid.js";
