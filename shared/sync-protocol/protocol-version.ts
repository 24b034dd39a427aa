/** Version of the protocol between replica and server; a peer sends it as `Carrel-Protocol`. */
export const protocolVersion = 5;
/** From this version on, a peer accepts gzip without a header, and 204 for a feed page without changes. */
export const terseProtocolVersion = 2;
/** From this version on, a peer accepts the difference to an object that it already has. */
export const deltaProtocolVersion = 3;
/**
 * From this version on, a peer knows the current metadata fields. A server drops fields it does not know, so a change
 * of the field table needs a new protocol version. It also needs another genesis of documents, because two different
 * first states must not have the same name.
 */
export const fieldsProtocolVersion = 4;
/** From this version on, a peer knows several reviewers, requested changes, and comments on fields and files. */
export const reviewersProtocolVersion = 5;
/** Oldest version that this program still speaks. */
export const oldestProtocolVersion = 1;
export const protocolHeader = "carrel-protocol";
