import { createContext } from "react";

/** Whether the page says already why the server cannot be used: a part that failed for that reason adds no notice. */
export const ServerReasonIsShown = createContext(false);
