import { z } from "zod";

const largestPage = 10_000;
const defaultPage = 1000;

const count = (largest: number) =>
  z
    .string()
    .regex(/^[1-9]\d{0,8}$/, { message: "Not a valid positive integer." })
    .transform(Number)
    .refine((value) => value <= largest, { message: `Must be at most ${largest}.` });

/** Query of a listing (records 11); other parameters are ignored. */
export const listingQuery = z.object({
  depth: z.literal("1", { message: "Must be 1." }).optional(),
  q: z.string().optional(),
  page: count(1_000_000).optional(),
  size: count(largestPage).optional(),
});

export interface ListingRequest {
  isFlat: boolean;
  text: string;
  page: number;
  size: number;
}

/** The page of a query; undefined for the plain listing. */
export function listingRequest(query: z.infer<typeof listingQuery>): ListingRequest | undefined {
  const { depth, q, page, size } = query;
  if (depth === undefined && q === undefined && page === undefined && size === undefined) return undefined;
  return { isFlat: depth !== undefined, text: q ?? "", page: page ?? 1, size: size ?? defaultPage };
}
