import { protocolHeader, protocolVersion } from "../../../shared/sync-protocol/protocol-version.ts";

/** Headers of every call to a Carrel server. */
export const wireHeaders = { [protocolHeader]: String(protocolVersion) };
