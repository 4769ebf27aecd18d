// @ts-check
/* Copy buttons for code, keys that go to the search, and a form on each operation that sends a request with the reader's
   key. Pages are complete without this script. It is served as it is, so it is plain JavaScript. */

/** The key stays in this tab until it is closed. */
const KEY = 'plumbline-key';
/** A response is shown up to this many characters. */
const MOST_SHOWN = 100_000;

/**
 * @param {string} name
 * @param {Record<string, string>} [attributes]
 * @param {(Node | string)[]} children
 */
function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  made.append(...children);
  return made;
}

/**
 * @param {string} label
 * @param {() => void} onClick
 */
function buttonOf(label, onClick) {
  const button = element('button', { type: 'button' }, label);
  button.addEventListener('click', onClick);
  return button;
}

/** @type {HTMLInputElement | null} */
const search = document.querySelector('input[type=search]');
if (search) search.placeholder = 'Search  ( / )';
document.addEventListener('keydown', (event) => {
  const isTyping = event.target instanceof HTMLElement && event.target.matches('input, textarea');
  const isK = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey);
  if (!isK && (event.key !== '/' || isTyping)) return;
  event.preventDefault();
  search?.focus();
  search?.select();
});

for (const block of document.querySelectorAll('pre')) {
  const copy = buttonOf('Copy', () => {
    const text = block.querySelector('code')?.textContent ?? '';
    navigator.clipboard.writeText(text).then(
      () => (copy.textContent = 'Copied'),
      () => (copy.textContent = 'Select the text and press Ctrl+C'),
    );
    setTimeout(() => (copy.textContent = 'Copy'), 2000);
  });
  const frame = element('div', { class: 'code' });
  block.replaceWith(frame);
  frame.append(block, copy);
}

for (const section of document.querySelectorAll('section[data-request]')) {
  const open = buttonOf('Try it', () =>
    open.replaceWith(formOf(JSON.parse(section.getAttribute('data-request') ?? ''))),
  );
  section.append(open);
}

/** @param {{ method: string, path: string, body: unknown, credits: string, hasKey: boolean }} request */
function formOf({ method, path, body, credits, hasKey }) {
  const url = input('URL of the request', path);
  const key = input('API key', sessionStorage.getItem(KEY) ?? '', 'password');
  const text = document.createElement('textarea');
  text.rows = 12;
  text.value = body === null ? '' : JSON.stringify(body, null, 2);
  const answer = element('div', { 'aria-live': 'polite' });
  /** @param {boolean} isDry */
  const send = async (isDry) => {
    sessionStorage.setItem(KEY, key.field.value);
    answer.replaceChildren('Sending …');
    try {
      const response = await fetch(url.field.value, {
        method,
        headers: {
          ...(hasKey ? { 'x-api-key': key.field.value } : {}),
          ...(body === null ? {} : { 'content-type': 'application/json' }),
          ...(isDry ? { 'x-dry-run': 'true' } : {}),
        },
        // oxlint-disable-next-line unicorn/no-invalid-fetch-options -- a GET has none
        body: body === null ? null : text.value,
      });
      const charged = response.headers.get('x-credits-charged') ?? '0';
      const head = `${response.status} ${response.statusText}, ${charged} credits charged`;
      answer.replaceChildren(element('p', {}, element('strong', {}, head)), shown(await response.text()));
    } catch (error) {
      answer.replaceChildren(`No response: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  const form = element(
    'form',
    { class: 'try' },
    url.label,
    ...(hasKey ? [key.label] : []),
    ...(body === null ? [] : [element('label', {}, 'Body', text)]),
    element(
      'p',
      {},
      element('button', { type: 'submit', class: 'primary' }, 'Send'),
      ' ',
      ...(credits === '0' ? [] : [buttonOf('What it costs', () => void send(true))]),
    ),
    answer,
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void send(false);
  });
  return form;
}

/**
 * @param {string} name
 * @param {string} value
 * @param {string} [type]
 */
function input(name, value, type = 'text') {
  const field = document.createElement('input');
  Object.assign(field, { type, value, autocomplete: 'off', spellcheck: false });
  return { field, label: element('label', {}, name, field) };
}

/** @param {string} text */
function shown(text) {
  let pretty = text;
  try {
    pretty = JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    // Pages and metrics are not JSON.
  }
  const cut = pretty.length > MOST_SHOWN ? `${pretty.slice(0, MOST_SHOWN)}\n…` : pretty;
  return element('pre', { tabindex: '0' }, element('code', {}, cut));
}
