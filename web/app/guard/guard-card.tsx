import { type GuardKey, guardKey } from '@bowline/core/domain/guard-key';
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
import { isEditable } from '../chain/coverage/editable.ts';
import { sourceWords, watchesChainlink } from '../chain/coverage/price-source.ts';
import type { AsOf, Covered } from '../chain/coverage/use-covered.ts';
import type { Guard, OwnedGuards } from '../chain/read-guards.ts';
import type { Loan } from '../chain/read-loan.ts';
import { useSteps } from '../chain/use-steps.ts';
import { Signing } from '../parts/signing.tsx';
import { useSettings } from '../settings.tsx';
import { exactAmount, shortAmount, shortCost } from '../words/amounts.ts';
import { guardWords } from '../words/en/guard.ts';
import { partWords } from '../words/en/parts.ts';
import { health } from '../words/health.ts';
import { when } from '../words/times.ts';
import { CancelAsked } from './cancel-asked.tsx';
import { cancelStep } from './cancel-step.ts';
import { GuardPart, Rescues } from './form-parts.tsx';
import { GuardFacts } from './guard-facts.tsx';
import { freedBy } from './kept-approval.ts';
import { LacksList } from './lacks-list.tsx';
import { payingOf, saleWords, targetWords } from './sale.ts';
import { SalePart } from './sale-part.tsx';
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

/** A guard, or the form that replaces it. */
export function GuardCard({ onEdit, ...props }: Props & { readonly onEdit?: (isOpen: boolean) => void }) {
  const { guard, loan, owned, covered, isStale = true } = props;
  const [editing, setEditing] = useState<'terms' | 'end'>();
  const edit = (form: typeof editing) => {
    setEditing(form);
    onEdit?.(form !== undefined);
  };
  const { market, sold } = marketsOf(guard, loan);
  if (editing === undefined || !loan || !market || !owned) return <Shown {...{ ...props, edit }} />;
  const { borrower } = guard;
  const isExtending = editing === 'end';
  const close = () => edit(undefined);
  const form = { borrower, markets: [market], replaces: guard, isExtending, loan, owned, covered, isStale, close };
  return sold ? <SalePart {...form} collaterals={[sold]} /> : <GuardPart {...form} />;
}

/** Those of the loan that a guard repays, and whose collateral it sells. */
const marketsOf = (guard: Guard, loan: Loan | undefined) => ({
  market: loan?.markets.find((each) => sameAddress(each.market, guard.market)),
  sold: loan?.markets.find((each) => sameAddress(each.market, guard.sale?.collateralMarket)),
});

