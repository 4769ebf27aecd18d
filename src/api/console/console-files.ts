import { readFile, stat } from 'node:fs/promises';
import { nullIfMissing } from '../../errors.ts';

/** A file of the built console, with its compressed forms. */
export interface ConsoleFile {
  readonly type: string;
  readonly etag: string;
  readonly bytes: Readonly<Record<Coding, Buffer>>;
}

export const CODINGS = ['br', 'gzip', 'identity'] as const;
export type Coding = (typeof CODINGS)[number];

const SUFFIXES: Readonly<Record<Coding, string>> = { br: '.br', gzip: '.gz', identity: '' };

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  mjs: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  json: 'application/json; charset=utf-8',
};

/** File names of a build: no folders, so no name leads out of the assets. */
const ASSET_NAME = /^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*\.([a-z]+)$/;

const DIST = new URL('../../../web/dist/', import.meta.url);

export interface ConsoleFiles {
  /** The page; null if the console was not built. Read again after each build. */
  readonly page: () => Promise<ConsoleFile | null>;
  /** A file of assets/; null if there is none of this name. */
  readonly asset: (name: string) => Promise<ConsoleFile | null>;
}

/** The build in web/dist. Files of assets/ never change, because their names contain a hash, so each is read once. */
export function openConsoleFiles(dist = DIST): ConsoleFiles {
  const assets = new Map<string, ConsoleFile>();
  let page: { readonly builtAt: number; readonly file: ConsoleFile } | null = null;
  return {
    async page() {
      const index = new URL('index.html', dist);
      const builtAt = await nullIfMissing(stat(index).then(({ mtimeMs }) => mtimeMs));
      if (builtAt === null) return null;
      if (page?.builtAt === builtAt) return page.file;
      const file = await readWhole(index, 'html', `W/"${builtAt.toString(36)}"`);
      page = file && { builtAt, file };
      return file;
    },
    async asset(name) {
      const [, , extension = ''] = ASSET_NAME.exec(name) ?? [];
      if (!(extension in TYPES)) return null;
      const kept = assets.get(name);
      if (kept) return kept;
      const file = await readWhole(new URL(`assets/${name}`, dist), extension, `W/"${name}"`);
      if (file) assets.set(name, file);
      return file;
    },
  };
}

async function readWhole(url: URL, extension: string, etag: string): Promise<ConsoleFile | null> {
  const read = (coding: Coding): Promise<Buffer> => readFile(new URL(url.href + SUFFIXES[coding]));
  const all = await nullIfMissing(Promise.all([read('br'), read('gzip'), read('identity')]));
  if (!all) return null;
  const [br, gzip, identity] = all;
  return { type: TYPES[extension] ?? 'application/octet-stream', etag, bytes: { br, gzip, identity } };
}
