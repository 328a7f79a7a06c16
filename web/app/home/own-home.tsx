import { shortAddress } from '@bowline/core/domain/readable';
import { WAD } from '@bowline/core/domain/units';
import type { Address } from 'viem';
import { Link } from 'wouter';
import { isTimeOld, timesOf } from '../api/freshness.ts';
import { useMoment } from '../api/use-moment.ts';
import { useChainTime } from '../chain/use-clock.ts';
import { useOverview } from '../chain/use-overview.ts';
import { Notice } from '../parts/notice.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { useSettings } from '../settings.tsx';
import { actionWords } from '../words/en/action-items.ts';
import { homeWords } from '../words/en/home.ts';
import { barPlace } from '../words/health.ts';
import { asOfTime } from '../words/times.ts';
import { actionItemsOf } from './action-items.ts';
import { ActivityRow } from './activity-row.tsx';
import type { ActionItem } from './known.ts';
import { type Figure, figuresOf, isDelay, lastOf, noneOf, unlookedWords } from './state.ts';
import { useKnown } from './use-known.ts';

interface Props {
  readonly owner: Address;
  /** Whether the owner's own wallet is connected; otherwise the action items are view-only. */
  readonly isOwn: boolean;
}

/** One account's state, action items and latest activity. */
export function OwnHome({ owner, isOwn }: Props) {
  const settings = useSettings();
  const { data } = useOverview(owner, { every: 5_000 });
  const now = useChainTime();
  const moment = useMoment();
  const { known, sure } = useKnown(data, now, moment);
  if (known === undefined) return <Skeleton lines={4} label={homeWords.reading} />;
  const actionItems = actionItemsOf(known, settings);
  const waits = actionItems.filter(({ isWait }) => isWait);
  const needed = actionItems.filter(({ isWait }) => !isWait);
  const hasActivity = Object.values(known.activity).some(({ items }) => items.length > 0);
  const isWhole = sure.loans && sure.guards && sure.plans;
  const unlookedAt = unlookedWords(known);
  const isNothing = !hasActivity && isWhole && unlookedAt === undefined;
  const readAt = Math.min(...timesOf(data, 0));
  const linked = ({ key, text, href, action }: ActionItem) => (
    <li key={key} className="spread">
      <span>{text}</span>
      <Link className="button compact" href={href}>
        {isOwn ? action : actionWords.look}
      </Link>
    </li>
  );
  return (
    <>
      <section className="status" aria-label={isOwn ? homeWords.state : homeWords.stateOf(shortAddress(owner))}>
        {figuresOf(known, sure, settings, isOwn).map((figure) => (
          <FigureTile key={figure.name} {...figure} />
        ))}
      </section>
      {!isWhole && (
        <Notice kind="caution" title={homeWords.unreadPart}>
          {isTimeOld(readAt, moment) && <p>{homeWords.tooOld(asOfTime(readAt, moment.wall))}</p>}
        </Notice>
      )}
      <div className={actionItems.length > 0 ? 'beside' : undefined}>
        {actionItems.length > 0 && (
          <section className="card" aria-labelledby="action-items">
            <h2 id="action-items">{needed.length > 0 ? homeWords.actionNeeded : homeWords.waits}</h2>
            {needed.length > 0 && <ul className="action-items">{needed.map(linked)}</ul>}
            {waits.length > 0 && needed.length > 0 && <h3>{homeWords.waits}</h3>}
            {waits.length > 0 && <ul className="action-items">{waits.map(linked)}</ul>}
          </section>
        )}
        <section className="card" aria-labelledby="lately">
          <h2 id="lately">{homeWords.lately}</h2>
          {isNothing ? (
            <p className="faint">{homeWords.nothingLately}</p>
          ) : (
            <dl className="activity">
              {(['run', 'skip', 'rescue'] as const).map((kind) => {
                const item = lastOf(kind, known);
                const none = noneOf(kind, known, sure);
                return <ActivityRow key={kind} {...{ kind, item, none }} isDelay={isDelay(item, known)} />;
              })}
            </dl>
          )}
          {unlookedAt && <p className="faint">{unlookedAt}</p>}
        </section>
      </div>
    </>
  );
}

/** A number, what it means, and a link to act on it. */
function FigureTile({ name, value, more, tone, href, healthWad }: Figure) {
  const shown = (
    <>
      <span className="faint">{name}</span> <strong className="hero-number">{value}</strong>{' '}
      {healthWad !== undefined && (
        <svg className="meter" width="100%" height="6" aria-hidden="true">
          <rect width="100%" height="6" rx="3" />
          <rect className="filled" width={`${barPlace(healthWad, WAD, 2n * WAD) / 10}%`} height="6" rx="3" />
        </svg>
      )}
      <span>{more}</span>
    </>
  );
  const className = ['card', 'figure', tone].join(' ');
  if (href === undefined) return <div className={className}>{shown}</div>;
  // A hash on the same page, which the router would treat as a path.
  if (href.startsWith('#')) return <a {...{ className, href }}>{shown}</a>;
  return <Link {...{ className, href }}>{shown}</Link>;
}
