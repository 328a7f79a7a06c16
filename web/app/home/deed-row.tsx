import { guardKey } from '@bowline/core/domain/guard-key';
import type { Rescue } from '@bowline/core/domain/permissions';
import { reasonOf } from '@bowline/core/domain/reasons';
import { Link } from 'wouter';
import { assetAt } from '../api/settings.ts';
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
  /** Whether it is a deferral whose buy can still happen. */
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
  const amount = (token: `0x${string}`, base: bigint) => amountOf(settings, token, base);
  return (
    <>
      <span className="deed-said">
        {sentence(deed, isDelay, amount, (token) => assetAt(settings, token)?.symbol ?? token)}
      </span>{' '}
      {deed.kind === 'skip' && !deed.isAttested && <span className="faint">{partWords.byExecutor} </span>}
      <span className="faint deed-more">
        <Link href={href}>{name}</Link>, {when(deed.time)}
      </span>
    </>
  );
}

type Amount = (token: `0x${string}`, base: bigint) => string;

function sentence(deed: Deed, isDelay: boolean, amount: Amount, symbolOf: (token: `0x${string}`) => string): string {
  switch (deed.kind) {
    case 'run': {
      const { tokenIn, tokenOut } = deed.plan;
      return homeWords.bought(
        amount(tokenIn, deed.amountIn),
        amount(tokenOut, deed.amountOut),
        amount(tokenOut, deed.floor),
      );
    }
    case 'skip':
      return skipWords(symbolOf(deed.plan.tokenOut), deed.reason, isDelay ? 'delayed' : 'skipped');
    case 'rescue':
      return rescueWords(amount(deed.guard.repayToken, deed.repaid), deed);
  }
}

/** @param outcome as far as it is known: a deferral alone does not say whether its buy can still happen. */
export const skipWords = (
  symbol: string,
  reason: number,
  outcome: 'delayed' | 'skipped' | 'delayedOrSkipped',
): string => homeWords[outcome](symbol, inWords(reasonOf(reason) ?? `reason ${reason}`));

export function rescueWords(
  repaid: string,
  { healthBeforeWad, healthAfterWad }: Pick<Rescue, 'healthBeforeWad' | 'healthAfterWad'>,
): string {
  const after = healthAfterWad === undefined ? partWords.noDebtLeft : health(healthAfterWad);
  return homeWords.rescued(repaid, health(healthBeforeWad), after);
}
