/**
 * A house number as one number that grows along its street; null where it has no digits. "45-12" counts blocks before
 * houses, as in Queens; of a grid number ("W156N8480") the last part runs along the street.
 */
export function houseOrder(number: string): number | null {
  const queens = /^(\d{1,6})-(\d{1,3})$/.exec(number);
  if (queens) return Number(queens[1]) * 1000 + Number(queens[2]);
  const last = /(\d{1,9})\D*$/.exec(number);
  return last ? Number(last[1]) : null;
}
