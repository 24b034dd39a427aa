import type { z } from "zod";
import type { SearchRules } from "../search/search-parameters.ts";

/** A query or header parameter. */
export interface Parameter {
  name: string;
  in: "query" | "header";
  description: string;
  schema?: Record<string, unknown>;
}

/** One method of one route, as the OpenAPI document describes it. */
export interface Operation {
  tag: string;
  /** Method and path below `/api`: `GET /records/{id}`. */
  route: string;
  summary: string;
  /** Success status; 400 or more for a call that is always refused. */
  status: number;
  /** Shape of the JSON answer. */
  answer?: z.ZodType;
  /** Media types of the answer that are not the JSON of `answer`. */
  media?: readonly string[];
  /** Other success statuses, each with its meaning and the shape of its answer. */
  also?: readonly (readonly [status: number, description: string, answer?: z.ZodType])[];
  /** The answer has an `ETag`, and a GET with it in `If-None-Match` gets 304. */
  isTagged?: boolean;
  /** The call checks `If-Match`. */
  isGuarded?: boolean;
  body?: z.ZodType;
  /** Media type of a body that is not JSON. */
  consumes?: string;
  /** The parameters of a list: `q`, `sort`, `page`, `size`, filters. */
  search?: SearchRules;
  parameters?: readonly Parameter[];
  /** The only host that offers this call; absent if both do. */
  onlyOn?: "server" | "replica";
}

export type Row = [
  route: string,
  summary: string,
  status: number,
  more?: Omit<Partial<Operation>, "route" | "summary">,
];
