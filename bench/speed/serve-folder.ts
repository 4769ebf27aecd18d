import { startServer } from './http.ts';

/** Starts `plumbline serve` on a data folder. */
export function serveFolder(dataDir: string, environment: Readonly<Record<string, string>>) {
  return startServer((port) => ({
    args: ['--max-semi-space-size=4', 'bin/plumbline.js', 'serve'],
    environment: {
      PLUMBLINE_DATA: dataDir,
      DATABASE_URL: '',
      PORT: String(port),
      LOG_LEVEL: 'warn',
      ...environment,
    },
  }));
}

/** Values a home of three bedrooms and one bathroom, and says how long that took. */
export async function timeValue(
  url: string,
  key: string,
  { address, date }: { readonly address: string; readonly date?: string },
): Promise<{ readonly ms: number; readonly valuationId: string }> {
  const startedAt = performance.now();
  const response = await fetch(`${url}/v1/avm/property`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key },
    body: JSON.stringify({
      location: { address },
      property_fields: { beds: 3, baths: 1 },
      search_params: { num_comps: 0, ...(date && { date }) },
    }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`the service answered ${response.status}: ${text}`);
  return { ms: performance.now() - startedAt, valuationId: JSON.parse(text).valuation.valuation_id };
}
