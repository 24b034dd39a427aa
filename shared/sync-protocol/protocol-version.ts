/** Version of the wire between replica and server; a peer sends it as `Carrel-Protocol`. */
export const protocolVersion = 3;
/** From here on a peer takes gzip without saying so, and 204 for a page of the feed with nothing on it. */
export const terseProtocolVersion = 2;
/** From here on a peer takes of an object that it was sent before what is new of it. */
export const deltaProtocolVersion = 3;
/**
 * From here on a peer knows the fields of metadata as they are now. A server that does not know them would drop what it
 * is sent, so that another table of fields is another version of the wire; and another way of making first states of
 * documents, since two that differ must not have one name.
 */
export const fieldsProtocolVersion = 1;
/** Oldest version that this program still speaks. */
export const oldestProtocolVersion = 1;
export const protocolHeader = "carrel-protocol";
