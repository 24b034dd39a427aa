/** Version of the wire between replica and server; a peer sends it as `Carrel-Protocol`. */
export const protocolVersion = 1;
/** Oldest version that this program still speaks. */
export const oldestProtocolVersion = 1;
export const protocolHeader = "carrel-protocol";