function Shown({ edit, ...props }: Props & { readonly edit: (form: 'terms' | 'end') => void }) {
  const { guard, loan, coverage, asOf, account, owned, isStale = true, now } = props;
  const settings = useSettings();
  const { chainId } = useConnection();
  const key = guardKey(guard);
  const { progress, isBusy, run } = useSteps(`guard-${key}`);
  const [isCancelling, setCancelling] = useState(false);
  const paidBy = payingOf(guard, settings.contracts);
  const { market, sold } = marketsOf(guard, loan);
  const symbol = assetAt(settings, guard.repayToken)?.symbol ?? market?.symbol ?? shortAddress(guard.repayToken);
  const decimals = assetAt(settings, guard.repayToken)?.decimals ?? market?.decimals;
  // For a token with unknown decimals, only base units are known.
  const amount = (base: bigint) =>
    decimals === undefined ? partWords.units(base) : `${shortAmount(base, decimals)} ${symbol}`;
  const cost = (base: bigint) =>
    decimals === undefined ? partWords.units(base) : `${shortCost(base, decimals)} ${symbol}`;
  const protocol = protocolName(settings.lending, guard);
  const { badge, tone, more } = coverageWords(coverage, protocol, { amount, cost }, when);
  const word = agentsWord(coverage);
  const source = sourceWords(guard, settings);
  const isOld = asOf?.guard !== undefined || asOf?.loan !== undefined;
  const isOff = isBusy || chainId !== settings.chainId;
  const isActive = guard.status === 'active';

  const isFunder = sameAddress(guard.funder, account);
  const isBorrower = sameAddress(guard.borrower, account);
  const takesToo = (each: Guard) => guardKey(each) !== key && mayTake(each, now) && isPaidAlike(each, guard);
  const isShared = [...(owned?.guards ?? []), ...(owned?.funded ?? [])].some(takesToo);
  const isUnsure = owned === undefined || mustWait(owned, isStale);
  const isPausable = isFunder && mayTake(guard, now) && (guard.means?.allowance ?? 0n) > 0n;
  const lacks = lacksOf(guard, isOld ? undefined : loan, now, watchesChainlink(guard, settings));
  const mending = mendingAllowance(guard, isShared);
  const shown = (base: bigint) =>
    decimals === undefined ? partWords.units(base) : `${exactAmount(base, decimals)} ${symbol}`;
  const approve = (base: bigint, label: string) => () =>
    void run([approveStep(label, paidBy.token, paidBy.spender, base)]);
  // Another approval for guards would replace this one, or this one that; and of its guard nothing is left over.
  const isOtherApproving = useIsApproving(paidBy.spender) && !isBusy;
  const back =
    isFunder && !isOtherApproving && guard.sale === undefined ? freedBy(guard, owned, now, isStale) : undefined;
  const cancel = (takesBack: boolean) => {
    setCancelling(false);
    const label = back && partWords.takeBackStep(shown(back.freed));
    const takeBack =
      label && takesBack && back.freed > 0n ? [approveStep(label, paidBy.token, paidBy.spender, back.kept)] : [];
    void run([cancelStep(settings.contracts, key), ...takeBack]);
  };
  const isOwn = isFunder && isBorrower;
  const canSet = market !== undefined && (guard.sale === undefined || sold !== undefined);
  const canEdit = isOwn && isActive && canSet && isEditable(guard, settings);
  return (
    <article className="card" aria-labelledby={`guard-${key}`}>
      <div className="card-head">
        <div>
          <h2 id={`guard-${key}`}>{guardWords.heading(health(guard.triggerHealthWad), symbol, targetWords(guard))}</h2>
          <p className="faint">
            <Link href={`/loans/${key}`}>{partWords.guard(key)}</Link>
          </p>
        </div>
        <span className={`badge word ${tone}`}>{badge}</span>
      </div>
      {guard.sale && <p className="faint">{saleWords(guard, settings)}</p>}
      {more && <p className="faint">{more}</p>}
      {word && <p className="faint">{word}</p>}
      <LacksList
        {...{ guard, now, amount, cost, lacks }}
        approve={
          isFunder && guard.sale === undefined
            ? {
                amount: mending,
                act: approve(mending, partWords.approveStep(shown(mending))),
              }
            : undefined
        }
        edit={canEdit ? edit : undefined}
        buys={isFunder && buyable(settings.assets).some((asset) => asset.symbol === symbol) ? symbol : undefined}
        isBusy={isOff || isUnsure || isOtherApproving}
      />
      {isOtherApproving && lacks.some(({ what }) => what === 'allowance') && (
        <p className="field-hint">{guardWords.mustWaitForAct}</p>
      )}
      <GuardFacts {...{ guard, loan, coverage, asOf, now, amount, protocol, source, isOwn }} />
      {isCancelling && isActive && (
        <CancelAsked id={key} isBusy={isOff} keep={() => setCancelling(false)} {...{ back, shown, cancel }} />
      )}
      {isPausable && isShared && <p className="faint">{guardWords.noPause(symbol)}</p>}
      <div className="spread">
        {isActive && (isFunder || isBorrower) && (
          <div className="buttons">
            {canEdit && (
              <button type="button" className="button compact" disabled={isOff} onClick={() => edit('terms')}>
                {partWords.edit}
              </button>
            )}
            {isPausable && !isShared && (
              <button
                type="button"
                className="button compact"
                disabled={isOff || isUnsure}
                onClick={approve(0n, guardWords.pauseStep(guard.sale ? guardWords.receipts : symbol))}
              >
                {partWords.pause}
              </button>
            )}
            <button
              type="button"
              className="button danger compact"
              disabled={isOff}
              aria-expanded={isCancelling}
              onClick={() => setCancelling(!isCancelling)}
            >
              {partWords.cancel}
            </button>
          </div>
        )}
        <Link href={`/check/guard/${key}`}>{guardWords.audit}</Link>
      </div>
      <Signing progress={progress} done={doneWords(progress, key)} />
      {guard.rescues === 0 ? (
        <p className="faint">{partWords.noRescue}</p>
      ) : (
        <Rescues {...{ guard, source, amount }} markets={loan?.markets ?? []} />
      )}
    </article>
  );
}

/** The act that was done, by its first step. */
function doneWords(progress: ReturnType<typeof useSteps>['progress'], id: GuardKey): string {
  const step = progress.state === 'done' ? progress.steps[0] : undefined;
  if (step === undefined || !isApproval(step)) return guardWords.cancelled(id);
  return approvesNothing(step) ? guardWords.paused(id) : guardWords.approved;
}
