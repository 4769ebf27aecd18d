import { NEIGHBOURHOODS, NORTH_STREETS, SOUTH_STREETS, WEST_AVENUES } from './town-plan.ts';

export type Heading = 'ew' | 'ns';

export interface Street {
  /** Direction of the half of town: E or W of Division Avenue, N or S of Main Street. */
  readonly direction: 'N' | 'S' | 'E' | 'W';
  readonly name: string;
  readonly type: string;
}

const OWN_TYPES = ['Ln', 'Dr', 'Ct', 'Way', 'Ter', 'Cir'] as const;

/**
 * Names streets by line: line 0 is Main Street (east–west) or Division Avenue (north–south), lines ±1, ±2 …
 * lie 330 ft apart. A name belongs to one line, and numbers count along the line from the axis, so that every
 * address in town is different.
 */
export function createStreetNames(): (
  heading: Heading,
  line: number,
  column: number,
  hood: number,
) => Street {
  const own = new Map<string, string>();
  const used = NEIGHBOURHOODS.map(() => 0);
  return (heading, line, column, hood) => {
    const direction = directionOf(heading, column);
    const { streetWords } = NEIGHBOURHOODS[hood];
    if (streetWords.length === 0 || line === 0) return { direction, ...gridStreet(heading, line) };
    const key = `${hood} ${heading} ${line}`;
    const known = own.get(key);
    if (known === undefined) own.set(key, streetWords[used[hood]++ % streetWords.length]);
    const name = own.get(key) ?? '';
    return { direction, name, type: OWN_TYPES[Math.abs(line * 5 + hood) % OWN_TYPES.length] };
  };
}

function directionOf(heading: Heading, column: number): Street['direction'] {
  if (heading === 'ew') return column >= 0 ? 'E' : 'W';
  return column >= 0 ? 'N' : 'S';
}

function gridStreet(heading: Heading, line: number): { name: string; type: string } {
  const steps = Math.abs(line);
  if (heading === 'ew') {
    const name = (line >= 0 ? NORTH_STREETS : SOUTH_STREETS)[steps];
    return { name, type: steps % 6 === 5 ? 'Blvd' : 'St' };
  }
  if (line > 0) return { name: ordinal(line), type: 'Ave' };
  return { name: WEST_AVENUES[steps], type: steps % 6 === 4 ? 'Pkwy' : 'Ave' };
}

function ordinal(n: number): string {
  const tens = n % 100;
  const suffix = tens >= 11 && tens <= 13 ? 'th' : (['th', 'st', 'nd', 'rd'][n % 10] ?? 'th');
  return `${n}${suffix}`;
}
