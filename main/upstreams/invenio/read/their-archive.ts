import { z } from "zod";
import { isUnsafeName, memberParts } from "../../../../shared/containers/member-name.ts";

/** An entry of a file. It has this link if the site lists archives of its kind. */
export const listedEntry = z.looseObject({
  links: z.looseObject({ container: z.string().max(10_000).optional() }),
});

const maxListed = 100_000;

/** A key without empty parts keeps its place in an address. An unsafe one is shown, and never asked for. */
const hasPlace = (key: string): boolean =>
  key.isWellFormed() && (isUnsafeName(key) || memberParts(key).join("/") === key);
const memberKey = z.string().min(1).max(4096);

/** The listing of an archive as their API presents it. */
export const theirListing = z.looseObject({
  entries: z
    .array(
      z.looseObject({
        key: memberKey.refine(hasPlace),
        size: z.int().nonnegative(),
        compressed_size: z.int().nonnegative(),
        crc: z.int().min(0).max(0xffff_ffff),
      }),
    )
    .max(maxListed),
  directories: z
    .array(z.looseObject({ key: memberKey }))
    .max(maxListed)
    .transform((listed) => listed.map(({ key }) => key).filter(hasPlace)),
  truncated: z.boolean(),
});
