import { z } from "zod";

/** The shapes that stand in the API document under a name of their own, and what each is called there. */
export const namedShapes = z.registry<{ id: string }>();

/** Gives a shape its name in the document, with a sentence that says what it is. */
export function named<S extends z.ZodType>(id: string, description: string, shape: S): S {
  const described = shape.describe(description);
  namedShapes.add(described, { id });
  return described;
}
