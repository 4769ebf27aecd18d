/** Yields the items of all pages. The next page is requested when the previous one is used up. */
export async function* eachOf<Page, Item>(
  begin: string | null | undefined,
  read: (cursor: string | null | undefined) => Promise<Page>,
  itemsOf: (page: Page) => readonly Item[],
  cursorOf: (page: Page) => string | null | undefined,
): AsyncGenerator<Item, void> {
  let cursor = begin;
  do {
    const page = await read(cursor);
    yield* itemsOf(page);
    cursor = cursorOf(page);
  } while (cursor);
}
