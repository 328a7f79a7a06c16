import { sameAddress } from '@bowline/core/domain/same-address';
import { type Address, type Hex, type Log, type PublicClient, parseAbi, parseEventLogs } from 'viem';

// Payments as the chain alone shows them.

const abi = parseAbi([
  'event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
]);
const [authorizationUsed, transfer] = abi;

/** A range that public nodes accept. */
const LOG_BLOCKS = 2_000n;

/** Both included. */
export interface Blocks {
  readonly from: bigint;
  readonly to: bigint;
}

/** What is read from these blocks' logs, range by range, oldest first. Throws what `read` throws. */
export async function inRanges<Item>(
  { from, to }: Blocks,
  read: (range: { readonly fromBlock: bigint; readonly toBlock: bigint }) => Promise<readonly Item[]>,
): Promise<Item[]> {
  const items: Item[] = [];
  for (let fromBlock = from; fromBlock <= to; fromBlock += LOG_BLOCKS) {
    const last = fromBlock + LOG_BLOCKS - 1n;
    items.push(...(await read({ fromBlock, toBlock: last < to ? last : to })));
  }
  return items;
}

/** A transfer to the payee by a payer's signature. */
export interface ChainPayment {
  readonly payer: Address;
  readonly payee: Address;
  readonly token: Address;
  /** Absent for a permit: Permit2 logs none. */
  readonly nonce?: Hex;
  /** Base units of the token. */
  readonly amount: bigint;
  readonly transaction: Hex;
  readonly block: bigint;
}

interface Till {
  readonly token: Address;
  readonly payee: Address;
}

/** All payments by authorisation to the payee in these blocks, oldest first. Throws viem's errors. */
export const readPayments = (client: PublicClient, { token, payee }: Till, blocks: Blocks): Promise<ChainPayment[]> =>
  inRanges(blocks, async (range) => {
    const [received, uses] = await Promise.all([
      client.getLogs({ ...range, address: token, event: transfer, args: { to: payee } }),
      client.getLogs({ ...range, address: token, event: authorizationUsed }),
    ]);
    const paying = new Set(received.map(({ transactionHash }) => transactionHash));
    return pairs(
      [...received, ...uses].filter(({ transactionHash }) => paying.has(transactionHash)),
      payee,
    );
  });

/**
 * Pairs each use of an authorisation with the transfer that it made: the next transfer of its payer to the payee in the
 * transaction, or for tokens that log the transfer first, the last one before it. No transfer counts twice.
 */
export function pairs(logs: readonly Log<bigint, number, false>[], payee: Address): ChainPayment[] {
  const events = parseEventLogs({ abi, logs: [...logs] }).toSorted(
    (one, other) => Number(one.blockNumber - other.blockNumber) || one.logIndex - other.logIndex,
  );
  const taken = new Set<(typeof events)[number]>();
  return events.flatMap((use, at) => {
    if (use.eventName !== 'AuthorizationUsed') return [];
    const { authorizer, nonce } = use.args;
    const isIts = (event: (typeof events)[number] | undefined) =>
      event?.eventName === 'Transfer' &&
      event.transactionHash === use.transactionHash &&
      event.args.from === authorizer &&
      sameAddress(event.args.to, payee) &&
      !taken.has(event);
    const made = isIts(events[at + 1]) ? events[at + 1] : events.slice(0, at).findLast(isIts);
    if (made?.eventName !== 'Transfer') return [];
    taken.add(made);
    const { transactionHash: transaction, blockNumber: block, address: token } = use;
    return [{ payer: authorizer, payee, token, nonce, amount: made.args.value, transaction, block }];
  });
}

/**
 * All transfers of a token to the payee that a contract made for the payer, oldest first: payments by Permit2. One that the
 * payer's own transaction asked the token for bought nothing. Throws viem's errors.
 */
export const readPermits = (client: PublicClient, { token, payee }: Till, blocks: Blocks): Promise<ChainPayment[]> =>
  inRanges(blocks, async (range) => {
    const filter = { ...range, address: token, event: transfer, args: { to: payee } };
    const received = await client.getLogs({ ...filter, strict: true });
    const payments: ChainPayment[] = [];
    for (const { args, transactionHash, blockNumber: block } of received) {
      const sent = await client.getTransaction({ hash: transactionHash });
      if (sameAddress(token, sent.to)) continue;
      payments.push({ payer: args.from, payee, token, amount: args.value, transaction: transactionHash, block });
    }
    return payments;
  });

/** Transfers that no authorisation made: where a token has been taken in both ways, an authorisation that a contract sent looks like a permit. */
export function withoutAuthorised(
  permitted: readonly ChainPayment[],
  authorised: readonly ChainPayment[],
): readonly ChainPayment[] {
  const nameOf = ({ payer, payee, token, amount, transaction }: ChainPayment) =>
    `${payer}/${payee}/${token}/${amount}/${transaction}`.toLowerCase();
  const made = authorised.map(nameOf);
  return permitted.filter((payment) => {
    const at = made.indexOf(nameOf(payment));
    if (at !== -1) made.splice(at, 1);
    return at === -1;
  });
}
