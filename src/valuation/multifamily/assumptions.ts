/** The operator's own figures for a market; null = the market's figure or the default is used. */
export interface OperatorAssumptions {
  readonly vacancy: OperatorFigure | null;
  readonly expenseRatio: OperatorFigure | null;
  readonly capRate: OperatorFigure | null;
  readonly grossRentMultiplier: OperatorFigure | null;
}

export interface OperatorFigure {
  readonly value: number;
  /** Standard deviation; 0 = certain. */
  readonly spread: number;
}

/** A figure that an approach uses. `spread` is a standard deviation in the figure's own unit. */
export interface Assumption {
  readonly value: number;
  readonly source: 'market' | 'operator' | 'default';
  readonly spread: number;
}

export const NO_ASSUMPTIONS: OperatorAssumptions = {
  vacancy: null,
  expenseRatio: null,
  capRate: null,
  grossRentMultiplier: null,
};

/** Names in the operator's file, and limits of the values. */
export const ASSUMPTION_LIMITS = {
  vacancy: { key: 'vacancy', least: 0, most: 0.5 },
  expenseRatio: { key: 'expense_ratio', least: 0, most: 0.9 },
  capRate: { key: 'cap_rate', least: 0.005, most: 0.4 },
  grossRentMultiplier: { key: 'gross_rent_multiplier', least: 1, most: 60 },
} as const satisfies Record<keyof OperatorAssumptions, { key: string; least: number; most: number }>;

/**
 * Defaults. With a cap rate from the market's own sales they hardly change a value, because the
 * sales' incomes are computed in the same way as the building's. With an operator's cap rate they
 * do.
 */
const DEFAULTS = {
  /** Census Bureau, Housing Vacancy Survey: US rentals had 5.6 to 7.3 % in 2015–2024. */
  vacancy: { value: 0.065, spread: 0.02 },
  /**
   * Operating expenses with taxes, as a share of effective gross income. Surveys of professionally
   * managed apartments report 35 to 45 % (National Apartment Association, annual survey of income
   * and expenses); owners of 2–4 units pay no manager.
   */
  smallBuildings: 0.35,
  largeBuildings: 0.4,
  /** Per decade of age after the first: old buildings cost more to maintain. */
  perDecade: 0.01,
  mostDecades: 5,
  expenseSpread: 0.06,
} as const;

export function vacancyOf(operator: OperatorAssumptions): Assumption {
  if (operator.vacancy !== null) return { ...operator.vacancy, source: 'operator' };
  return { ...DEFAULTS.vacancy, source: 'default' };
}

/** @param ageYears null = unknown */
export function expenseRatioOf(
  operator: OperatorAssumptions,
  units: number,
  ageYears: number | null,
): Assumption {
  if (operator.expenseRatio !== null) return { ...operator.expenseRatio, source: 'operator' };
  const bySize = units <= 4 ? DEFAULTS.smallBuildings : DEFAULTS.largeBuildings;
  const decades = Math.min(DEFAULTS.mostDecades, Math.max(0, (ageYears ?? 0) / 10 - 1));
  return {
    value: bySize + DEFAULTS.perDecade * decades,
    source: 'default',
    spread: DEFAULTS.expenseSpread,
  };
}

/** Net operating income as a share of gross rent: after vacancy and expenses. */
export function netShareOf(vacancy: Assumption, expenseRatio: Assumption): number {
  return (1 - vacancy.value) * (1 - expenseRatio.value);
}
