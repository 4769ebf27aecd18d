import { Session, type Profiler } from 'node:inspector/promises';

/** Time in a function, called along one path from the root; the paths below it by name. */
interface Frame {
  readonly name: string;
  readonly folder: string;
  ms: number;
  readonly calls: Map<string, Frame>;
}

const WIDTH = 1200;
const ROW = 18;
/** Narrower frames are left out, and shorter texts than this. */
const LEAST_PX = 1;
const PX_PER_CHARACTER = 6.4;
const LEAST_CHARACTERS = 4;
const SAMPLE_US = 200;
/** By folder of src/valuation. Others, such as Node's own, are gray. */
const COLORS: Readonly<Record<string, string>> = {
  trees: '#f2b872',
  model: '#f5dc8c',
  comparables: '#9cc9e8',
  geo: '#b5d9a8',
  imputation: '#d8b8e0',
  calibration: '#efb3b3',
};
const GRAY = '#dcdcdc';

/** Records where the time of some work goes. */
export async function profileOf(work: () => void): Promise<Profiler.Profile> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: SAMPLE_US });
  await session.post('Profiler.start');
  work();
  const { profile } = await session.post('Profiler.stop');
  session.disconnect();
  return profile;
}

/**
 * A flame graph as SVG: each bar is a function below the one that called it, as wide as its share of the time in `root`.
 * Functions without a name belong to their caller.
 */
export function drawFlameGraph(profile: Profiler.Profile, root: string, title: string): string {
  const top = framesBelow(profile, root);
  const bars: string[] = [];
  let depth = 0;
  const draw = (frame: Frame, x: number, level: number): void => {
    const width = (WIDTH * frame.ms) / top.ms;
    if (width < LEAST_PX) return;
    depth = Math.max(depth, level + 1);
    bars.push(barOf(frame, x, ROW * (level + 1.5), width, frame.ms / top.ms));
    let from = x;
    const calls = [...frame.calls.values()].sort((a, b) => b.ms - a.ms);
    for (const call of calls) {
      draw(call, from, level + 1);
      from += (WIDTH * call.ms) / top.ms;
    }
  };
  draw(top, 0, 0);
  const height = ROW * (depth + 3);
  const legend = Object.entries(COLORS)
    .map(([name, color], i) => {
      const x = 10 + i * 120;
      return `<rect x="${x}" y="${height - ROW}" width="12" height="12" fill="${color}"/><text x="${x + 16}" y="${height - 8}">${name}</text>`;
    })
    .join('');
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="11"><rect width="${WIDTH}" height="${height}" fill="#fff"/><text x="4" y="16" font-size="13">${escapeXml(title)}</text>${bars.join('')}${legend}</svg>\n`;
}

function barOf({ name, folder }: Frame, x: number, y: number, width: number, share: number): string {
  const characters = Math.floor((width - 6) / PX_PER_CHARACTER);
  const shown = name.length > characters ? `${name.slice(0, characters - 1)}…` : name;
  const text =
    characters < LEAST_CHARACTERS
      ? ''
      : `<text x="${(x + 3).toFixed(1)}" y="${y + 13}">${escapeXml(shown)}</text>`;
  const tip = `<title>${escapeXml(name)}: ${(100 * share).toFixed(1)}%</title>`;
  return `<g>${tip}<rect x="${x.toFixed(1)}" y="${y}" width="${width.toFixed(1)}" height="${ROW - 1}" fill="${COLORS[folder] ?? GRAY}"/>${text}</g>`;
}

/** The calls below all calls of a function, added up by their path. */
function framesBelow({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile, root: string): Frame {
  const selfMs = new Map<number, number>();
  samples.forEach((id, i) => selfMs.set(id, (selfMs.get(id) ?? 0) + (timeDeltas[i] ?? 0) / 1000));
  const nodeOf = new Map(nodes.map((node) => [node.id, node]));
  const top = frameOf(root, '');
  const add = (id: number, path: readonly Frame[]): void => {
    const node = nodeOf.get(id);
    if (node === undefined) return;
    const { functionName: name, url } = node.callFrame;
    const own = pathWith(path, name, folderOf(url), root, top);
    for (const frame of own) frame.ms += selfMs.get(id) ?? 0;
    for (const child of node.children ?? []) add(child, own);
  };
  if (nodes.length > 0) add(nodes[0].id, []);
  if (top.ms === 0) throw new Error(`The profile has no call of ${root}.`);
  return top;
}

/** The path to a call. It is empty outside the root. */
function pathWith(
  path: readonly Frame[],
  name: string,
  folder: string,
  root: string,
  top: Frame,
): readonly Frame[] {
  const caller = path.at(-1);
  if (caller === undefined) return name === root ? [top] : [];
  if (name === '') return path;
  const known = caller.calls.get(name) ?? frameOf(name, folder);
  caller.calls.set(name, known);
  return [...path, known];
}

function frameOf(name: string, folder: string): Frame {
  return { name, folder, ms: 0, calls: new Map() };
}

/** The last folder of a file. */
function folderOf(url: string): string {
  return url.split('/').at(-2) ?? '';
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
