import { lacksOf, mendingAllowance } from '@bowline/core/domain/guard-lacks';
import { isPaidAlike, mayTake } from '@bowline/core/domain/guarded-loan';
import { protocolName } from '@bowline/core/domain/lending';
import { shortAddress } from '@bowline/core/domain/readable';
import { sameAddress } from '@bowline/core/domain/same-address';
import { useState } from 'react';
import type { Address } from 'viem';
import { useConnection } from 'wagmi';
import { Link } from 'wouter';
import { useIsApproving } from '../acts/use-acts.tsx';
import { assetAt, buyable } from '../api/settings.ts';
import { approveStep, approvesNothing, isApproval } from '../chain/approve.ts';
import type { Coverage } from '../chain/coverage/coverage.ts';
import { agentsWord, coverageWords } from '../chain/coverage/coverage-words.ts';
import { sourceWords, watchesChainlink } from '../chain/coverage/price-source.ts';
import type { AsOf, Covered } from '../chain/coverage/use-covered.ts';
import type { Guard, OwnedGuards } from '../chain/read-guards.ts';
import type { Loan } from '../chain/read-loan.ts';
import { useSteps } from '../chain/use-steps.ts';
import { Signing } from '../parts/signing.tsx';
import { useSettings } from '../settings.tsx';
import { exactAmount, shortAmount, shortCost } from '../words/amounts.ts';
import { guardWords } from '../words/en/guard.ts';
import { health } from '../words/health.ts';
import { when } from '../words/times.ts';
import { CancelAsked } from './cancel-asked.tsx';
import { cancelStep } from './cancel-step.ts';
import { GuardFacts } from './guard-facts.tsx';
import { freedBy } from './kept-approval.ts';
import { LacksList } from './lacks-list.tsx';
import { Rescues } from './rescues.tsx';
import { SetGuard } from './set-guard.tsx';
import { mustWait } from './shared-approval.ts';

interface Props {
  readonly guard: Guard;
  /** Undefined if it could not be read. */
  readonly loan: Loan | undefined;
  readonly coverage: Coverage;
  /** When what is old was read. */
  readonly asOf?: AsOf | undefined;
  /** The account that looks at it; undefined if it is nobody's who could act. */
  readonly account?: Address;
  /** What the account's approvals are shared by; undefined if never read. */
  readonly owned?: OwnedGuards | undefined;
  /** The account's guards, each with what it could do now. */
  readonly covered?: readonly Covered[] | undefined;
  /** Whether the newest reading of `owned` failed or is old. */
  readonly isStale?: boolean;
  /** The chain's time, unix seconds. */
  readonly now?: bigint | undefined;
}

