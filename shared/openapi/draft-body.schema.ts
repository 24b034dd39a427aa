import { z } from "zod";
import { pids } from "../identifiers/pids.schema.ts";
import { metadataField } from "../metadata/metadata.schema.ts";

const visibility = z.enum(["public", "restricted"]);

/** The body of a draft (records 3.2). For the description only: the server accepts drafts with invalid parts. */
export const draftBody = z.object({
  access: z
    .object({
      record: visibility,
      files: visibility,
      embargo: z
        .object({ active: z.boolean(), until: z.iso.date().optional(), reason: z.string().nullish() })
        .optional(),
    })
    .optional(),
  files: z
    .object({
      enabled: z.boolean(),
      default_preview: z.string().nullish(),
      order: z.array(z.string()).optional(),
    })
    .optional(),
  // A draft may be incomplete: publishing asks for what is missing.
  metadata: (metadataField.shape as z.ZodObject).partial().optional(),
  custom_fields: z.record(z.string(), z.unknown()).optional(),
  pids: pids.optional(),
});
