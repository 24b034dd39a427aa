import { z } from "zod";
import { cleanText } from "../kernel/characters.ts";
import { command } from "../kernel/command.ts";

/** The fixed groups with rights in the service (requests 11). */
export const protectedNames: readonly string[] = [
  "admin",
  "superuser-access",
  "administration",
  "administration-moderation",
];

const description = z.string().overwrite(cleanText).max(255).nullable().optional();

export const groupName = z
  .string()
  .regex(
    /^[A-Za-z][A-Za-z0-9_-]{0,79}$/,
    "Role name must start with a letter and contain only letters, numbers, hyphens or underscores, 80 at most.",
  );

export const newGroup = z.object({ name: groupName, description });
export const groupChange = z.object({ description });

const body = z.unknown().optional();

export const createGroup = command({
  name: "group.create",
  version: 1,
  senders: { route: "manager" },
  input: z.object({ body }),
});

export const updateGroup = command({
  name: "group.update",
  version: 1,
  senders: { route: "manager" },
  input: z.object({ name: z.string(), body }),
});

export const deleteGroup = command({
  name: "group.delete",
  version: 1,
  senders: { route: "manager" },
  input: z.object({ name: z.string() }),
});

/** Creates a group from the command line or an identity provider; the API does not manage it. */
export const provideGroup = command({
  name: "group.provide",
  version: 1,
  senders: { console: "host" },
  input: z.object({ name: groupName, description: description.default(null), is_managed: z.boolean() }),
});
export type ProvideGroup = z.infer<typeof provideGroup.input>;
