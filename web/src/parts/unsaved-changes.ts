import { useEffect } from 'preact/hooks';

/** What is not saved on the page. */
const unsaved = new Set<symbol>();

const QUESTION = 'Your changes are not saved. Continue without them?';

/** False if there are unsaved changes that the user wants to keep. For what leaves them otherwise than by a link. */
export function mayLeave(): boolean {
  return unsaved.size === 0 || window.confirm(QUESTION);
}

/** While changes are unsaved, the user is asked before a link, the Back button, or a reload loses them. */
export function useUnsaved(isUnsaved: boolean): void {
  useEffect(() => {
    if (!isUnsaved) return undefined;
    const change = Symbol();
    if (unsaved.size === 0) listen();
    unsaved.add(change);
    return () => {
      unsaved.delete(change);
      if (unsaved.size === 0) stopListening();
    };
  }, [isUnsaved]);
}

function listen(): void {
  window.addEventListener('beforeunload', cancel);
  // Before the router, which listens later.
  document.addEventListener('click', askAtLink, { capture: true });
  if ('navigation' in window) navigation.addEventListener('navigate', askAtTraversal);
}

function stopListening(): void {
  window.removeEventListener('beforeunload', cancel);
  document.removeEventListener('click', askAtLink, { capture: true });
  if ('navigation' in window) navigation.removeEventListener('navigate', askAtTraversal);
}

/** Then the browser asks with its own words. */
function cancel(event: Event): void {
  event.preventDefault();
}

/** Links within the console. The browser asks at others. */
function askAtLink(event: MouseEvent): void {
  const { target, button, ctrlKey, metaKey, altKey, shiftKey } = event;
  const link = target instanceof Element ? target.closest('a') : null;
  if (!link || link.target !== '' || !link.pathname.startsWith('/console')) return;
  if (button !== 0 || ctrlKey || metaKey || altKey || shiftKey) return;
  if (link.getAttribute('href')?.startsWith('#') || mayLeave()) return;
  event.preventDefault();
  event.stopPropagation();
}

/** Back and Forward within the console, where the page is not unloaded. */
function askAtTraversal(event: NavigateEvent): void {
  const isWithin = event.navigationType === 'traverse' && event.destination.sameDocument;
  if (isWithin && event.cancelable && !mayLeave()) event.preventDefault();
}
