import { LOG_BLOCKS } from '@bowline/core/domain/heads';
import { sameAddress } from '@bowline/core/domain/same-address';
import { type Address, type Hex, type Log, parseAbi, parseEventLogs } from 'viem';

export const [transfer, authorizationUsed] = parseAbi([
  'event Transfer(address indexed from, address indexed to, uint256 value)',
  'event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)',
]);

/** The ledger's report on one kind of business. */
export interface Section {
  readonly lines: readonly string[];
  /** Number of differences between the chain and our files. */
  readonly differences: number;
  /** Descriptions of what could not be read: unless empty, nothing is proved. */
  readonly unread: readonly string[];
}

export const firstLine = ({ message }: Error): string => message.split('\n')[0] ?? '';

/** Both ends are inclusive. */
export interface Blocks {
  readonly from: bigint;
  readonly to: bigint;
}

type Logs = readonly Log<bigint, number, false>[];

/** Reads the logs of these blocks, range by range, oldest first. Throws what `read` throws. */
export async function inRanges(
  { from, to }: Blocks,
  read: (range: { readonly fromBlock: bigint; readonly toBlock: bigint }) => Promise<Logs>,
): Promise<Logs> {
  const logs: Log<bigint, number, false>[] = [];
  for (let fromBlock = from; fromBlock <= to; fromBlock += LOG_BLOCKS) {
    const last = fromBlock + LOG_BLOCKS - 1n;
    logs.push(...(await read({ fromBlock, toBlock: last < to ? last : to })));
  }
  return logs;
}

/** One token transfer. */
export interface Transfer {
  readonly token: Address;
  readonly from: Address;
  readonly to: Address;
  /** Base units of the token. */
  readonly value: bigint;
  readonly transaction: Hex;
}

export const transfersIn = (logs: Logs): Transfer[] =>
  parseEventLogs({ abi: [transfer], logs: [...logs] }).map(({ address: token, transactionHash: transaction, args }) => {
    return { token, ...args, transaction };
  });

/** Removes and returns the first matching transfer, of this value or, if `orMore`, a higher one: none counts twice. */
export function take(transfers: Transfer[], wanted: Transfer, orMore = false): Transfer | undefined {
  const at = transfers.findIndex(
    ({ token, from, to, value, transaction }) =>
      transaction === wanted.transaction &&
      sameAddress(token, wanted.token) &&
      sameAddress(from, wanted.from) &&
      sameAddress(to, wanted.to) &&
      (value === wanted.value || (orMore && value > wanted.value)),
  );
  return at === -1 ? undefined : transfers.splice(at, 1)[0];
}
