import { z } from "zod";

/** Body of `POST /api/sync/library`: the folder of another library on this computer. */
export const libraryBody = z.object({ folder: z.string().trim().min(1, "Enter the folder of a library.").max(4096) });
