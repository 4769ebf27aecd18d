import { accessSync, constants } from 'node:fs';
import process from 'node:process';
import { chromium, type Browser } from 'playwright-core';

/** Set by .ci/run, where browser tests must not be skipped. */
const REQUIRE_CHROMIUM = 'PLUMBLINE_TEST_REQUIRE_CHROMIUM';

const PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/snap/bin/chromium',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** The machine's own browser. None is downloaded. */
export function findChromium(): { readonly path: string } | { readonly missing: string } {
  const path = PLACES.find(isProgram);
  if (path !== undefined) return { path };
  const missing =
    'no Chromium was found; install one (Debian: apt-get install chromium) to run the tests of the console';
  if (process.env[REQUIRE_CHROMIUM] === '1') throw new Error(`${REQUIRE_CHROMIUM}=1, but ${missing}`);
  return { missing };
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Blocks the browser's own network requests and every host name except this machine's. The CPU renders WebGL.
 */
export async function launchChromium(path: string): Promise<Browser> {
  return chromium.launch({
    executablePath: path,
    args: [
      '--no-sandbox',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      // The address bar's menu, which no test sees, is a page and a process for each context.
      '--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup',
      // Without a graphics card, using SwiftShader only for maps takes a third less CPU time.
      '--disable-gpu-rasterization',
      '--disable-gpu-compositing',
      '--use-gl=angle',
      '--use-angle=swiftshader',
      '--enable-unsafe-swiftshader',
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1',
    ],
  });
}
