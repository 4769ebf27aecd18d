import { useEffect, useState } from 'preact/hooks';

/** A search of a list reads all of its rows, so it starts when the user pauses typing. */
const PAUSE_MS = 300;

/** The text without spaces at its ends, as it was when the user last paused typing. */
export function useTypedText(text: string): string {
  const [typed, setTyped] = useState(text.trim());
  useEffect(() => {
    const timer = setTimeout(() => setTyped(text.trim()), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return typed;
}