export function GuardCard(props: Props) {
  const { guard, loan, coverage, asOf, account, owned, covered, isStale = true, now } = props;
  const settings = useSettings();
  const { chainId } = useConnection();
  const { progress, isBusy, run } = useSteps(`guard-${guard.id}`);
  const [isCancelling, setCancelling] = useState(false);
  const [editing, setEditing] = useState<'terms' | 'end'>();
  const { loanGuard } = settings.contracts;
  const market = loan?.markets.find((each) => sameAddress(each.market, guard.market));
  const symbol = assetAt(settings, guard.repayToken)?.symbol ?? market?.symbol ?? shortAddress(guard.repayToken);
  const decimals = assetAt(settings, guard.repayToken)?.decimals ?? market?.decimals;
  // Of a token whose decimals nobody told, base units are all that is known.
  const amount = (base: bigint) =>
    decimals === undefined ? guardWords.units(base) : `${shortAmount(base, decimals)} ${symbol}`;
  const cost = (base: bigint) =>
    decimals === undefined ? guardWords.units(base) : `${shortCost(base, decimals)} ${symbol}`;
  const protocol = protocolName(settings.lending, guard);
  const { badge, tone, more } = coverageWords(coverage, protocol, { amount, cost }, when);
  const word = agentsWord(coverage);
  const source = sourceWords(guard, settings);
  const isOld = asOf?.guard !== undefined || asOf?.loan !== undefined;
  const isOff = isBusy || chainId !== settings.chainId;
  const isActive = guard.status === 'active';

  const isFunder = sameAddress(guard.funder, account);
  const isBorrower = sameAddress(guard.borrower, account);
  const takesToo = (each: Guard) => each.id !== guard.id && mayTake(each, now) && isPaidAlike(each, guard);
  const isShared = [...(owned?.guards ?? []), ...(owned?.funded ?? [])].some(takesToo);
  const isUnsure = owned === undefined || mustWait(owned, isStale);
  const isPausable = isFunder && mayTake(guard, now) && (guard.means?.allowance ?? 0n) > 0n;
  const lacks = lacksOf(guard, isOld ? undefined : loan, now, watchesChainlink(guard, settings));
  const mending = mendingAllowance(guard, isShared);
  const shown = (base: bigint) =>
    decimals === undefined ? guardWords.units(base) : `${exactAmount(base, decimals)} ${symbol}`;
  const approve = (base: bigint, label: string) => () =>
    void run([approveStep(label, guard.repayToken, loanGuard, base)]);
  // Another approval for guards would replace this one, or this one that; and of its guard nothing is left over.
  const isOtherApproving = useIsApproving(loanGuard) && !isBusy;
  const back = isFunder && !isOtherApproving ? freedBy(guard, owned, now, isStale) : undefined;
  const cancel = (takesBack: boolean) => {
    setCancelling(false);
    const label = back && guardWords.takeBackStep(shown(back.freed));
    const takeBack =
      label && takesBack && back.freed > 0n ? [approveStep(label, guard.repayToken, loanGuard, back.kept)] : [];
    void run([cancelStep(loanGuard, guard.id), ...takeBack]);
  };
  // A guard with another price source, or another funder, cannot be set from here.
  const isOwn = isFunder && isBorrower;
  const canEdit =
    isOwn && isActive && market !== undefined && (guard.priceSource === undefined || watchesChainlink(guard, settings));
  if (editing && loan && market && owned) {
    const close = () => setEditing(undefined);
    const isExtending = editing === 'end';
    return (
      <SetGuard
        {...{
          borrower: guard.borrower,
          markets: [market],
          replaces: guard,
          isExtending,
          loan,
          owned,
          covered,
          isStale,
          close,
        }}
      />
    );
  }
  return (
    <article className="card" aria-labelledby={`guard-${guard.id}`}>
      <div className="card-head">
        <div>
          <h2 id={`guard-${guard.id}`}>
            {guardWords.heading(health(guard.triggerHealthWad), symbol, health(guard.targetHealthWad))}
          </h2>
          <p className="faint">
            <Link href={`/guard/${guard.id}`}>{guardWords.guard(guard.id)}</Link>
          </p>
        </div>
        <span className={`badge word ${tone}`}>{badge}</span>
      </div>
      {more && <p className="faint">{more}</p>}
      {word && <p className="faint">{word}</p>}
      <LacksList
        {...{ guard, now, amount, cost, lacks }}
        approve={
          isFunder
            ? {
                amount: mending,
                act: approve(mending, guardWords.approveStep(shown(mending))),
              }
            : undefined
        }
        edit={canEdit ? setEditing : undefined}
        buys={isFunder && buyable(settings.assets).some((asset) => asset.symbol === symbol) ? symbol : undefined}
        isBusy={isOff || isUnsure || isOtherApproving}
      />
      {isOtherApproving && lacks.some(({ what }) => what === 'allowance') && (
        <p className="field-hint">{guardWords.mustWaitForAct}</p>
      )}
      <GuardFacts {...{ guard, loan, coverage, asOf, now, amount, protocol, source, isOwn }} />
      {isCancelling && isActive && (
        <CancelAsked id={guard.id} isBusy={isOff} keep={() => setCancelling(false)} {...{ back, shown, cancel }} />
      )}
      {isPausable && isShared && <p className="faint">{guardWords.noPause(symbol)}</p>}
      <div className="actions">
        {isActive && (isFunder || isBorrower) && (
          <div className="buttons">
            {canEdit && (
              <button type="button" className="button compact" disabled={isOff} onClick={() => setEditing('terms')}>
                {guardWords.edit}
              </button>
            )}
            {isPausable && !isShared && (
              <button
                type="button"
                className="button compact"
                disabled={isOff || isUnsure}
                onClick={approve(0n, guardWords.pauseStep(symbol))}
              >
                {guardWords.pause}
              </button>
            )}
            <button
              type="button"
              className="button danger compact"
              disabled={isOff}
              aria-expanded={isCancelling}
              onClick={() => setCancelling(!isCancelling)}
            >
              {guardWords.cancel}
            </button>
          </div>
        )}
        <Link href={`/audit/guard/${guard.id}`}>{guardWords.audit}</Link>
      </div>
      <Signing progress={progress} done={doneWords(progress, guard.id)} />
      <Rescues guard={guard} source={source} amount={amount} />
    </article>
  );
}

/** The act that was done, by its first step. */
function doneWords(progress: ReturnType<typeof useSteps>['progress'], id: bigint): string {
  const step = progress.state === 'done' ? progress.steps[0] : undefined;
  if (step === undefined || !isApproval(step)) return guardWords.cancelled(id);
  return approvesNothing(step) ? guardWords.paused(id) : guardWords.approved;
}
