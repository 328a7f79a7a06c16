import { guardKey } from '@bowline/core/domain/guard-key';
import type { BarePlan as Plan, Rescue } from '@bowline/core/domain/permissions';
import { reasonOf } from '@bowline/core/domain/reasons';
import { Link } from 'wouter';
import { assetAt, isSale, type Settings } from '../api/settings.ts';
import type { Deed } from '../chain/read-deeds.ts';
import { DeedMark } from '../parts/deed-mark.tsx';
import { useSettings } from '../settings.tsx';
import { amountOf } from '../words/amount-of.ts';
import { inWords } from '../words/core-words.ts';
import { homeWords } from '../words/en/home.ts';
import { partWords } from '../words/en/parts.ts';
import { health } from '../words/health.ts';
import { when } from '../words/times.ts';

const titles = { run: 'lastBuy', skip: 'lastSkip', rescue: 'lastRescue' } as const;

interface Props {
  readonly kind: Deed['kind'];
  readonly deed: Deed | undefined;
  /** Whether it is a deferral whose trade can still happen. */
  readonly isDelay: boolean;
  /** What is said if there is no such deed. */
  readonly none: string;
}

/** The last of its kind: what was done, when and by which permission. */
export function DeedRow({ kind, deed, isDelay, none }: Props) {
  return (
    <div>
      <dt>
        <DeedMark kind={kind} />
        {isDelay ? homeWords.lastDelay : homeWords[titles[kind]]}
      </dt>
      <dd>{deed === undefined ? <span className="faint">{none}</span> : <Said {...{ deed, isDelay }} />}</dd>
    </div>
  );
}

function Said({ deed, isDelay }: { readonly deed: Deed; readonly isDelay: boolean }) {
  const settings = useSettings();
  const [href, name] =
    deed.kind === 'rescue'
      ? [`/loans/${guardKey(deed.guard)}`, partWords.guard(guardKey(deed.guard))]
      : [`/plans/${deed.plan.id}`, partWords.plan(deed.plan.id)];
  return (
    <>
      <span className="deed-said">{sentence(deed, isDelay, settings)}</span>{' '}
      {deed.kind === 'skip' && !deed.isAttested && <span className="faint">{partWords.byExecutor} </span>}
      <span className="faint deed-more">
        <Link href={href}>{name}</Link>, {when(deed.time)}
      </span>
    </>
  );
}

function sentence(deed: Deed, isDelay: boolean, settings: Settings): string {
  switch (deed.kind) {
    case 'run':
      return runWords(deed.plan, deed, settings);
    case 'skip':
      return skipWords(deed.plan, deed.reason, isDelay ? 'delayed' : 'skipped', settings);
    case 'rescue':
      return rescueWords(amountOf(settings, deed.guard.repayToken, deed.repaid), deed);
  }
}

type Trade = Pick<Plan, 'tokenIn' | 'tokenOut'>;

export function runWords(
  plan: Trade,
  { amountIn, amountOut, floor }: Pick<Extract<Deed, { kind: 'run' }>, 'amountIn' | 'amountOut' | 'floor'>,
  settings: Settings,
): string {
  const got = (base: bigint) => amountOf(settings, plan.tokenOut, base);
  const said = isSale(settings, plan) ? homeWords.sold : homeWords.bought;
  return said(amountOf(settings, plan.tokenIn, amountIn), got(amountOut), got(floor));
}

/** @param outcome as far as it is known: a deferral alone does not say whether its trade can still happen. */
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
