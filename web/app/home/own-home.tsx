import { shortAddress } from '@bowline/core/domain/readable';
import { WAD } from '@bowline/core/domain/units';
import type { Address } from 'viem';
import { Link } from 'wouter';
import { isTimeOld } from '../api/freshness.ts';
import { timesOf } from '../api/read-times.ts';
import { useMoment } from '../api/use-moment.ts';
import { useChainTime } from '../chain/use-clock.ts';
import { useOverview } from '../chain/use-overview.ts';
import { Notice } from '../parts/notice.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { useSettings } from '../settings.tsx';
import { homeWords } from '../words/en/home.ts';
import { needWords } from '../words/en/needs.ts';
import { barPlace } from '../words/health.ts';
import { asOfTime } from '../words/times.ts';
import { DeedRow } from './deed-row.tsx';
import type { Need } from './known.ts';
import { needsOf } from './needs.ts';
import { isDelay, lastOf, noneOf, unlookedWords } from './records.ts';
import { type Figure, figuresOf } from './state.ts';
import { useKnown } from './use-known.ts';

interface Props {
  readonly owner: Address;
  /** Whether its own wallet looks at it; for any other, what needs the owner is only to be viewed. */
  readonly isOwn: boolean;
}

/** State, needs and what was last done, of one account. */
export function OwnHome({ owner, isOwn }: Props) {
  const settings = useSettings();
  const { data } = useOverview(owner, { every: 5_000 });
  const now = useChainTime();
  const moment = useMoment();
  const { known, sure } = useKnown(data, now, moment);
  if (known === undefined) return <Skeleton lines={4} label={homeWords.reading} />;
  const needs = needsOf(known, settings);
  const waits = needs.filter(({ isWait }) => isWait);
  const acts = needs.filter(({ isWait }) => !isWait);
  const hasDeeds = Object.values(known.deeds).some(({ deeds }) => deeds.length > 0);
  const isWhole = sure.loans && sure.guards && sure.plans;
  const unlookedAt = unlookedWords(known);
  const isNothing = !hasDeeds && isWhole && unlookedAt === undefined;
  const readAt = Math.min(...timesOf(data, 0));
  const linked = ({ key, text, href, action }: Need) => (
    <li key={key} className="spread">
      <span>{text}</span>
      <Link className="button compact" href={href}>
        {isOwn ? action : needWords.look}
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
      <div className={needs.length > 0 ? 'beside' : undefined}>
        {needs.length > 0 && (
          <section className="card" aria-labelledby="needs">
            <h2 id="needs">{acts.length > 0 ? homeWords.needs : homeWords.waits}</h2>
            {acts.length > 0 && <ul className="needs">{acts.map(linked)}</ul>}
            {waits.length > 0 && acts.length > 0 && <h3>{homeWords.waits}</h3>}
            {waits.length > 0 && <ul className="needs">{waits.map(linked)}</ul>}
          </section>
        )}
        <section className="card" aria-labelledby="lately">
          <h2 id="lately">{homeWords.lately}</h2>
          {isNothing ? (
            <p className="faint">{homeWords.nothingLately}</p>
          ) : (
            <dl className="deeds">
              {(['run', 'skip', 'rescue'] as const).map((kind) => {
                const deed = lastOf(kind, known);
                const none = noneOf(kind, known, sure);
                return <DeedRow key={kind} {...{ kind, deed, none }} isDelay={isDelay(deed, known)} />;
              })}
            </dl>
          )}
          {unlookedAt && <p className="faint">{unlookedAt}</p>}
        </section>
      </div>
    </>
  );
}

/** A number, what it means, and the way to act on it. */
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
  // On the same page, a hash: the router would take it for a path.
  if (href.startsWith('#')) return <a {...{ className, href }}>{shown}</a>;
  return <Link {...{ className, href }}>{shown}</Link>;
}
