import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { SampleCounty } from '../sample-county.ts';
import { csvLines } from '../write-sample-county.ts';
import { censusAreaFile, censusValueFiles } from './census-files.ts';
import { fireRasterFile } from './fire-raster.ts';
import { floodAreaFile } from './flood-areas.ts';
import { incidentRows } from './incidents.ts';
import type { SampleFile } from './sample-file.ts';

/** The layers that lie over the county, each in its publisher's own format. */
export function samplePlaceFiles(county: SampleCounty) {
  return {
    censusAreas: [censusAreaFile(county, 2020), censusAreaFile(county, 2010)],
    censusValues: censusValueFiles(county),
    crime: [{ name: 'generated-crime.csv', chunks: csvLines(incidentRows(county)) }],
    fire: [fireRasterFile()],
    flood: [floodAreaFile()],
  } satisfies Record<string, SampleFile[]>;
}

export type SamplePlacePaths = Readonly<Record<keyof ReturnType<typeof samplePlaceFiles>, readonly string[]>>;

/** Writes all of them to a folder. */
export async function writeSamplePlaces(county: SampleCounty, dir: string): Promise<SamplePlacePaths> {
  await mkdir(dir, { recursive: true });
  const files = samplePlaceFiles(county);
  const write = async (ofLayer: readonly SampleFile[]): Promise<string[]> => {
    const paths: string[] = [];
    for (const { name, chunks } of ofLayer) {
      const path = join(dir, name);
      await pipeline(Readable.from(chunks), createWriteStream(path));
      paths.push(path);
    }
    return paths;
  };
  return {
    censusAreas: await write(files.censusAreas),
    censusValues: await write(files.censusValues),
    crime: await write(files.crime),
    fire: await write(files.fire),
    flood: await write(files.flood),
  };
}
