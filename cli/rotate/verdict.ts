import { asking, type ChainClient } from '@bowline/chain/chain-client';
import { contractErrorName } from '@bowline/chain/contract-error';
import { refusalOf } from '@bowline/chain/errors';
import { createPlanReader } from '@bowline/chain/plan-reader';
import type { BarePlan } from '@bowline/core/domain/permissions';
import { sameAddress } from '@bowline/core/domain/same-address';
import { hasEnded } from '@bowline/core/domain/slots';
import type { AddressBook } from '@bowline/core/registry/address-book';
import pLimit from 'p-limit';
import { type Address, encodeFunctionData, type LocalAccount, recoverMessageAddress } from 'viem';
import { planRegistryAbi } from '../../abis/index.ts';

/** Maximum node calls in flight. */
const SIMULATIONS = 8;

/**
 * Lists the plans that need tickets of `from`, and prepares each owner's edit, or says why it would revert. The
 * registry accepts an edit only as a transaction from the plan's owner.
 */
export async function prepareVerdictRotation(
  client: ChainClient,
  { own, assets }: AddressBook,
  chainId: number,
  from: Address,
  to: Address,
) {
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
        /** With the contract's error. In a batch, such an edit would make the owner's other edits fail, too. */
        refused: edits.flatMap(({ plan }, at) => (reasons[at] === undefined ? [] : [{ plan, reason: reasons[at] }])),
      };
    }),
  );
  // The edits are as of this block. Plans that the node did not return may name the former signer, too.
  return { chainId, planRegistry, from, to, block: block.number.toString(), owners, unread };
}

/**
 * The key signs first: an owner whose plans name a signer without a usable key can run nothing until they edit again.
 * @throws one line.
 */
export async function proveSigner(account: LocalAccount | undefined, signer: Address): Promise<void> {
  if (account === undefined) {
    throw new Error(
      `VERDICT_PRIVATE_KEY is missing: set it or VERDICT_PRIVATE_KEY_FILE to prove that you hold ${signer}'s key.`,
    );
  }
  const message = `Signs verdicts from now on: ${signer}`;
  const by = await recoverMessageAddress({ message, signature: await account.signMessage({ message }) });
  if (!sameAddress(by, signer)) throw new Error(`VERDICT_PRIVATE_KEY belongs to ${by}, and --to is ${signer}.`);
}

/** The error that the owner's call would revert with now; undefined if it would succeed. */
function refusalFor(
  client: ChainClient,
  account: Address,
  call: ReturnType<typeof editOf>['call'],
): Promise<string | undefined> {
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

/**
 * The call that names the next signer. A run or another edit voids it: the registry accepts it only for this version
 * and this number of runs.
 */
function editOf(plan: BarePlan, planRegistry: Address, verdictSigner: Address) {
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
  return { plan: id.toString(), status, version, runs, call };
}
