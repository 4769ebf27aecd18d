/** So much text becomes one piece of the file: browsers keep pieces of blobs outside of the page's own memory. */
const PIECE_CHARACTERS = 1_000_000;

/** Gathers text as it comes, and has the browser save it under a name. */
export async function saveFile(name: string, type: string, pieces: AsyncIterable<string>): Promise<void> {
  const parts: Blob[] = [];
  let text = '';
  for await (const piece of pieces) {
    text += piece;
    if (text.length < PIECE_CHARACTERS) continue;
    parts.push(new Blob([text]));
    text = '';
  }
  parts.push(new Blob([text]));
  const url = URL.createObjectURL(new Blob(parts, { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser reads it after this turn.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** A file's name without its ending, and without what some systems do not take in names. */
export function bareFileName(name: string): string {
  const bare = name
    .replace(/\.[a-z0-9]{1,5}$/i, '')
    .replace(/[^\p{L}\p{N}._ -]+/gu, '_')
    .trim();
  return bare === '' ? 'batch' : bare;
}
