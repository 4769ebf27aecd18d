import { useState } from 'preact/hooks';

/** A choice that this browser keeps. Private windows may deny storage: then it lasts until the page is closed. */
export function useRemembered<Value extends string>(
  name: string,
  choices: readonly { readonly value: Value }[],
  /** If nothing was chosen yet. */
  first: Value,
): readonly [Value, (chosen: string) => void] {
  const key = `plumbline.${name}`;
  const [chosen, setChosen] = useState<Readonly<Record<string, string>>>({});
  const kept = chosen[key] ?? stored(key);
  const remember = (value: string): void => {
    setChosen((before) => ({ ...before, [key]: value }));
    try {
      localStorage.setItem(key, value);
    } catch {
      // Kept by `chosen`.
    }
  };
  return [choices.find(({ value }) => value === kept)?.value ?? first, remember];
}

function stored(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}
