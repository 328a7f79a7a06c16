import { asking, type ChainClient, receiptOf } from '@bowline/chain/chain-client';
import { findLogs, MAX_FINAL_RANGES } from '@bowline/chain/find-logs';
import { askWallet } from '@bowline/chain/wallet-signature';
import type { Authorization, Payment } from '@bowline/core/domain/payment';
import type { Hex } from '@bowline/core/domain/units';
import { encodeFunctionData, pad, parseAbi, type TransactionReceipt, toEventSelector } from 'viem';
import { type Claim, createPermitProof } from './permit2-proof.ts';
import { simulated } from './simulated.ts';
import type { PaymentProof, Standing } from './standing.ts';
import { transfersIn } from './transfers.ts';
import { NODES_FOR_ABSENCE, readUse } from './use.ts';

// On-chain evidence of a payment. A used nonce proves nothing: the payer may have cancelled it or paid somebody else. The
// proof is the transfer to us in the transaction that used it. Here for EIP-3009, for Permit2 in permit2-proof.ts.

const tokenAbi = parseAbi([
  'function authorizationState(address authorizer, bytes32 nonce) view returns (bool)',
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)',
]);

const usedTopic = toEventSelector('AuthorizationUsed(address,bytes32)');
const cancelledTopic = toEventSelector('AuthorizationCanceled(address,bytes32)');

/**
 * @param nodes each node by itself: what is not in the logs of one node may be in those of another.
 * @param claim lets one transfer prove one payment by Permit2.
 */
export function createPaymentProof(client: ChainClient, nodes: readonly ChainClient[], claim: Claim): PaymentProof {
  const authorizations = createAuthorizationProof(client, nodes);
  const permits = createPermitProof(client, nodes, claim);
  const of = ({ method }: Payment) => (method === 'eip3009' ? authorizations : permits);
  return {
    askWallet: ({ authorization: { from }, digest, signature }) => askWallet(client, from, digest, signature),
    preview: (payment) => asking(() => of(payment).preview(payment)),
    standing: (payment, since, transactions) => of(payment).standing(payment, since, transactions),
  };
}

function createAuthorizationProof(
  client: ChainClient,
  nodes: readonly ChainClient[],
): Pick<PaymentProof, 'preview' | 'standing'> {
  const isUsed = ({ asset, authorization: { from, nonce } }: Payment, blockNumber: bigint, node = client) =>
    node.readContract({
      address: asset,
      abi: tokenAbi,
      functionName: 'authorizationState',
      args: [from, nonce],
      blockNumber,
    });
  const isPaidBy = (payment: Payment, { status, logs }: TransactionReceipt) =>
    status === 'success' && transfersIn(logs, payment).isPaidBy(payment.authorization.nonce);

  /** What one node shows of the use; undefined if it shows none. */
  async function searchAt(
    node: ChainClient,
    payment: Payment,
    searched: { since: bigint; head: bigint },
    ranges?: number,
  ): Promise<Exclude<Standing, { state: 'unused' | 'unclear' }> | undefined> {
    const { asset, authorization } = payment;
    const wanted = {
      address: asset,
      topics: [[usedTopic, cancelledTopic], pad(authorization.from), authorization.nonce],
    } as const;
    const isUsedAt = (block: bigint) => isUsed(payment, block, node);
    const [use] = (await findLogs(node, [wanted], searched, isUsedAt, ranges)).logs;
    if (use?.topics[0] === cancelledTopic) return { state: 'cancelled', isFinal: false };
    const receipt = use && (await receiptOf(node, [use.transactionHash]));
    if (receipt === undefined) return undefined;
    if (!isPaidBy(payment, receipt)) return { state: 'used_elsewhere', isFinal: false };
    return { state: 'paid', transaction: receipt.transactionHash };
  }

  return {
    async preview(payment) {
      const { asset, authorization, signature } = payment;
      const block = await client.getBlockNumber();
      const data = transferOf(authorization, signature);
      if ((await simulated(client, { to: asset, data, blockNumber: block })) !== undefined) {
        return { state: 'unused', block };
      }
      return { state: (await isUsed(payment, block)) ? 'used' : 'refused' };
    },

    async standing(payment, since, transactions) {
      let waiting = false;
      for (const hash of transactions) {
        const receipt = await receiptOf(client, [hash]);
        if (receipt === undefined) waiting = true;
        else if (isPaidBy(payment, receipt)) return { state: 'paid', transaction: receipt.transactionHash };
      }
      const use = await readUse(payment, client, nodes, (block, node) => isUsed(payment, block, node));
      const { head } = use;
      if (!use.isUsed) return { state: 'unused', block: head, over: use.over, waiting, isFinal: use.isFinal };
      const { isLate } = use;
      const searched = { since, head };
      // One node shows that it paid; that it did not is final by two.
      const isSearchedAlone = nodes.length > 0 && (isLate || use.isElsewhere);
      const shown = isSearchedAlone
        ? await answersOf(nodes.map((node) => searchAt(node, payment, searched, MAX_FINAL_RANGES)))
        : [await searchAt(client, payment, searched)];
      const found = shown.find((each) => each?.state === 'paid') ?? shown.find((each) => each !== undefined);
      if (found === undefined) return { state: 'unclear', waiting, isFinal: isLate };
      if (found.state === 'paid') return found;
      const agreeing = shown.filter((each) => each?.state === found.state).length;
      return { ...found, isFinal: isLate && agreeing >= NODES_FOR_ABSENCE };
    },
  };
}

/** What was answered. Throws if nothing was. */
async function answersOf<Answer>(asked: readonly Promise<Answer>[]): Promise<readonly Answer[]> {
  const settled = await Promise.allSettled(asked);
  const answered = settled.filter((each) => each.status === 'fulfilled');
  const [failed] = settled.filter((each) => each.status === 'rejected');
  if (answered.length === 0 && failed !== undefined) throw failed.reason;
  return answered.map(({ value }) => value);
}

/** The call facilitators make: a 65-byte signature as v, r and s, any other as bytes. */
function transferOf({ from, to, value, validAfter, validBefore, nonce }: Authorization, signature: Hex): Hex {
  const terms = [from, to, value, validAfter, validBefore, nonce] as const;
  const functionName = 'transferWithAuthorization';
  if (signature.length !== 132) {
    return encodeFunctionData({ abi: tokenAbi, functionName, args: [...terms, signature] });
  }
  const [r, s]: Hex[] = [`0x${signature.slice(2, 66)}`, `0x${signature.slice(66, 130)}`];
  const v = Number(`0x${signature.slice(130)}`);
  return encodeFunctionData({ abi: tokenAbi, functionName, args: [...terms, v, r as Hex, s as Hex] });
}
