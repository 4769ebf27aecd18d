import type { HistoryPoint, HomeHistory } from '../../api/valuations.ts';
import { formatMonth } from '../../parts/format.ts';

/**
 * The points of a forecast that the page names: in a year and at the end. Months after the end of the index's forecast
 * are no forecast: they only carry the value forward, so they are not named.
 */
export function forecastEnds({
  forecast,
  last_forecast_month: last,
}: Pick<HomeHistory, 'forecast' | 'last_forecast_month'>): readonly {
  readonly label: string;
  readonly point: HistoryPoint | undefined;
}[] {
  const within = forecast.filter(({ date }) => date.slice(0, 7) <= last);
  const [inAYear, end] = [within.at(11), within.at(-1)];
  if (!end) return [{ label: `Forecast, ended ${formatMonth(last)}`, point: undefined }];
  const isWhole = within.length === forecast.length;
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
