/** Imputation of unknown attributes from nearby homes (kNN donors). */
export const IMPUTATION = {
  /**
   * Number of donors. 8 listings, some from the building itself, do as well as 15 (sample county,
   * sizes unknown: 4.2 % with 8, 4.4 % with 15), and a request of 100 units takes half the time.
   */
  donors: { sales: 15, rents: 8 },
  /**
   * Nearest homes from which the most similar donors are selected. The 60 nearest listings can be
   * of three buildings. Sample county, sizes unknown, 5+ units: one listing per building of 60 left
   * 3 donors, 4.95 % MdAPE and 85.7 % coverage of the 90 % interval; six per building of 160 give
   * 4.5 % and 92.3 %.
   */
  candidates: { sales: 60, rents: 160 },
  /** Attributes known of a smaller share of homes are left to the model as unknown. */
  knownShare: 0.5,
  /** Factor on a donor's weight for each missing attribute that it does not have either. */
  unknownWorth: 0.25,
} as const;
