import { type GuardTerms, registerCall, type SaleTerms } from '@bowline/chain/drafts/guard';
import { type GuardContracts, keyAt } from '@bowline/core/domain/guard-key';
import { smallest } from '@bowline/core/domain/units';
import { type Address, encodeEventTopics, type Hex, zeroAddress } from 'viem';
import { collateralGuardAbi, loanGuardAbi } from '../../../abis/index.ts';
import type { Settings } from '../api/settings.ts';
import { approveStep } from '../chain/approve.ts';
import { proofBy } from '../chain/proof.ts';
import type { Guard } from '../chain/read-guards.ts';
import type { Step } from '../chain/step.ts';
import { moneyOf } from '../words/amounts.ts';
import { guardWords } from '../words/en/guard.ts';
import { partWords } from '../words/en/parts.ts';
import { cancelStep } from './cancel-step.ts';
import { endOf, type GuardDraft } from './guard-form.ts';

interface Context {
  readonly borrower: Address;
  /** The adapter of the loan's protocol. */
  readonly adapter: Address;
  /** The chain's time, unix seconds. */
  readonly now: bigint;
  /** The borrower's guard that the new one replaces. */
  readonly replaces: Guard | undefined;
  /** The account that pays, if it is not the borrower. */
  readonly funder?: Address | undefined;
}

/**
 * @param tokens as the page has read them; the contract records the adapter's.
 * @param call the registering call, if another account has signed these terms.
 */
export function registerStep(
  { contracts }: Pick<Settings, 'contracts'>,
  terms: GuardTerms | SaleTerms,
  tokens: { readonly repayToken: Address; readonly collateralToken?: Address },
  call = registerCall({ contracts }, terms),
): Step {
  const { borrower, funder } = terms;
  const proof =
    'collateralMarket' in terms
      ? proofBy(call.to, collateralGuardAbi, 'GuardRegistered', { borrower, funder, terms, ...tokens })
      : proofBy(call.to, loanGuardAbi, 'GuardRegistered', { borrower, funder, terms, ...tokens });
  return { label: guardWords.setStep, ...call, proof };
}

/** The terms as LoanGuard takes them. @param funder whose tokens repay; the borrower if absent. */
export const termsOf = (
  draft: GuardDraft,
  { contracts }: Pick<Settings, 'contracts'>,
  { borrower, adapter, now, replaces, funder = borrower }: Context,
): GuardTerms => ({
  ...{ borrower, funder, adapter, market: draft.market.market },
  keeper: replaces?.keeper ?? zeroAddress,
  priceSource: draft.watchesChainlink ? contracts.priceSource : zeroAddress,
  triggerHealthWad: draft.triggerHealthWad,
  targetHealthWad: draft.targetHealthWad,
  capPerRescue: draft.capPerRescue,
  capPerDay: draft.capPerDay,
  minRepay: draft.minRepay,
  cooldownSeconds: Number(draft.cooldownSeconds),
  expiresAt: Number(endOf(draft, now)),
});

/**
 * The steps to sign: the exact approval unless it exists, the guard, and the cancellation of the one it replaces.
 * A funder other than the borrower signs only the approval, because only the borrower can set the guard.
 */
export function guardSteps(
  draft: GuardDraft,
  settings: Pick<Settings, 'contracts'>,
  context: Context,
): readonly Step[] {
  const { loanGuard } = settings.contracts;
  const { market, total } = draft;
  const approve = approveStep(
    partWords.approveStep(moneyOf(market).exact(total)),
    market.token,
    loanGuard,
    total,
    // What other guards may already take.
    smallest([market.allowance, total]),
  );
  if (context.funder !== undefined) return [approve];
  return [
    ...(total === market.allowance ? [] : [approve]),
    registerStep(settings, termsOf(draft, settings, context), { repayToken: market.token }),
    // Last, so that the loan is never without a guard.
    ...(context.replaces ? [cancelStep(settings.contracts, context.replaces.id)] : []),
  ];
}

const registered: readonly unknown[] = [
  ...encodeEventTopics({ abi: loanGuardAbi, eventName: 'GuardRegistered' }),
  ...encodeEventTopics({ abi: collateralGuardAbi, eventName: 'GuardRegistered' }),
];

interface Log {
  readonly address: Address;
  readonly topics: readonly Hex[];
}

/** The guard that was registered, by the receipts of its transaction; undefined if they show none. */
export function registeredIn(receipts: readonly { readonly logs: readonly Log[] }[], contracts: GuardContracts) {
  const keys = receipts
    .flatMap(({ logs }) => logs)
    .filter(({ topics }) => registered.includes(topics[0]))
    .map(({ address, topics }) => keyAt(contracts, address, BigInt(topics[1] ?? 0)));
  return keys.find((key) => key !== undefined);
}
