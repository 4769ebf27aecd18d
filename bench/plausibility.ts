/**
 * Samples the values of a market for what an expert would not believe: values of another property, jumps after
 * small changes, ranges that do not widen, and adjustments that nobody would sign. Prints one row per check,
 * with its goal and, for Milwaukee and King, the figure before these classes were worked on:
 *
 *   node bench/plausibility.ts --market wi-milwaukee --as-of 2022-12-31
 *   node bench/plausibility.ts --market wa-king --as-of 2015-05-28 --json
 *   node bench/plausibility.ts --market ny-nyc --as-of 2026-11-23      rents only
 *
 * The market must be imported and have a model for the as-of date (`plumbline train --as-of`). Nothing is written.
 * About five minutes.
 */
import { parseArgs } from 'node:util';
import { withStore } from '../src/cli/configured-store.ts';
import { parseDay } from '../src/domain/day.ts';
import { measuredBefore } from './plausibility/before.ts';
import { checkAdjustments } from './plausibility/adjustments.ts';
import { checkImplausible, checkImplausibleRents } from './plausibility/implausible.ts';
import { checkRightProperty } from './plausibility/right-property.ts';
import { checkSalesUsed } from './plausibility/sales-used.ts';
import { openSampledMarket, type Finding, type SampledMarket } from './plausibility/sampling.ts';
import { checkStaleness } from './plausibility/staleness.ts';
import { checkSteps } from './plausibility/steps.ts';
import { checkUnsoldParcels } from './plausibility/unsold-parcels.ts';
import { checkUncertainty } from './plausibility/uncertainty.ts';

const { values: options } = parseArgs({
  options: { market: { type: 'string' }, 'as-of': { type: 'string' }, json: { type: 'boolean' } },
});
const asOf = parseDay(options['as-of'] ?? '');
if (!options.market || asOf === null) throw new Error('give --market ID and --as-of YYYY-MM-DD');
const { market: marketId } = options;

const CHECKS: readonly ((market: SampledMarket) => Promise<Finding[]>)[] = [
  checkRightProperty,
  checkUnsoldParcels,
  checkSalesUsed,
  checkStaleness,
  checkImplausible,
  checkUncertainty,
  checkSteps,
  checkAdjustments,
];

await withStore(async (store) => {
  const findings: Finding[] = [];
  const run = async (market: SampledMarket | null, checks: typeof CHECKS): Promise<void> => {
    if (market === null) return;
    for (const check of checks) {
      findings.push(...(await check(market)));
      console.error(`${check.name}: done`);
    }
  };
  await run(await openSampledMarket(store, marketId, asOf), CHECKS);
  await run(await openSampledMarket(store, marketId, asOf, 'rental'), [checkImplausibleRents]);
  if (options.json) console.log(JSON.stringify(findings, null, 2));
  else {
    console.log('| check | before | now | goal | n |');
    console.log('| --- | --- | --- | --- | --- |');
    for (const { check, measured, goal, n } of findings) {
      const before = measuredBefore(marketId, check);
      console.log(`| ${check} | ${before} | ${measured} | ${goal} | ${n.toLocaleString('en-US')} |`);
    }
  }
});
