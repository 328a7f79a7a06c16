import { type ChainClient, receiptOf } from '@bowline/chain/chain-client';
import { type FoundLog, findLogs, MAX_FINAL_RANGES, REORG_BLOCKS } from '@bowline/chain/find-logs';
import type { Payment } from '@bowline/core/domain/payment';
import type { Hex } from '@bowline/core/domain/units';
import { permit2WitnessTypes } from '@x402/evm';
import {
  encodeAbiParameters,
  encodeFunctionData,
  hashStruct,
  type Log,
  pad,
  parseAbi,
  TransactionNotFoundError,
  toEventSelector,
} from 'viem';
import { permit2 } from './permit2-check.ts';
import { simulated } from './simulated.ts';
import type { PaymentProof } from './standing.ts';
import { transfersIn } from './transfers.ts';
import { NODES_FOR_ABSENCE, readUse } from './use.ts';

// On-chain evidence of a payment by Permit2, which logs no nonce when it moves a token. So the proof has three parts: the
// nonce is used; the token logs a transfer from the payer to us, in the block in which the nonce became used or in a
// transaction that carries the permit's signature; and that transfer has proved no other payment. The last makes answers as many
// as transfers, whatever a payer does to his own nonces.

const abi = parseAbi([
  'struct TokenPermissions { address token; uint256 amount; }',
  'struct PermitTransferFrom { TokenPermissions permitted; uint256 nonce; uint256 deadline; }',
  'struct SignatureTransferDetails { address to; uint256 requestedAmount; }',
  'function permitWitnessTransferFrom(PermitTransferFrom permit, SignatureTransferDetails transferDetails, address owner, bytes32 bound, string typeString, bytes signature)',
  'function nonceBitmap(address owner, uint256 word) view returns (uint256)',
]);
const tokenAbi = parseAbi(['function allowance(address owner, address spender) view returns (uint256)']);
const boundTypeString =
  'Witness witness)TokenPermissions(address token,uint256 amount)Witness(address to,uint256 validAfter)';
const transferTopic = toEventSelector('Transfer(address,address,uint256)');
const invalidatedTopic = toEventSelector('UnorderedNonceInvalidation(address,uint256,uint256)');

/** Hex digits of 0x, r and s: of the payer's signature, what any contract that uses it is given in one piece. */
const SIGNATURE_DIGITS = 2 + 128;

/**
 * Whether a transfer is this payment's: the first payment that claims it has it for good.
 * @param transfer transaction and place of the log in its receipt: the same whatever block it is in.
 */
export type Claim = (transfer: string, payment: string) => Promise<boolean>;

