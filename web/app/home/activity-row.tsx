import { guardKey } from '@bowline/core/domain/guard-key';
import type { BarePlan as Plan, Rescue } from '@bowline/core/domain/permissions';
import { reasonOf } from '@bowline/core/domain/reasons';
import { Link } from 'wouter';
import { assetAt, isSale, type Settings } from '../api/settings.ts';
import type { ActivityItem } from '../chain/read-activity.ts';
import { useSettings } from '../settings.tsx';
import { amountOf } from '../words/amount-of.ts';
import { inWords } from '../words/core-words.ts';
import { homeWords } from '../words/en/home.ts';
import { partWords } from '../words/en/parts.ts';
import { health } from '../words/health.ts';
import { when } from '../words/times.ts';

const titles = { run: 'lastBuy', skip: 'lastSkip', rescue: 'lastRescue' } as const;

interface Row {
  readonly kind: ActivityItem['kind'];
  readonly title: string;
  /** What was done, by which permission, and when or where; undefined if there is no such record. */
  readonly found:
    | {
        readonly text: string;
        readonly isClaim?: boolean;
        readonly href: string;
        readonly name: string;
        readonly at: string;
      }
    | undefined;
  /** Text to show if there is no such record. */
  readonly none: string;
}

/** The last record of its kind. */
export const LastActivity = ({ kind, title, found, none }: Row) => (
  <div>
    <dt>
      <ActivityMark kind={kind} />
      {title}
    </dt>
    <dd>
      {found === undefined ? (
        <span className="faint">{none}</span>
      ) : (
        <>
          <span className="activity-said">{found.text}</span>{' '}
          {found.isClaim && <span className="faint">{partWords.byExecutor} </span>}
          <span className="faint activity-more">
            <Link href={found.href}>{found.name}</Link>, {found.at}
          </span>
        </>
      )}
    </dd>
  </div>
);

interface Props {
  readonly kind: ActivityItem['kind'];
  readonly item: ActivityItem | undefined;
  /** Whether it is a deferral whose trade can still happen. */
  readonly isDelay: boolean;
  readonly none: string;
}

/** The last record of its kind of the account itself. */
export function ActivityRow({ kind, item, isDelay, none }: Props) {
  const settings = useSettings();
  const found = item && {
    text: sentence(item, isDelay, settings),
    isClaim: item.kind === 'skip' && !item.isAttested,
    ...(item.kind === 'rescue'
      ? { href: `/loans/${guardKey(item.guard)}`, name: partWords.guard(guardKey(item.guard)) }
      : { href: `/plans/${item.plan.id}`, name: partWords.plan(item.plan.id) }),
    at: when(item.time),
  };
  return <LastActivity {...{ kind, found, none }} title={isDelay ? homeWords.lastDelay : homeWords[titles[kind]]} />;
}

function sentence(item: ActivityItem, isDelay: boolean, settings: Settings): string {
  switch (item.kind) {
    case 'run':
      return runWords(item.plan, item, settings);
    case 'skip':
      return skipWords(item.plan, item.reason, isDelay ? 'delayed' : 'skipped', settings);
    case 'rescue':
      return rescueWords(amountOf(settings, item.guard.repayToken, item.repaid), item);
  }
}

type Trade = Pick<Plan, 'tokenIn' | 'tokenOut'>;

export function runWords(
  plan: Trade,
  { amountIn, amountOut, floor }: Pick<Extract<ActivityItem, { kind: 'run' }>, 'amountIn' | 'amountOut' | 'floor'>,
  settings: Settings,
): string {
  const got = (base: bigint) => amountOf(settings, plan.tokenOut, base);
  const said = isSale(settings, plan) ? homeWords.sold : homeWords.bought;
  return said(amountOf(settings, plan.tokenIn, amountIn), got(amountOut), got(floor));
}

/** @param outcome as far as it is known: a deferral alone does not show whether its trade can still happen. */
export function skipWords(
  plan: Trade,
  reason: number,
  outcome: keyof typeof homeWords.outcomes,
  settings: Settings,
): string {
  const isSold = isSale(settings, plan);
  const token = isSold ? plan.tokenIn : plan.tokenOut;
  const why = inWords(reasonOf(reason) ?? `reason ${reason}`);
  return homeWords.noTrade(assetAt(settings, token)?.symbol ?? token, isSold, homeWords.outcomes[outcome], why);
}

export function rescueWords(
  repaid: string,
  { healthBeforeWad, healthAfterWad }: Pick<Rescue, 'healthBeforeWad' | 'healthAfterWad'>,
): string {
  const after = healthAfterWad === undefined ? partWords.noDebtLeft : health(healthAfterWad);
  return homeWords.rescued(repaid, health(healthBeforeWad), after);
}

/** Icons: an incoming arrow for a buy, an arrow stepping over for a skip, a shield for a rescue. */
const paths: Readonly<Record<ActivityItem['kind'], string>> = {
  run: 'M12 4.500v10m-4-4l4 4 4-4M5 19h14',
  skip: 'M5 14.500a7 7 0 0 1 13.500-1.500m.5-5v5h-5M10.500 18h3',
  rescue:
    'M12 4l6.500 2.700v4.700c0 4.300-2.700 7-6.500 8.600-3.800-1.600-6.500-4.300-6.500-8.600V6.700zM9 11.800l2.300 2.300 3.900-4.200',
};

/** An icon for the kind of record in a row. The row's text names the kind too. */
const ActivityMark = ({ kind }: { readonly kind: ActivityItem['kind'] }) => (
  <svg
    viewBox="0 0 24 24"
    width="20"
    height="20"
    aria-hidden="true"
    className={`activity-mark ${kind === 'skip' ? 'caution' : kind}`}
  >
    <path d={paths[kind]} />
  </svg>
);
