import type { PlaceInfo } from '../../api/places.ts';
import type { ValuationWarning } from '../../api/valuations.ts';
import { Notice } from '../../parts/notice.tsx';
import { UNKNOWN } from '../../parts/format.ts';

const MATCHED: Readonly<Record<PlaceInfo['match_level'], string>> = {
  point: 'given as coordinates',
  address: 'an address that is loaded',
  interpolated: 'between two house numbers of its street',
  street: 'known by its street alone',
  postal_code: 'known by its ZIP alone',
  city: 'known by its city alone',
};

/** Which place was found, and how closely. */
export function PlaceFound({
  found,
  warnings,
}: {
  readonly found: PlaceInfo;
  readonly warnings: readonly ValuationWarning[];
}) {
  const { formatted_address, county, state, postal_code, latitude, longitude, geohash8, match_level } = found;
  return (
    <div class="place-found">
      <h2>{formatted_address ?? 'A point without an address'}</h2>
      <dl class="place-facts">
        <Fact label="County">{[county, state].filter(Boolean).join(', ') || UNKNOWN}</Fact>
        <Fact label="ZIP">{postal_code || UNKNOWN}</Fact>
        <Fact label="Coordinates">
          {latitude?.toFixed(5)}, {longitude?.toFixed(5)}
        </Fact>
        <Fact label="Geohash">
          <code>{geohash8}</code>
        </Fact>
        <Fact label="Match type">{MATCHED[match_level]}</Fact>
      </dl>
      {warnings.length > 0 && (
        <Notice kind="warn" title="Note">
          {warnings.map(({ code, message }) => (
            <p key={code}>{message}</p>
          ))}
        </Notice>
      )}
    </div>
  );
}

function Fact({ label, children }: { readonly label: string; readonly children: preact.ComponentChildren }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
