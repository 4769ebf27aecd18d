import { useEffect, useRef } from 'preact/hooks';

/** Where a button was pressed that may be gone when the list shows what it has changed. */
interface Pressed {
  readonly section: Element;
  /** Part of the accessible name of the row's button. */
  readonly name: string | null;
  /** The place of the row among those that are shown. */
  readonly at: number;
  /** An effect of the time before the change must not take it for done. */
  hasBegun: boolean;
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
    if (pressed === null) return;
    if (!isSettled) pressed.hasBegun = true;
    if (!isSettled || !pressed.hasBegun) return;
    waiting.current = null;
    const { section, name, at } = pressed;
    const rows = rowButtons(section);
    const same = rows.find(({ ariaLabel }) => name !== null && ariaLabel?.includes(name));
    const target =
      same ??
      rows[Math.min(at, rows.length - 1)] ??
      section.querySelector<HTMLElement>('.notice button') ??
      section.querySelector<HTMLElement>('input:checked');
    target?.focus();
  });
  return (name) => {
    const button = document.activeElement;
    const section = button?.closest('section');
    // Some browsers give a button that is clicked no focus: then nothing moves.
    if (!(button instanceof HTMLButtonElement) || !section) return;
    const at = Math.max(rowButtons(section).indexOf(button), 0);
    waiting.current = { section, name, at, hasBegun: false };
  };
}

function rowButtons(section: Element): HTMLButtonElement[] {
  return [...section.querySelectorAll<HTMLButtonElement>('td .actions button')];
}
