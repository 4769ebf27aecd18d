import { randomBytes } from 'node:crypto';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { usageError } from '../errors.ts';

/** A generated password: 24 characters of base64url, 144 bits. */
export function generatePassword(): string {
  return randomBytes(18).toString('base64url');
}

/**
 * On a terminal, asks for a password twice without showing it. Otherwise reads the first line of standard input.
 */
export async function readPassword(): Promise<string> {
  if (!process.stdin.isTTY) return firstLine();
  const password = await askHidden('Password: ');
  if (password === (await askHidden('Once more: '))) return password;
  throw usageError('The two differ. Nothing was changed.');
}

async function firstLine(): Promise<string> {
  const lines = createInterface({ input: process.stdin });
  for await (const line of lines) return line;
  throw usageError('There is no password on the input. Pipe it in, or use --generate.');
}

/** Readline echoes typed text to its output, so this output discards it. */
function askHidden(question: string): Promise<string> {
  const nothing = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: nothing, terminal: true });
  // Only now, because text typed before echo is off would be shown.
  process.stderr.write(question);
  return new Promise((resolve, reject) => {
    lines.once('line', (line) => {
      lines.removeAllListeners('close');
      lines.close();
      process.stderr.write('\n');
      resolve(line);
    });
    lines.once('close', () => reject(usageError('No password was given. Nothing was changed.')));
  });
}
