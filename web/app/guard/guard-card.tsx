import { type GuardKey, guardKey } from '@bowline/core/domain/guard-key';
import { lacksOf, mendingAllowance } from '@bowline/core/domain/guard-lacks';
import { protocolName } from '@bowline/core/domain/lending';
import { shortAddress } from '@bowline/core/domain/readable';
import { sameAddress } from '@bowline/core/domain/same-address';
import { useState } from 'react';
import type { Address } from 'viem';
import { Link } from 'wouter';
import { assetAt, buyable } from '../api/settings.ts';
import { approvesNothing, isApproval } from '../chain/approve.ts';
import type { Coverage } from '../chain/coverage/coverage.ts';
import { isEditable } from '../chain/coverage/editable.ts';
import { sourceWords, watchesChainlink } from '../chain/coverage/price-source.ts';
import type { AsOf, Covered } from '../chain/coverage/use-covered.ts';
import type { Guard, OwnedGuards } from '../chain/read-guards.ts';
import type { Loan } from '../chain/read-loan.ts';
import type { Progress } from '../chain/use-steps.ts';
import { CancelAsked } from '../parts/cancel-asked.tsx';
import { Signing } from '../parts/signing.tsx';
import { useSettings } from '../settings.tsx';
import { moneyOf } from '../words/amounts.ts';
import { guardWords } from '../words/en/guard.ts';
import { partWords } from '../words/en/parts.ts';
import { health } from '../words/health.ts';
import { coverageSaid } from './coverage-said.tsx';
import { GuardPart, Rescues } from './form-parts.tsx';
import { GuardFacts } from './guard-facts.tsx';
import { LacksList } from './lacks-list.tsx';
import { saleWords, targetWords } from './sale.ts';
import { SalePart } from './sale-part.tsx';
import { type GuardActions, useGuardActions } from './use-guard-actions.ts';

interface Props {
  readonly guard: Guard;
  /** Undefined if it could not be read. */
  readonly loan: Loan | undefined;
  readonly coverage: Coverage;
  /** When stale data was read. */
  readonly asOf?: AsOf | undefined;
  /** The viewing account; undefined if it cannot act on the guard. */
  readonly account?: Address;
  /** The guards that share the account's approvals; undefined if never read. */
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

/** The loan's markets whose debt a guard repays and whose collateral it sells. */
const marketsOf = (guard: Guard, loan: Loan | undefined) => ({
  market: loan?.markets.find((each) => sameAddress(each.market, guard.market)),
  sold: loan?.markets.find((each) => sameAddress(each.market, guard.sale?.collateralMarket)),
});

function Shown({ edit, ...props }: Props & { readonly edit: (form: 'terms' | 'end') => void }) {
  const { guard, loan, coverage, asOf, now } = props;
  const settings = useSettings();
  const key = guardKey(guard);
  const { market, sold } = marketsOf(guard, loan);
  const token = assetAt(settings, guard.repayToken) ?? market;
  const { symbol = shortAddress(guard.repayToken), decimals } = token ?? {};
  const money = moneyOf({ symbol, decimals });
  const actions = useGuardActions(props, money.exact);
  const { isFunder, isBorrower, isOtherApproving, isOff, progress } = actions;
  const protocol = protocolName(settings.lending, guard);
  const said = coverageSaid(coverage, protocol, { symbol, decimals });
  const source = sourceWords(guard, settings);
  const isOld = asOf?.guard !== undefined || asOf?.loan !== undefined;
  const isOwn = isFunder && isBorrower;
  const lacks = lacksOf(guard, isOld ? undefined : loan, now, watchesChainlink(guard, settings));
  const mending = mendingAllowance(guard, actions.isShared);
  const canApprove = isFunder && guard.sale === undefined;
  const canSet = market !== undefined && (guard.sale === undefined || sold !== undefined);
  const canEdit = isOwn && guard.status === 'active' && canSet && isEditable(guard, settings);
  return (
    <article className="card" aria-labelledby={`guard-${key}`}>
      <div className="card-head">
        <div>
          <h2 id={`guard-${key}`}>{guardWords.heading(health(guard.triggerHealthWad), symbol, targetWords(guard))}</h2>
          <p className="faint">
            <Link href={`/loans/${key}`}>{partWords.guard(key)}</Link>
          </p>
        </div>
        {said.badge}
      </div>
      {guard.sale && <p className="faint">{saleWords(guard, settings)}</p>}
      {said.sentences}
      <LacksList
        {...{ guard, now, money, lacks }}
        approve={
          canApprove
            ? { amount: mending, run: () => actions.approve(mending, partWords.approveStep(money.exact(mending))) }
            : undefined
        }
        edit={canEdit ? edit : undefined}
        buys={isFunder && buyable(settings.assets).some((asset) => asset.symbol === symbol) ? symbol : undefined}
        isBusy={isOff || actions.isUnsure || isOtherApproving}
      />
      {isOtherApproving && lacks.some(({ what }) => what === 'allowance') && (
        <p className="field-hint">{guardWords.mustWaitForOther}</p>
      )}
      <GuardFacts {...{ guard, loan, coverage, asOf, now, amount: money.amount, protocol, source, isOwn }} />
      <Actions {...{ guard, symbol, actions, exact: money.exact }} edit={canEdit ? () => edit('terms') : undefined} />
      <Signing progress={progress} done={doneWords(progress, key)} />
      {guard.rescues === 0 ? (
        <p className="faint">{partWords.noRescue}</p>
      ) : (
        <Rescues {...{ guard, source, amount: money.amount }} markets={loan?.markets ?? []} />
      )}
    </article>
  );
}

interface ActionsProps {
  readonly guard: Guard;
  readonly symbol: string;
  readonly actions: GuardActions;
  readonly exact: (base: bigint) => string;
  /** Undefined where this account cannot replace the guard. */
  readonly edit: (() => void) | undefined;
}

/** Actions on an active guard for borrower and funder, and the link by which anyone audits it. */
function Actions({ guard, symbol, actions, exact, edit }: ActionsProps) {
  const [isCancelling, setCancelling] = useState(false);
  const { isOff, isPausable, isShared, back } = actions;
  const key = guardKey(guard);
  const isActive = guard.status === 'active';
  const cancel = (takesBack: boolean) => {
    setCancelling(false);
    actions.cancel(takesBack);
  };
  return (
    <>
      {isCancelling && isActive && (
        <CancelAsked
          {...{ id: key, words: guardWords, back, cancel, shown: exact }}
          isBusy={isOff}
          keep={() => setCancelling(false)}
        />
      )}
      {isPausable && isShared && <p className="faint">{guardWords.noPause(symbol)}</p>}
      <div className="spread">
        {isActive && (actions.isFunder || actions.isBorrower) && (
          <div className="buttons">
            {edit && (
              <button type="button" className="button compact" disabled={isOff} onClick={edit}>
                {partWords.edit}
              </button>
            )}
            {isPausable && !isShared && (
              <button
                type="button"
                className="button compact"
                disabled={isOff || actions.isUnsure}
                onClick={() => actions.approve(0n, guardWords.pauseStep(guard.sale ? guardWords.receipts : symbol))}
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
    </>
  );
}

/** The finished transaction in words, by its first step. */
function doneWords(progress: Progress, id: GuardKey): string {
  const step = progress.state === 'done' ? progress.steps[0] : undefined;
  if (step === undefined || !isApproval(step)) return guardWords.cancelled(id);
  return approvesNothing(step) ? guardWords.paused(id) : guardWords.approved;
}
