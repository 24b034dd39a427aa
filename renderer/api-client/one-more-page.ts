interface Pages {
  data?: { pages: unknown[] } | undefined;
  isError: boolean;
}

const maxAttempts = 5;

/**
 * Adds a page to a list that is read page by page. A change of the list cancels the page under way and reads the shown
 * pages again. The added page is then fetched again.
 * @param shown the pages before; @param fetch `fetchNextPage` or `fetchPreviousPage`
 */
export async function oneMorePage(shown: number, fetch: () => Promise<Pages>): Promise<void> {
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const { data, isError } = await fetch();
    if (isError || (data?.pages.length ?? 0) > shown) return;
  }
}
