import { zxyToTileId } from 'pmtiles';
import type { TilePlace } from '../../../src/geo/map-tile.ts';

const HEADER_BYTES = 127;
const NO_COMPRESSION = 1;

function varint(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return [...bytes, rest];
}

/** A PMTiles archive (version 3) of one tile: https://github.com/protomaps/PMTiles/blob/main/spec/v3/spec.md */
export function pmtilesBytes(
  { z, x, y }: TilePlace,
  tile: Buffer,
  {
    metadata = {},
    tileType = 1,
    tileCompression = NO_COMPRESSION,
  }: { readonly metadata?: object; readonly tileType?: number; readonly tileCompression?: number } = {},
): Buffer {
  // One entry: its tile id, run length, length, and offset + 1.
  const directory = Buffer.from([1, zxyToTileId(z, x, y), 1, tile.length, 0 + 1].flatMap(varint));
  const json = Buffer.from(JSON.stringify(metadata));
  const header = Buffer.alloc(HEADER_BYTES);
  header.write('PMTiles');
  header[7] = 3;
  const parts = [directory, json, Buffer.alloc(0), tile];
  let offset = HEADER_BYTES;
  parts.forEach((part, i) => {
    header.writeBigUInt64LE(BigInt(offset), 8 + 16 * i);
    header.writeBigUInt64LE(BigInt(part.length), 16 + 16 * i);
    offset += part.length;
  });
  for (const at of [72, 80, 88]) header.writeBigUInt64LE(1n, at);
  header[96] = 1;
  header[97] = NO_COMPRESSION;
  header[98] = tileCompression;
  header[99] = tileType;
  header[100] = z;
  header[101] = z;
  return Buffer.concat([header, ...parts]);
}
