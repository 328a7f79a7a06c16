import { asking, type ChainClient } from '@bowline/chain/chain-client';
import { contractErrorName } from '@bowline/chain/contract-error';
import { refusalOf } from '@bowline/chain/errors';
import { createPlanReader } from '@bowline/chain/plan-reader';
import type { BarePlan } from '@bowline/core/domain/permissions';
import { sameAddress } from '@bowline/core/domain/same-address';
import { hasEnded } from '@bowline/core/domain/slots';
import type { AddressBook } from '@bowline/core/registry/address-book';
import pLimit from 'p-limit';
import { type Address, encodeFunctionData, type Hex, type LocalAccount, recoverMessageAddress } from 'viem';
import { planRegistryAbi } from '../../abis/index.ts';

/** A plan that names the former verdict signer, and its owner's call that names the next one. */
interface PreparedEdit {
  readonly plan: string;
  readonly status: 'active' | 'paused';
  /** A run or another edit voids the call: the registry takes it for this version and this number of runs alone. */
  readonly version: number;
  readonly runs: number;
  readonly call: { readonly to: Address; readonly data: Hex; readonly value: '0' };
}

/** A plan whose edit would revert now. In a batch, it would take the owner's other edits with it. */
interface RefusedEdit {
  readonly plan: string;
  /** The contract's error, as a word. */
  readonly reason: string;
}

interface OwnersEdits {
  readonly owner: Address;
  readonly edits: readonly PreparedEdit[];
  readonly refused: readonly RefusedEdit[];
}

export interface VerdictRotation {
  readonly chainId: number;
  readonly planRegistry: Address;
  readonly from: Address;
  readonly to: Address;
  /** The edits are as of this block. */
  readonly block: string;
  readonly owners: readonly OwnersEdits[];
  /** Plans that the node did not give: some of them may name the former signer. */
  readonly unread: number;
}

/** Calls to the node in flight. */
const SIMULATIONS = 8;

/**
 * Lists the plans that need tickets of `from`, and prepares each owner's edit, or says why it would revert. The registry takes an
 * edit from the plan's owner alone, as a transaction.
 */
export async function prepareVerdictRotation(
  client: ChainClient,
  { own, assets }: AddressBook,
  chainId: number,
  from: Address,
  to: Address,
): Promise<VerdictRotation> {
  const { planRegistry } = own;
  const { block, plans, unread } = await createPlanReader(client, own, assets).plans();
  const needing = plans.filter((plan) => sameAddress(plan.verdictSigner, from) && !hasEnded(plan, block.timestamp));
  const byOwner = Map.groupBy(needing, ({ owner }) => owner);
  const atOnce = pLimit(SIMULATIONS);
  const owners = await Promise.all(
    [...byOwner].map(async ([owner, theirs]) => {
      const edits = theirs.map((plan) => editOf(plan, planRegistry, to));
      const reasons = await Promise.all(edits.map(({ call }) => atOnce(() => refusalFor(client, owner, call))));
      return {
        owner,
        edits: edits.filter((_, at) => reasons[at] === undefined),
        refused: edits.flatMap(({ plan }, at) => (reasons[at] === undefined ? [] : [{ plan, reason: reasons[at] }])),
      };
    }),
  );
  return { chainId, planRegistry, from, to, block: block.number.toString(), owners, unread };
}

/**
 * An owner who names a signer whose key nobody has can run nothing until they edit again: the key signs first.
 * @throws one line.
 */
export async function proveSigner(account: LocalAccount | undefined, signer: Address): Promise<void> {
  if (account === undefined) {
    throw new Error(
      `VERDICT_PRIVATE_KEY is missing, or VERDICT_PRIVATE_KEY_FILE: it proves that you hold ${signer}'s key.`,
    );
  }
  const message = `Signs verdicts from now on: ${signer}`;
  const by = await recoverMessageAddress({ message, signature: await account.signMessage({ message }) });
  if (!sameAddress(by, signer)) throw new Error(`VERDICT_PRIVATE_KEY belongs to ${by}, and --to is ${signer}.`);
}

/** The error with which the owner's call would revert now; undefined if it would not. */
function refusalFor(client: ChainClient, account: Address, call: PreparedEdit['call']): Promise<string | undefined> {
  return asking(async () => {
    try {
      await client.call({ account, to: call.to, data: call.data });
      return undefined;
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal === undefined) throw error;
      return contractErrorName(refusal.data);
    }
  });
}

function editOf(plan: BarePlan, planRegistry: Address, verdictSigner: Address): PreparedEdit {
  const { id, version, runs, status } = plan;
  const terms = {
    ...plan,
    verdictSigner,
    startAt: Number(plan.startAt),
    periodSeconds: Number(plan.periodSeconds),
    windowSeconds: Number(plan.windowSeconds),
    expiresAt: Number(plan.expiresAt),
  };
  const args = [id, BigInt(version), BigInt(runs), terms] as const;
  const data = encodeFunctionData({ abi: planRegistryAbi, functionName: 'edit', args });
  const call = { to: planRegistry, data, value: '0' } as const;
  return { plan: id.toString(), status: status as PreparedEdit['status'], version, runs, call };
}
