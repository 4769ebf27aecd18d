import type { HistoryPoint, HomeHistory } from '../../api/valuations.ts';
import { formatMonth } from '../../parts/format.ts';

type Forecast = Pick<HomeHistory, 'forecast' | 'last_forecast_month'>;

const within = ({ forecast, last_forecast_month: last }: Forecast) =>
  forecast.filter(({ date }) => date.slice(0, 7) <= last);

/** Whether all months after the as-of date are later than the forecast. */
export function hasEnded(found: Forecast): boolean {
  return found.forecast.length > 0 && within(found).length === 0;
}

/**
 * The points of a forecast that the page names: in a year and at the end. Months after the end of the index's forecast
 * are no forecast: they only carry the value forward, so they are not named.
 */
export function forecastEnds(
  found: Forecast,
): readonly { readonly label: string; readonly point: HistoryPoint | undefined }[] {
  const named = within(found);
  const last = found.last_forecast_month;
  const [inAYear, end] = [named.at(11), named.at(-1)];
  if (!end) return [{ label: `Forecast, ended ${formatMonth(last)}`, point: undefined }];
  const isWhole = named.length === found.forecast.length;
  return [
    ...(inAYear ? [{ label: 'Next year', point: inAYear }] : []),
    ...(end === inAYear
      ? []
      : [
          {
            label: isWhole ? 'In two years' : `To ${formatMonth(last)}, the end of the forecast`,
            point: end,
          },
        ]),
  ];
}
