import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiDeps } from '../../route.ts';
import { headerText, pathParameter } from '../../request-context.ts';

/**
 * A browser asks again after so long whether a tile still holds; that costs no drawing. Kept by it alone: the map shows what
 * was loaded here.
 */
const KEPT = 'private, max-age=60';

/** A square of the map; 304 where the browser has it as it is. */
export async function getMapTile(
  deps: ApiDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const number = (name: string): number => {
    const text = pathParameter(request, name);
    return /^\d{1,8}$/.test(text) ? Number(text) : Number.NaN;
  };
  const { mapTiles } = deps;
  const place = { z: number('z'), x: number('x'), y: number('y') };
  const version = await mapTiles.version();
  const known = headerText(request.headers['if-none-match']) ?? '';
  const isKnown = known.includes(`"${version}"`);
  const tile = isKnown ? null : await mapTiles.tile(place);
  reply.header('cache-control', KEPT).header('etag', `"${tile?.version ?? version}"`);
  if (tile === null) return reply.code(304).send();
  return reply.type('application/vnd.mapbox-vector-tile').send(Buffer.from(tile.bytes));
}
