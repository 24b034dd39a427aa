import { isAtLeast, type Level } from "../../shared/access/level.policy.ts";
import { type Caller, isManager, isSuperuser } from "../../shared/kernel/caller.ts";
import type { RecordQuery } from "../../shared/search/search-index.ts";
import type { GrantedLevels } from "../../shared/search/sqlite/visibility.ts";
import { allOf, anyOf, type EngineQuery, everything, is, nothing, termsIn } from "./query-language.ts";

/**
 * Which documents a caller reaches (records 2): the rules of `shared/search/sqlite/visibility.ts` as filters. Grants,
 * links and reviews come from the rows at the time of the search.
 */
export class VisibilityFilter {
  readonly #caller: Caller;
  readonly #granted: GrantedLevels;

  constructor(caller: Caller, granted: GrantedLevels) {
    this.#caller = caller;
    this.#granted = granted;
  }

  /** The documents in which the search looks. */
  universe({ request, scope, parentId }: RecordQuery): EngineQuery {
    const allVersions = request.booleans.get("allversions") ?? false;
    const family = parentId === undefined ? everything : is("parent", parentId);
    const set =
      scope === "published"
        ? this.#published(allVersions)
        : this.#editable(allVersions, request.booleans.get("shared_with_me"));
    return allOf([set, family]);
  }

  /** Documents whose files the caller may list. */
  readableFiles(): EngineQuery {
    return anyOf([
      is("has_public_files", true),
      this.#reviewed(),
      allOf([is("kind", "record"), this.#has("view")]),
      allOf([is("kind", "draft"), this.#has("preview")]),
    ]);
  }

  #published(allVersions: boolean): EngineQuery {
    return allOf([
      is("kind", "record"),
      allVersions ? everything : is("is_latest", true),
      anyOf([is("is_public", true), this.#has("view")]),
    ]);
  }

  #editable(allVersions: boolean, isShared: boolean | undefined): EngineQuery {
    const own = this.#own();
    return allOf(
      [
        is("has_draft", false),
        allVersions ? everything : is("is_latest_draft", true),
        anyOf([this.#has("edit"), this.#reviewed()]),
        isShared === false ? own : everything,
      ],
      isShared === true ? [own] : [],
    );
  }

  #own(): EngineQuery {
    return this.#caller.userId === null ? nothing : is("owner", this.#caller.userId);
  }

  #reviewed(): EngineQuery {
    return termsIn("id", [...this.#granted.reviewed]);
  }

  /** Documents that the caller has a level of. */
  #has(needed: Level): EngineQuery {
    if (isSuperuser(this.#caller)) return everything;
    if (isManager(this.#caller) && isAtLeast("preview", needed)) return everything;
    const given = [...this.#granted.levels].filter(([, level]) => isAtLeast(level, needed)).map(([id]) => id);
    return anyOf([this.#own(), termsIn("parent", given)]);
  }
}