export function createPermitProof(
  client: ChainClient,
  nodes: readonly ChainClient[],
  claim: Claim,
): Pick<PaymentProof, 'preview' | 'standing'> {
  /** Permit2 keeps a bit for each nonce, 256 in a word. */
  async function isUsed(payment: Payment, blockNumber: bigint, node = client): Promise<boolean> {
    const { from, nonce } = payment.authorization;
    const [word, bit] = [BigInt(nonce) >> 8n, BigInt(nonce) & 255n];
    const args = [from, word] as const;
    const bits = await node.readContract({ address: permit2, abi, functionName: 'nonceBitmap', args, blockNumber });
    return ((bits >> bit) & 1n) === 1n;
  }

  /** The same; undefined if the node does not have that state. */
  const wasUsed = (payment: Payment, block: bigint, node: ChainClient) =>
    isUsed(payment, block, node).catch(() => undefined);

  /**
   * Where, in the block of a transfer of the payer, he made the nonce void. Undefined if the node does not show that block: an
   * answer without the transfer itself is none.
   */
  async function voidsIn(
    payment: Payment,
    { blockHash, transactionHash }: Receipt,
    node: ChainClient,
  ): Promise<bigint[] | undefined> {
    const { asset, authorization } = payment;
    const topics = [[invalidatedTopic, transferTopic], pad(authorization.from)];
    const asked = { address: [permit2, asset], topics, blockHash };
    const logs = (await node.request({ method: 'eth_getLogs', params: [asked as never] }).catch(() => [])) as Log[];
    if (!logs.some((log) => log.topics[0] === transferTopic && log.transactionHash === transactionHash)) return;
    return logs
      .filter(({ topics: [topic], data }) => topic === invalidatedTopic && invalidates(data, authorization.nonce))
      .map(({ logIndex }) => BigInt(logIndex ?? 0));
  }

  /** Whether the transaction carries the permit's signature, as far as the node shows it. */
  async function isSignedIn(payment: Payment, { transactionHash: hash }: Receipt, node: ChainClient): Promise<boolean> {
    if (payment.signature.length < SIGNATURE_DIGITS) return false;
    const sent = await node.getTransaction({ hash }).catch((error: unknown) => {
      if (!(error instanceof TransactionNotFoundError)) throw error;
      return undefined;
    });
    return sent?.input.toLowerCase().includes(payment.signature.slice(2, SIGNATURE_DIGITS)) === true;
  }

  /**
   * Whether the transfer at this place is what the permit did. The nonce is known to be used now. What a node does not have proves
   * nothing: of an old block, the signature in the transaction has to. Undefined: it may be.
   */
  async function isBound(
    payment: Payment,
    receipt: Receipt,
    place: number,
    node: ChainClient,
  ): Promise<boolean | undefined> {
    const { blockNumber } = receipt;
    const [before, after, voids] = await Promise.all([
      wasUsed(payment, blockNumber - 1n, node),
      wasUsed(payment, blockNumber, node),
      voidsIn(payment, receipt, node),
    ]);
    if (before === true || after === false) return false;
    const moved = BigInt(receipt.logs[place]?.logIndex ?? 0);
    if (voids?.some((at) => at < moved)) return false;
    if (await isSignedIn(payment, receipt, node)) return true;
    return before === false && after === true && voids?.length === 0 ? true : undefined;
  }

  /** Whether a transfer of that transaction is the payment, by that node; undefined if one may be. */
  async function isPaidBy(
    payment: Payment,
    since: bigint,
    receipt: Receipt,
    node = client,
  ): Promise<boolean | undefined> {
    if (receipt.status !== 'success' || receipt.blockNumber + REORG_BLOCKS < since) return false;
    const { others, areMore } = transfersIn(receipt.logs, payment);
    let may = areMore;
    for (const place of others) {
      const bound = await isBound(payment, receipt, place, node);
      if (bound === undefined) may = true;
      if (bound && (await claim(`${receipt.transactionHash}/${place}`, payment.key))) return true;
    }
    return may ? undefined : false;
  }

  /** Logs of the payer's transfers to us, and of nonces that he made void. Whole: all there are until `head`. */
  async function search(
    payment: Payment,
    searched: { since: bigint; head: bigint },
    node: ChainClient,
    ranges?: number,
  ): Promise<Found> {
    const { asset, authorization } = payment;
    const { from, to } = authorization;
    const transfers = { address: asset, topics: [[transferTopic], pad(from), pad(to)] } as const;
    const invalidated = { address: permit2, topics: [[invalidatedTopic], pad(from)] } as const;
    const isUsedAt = (block: bigint) => isUsed(payment, block, node);
    return { node, ...(await findLogs(node, [transfers, invalidated], searched, isUsedAt, ranges)) };
  }

  /** The same of one node, if it is as far as that, and shows the nonce as used, too. */
  async function searchAlone(
    payment: Payment,
    searched: { since: bigint; head: bigint },
    node: ChainClient,
  ): Promise<Found> {
    const nothing = { node, logs: [], isWhole: false };
    try {
      if ((await node.getBlockNumber()) < searched.head || !(await isUsed(payment, searched.head, node)))
        return nothing;
      return await search(payment, searched, node, MAX_FINAL_RANGES);
    } catch {
      return nothing;
    }
  }

  return {
    async preview(payment) {
      const { asset, authorization } = payment;
      const { from, value, spender } = authorization;
      const block = await client.getBlockNumber();
      // Before the simulation: where there is no Permit2 this fails, and a call to nothing would not.
      if (await isUsed(payment, block)) return { state: 'used' };
      // As the spender, since nobody else may: Permit2 needs to know nothing of it.
      const call = { ...(spender && { account: spender }), to: permit2, data: transferOf(payment), blockNumber: block };
      if ((await simulated(client, call)) !== undefined) return { state: 'unused', block };
      const args = [from, permit2] as const;
      const token = { address: asset, abi: tokenAbi, functionName: 'allowance' } as const;
      const approved = await client.readContract({ ...token, args, blockNumber: block });
      return { state: approved < value ? 'not_approved' : 'refused' };
    },

    async standing(payment, since, transactions) {
      const { nonce, value } = payment.authorization;
      // First: of an unused nonce no transaction is the payment.
      const use = await readUse(payment, client, nodes, (block, node) => isUsed(payment, block, node));
      let waiting = false;
      let isOpen = false;
      for (const hash of transactions) {
        const receipt = await receiptOf(client, [hash]);
        if (receipt === undefined || receipt.blockNumber > use.head) waiting = true;
        else if (use.isUsed) {
          const isPaid = await isPaidBy(payment, since, receipt);
          if (isPaid) return { state: 'paid', transaction: hash };
          if (isPaid === undefined) isOpen = true;
        }
      }
      if (!use.isUsed) return { state: 'unused', block: use.head, over: use.over, waiting, isFinal: use.isFinal };
      const { head, isLate } = use;
      const searched = { since, head };
      // Until it is late nothing is concluded from what is missing: one node is enough, unless it does not know of the use.
      const found =
        isLate || use.isElsewhere
          ? await Promise.all(nodes.map((node) => searchAlone(payment, searched, node)))
          : [await search(payment, searched, client)];
      isOpen ||= waiting;
      for (const { node, logs } of found) {
        const candidates = logs.filter(({ topics: [topic], data }) => topic === transferTopic && BigInt(data) >= value);
        for (const hash of new Set(candidates.map(({ transactionHash }) => transactionHash))) {
          const receipt = await receiptOf(node, [hash]);
          const isPaid = receipt && (await isPaidBy(payment, since, receipt, node));
          if (isPaid) return { state: 'paid', transaction: hash };
          if (isPaid === undefined) isOpen = true;
        }
      }
      const logs = found.flatMap((each) => each.logs);
      const isVoiding = ({ topics: [topic], data }: FoundLog) => topic === invalidatedTopic && invalidates(data, nonce);
      const agreeing = found.filter(({ isWhole }) => isWhole);
      // A node that refuses the transfers may serve the nonces made void: nothing final rests on it.
      if (logs.some(isVoiding) && !isOpen && (!isLate || agreeing.length > 0)) {
        const voiding = agreeing.filter((each) => each.logs.some(isVoiding)).length;
        return { state: 'cancelled', isFinal: isLate && voiding >= NODES_FOR_ABSENCE };
      }
      if (isLate && !isOpen && agreeing.length >= NODES_FOR_ABSENCE) return { state: 'used_elsewhere', isFinal: true };
      return { state: 'unclear', waiting, isFinal: isLate };
    },
  };
}

