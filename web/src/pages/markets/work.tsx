import type { MarketWork } from '../../api/markets.ts';
import { formatAgo, formatMoment, formatPercent } from '../../parts/format.ts';
import { Notice } from '../../parts/notice.tsx';
import { Section } from '../../parts/page.tsx';
import { Progress } from '../../parts/progress.tsx';
import { workTitle } from './words.ts';

/** What is being done to the market, and what ended without a word. Nothing where nothing is. */
export function Work({ work }: { readonly work: readonly MarketWork[] }) {
  const lost = work.filter(({ state }) => state === 'lost');
  const open = work.filter(({ state }) => state !== 'lost');
  return (
    <>
      {open.length > 0 && (
        <Section title="Now" lead="Told anew every two seconds.">
          <div class="card stack">
            {open.map((each) => (
              <OpenWork key={`${each.task} ${each.kind} ${each.begun_at}`} work={each} />
            ))}
          </div>
        </Section>
      )}
      {lost.map((each) => (
        <Notice
          key={`${each.task} ${each.kind} ${each.begun_at}`}
          kind="warn"
          title={`${workTitle(each)} ended without a word`}
        >
          Begun {formatMoment(each.begun_at)}; its last sign of life was {formatAgo(each.seen_at, new Date())}
          {each.step && ` (${each.step})`}. Nothing of it is in force. Whoever ran it can run the same command
          again.
        </Notice>
      ))}
    </>
  );
}

function OpenWork({ work }: { readonly work: MarketWork }) {
  const { state, step, share, begun_at } = work;
  const title = workTitle(work);
  if (state === 'queued') {
    return (
      <p>
        <strong>{title}</strong> waits in the queue since {formatMoment(begun_at)}. A process that serves or
        works takes it up.
      </p>
    );
  }
  return (
    <Progress
      label={
        <>
          <strong>{title}</strong>: {step ?? 'beginning'}
          {share !== null && `, ${formatPercent(share, 0)} of this step`}
        </>
      }
      {...(share === null ? {} : { value: share })}
      note={`Begun ${formatAgo(begun_at, new Date())}`}
    />
  );
}
