import { z } from "zod";

/** The id of an existing object, in any form: an unknown id is answered 404. */
export const idText = z.string().max(100);

/** The id of a new object, made by the sender. It is in lower case, since queries compare text. */
export const newId = z.uuid().toLowerCase();
