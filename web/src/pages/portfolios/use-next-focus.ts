import { useEffect, useRef } from 'preact/hooks';

/** Where a button was pressed that may be gone when the list shows what it has changed. */
interface Pressed {
  readonly section: Element;
  /** Part of the accessible name of the row's button. */
  readonly name: string | null;
  /** The place of the row among those that are shown. */
  readonly at: number;
}

/**
 * Keeps the keyboard where it was in a section with a list whose rows go when their button is pressed: on the button of the
 * same row if it is still there, otherwise on that of the next one, on a button of the notice, or on the chosen filter.
 *
 * @param isSettled whether the list shows the change
 * @returns a function to call when a button is pressed, with what names the row
 */
export function useNextFocus(isSettled: boolean): (name: string | null) => void {
  const waiting = useRef<Pressed | null>(null);
  useEffect(() => {
    const { current: pressed } = waiting;
    if (!isSettled || pressed === null) return;
    waiting.current = null;
    const { section, name, at } = pressed;
    const rows = rowButtons(section);
    const same = rows.find(({ ariaLabel }) => name !== null && ariaLabel?.includes(name));
    const next = same ?? rows[Math.min(at, rows.length - 1)];
    (next ?? section.querySelector<HTMLElement>('.notice button, input:checked'))?.focus();
  });
  return (name) => {
    const button = document.activeElement;
    const section = button?.closest('section');
    // Some browsers give a button that is clicked no focus: then nothing moves.
    if (!(button instanceof HTMLButtonElement) || !section) return;
    waiting.current = { section, name, at: Math.max(rowButtons(section).indexOf(button), 0) };
  };
}

function rowButtons(section: Element): HTMLButtonElement[] {
  return [...section.querySelectorAll<HTMLButtonElement>('td .actions button')];
}
