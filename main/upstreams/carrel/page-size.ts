import { BatchSize } from "../../sync/batch-size.ts";

/** The first page is small, so that the user soon sees content. */
const [firstPage, laterPage] = [50, 500];

/** Changes on a page. After a page that did not arrive, the next has a quarter of them. */
export class PageSize {
  readonly #size = new BatchSize(laterPage);

  /** @param isFirst whether nothing was fetched before */
  limit(isFirst: boolean): number {
    return isFirst ? Math.min(this.#size.size, firstPage) : this.#size.size;
  }

  succeeded(): void {
    this.#size.succeeded();
  }

  /** @param isFirst of the page that did not arrive */
  failed(isFirst: boolean): void {
    const used = this.limit(isFirst);
    this.#size.failed(used, used / 4);
  }
}
