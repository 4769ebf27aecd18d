import { readFileSync } from 'node:fs';

/** The part of package.json that is read here. */
interface PackageFile {
  readonly version: string;
}

// One folder above both the sources and the compiled program.
const PACKAGE: PackageFile = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

/** The version of this program. */
export const VERSION = PACKAGE.version;
