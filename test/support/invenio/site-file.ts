import { mkdirSync, readFileSync } from "node:fs";

/** A person of the real server. Each token can be revoked by its id. */
export interface Account {
  id: string;
  username: string;
  email: string;
  tokens: { id: number; token: string }[];
}

/** What tests need to know of a real server that runs. */
export interface SiteFile {
  url: string;
  /** Address of its database. */
  database: string;
  /** Address of its search. */
  search: string;
  /** Ada, Grace and Eve first. */
  people: Account[];
  /** Folder in which tests of several processes note whom they took. */
  taken: string;
}

/** The file that names the real server to run the rows of the adapter on; without it they run on the fake. */
export const siteFileName = process.env.CARREL_INVENIO_SITE;

export const readSiteFile = (name: string): SiteFile => JSON.parse(readFileSync(name, "utf8")) as SiteFile;

/** A person whom no other test has. @throws Error when none is left */
export function takePerson({ people, taken }: SiteFile): Account {
  mkdirSync(taken, { recursive: true });
  for (const person of people.slice(3)) {
    try {
      mkdirSync(`${taken}/${person.username}`);
      return person;
    } catch {
      // Taken already.
    }
  }
  throw new Error("every person of the real server has been taken by a test");
}
