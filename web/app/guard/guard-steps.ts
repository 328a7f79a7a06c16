import { type GuardContracts, keyAt } from '@bowline/core/domain/guard-key';
import { smallest } from '@bowline/core/domain/units';
import { type Address, encodeEventTopics, type Hex, zeroAddress } from 'viem';
import { collateralGuardAbi, loanGuardAbi } from '../../../abis/index.ts';
import type { Settings } from '../api/settings.ts';
import { approveStep } from '../chain/approve.ts';
import type { Guard } from '../chain/read-guards.ts';
import type { Step } from '../chain/step.ts';
import { moneyOf } from '../words/amounts.ts';
import { partWords } from '../words/en/parts.ts';
import { cancelStep } from './cancel-step.ts';
import { endOf, type GuardDraft } from './guard-form.ts';
import { registerStep } from './register-step.ts';

interface Context {
  readonly borrower: Address;
  /** Of the loan's protocol. */
  readonly adapter: Address;
  /** The chain's time, unix seconds. */
  readonly now: bigint;
  /** A guard of the borrower's that the new one takes the place of. */
  readonly replaces: Guard | undefined;
}

/** What is signed: the exact approval, unless it already exists, then the guard, and the cancellation of the one it replaces. */
export function guardSteps(
  draft: GuardDraft,
  { contracts }: Pick<Settings, 'contracts'>,
  context: Context,
): readonly Step[] {
  const { borrower, adapter, now, replaces } = context;
  const { market, total } = draft;
  const register = {
    borrower,
    funder: borrower,
    adapter,
    market: market.market,
    keeper: replaces?.keeper ?? zeroAddress,
    priceSource: draft.watchesChainlink ? contracts.priceSource : zeroAddress,
    triggerHealthWad: draft.triggerHealthWad,
    targetHealthWad: draft.targetHealthWad,
    capPerRescue: draft.capPerRescue,
    capPerDay: draft.capPerDay,
    minRepay: draft.minRepay,
    cooldownSeconds: Number(draft.cooldownSeconds),
    expiresAt: Number(endOf(draft, now)),
  };
  const approve = approveStep(
    partWords.approveStep(moneyOf(market).exact(total)),
    market.token,
    contracts.loanGuard,
    total,
    // What other guards may take now.
    smallest([market.allowance, total]),
  );
  return [
    ...(total === market.allowance ? [] : [approve]),
    registerStep(contracts.loanGuard, register, market.token),
    // Last: the loan is never without a guard.
    ...(replaces ? [cancelStep(contracts, replaces.id)] : []),
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

/** The guard that was registered, by the receipts of its act; undefined if they show none. */
export function registeredIn(receipts: readonly { readonly logs: readonly Log[] }[], contracts: GuardContracts) {
  const keys = receipts
    .flatMap(({ logs }) => logs)
    .filter(({ topics }) => registered.includes(topics[0]))
    .map(({ address, topics }) => keyAt(contracts, address, BigInt(topics[1] ?? 0)));
  return keys.find((key) => key !== undefined);
}
