/** Items in their order, at most so many at a time. */
export function* inPortions<Item>(items: Iterable<Item>, most: number): Generator<Item[]> {
  let portion: Item[] = [];
  for (const item of items) {
    if (portion.push(item) < most) continue;
    yield portion;
    portion = [];
  }
  if (portion.length > 0) yield portion;
}