interface Found {
  readonly node: ChainClient;
  readonly logs: readonly FoundLog[];
  readonly isWhole: boolean;
}

type Receipt = NonNullable<Awaited<ReturnType<typeof receiptOf>>>;

/** What the spender has Permit2 do. */
function transferOf({ asset, authorization, signature }: Payment): Hex {
  const { from, to, value, validAfter, validBefore, nonce } = authorization;
  const permitted = { token: asset, amount: value };
  const { Witness } = permit2WitnessTypes;
  return encodeFunctionData({
    abi,
    functionName: 'permitWitnessTransferFrom',
    args: [
      { permitted, nonce: BigInt(nonce), deadline: validBefore - 1n },
      { to, requestedAmount: value },
      from,
      hashStruct({ types: { Witness }, primaryType: 'Witness', data: { to, validAfter } }),
      boundTypeString,
      signature,
    ],
  });
}

/** Whether the data of an UnorderedNonceInvalidation, a word and a mask, names this nonce. */
function invalidates(data: Hex, nonce: Hex): boolean {
  const [word, bit] = [BigInt(nonce) >> 8n, BigInt(nonce) & 255n];
  const mask = BigInt(`0x${data.slice(66)}`);
  return data.startsWith(encodeAbiParameters([{ type: 'uint256' }], [word])) && ((mask >> bit) & 1n) === 1n;
}
