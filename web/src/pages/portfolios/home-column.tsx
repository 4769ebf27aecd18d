import { pathOfValuation } from '../../api/batches.ts';
import type { WatchedHome } from '../../api/portfolios.ts';
import type { Column } from '../../parts/table.tsx';

export type NamedHome = Pick<WatchedHome, 'property_id' | 'formatted_address' | 'valuation_id'>;

/** What a home is called. */
export function nameOfHome({ property_id: name, formatted_address: address }: NamedHome): string {
  return name ?? address ?? 'home';
}

/** The reference and address of a home, with a link to its value. */
export const HOME: Column<NamedHome> = {
  label: 'Home',
  isRowHeader: true,
  isText: true,
  cell: (home) => {
    const { property_id: name, formatted_address: address, valuation_id: valuation } = home;
    const label = nameOfHome(home);
    return (
      <>
        {valuation ? <a href={pathOfValuation(valuation)}>{label}</a> : label}
        {name && address && <span class="quiet small second-line">{address}</span>}
      </>
    );
  },
};
