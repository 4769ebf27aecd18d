import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { DESKTOP, mapDrawn, PHONE, settled, type OpenConsole } from './open-console.ts';
import { withCopyOf } from './open-copy.ts';
import { MORE_PICTURES, PICTURED_PAGES, PICTURED_STATES, type PicturedPage } from './console-pages.ts';

/**
 * Takes a screenshot of every console page, light and dark, on a wide and a small desktop and a phone, into .pictures/:
 *
 *   npm run pictures                          all pages, on a copy of ./data (created by npm start)
 *   npm run pictures -- keys usage            pages whose name contains one of these words
 *   npm run pictures -- --print           as PDF files, as the browser prints them
 *   npm run pictures -- --data /some/folder   on the data of another installation
 */
const { values, positionals: words } = parseArgs({
  options: { data: { type: 'string', default: 'data' }, print: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const FOLDER = '.pictures';
const SCHEMES = ['light', 'dark'] as const;
const SIZES = [
  ['wide', { width: 1440, height: 900 }],
  ['desk', DESKTOP],
  ['phone', PHONE],
] as const;

await withCopyOf(values.data, picture);

async function picture(under: OpenConsole): Promise<void> {
  mkdirSync(FOLDER, { recursive: true });
  const pages = [...PICTURED_PAGES, ...PICTURED_STATES, ...MORE_PICTURES].filter(
    ({ name }) => words.length === 0 || words.some((word) => name.includes(word)),
  );
  if (values.print) {
    // Printed pages are light, whatever the theme is.
    await pictureAll(under, pages, 'dark', SIZES[0]);
    console.log(`${pages.length} PDF files in ${FOLDER}/.`);
    return;
  }
  for (const scheme of SCHEMES) {
    for (const size of SIZES) await pictureAll(under, pages, scheme, size);
  }
  under.assertClean();
  console.log(`${pages.length * SCHEMES.length * SIZES.length} screenshots in ${FOLDER}/.`);
}

async function pictureAll(
  under: OpenConsole,
  pages: readonly PicturedPage[],
  colorScheme: (typeof SCHEMES)[number],
  [size, viewport]: (typeof SIZES)[number],
): Promise<void> {
  const options = { colorScheme, viewport };
  const signedIn = await under.openSignedIn(options);
  for (const { name, path, isSignedOut, before } of pages) {
    const page = isSignedOut ? await under.openPage(options) : signedIn;
    await page.goto(path);
    await settled(page);
    await before?.(page);
    await settled(page);
    await mapDrawn(page);
    if (values.print) {
      await page.pdf({ path: join(FOLDER, `${name}.pdf`), format: 'Letter', preferCSSPageSize: true });
      continue;
    }
    await page.screenshot({
      path: join(FOLDER, `${name}-${size}-${colorScheme}.png`),
      fullPage: true,
      animations: 'disabled',
    });
    const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    if (over > 0) console.error(`${name} on a ${size} is ${over} px too wide.`);
    if (isSignedOut) await page.context().close();
  }
  await signedIn.context().close();
}
