import { LOG_BLOCKS } from '@bowline/core/domain/heads';
import { sameAddress } from '@bowline/core/domain/same-address';
import { type Address, type Hex, type Log, parseAbi, parseEventLogs } from 'viem';

export const [transfer, authorizationUsed] = parseAbi([
  'event Transfer(address indexed from, address indexed to, uint256 value)',
  'event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)',
]);

/** What the ledger says of one kind of business. */
export interface Section {
  readonly lines: readonly string[];
  /** How often the chain and our files differ. */
  readonly differences: number;
  /** What could not be read, in words: where it is not empty, nothing is proved. */
  readonly unread: readonly string[];
}

export const firstLine = ({ message }: Error): string => message.split('\n')[0] ?? '';

/** Both included. */
export interface Blocks {
  readonly from: bigint;
  readonly to: bigint;
}

type Logs = readonly Log<bigint, number, false>[];

/** These blocks' logs, range by range, oldest first. Throws what `read` throws. */
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

/** What a token has moved. */
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

/** Takes out the first transfer like this one, of this value or, if `orMore`, a higher one: none is counted twice. */
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
