import type { Address, Hex, TransactionReceipt } from 'viem';
import { isApproval } from '../chain/approve.ts';
import type { ChainClient } from '../chain/client.ts';
import { isShown } from '../chain/proof.ts';
import type { Step } from '../chain/step.ts';
import { receiptOf } from './look-up.ts';

/** A call as a wallet accepts it in a batch. */
interface BatchCall {
  readonly to: Address;
  readonly data: Hex;
  /** wei of BNB. */
  readonly value?: bigint;
}

/** A wallet's status of a batch: EIP-5792's code, and the transactions that it made of the calls. */
export interface BatchStatus {
  readonly code: number;
  readonly hashes: readonly Hex[];
}

/** The part of a wallet that runs several calls as one batch (EIP-5792). */
export interface BatchWallet {
  /**
   * Whether it answers every request with its own id and sends the call once others have signed: a Safe. The id is not
   * a hash, and the transaction uses another account's nonce, so only the wallet knows the outcome of a call.
   */
  readonly namesNoHash?: () => boolean;
  /** Whether the wallet claims atomic batches (all calls or none) for this account on the page's chain. */
  readonly canBatch: (owner: Address) => Promise<boolean>;
  /**
   * @param id by which the page would ask for the batch later.
   * @returns the wallet's own id of the batch; undefined if it sent nothing and takes the calls one after another.
   */
  readonly send: (owner: Address, calls: readonly BatchCall[], id: Hex) => Promise<string | undefined>;
  /** @throws if the wallet does not know the id, or does not answer. */
  readonly status: (id: string) => Promise<BatchStatus>;
}

/** Timeout for a wallet to report its capabilities. A wallet that does not answer is asked step by step. */
const ASKING_MS = 3_000;
/** Timeout for a wallet to report the status of a batch. */
const STATUS_MS = 10_000;

/** Whether steps can be one batch: the wallet says so, and the chain can show for each step whether it happened. */
export async function canBeOne(wallet: BatchWallet | undefined, owner: Address, steps: readonly Step[]) {
  if (wallet === undefined || steps.some(({ proof }) => proof === undefined)) return false;
  if (wallet.namesNoHash?.()) return true;
  if (steps.length < 2 || steps.some(({ isUntried }) => isUntried)) return false;
  return Promise.race([wallet.canBatch(owner).catch(() => false), after(ASKING_MS).then(() => false)]);
}

const after = (ms: number) => new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), ms));

/**
 * What is known of a batch. `waiting`: in flight. `unheard`: the wallet does not know it, does not answer, or names no
 * transaction. `unfound`: the chain lacks some of the transactions that the wallet names. `unsent`: according to the
 * wallet, nothing was sent. `ended`: its transactions are in blocks; `made` are the steps that their receipts show.
 */
export type BatchFound =
  | { readonly state: 'waiting' | 'unheard' | 'unfound' | 'unsent' }
  | {
      readonly state: 'ended';
      /** Whether the wallet reports a failure, in whole or in part. */
      readonly isFailure: boolean;
      readonly receipts: readonly TransactionReceipt[];
      readonly made: readonly number[];
      /** Whether the receipts show an approval of a different amount than a step requested. */
      readonly isChanged: boolean;
    };

/** Whether all steps reverted together. */
export const isUndone = ({ made, isChanged, receipts }: BatchFound & { readonly state: 'ended' }): boolean =>
  made.length === 0 && !isChanged && receipts.some(({ status }) => status === 'reverted');

interface Asked {
  readonly owner: Address;
  readonly steps: readonly Step[];
  /** The newest block when the wallet was asked. */
  readonly since?: bigint | undefined;
}

/**
 * Looks up a batch once. The wallet's answer says where and when to look; what happened is read from the chain.
 * @throws if the node does not answer.
 */
export async function lookUpBatch(
  client: ChainClient,
  wallet: BatchWallet,
  { owner, steps, since }: Asked,
  id: string,
): Promise<BatchFound> {
  const status = await Promise.race([wallet.status(id).catch(() => undefined), after(STATUS_MS)]);
  if (status === undefined || since === undefined) return { state: 'unheard' };
  const { code, hashes } = status;
  if (code >= 100 && code < 200) return { state: 'waiting' };
  if (code >= 400 && code < 500 && hashes.length === 0) return { state: 'unsent' };
  const isFinal = code >= 200 && code < 700;
  if (!isFinal || hashes.length === 0) return { state: 'unheard' };
  const found = await Promise.all([...new Set(hashes)].map((hash) => receiptOf(client, hash)));
  const known = found.filter((receipt) => receipt !== undefined);
  if (known.length < found.length) return { state: 'unfound' };
  // A receipt from `since` or before belongs to an earlier transaction.
  const receipts = known.filter(({ blockNumber }) => blockNumber > since);
  const made = [...steps.keys()].filter((at) => {
    const { proof } = steps[at] as Step;
    return proof !== undefined && isShown(proof, owner, receipts);
  });
  const isChanged = [...steps.keys()].some((at) => !made.includes(at) && isOfOtherAmount(steps[at] as Step));
  return { state: 'ended', isFailure: code >= 300, receipts, made, isChanged };

  function isOfOtherAmount(step: Step): boolean {
    if (step.proof === undefined || !isApproval(step)) return false;
    const { data: _, ...anyAmount } = step.proof;
    return isShown(anyAmount, owner, receipts);
  }
}
