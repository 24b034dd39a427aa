import type { z } from "zod";
import type { SearchRules } from "../search/search-parameters.ts";

/** A query or header parameter. */
export interface Parameter {
  name: string;
  in: "query" | "header";
  description: string;
  schema?: Record<string, unknown>;
}

/** A call of the API. */
export interface Operation {
  tag: string;
  /** `GET /records/{id}`, below `/api`. */
  route: string;
  summary: string;
  /** Success status; from 400 on: the call is always refused. */
  status: number;
  /** Shape of the JSON answer. */
  answer?: z.ZodType;
  /** Media types of the answer that are not the JSON of `answer`. */
  media?: readonly string[];
  /** Further success statuses with their meaning and shape. */
  also?: readonly (readonly [status: number, description: string, answer?: z.ZodType])[];
  /** The answer has an `ETag`; a GET with that `If-None-Match` is answered 304. */
  isTagged?: boolean;
  /** The call checks `If-Match`. */
  isGuarded?: boolean;
  body?: z.ZodType;
  /** Media type of a body that is not JSON. */
  consumes?: string;
  /** The parameters of a list: `q`, `sort`, `page`, `size`, filters. */
  search?: SearchRules;
  parameters?: readonly Parameter[];
  /** The only host with this call. */
  onlyOn?: "server" | "replica";
}

export type Row = [
  route: string,
  summary: string,
  status: number,
  more?: Omit<Partial<Operation>, "route" | "summary">,
];
