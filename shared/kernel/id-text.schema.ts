import { z } from "zod";

/** Names an object that exists, of whatever form: an unknown one is answered 404. */
export const idText = z.string().max(100);

/** The id of a new object, which its sender makes; one form, since lookups compare text. */
export const newId = z.uuid().toLowerCase();
