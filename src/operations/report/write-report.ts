import { formatDay } from '../../domain/display-format.ts';
import { thinned } from '../../geo/areas/area-shape.ts';
import { censusAreasIn } from '../../places/census-areas.ts';
import type { PlaceDeps } from '../../places/deps.ts';
import type { Block, ReportDocument } from '../../reports/document.ts';
import { mapBounds } from '../../reports/map-figure.ts';
import { renderHtml } from '../../reports/render-html.ts';
import { renderMarkdown } from '../../reports/render-markdown.ts';
import { PAPERS, type ReportVersion } from '../../domain/report.ts';
import { renderPdf } from '../../reports/render-pdf.ts';
import type { ComputeMarketIndex } from '../market/market-requests.ts';
import { OUTLINE_MI } from '../market/outlines.ts';
import type { Markets } from '../market-data/markets.ts';
import { mapBackground } from './map-background.ts';
import { propertyReport } from './property-report.ts';
import { addressOf } from './report-sections.ts';
import { buildingReport, rentReport } from './rent-and-building-reports.ts';
import { readPinnedFacts } from './pinned-facts.ts';
import { requireVersion, type ReportInputs } from './report-request.ts';

interface ReportDeps {
  readonly markets: Markets;
  readonly places: PlaceDeps;
  readonly computeMarketIndex: ComputeMarketIndex;
}

const KINDS: Readonly<Record<ReportVersion, string>> = {
  owner: 'Valuation report for the owner',
  appraiser: 'Valuation report',
  appeal: 'Valuation report for an appeal',
};

/** @throws PlumblineError `conflict` for a valuation that has no report */
export async function writeReport(deps: ReportDeps, inputs: ReportInputs): Promise<Uint8Array> {
  const { valuation, account, options } = inputs;
  const { response, valuationId, createdAt } = valuation;
  const address = addressOf(response);
  const document: ReportDocument = {
    title: `Valuation of ${address}`,
    createdAt,
    masthead: { account: account.name, logo: account.logo, kind: KINDS[options.version] },
    blocks: await blocksOf(deps, inputs),
    footer: `${address} · ${formatDay(response.valuation.asOfDate)} · valuation ${valuationId}`,
  };
  switch (options.format) {
    case 'pdf':
      return renderPdf(document, options.paper);
    case 'html':
      return Buffer.from(renderHtml(document, options.linksToPdf ? PAPERS : []));
    case 'markdown':
      return Buffer.from(renderMarkdown(document));
  }
}

async function blocksOf(
  deps: ReportDeps,
  { valuation, challenge, options: { version, preparation }, verifyUrl }: ReportInputs,
): Promise<Block[]> {
  requireVersion(valuation, version);
  if (valuation.kind === 'rental') return rentReport(valuation.response, preparation, verifyUrl);
  if (valuation.kind === 'multifamily') return buildingReport(valuation.response, preparation, verifyUrl);
  const { inputs, response } = valuation;
  const comparables = response.comparables.items;
  const { lat, lon } = inputs.subject.home;
  const places = comparables.map(({ latitude, longitude }) => ({ lat: latitude, lon: longitude }));
  const box = mapBounds({ subject: { lat, lon }, comparables: places });
  const pinned = await readPinnedFacts(deps, inputs, comparables, box);
  const tracts = await censusAreasIn(deps.places, box, ['tract']);
  const outlines = tracts.map(({ shape }) => thinned(shape, OUTLINE_MI));
  const background = await mapBackground(deps.places, box);
  return propertyReport({
    version,
    preparation,
    response,
    inputs,
    challenge,
    pinned,
    outlines,
    background,
    verifyUrl,
  });
}
