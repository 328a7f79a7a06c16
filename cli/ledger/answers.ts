import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { sameAddress } from '@bowline/core/domain/same-address';
import { formatUnits } from '@bowline/core/domain/units';
import { type Address, erc20Abi, getAddress, type PublicClient, parseEventLogs } from 'viem';
import { isPaid, type PaymentRecord, readRecord } from '../../agent/src/selling/payments/records.ts';
import {
  authorizationUsed,
  type Blocks,
  inRanges,
  type Section,
  type Transfer,
  take,
  transfer,
  transfersIn,
} from './logs.ts';

/** The current payment terms for answers. */
export interface Terms {
  readonly payee: Address;
  /** Paid by its own signatures (EIP-3009). */
  readonly token: Address;
  /** Paid through Permit2. */
  readonly permitted: readonly Address[];
}

type Kept = Pick<PaymentRecord, 'payment' | 'state'>;

/**
 * Answers paid with x402 or B402: compares on-chain transfers to us with the payments on file. Throws viem's errors.
 * @param terms the current ones; files may hold earlier ones. Undefined if no payee is known.
 * @returns undefined if no payee is known and no payment is kept.
 */
export async function answersLedger(
  client: PublicClient,
  terms: Terms | undefined,
  blocks: Blocks,
  folder: URL,
): Promise<Section | undefined> {
  const files = filesIn(folder);
  const unique = (addresses: Address[]) => [...new Set(addresses.map((each) => each.toLowerCase() as Address))];
  const before = files.map(({ payment }) => payment);
  const payees = unique([...(terms ? [terms.payee] : []), ...before.map(({ authorization }) => authorization.to)]);
  const ofPermits = before.filter(({ method }) => method !== 'eip3009').map(({ asset }) => asset);
  const permitted = unique([...(terms?.permitted ?? []), ...ofPermits]);
  const tokens = unique([...(terms ? [terms.token] : []), ...permitted, ...before.map(({ asset }) => asset)]);
  if (payees.length === 0) return undefined;
  const logs = await inRanges(blocks, async (range) => [
    ...(await client.getLogs({ ...range, address: tokens, event: transfer, args: { to: payees } })),
  ]);
  const { answered, others, unpaid } = compare(transfersIn(logs), files);
  const open = files.filter(({ state }) => !isPaid(state));
  const payments: Difference[] = [];
  // Sequential: anybody may send any number of dust transfers.
  for (const each of others) payments.push(...(await read(client, each, open, permitted)));
  const decimals = await Promise.all(
    tokens.map((token) => client.readContract({ address: token, abi: erc20Abi, functionName: 'decimals' })),
  );
  const wadOf = ({ token, value }: Transfer) =>
    value * 10n ** BigInt(18 - (decimals[tokens.indexOf(token.toLowerCase() as Address)] ?? 18));
  const sumOf = (some: readonly Transfer[]) => {
    const sum = some.reduce((all, each) => all + wadOf(each), 0n);
    return formatUnits(sum, 18);
  };
  const all = [...answered, ...payments];
  return {
    lines: [
      `Blocks ${blocks.from} to ${blocks.to}: ${all.length} payments to ${payees.map((payee) => getAddress(payee)).join(' and ')}, ${sumOf(all)} dollars in all.`,
      `${answered.length} answered, ${sumOf(answered)} dollars.`,
      ...payments.map((each) => `${each.reason}: ${sumOf([each])} by ${each.from}, transaction ${each.transaction}`),
      ...unpaid.map(({ payment }) => `answered, and not paid on chain: nonce ${payment.authorization.nonce}`),
    ],
    differences: payments.length + unpaid.length,
    unread: [],
  };
}

/** Matches each payment on file that is marked paid with its own transfer in the transaction that it names. */
function compare(transfers: readonly Transfer[], files: readonly Kept[]) {
  const others = [...transfers];
  const answered: Transfer[] = [];
  let unpaid = files.filter(({ state }) => isPaid(state));
  // A permit's transfer may exceed the stated value, so exact matches go first.
  for (const orMore of [false, true]) {
    unpaid = unpaid.filter(({ payment: { asset: token, authorization }, state }) => {
      const transaction = 'transaction' in state ? state.transaction : '0x';
      const found = take(others, { token, ...authorization, transaction }, orMore);
      if (found !== undefined) answered.push(found);
      return found === undefined;
    });
  }
  return { answered, others, unpaid };
}

type Difference = Transfer & { readonly reason: 'owed' | 'no question known' };

/** Classifies a transfer without an answer. Empty if no signature made it. Removes the matching file from `open`. */
async function read(
  client: PublicClient,
  found: Transfer,
  open: Kept[],
  permitted: readonly Address[],
): Promise<readonly Difference[]> {
  const { to: called, logs } = await client.getTransactionReceipt({ hash: found.transaction });
  const nonces = parseEventLogs({ abi: [authorizationUsed], logs })
    .filter(({ address: token, args }) => sameAddress(token, found.token) && sameAddress(args.authorizer, found.from))
    .map(({ args }) => args.nonce as string);
  // A permit logs no nonce. A transfer that the payer made by calling the token directly paid for nothing.
  const isPermit = permitted.some((token) => sameAddress(token, found.token)) && !sameAddress(found.token, called);
  if (nonces.length === 0 && !isPermit) return [];
  const at = open.findIndex(({ payment: { method, asset, authorization } }) => {
    const { from, to, value, nonce } = authorization;
    const isIts = sameAddress(asset, found.token) && sameAddress(from, found.from) && sameAddress(to, found.to);
    return isIts && (method === 'eip3009' ? nonces.includes(nonce) : isPermit && value <= found.value);
  });
  if (at !== -1) open.splice(at, 1);
  return [{ ...found, reason: at === -1 ? 'no question known' : 'owed' }];
}

/** A paid payment may still have its open file, if the process ended between the two writes. */
function filesIn(folder: URL): Kept[] {
  const files = new Map<string, URL>();
  for (const name of ['open/', 'answered/']) {
    const each = new URL(name, folder);
    for (const file of existsSync(each) ? readdirSync(each) : [])
      if (file.endsWith('.json')) files.set(file, new URL(file, each));
  }
  return [...files.values()].map((file) => readRecord(readFileSync(file, 'utf8')));
}
