/** The items of all pages; the next page is asked for when the one before is used up. */
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
