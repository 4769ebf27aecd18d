import { useLocation } from 'preact-iso/router';
import { useState } from 'preact/hooks';
import { readUsage } from '../../api/account.ts';
import { useRequest } from '../../api/use-request.ts';
import { Notice } from '../../parts/basics.tsx';
import { Segments } from '../../parts/field.tsx';
import { AddressForm } from '../../parts/map/address-form.tsx';
import { Page } from '../../parts/page.tsx';
import { mayLeave } from '../../parts/unsaved-changes.ts';
import { useSession } from '../../shell/session-context.tsx';
import { AsOfDate } from './as-of.tsx';
import { ComparablesMap } from './comparables-map.tsx';
import { costSentence } from './cost.ts';
import { FIRST_VIEW } from './grid.ts';
import { PropertyPage } from './property-page.tsx';
import { StoredValuation } from './stored-valuation.tsx';
import { useComparables } from './use-comparables.ts';
import {
  asKind,
  atPlace,
  invalidDateIn,
  isSameSubject,
  readQuery,
  writeQuery,
  type Go,
  type Kind,
  type ValueRequest,
} from './value-request.ts';
import './value.css';

const KIND_CHOICES = [
  { value: 'home', label: 'Home value' },
  { value: 'rent', label: 'Rent' },
  { value: 'building', label: 'Multifamily' },
] as const satisfies readonly { readonly value: Kind; readonly label: string }[];

/** Values a home, a rent or a building. The page's URL contains the whole request. */
export default function ValuePage() {
  const { query, path, route } = useLocation();
  const request = readQuery(query);
  // Remounts the controls, which already show what the user then did not want.
  const [declined, setDeclined] = useState(0);
  const go: Go = (next, isNewPlace = false) => {
    // Changes of comparables are of one property on one date.
    if (isSameSubject(request, next) || mayLeave()) route(`${path}?${writeQuery(next)}`, !isNewPlace);
    else setDeclined((times) => times + 1);
  };
  const form = (
    <div class="place-form">
      <Segments
        key={declined}
        aria-label="What to value"
        choices={KIND_CHOICES}
        value={request.kind}
        onChange={(kind) => go(asKind(request, kind))}
      />
      <AddressForm
        where={request.where}
        action="Value"
        onWhere={(where) => go(atPlace(request, where), true)}
      />
    </div>
  );
  const invalidDate = invalidDateIn(query);
  const dateNotice = invalidDate !== null && (
    <Notice kind="warn" title="The date in the address of this page is invalid">
      “{invalidDate.slice(0, 40)}” is not a date such as 2026-06-30. The as-of date is today.
    </Notice>
  );
  if (request.where !== null) {
    return (
      <PropertyPage
        request={request}
        where={request.where}
        go={go}
        declined={declined}
        form={form}
        notice={dateNotice}
      />
    );
  }
  if (query.valuation) {
    return (
      <StoredValuation
        id={query.valuation}
        revisedId={query.revise ?? null}
        onAgain={(past) => go(past, true)}
      />
    );
  }
  return (
    <Page
      title="Value"
      lead="Value a home, a rent or a multifamily building, with a prediction range and comparables."
      actions={<AsOfDate request={request} described={null} onDate={(date) => go({ ...request, date })} />}
      isWide
    >
      {form}
      {dateNotice}
      <p class="quiet">
        Enter an address, or click a location on the map. <Cost request={request} />
      </p>
      <EmptyMap request={request} go={go} />
    </Page>
  );
}

/** What the next value costs. Once a property is shown, its changes are free. */
function Cost({ request }: { readonly request: ValueRequest }) {
  const { prices } = useSession().session;
  const usage = useRequest((signal) => readUsage(null, signal), []);
  // At once, so that the map below does not move under the pointer.
  return prices && costSentence(prices, request, usage.data?.credits_remaining ?? null);
}

/** The map before a property is chosen. */
function EmptyMap({ request, go }: { readonly request: ValueRequest; readonly go: Go }) {
  const [view, setView] = useState(FIRST_VIEW);
  const shown = useComparables(null, view, setView);
  return <ComparablesMap shown={shown} onPick={(where) => go(atPlace(request, where), true)} />;
}
