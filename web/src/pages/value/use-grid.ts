import { useMemo, useState } from 'preact/hooks';
import type { Valued } from '../../api/valuations.ts';
import { rentGrid, saleGrid, type Grid } from './grid.ts';

/** The comparables as the grid and the map show them, and which of them is looked at. */
export interface ShownGrid {
  readonly grid: Grid | null;
  readonly selected: string | null;
  /** Looks at it; at none where it is looked at already. */
  readonly select: (id: string) => void;
  /** Of rents the unit that the listings are adjusted to. */
  readonly unit: number;
  readonly setUnit: (unit: number) => void;
}

export function useGrid(valued: Valued | null): ShownGrid {
  const [selected, setSelected] = useState<string | null>(null);
  const [chosenUnit, setUnit] = useState(0);
  const units = valued?.kind === 'rent' ? valued.answer.valuation.units.length : 1;
  const unit = chosenUnit < units ? chosenUnit : 0;
  const grid = useMemo(() => (valued === null ? null : gridOf(valued, unit)), [valued, unit]);
  const select = (id: string): void => setSelected((before) => (before === id ? null : id));
  return { grid, selected, select, unit, setUnit };
}

function gridOf(valued: Valued, unit: number): Grid {
  return valued.kind === 'rent'
    ? rentGrid(valued.answer.comparables.items, unit)
    : saleGrid(valued.answer.comparables.items);
}
