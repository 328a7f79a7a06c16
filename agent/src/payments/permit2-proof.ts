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
  parseEventLogs,
  toEventSelector,
} from 'viem';
import { type ChainClient, receiptOf } from '../chain/chain-client.ts';
import { findLogs } from './find-logs.ts';
import { permit2 } from './permit2-check.ts';
import { simulated } from './simulated.ts';
import type { PaymentProof } from './standing.ts';

// On-chain evidence of a payment by Permit2, which logs no nonce when it moves a token. So the proof has three parts: the
// nonce became used in a block; in that block the token logs a transfer from the payer to us; and that transfer has proved no
// other payment. The last makes answers as many as transfers, whatever a payer does to his own nonces.

const abi = parseAbi([
  'struct TokenPermissions { address token; uint256 amount; }',
  'struct PermitTransferFrom { TokenPermissions permitted; uint256 nonce; uint256 deadline; }',
  'struct SignatureTransferDetails { address to; uint256 requestedAmount; }',
  'function permitWitnessTransferFrom(PermitTransferFrom permit, SignatureTransferDetails transferDetails, address owner, bytes32 bound, string typeString, bytes signature)',
  'function nonceBitmap(address owner, uint256 word) view returns (uint256)',
]);
const tokenAbi = parseAbi([
  'function allowance(address owner, address spender) view returns (uint256)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
  'event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)',
]);
const boundTypeString =
  'Witness witness)TokenPermissions(address token,uint256 amount)Witness(address to,uint256 validAfter)';
const transferTopic = toEventSelector('Transfer(address,address,uint256)');
const invalidatedTopic = toEventSelector('UnorderedNonceInvalidation(address,uint256,uint256)');

/** A node that shows a state of so many blocks ago has the logs of that block, too. */
const SETTLED_BLOCKS = 3n;

/**
 * Whether a transfer is this payment's: the first payment that claims it has it for good.
 * @param transfer transaction and place of the log in its receipt: the same whatever block it is in.
 */
export type Claim = (transfer: string, payment: string) => Promise<boolean>;

export function createPermitProof(client: ChainClient, claim: Claim): Pick<PaymentProof, 'preview' | 'standing'> {
  /** Permit2 keeps a bit for each nonce, 256 in a word. */
  async function isUsed({ authorization: { from, nonce } }: Payment, blockNumber: bigint): Promise<boolean> {
    const [word, bit] = [BigInt(nonce) >> 8n, BigInt(nonce) & 255n];
    const args = [from, word] as const;
    const bits = await client.readContract({ address: permit2, abi, functionName: 'nonceBitmap', args, blockNumber });
    return ((bits >> bit) & 1n) === 1n;
  }

  /** The same; undefined if the node does not have that state. */
  const wasUsed = (payment: Payment, block: bigint) => isUsed(payment, block).catch(() => undefined);

  async function isPaidBy(payment: Payment, receipt: Receipt): Promise<boolean> {
    const places = receipt.status === 'success' ? transfersIn(receipt.logs, payment) : [];
    if (places.length === 0) return false;
    const { blockNumber } = receipt;
    if ((await wasUsed(payment, blockNumber)) === false) return false;
    if ((await wasUsed(payment, blockNumber - 1n)) === true) return false;
    for (const place of places) {
      if (await claim(`${receipt.transactionHash}/${place}`, payment.key)) return true;
    }
    return false;
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
      const { asset, authorization } = payment;
      const { from, to, nonce, validBefore } = authorization;
      let waiting = false;
      for (const hash of transactions) {
        const receipt = await receiptOf(client, [hash]);
        if (receipt === undefined) waiting = true;
        else if (await isPaidBy(payment, receipt)) return { state: 'paid', transaction: receipt.transactionHash };
      }
      const { number, timestamp } = await client.getBlock({ blockTag: 'latest' });
      if (!(await isUsed(payment, number))) {
        return { state: 'unused', block: number, over: timestamp >= validBefore, waiting };
      }
      const transfers = { address: asset, topics: [[transferTopic], pad(from), pad(to)] } as const;
      const invalidated = { address: permit2, topics: [[invalidatedTopic], pad(from)] } as const;
      const searched = { since, head: number };
      const { logs, isWhole } = await findLogs(client, [transfers, invalidated], searched, (block) =>
        isUsed(payment, block),
      );
      const candidates = logs.filter(({ topics }) => topics[0] === transferTopic);
      for (const hash of new Set(candidates.map(({ transactionHash }) => transactionHash))) {
        const receipt = await receiptOf(client, [hash]);
        if (receipt !== undefined && (await isPaidBy(payment, receipt))) {
          return { state: 'paid', transaction: receipt.transactionHash };
        }
      }
      if (logs.some((log) => log.topics[0] === invalidatedTopic && invalidates(log.data, nonce))) {
        return { state: 'cancelled' };
      }
      // No event says so: every block was searched, and the newest ones are not those that the node may not have yet.
      const isLongUsed = isWhole && (await wasUsed(payment, number - SETTLED_BLOCKS)) === true;
      return isLongUsed ? { state: 'used_elsewhere' } : { state: 'unclear', waiting };
    },
  };
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

/**
 * Places, in a receipt, of the payer's transfers to the payee that are enough. None where the token also used an
 * authorisation of his: that one has its own proof.
 */
function transfersIn(
  logs: readonly Log[],
  { asset, authorization: { from, to, value } }: Pick<Payment, 'asset' | 'authorization'>,
): number[] {
  const isOf = (account: string) => account.toLowerCase() === from;
  const events = logs.map((log) =>
    log.address.toLowerCase() === asset ? parseEventLogs({ abi: tokenAbi, logs: [log] })[0] : undefined,
  );
  if (events.some((event) => event?.eventName === 'AuthorizationUsed' && isOf(event.args.authorizer))) return [];
  return events.flatMap((event, place) => {
    const isOurs = event?.eventName === 'Transfer' && isOf(event.args.from) && event.args.to.toLowerCase() === to;
    return isOurs && event.args.value >= value ? [place] : [];
  });
}

/** Whether the data of an UnorderedNonceInvalidation, a word and a mask, names this nonce. */
function invalidates(data: Hex, nonce: Hex): boolean {
  const [word, bit] = [BigInt(nonce) >> 8n, BigInt(nonce) & 255n];
  const mask = BigInt(`0x${data.slice(66)}`);
  return data.startsWith(encodeAbiParameters([{ type: 'uint256' }], [word])) && ((mask >> bit) & 1n) === 1n;
}
