import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { test } from 'node:test';
import { parser } from '@prometheus-io/lezer-promql';
import { parse } from 'yaml';
import { createMetrics } from '../src/metrics.ts';
import { registerServiceGauges } from '../src/operations/service-gauges.ts';
import { createSharedMemory } from '../src/threads/shared-memory.ts';
import { storeOf, townMarkets } from './api-fixture.ts';
import type { Json } from './json.ts';

const textOf = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
const alerts: Json[] = parse(textOf('deploy/monitoring/alerts.yaml')).groups.flatMap(
  ({ rules }: Json) => rules,
);
const dashboard: Json = JSON.parse(textOf('deploy/monitoring/grafana-dashboard.json'));
const panels: Json[] = dashboard.panels.filter(({ type }: Json) => type !== 'row');

/** The names of the metrics in an expression, or why it is none. */
function metricsIn(expr: string): string[] {
  const names: string[] = [];
  parser.parse(expr).iterate({
    enter({ type, from, to }) {
      if (type.isError) assert.fail(`"${expr}" has a syntax error at ${from}`);
      if (type.name === 'Identifier' && !['le', 'by'].includes(expr.slice(from, to)))
        names.push(expr.slice(from, to));
    },
  });
  return names;
}

/** Every metric that a server publishes. */
function publishedMetrics() {
  const metrics = createMetrics();
  const clock = () => new Date();
  registerServiceGauges({
    store: storeOf([], clock),
    markets: townMarkets(),
    clock,
    metrics,
    config: { dataDir: tmpdir() },
    measureNewerSales: async () => null,
    memory: createSharedMemory(),
    onTrouble: () => {},
  });
  return metrics.registry.getMetricsAsArray();
}

/** The series of a metric, as Prometheus stores them. */
function seriesOf({ name, type }: ReturnType<typeof publishedMetrics>[number]): string[] {
  return String(type) === 'histogram' ? ['_bucket', '_count', '_sum'].map((end) => name + end) : [name];
}

test('alert rules and the dashboard use only metrics that a server publishes, in valid PromQL', () => {
  const published = new Set(['up', ...publishedMetrics().flatMap(seriesOf)]);
  const exprs = [
    ...alerts.map(({ expr }) => String(expr)),
    ...panels.flatMap(({ targets }) => targets.map(({ expr }: Json) => String(expr))),
  ];
  assert.ok(exprs.length > 25);
  for (const expr of exprs) {
    const used = metricsIn(expr);
    assert.ok(used.length > 0, expr);
    for (const name of used) assert.ok(published.has(name), `${name} in "${expr}" is not published`);
  }
  assert.throws(() => metricsIn('sum by (status) rate('), /syntax error/);
});

test('every alert says what happens and what to do, and the panels do not overlap', () => {
  for (const { alert, annotations, labels } of alerts) {
    assert.ok(annotations.summary && annotations.action, alert);
    assert.ok(['page', 'ticket'].includes(labels.severity), alert);
  }
  const places = new Set(panels.map(({ gridPos }) => `${gridPos.x} ${gridPos.y}`));
  assert.equal(places.size, panels.length);
});

test('the documentation lists every metric of ours and every alert', () => {
  const page = textOf('docs/operations/monitoring.md');
  const own = publishedMetrics().filter(({ name }) => !/^(nodejs|process)_/.test(name));
  for (const { name } of own) assert.ok(page.includes(`\`${name}\``), `${name} is not documented`);
  for (const { alert } of alerts) assert.ok(page.includes(`\`${alert}\``), `${alert} is not documented`);
});
