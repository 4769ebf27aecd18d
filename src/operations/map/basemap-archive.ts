import { createHash } from 'node:crypto';
import { open, stat, type FileHandle } from 'node:fs/promises';
import { PMTiles, TileType, type Header, type RangeResponse, type Source } from 'pmtiles';
import { isJsonObject, type JsonValue } from '../../domain/json.ts';
import { usageError } from '../../errors.ts';
import { isTile, type TilePlace } from '../../geo/map-tile.ts';

/** Names of layers and their attributes in an archive of vector tiles. The console has a style for each. */
export const BASEMAP_SCHEMAS = ['protomaps', 'openmaptiles', 'images'] as const;
type BasemapSchema = (typeof BASEMAP_SCHEMAS)[number];

/** The operator's archive of map tiles (BASEMAP_PMTILES). */
export interface BasemapArchive {
  readonly schema: BasemapSchema;
  readonly minZoom: number;
  readonly maxZoom: number;
  /** Plain text. */
  readonly attribution: string;
  readonly contentType: string;
  /** Changes with the file. */
  readonly version: string;
  /** Null where the archive has no tile. */
  readonly tile: (place: TilePlace) => Promise<Uint8Array | null>;
  readonly close: () => Promise<void>;
}

const CONTENT_TYPES: Readonly<Record<number, string>> = {
  [TileType.Mvt]: 'application/vnd.mapbox-vector-tile',
  [TileType.Png]: 'image/png',
  [TileType.Jpeg]: 'image/jpeg',
  [TileType.Webp]: 'image/webp',
  [TileType.Avif]: 'image/avif',
};

/** @throws PlumblineError `usage` if the file is not an archive that can be served */
export async function openBasemapArchive(path: string): Promise<BasemapArchive> {
  const fault = (what: string, cause?: unknown) =>
    usageError(
      `BASEMAP_PMTILES is "${path}": ${what}. Name a PMTiles archive (version 3), or leave the setting out.`,
      cause,
    );
  const file = await open(path, 'r').catch((cause: unknown) => {
    throw fault('the file cannot be opened', cause);
  });
  try {
    const archive = new PMTiles(sourceOf(path, file));
    const header = await archive.getHeader();
    const contentType = CONTENT_TYPES[header.tileType];
    if (contentType === undefined) throw fault(`its tiles have type ${header.tileType}, which is not known`);
    const metadata: JsonValue = JSON.parse(JSON.stringify((await archive.getMetadata()) ?? {}));
    const schema = schemaOf(header, metadata);
    if (schema === null) {
      throw fault('its layers are neither those of Protomaps nor those of OpenMapTiles');
    }
    const { size, mtimeMs } = await stat(path);
    const version = createHash('sha256').update(`${path} ${size} ${mtimeMs}`).digest('hex').slice(0, 16);
    return {
      schema,
      minZoom: header.minZoom,
      maxZoom: header.maxZoom,
      attribution: attributionOf(metadata),
      contentType,
      version,
      tile: async (place) => {
        if (!isTile(place)) return null;
        const found = await archive.getZxy(place.z, place.x, place.y);
        return found ? new Uint8Array(found.data) : null;
      },
      close: () => file.close(),
    };
  } catch (cause) {
    await file.close();
    if (cause instanceof Error && cause.name === 'PlumblineError') throw cause;
    throw fault(
      `it is not readable as PMTiles (${cause instanceof Error ? cause.message : String(cause)})`,
      cause,
    );
  }
}

function sourceOf(path: string, file: FileHandle): Source {
  return {
    getKey: () => path,
    async getBytes(offset, length): Promise<RangeResponse> {
      const bytes = new Uint8Array(length);
      const { bytesRead } = await file.read(bytes, 0, length, offset);
      return { data: bytes.buffer.slice(0, bytesRead) };
    },
  };
}

/** Recognized by layers that only one of the schemas has. */
function schemaOf({ tileType }: Header, metadata: JsonValue): BasemapSchema | null {
  if (tileType !== TileType.Mvt) return 'images';
  const layers =
    isJsonObject(metadata) && Array.isArray(metadata.vector_layers) ? metadata.vector_layers : [];
  const ids = layers.flatMap((layer) => (isJsonObject(layer) ? [layer.id] : []));
  if (ids.includes('transportation')) return 'openmaptiles';
  return ids.includes('roads') ? 'protomaps' : null;
}

/** Archives of OpenStreetMap must name it, also if their own attribution is missing. */
const DEFAULT_ATTRIBUTION = '© OpenStreetMap contributors';

/** Attributions are HTML, often with links: their text is shown. */
function attributionOf(metadata: JsonValue): string {
  const given = isJsonObject(metadata) ? metadata.attribution : null;
  const text = typeof given === 'string' ? given.replaceAll(/<[^>]*>/g, '').trim() : '';
  return text === '' ? DEFAULT_ATTRIBUTION : text.slice(0, 300);
}
