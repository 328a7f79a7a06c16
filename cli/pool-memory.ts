import type { ChainClient } from '@bowline/chain/chain-client';
import { grouped } from '@bowline/core/domain/readable';
import { bnb, gwei } from '@bowline/core/domain/units';
import { type Address, encodeFunctionData, type Hex, type LocalAccount, parseAbi } from 'viem';
import { type ExitCode, exitCodes, type Options, UsageError } from './commands.ts';
import { say } from './home.ts';
import { hostOf } from './host.ts';
import { bookOf } from './record.ts';
import { openSending } from './sending/bounds.ts';
import { accountsOf } from './sending/keys.ts';
import { broadcastAs, minedBy, type SendBounds } from './sending/send.ts';
import { numberOption } from './values.ts';

// A PancakeSwap v3 pool keeps its past prices in a ring of observations, created with room for one. Anybody may pay for
// more room. A verdict looks back 20 minutes. A pool writes at most one observation a second, so 1,300 always suffice.

export const enoughSlots = 1_300;

/** Maximum gas of a transaction on BNB Chain (EIP-7825). */
const maxTransactionGas = 2n ** 24n;
/** A new slot costs 22,100 gas, plus a little for the loop: 14.5 million in all. */
const slotsPerTransaction = 650;

/** The sender for gas estimates when there is no key. */
const nobody: Address = '0x000000000000000000000000000000000000dEaD';

/**
 * `npx bowline pool-memory BTCB`: says how much price history an asset's pool keeps, and what the missing room costs.
 * `--yes` buys it with the account of PAYER_PRIVATE_KEY; use none of the agent's keys, whose nonces the agent counts.
 * Without a key it prints the transactions for any wallet. Room that is missing and was not bought counts as wrong.
 */
export async function poolMemory(options: Options<'pool-memory'>, words: readonly string[]): Promise<ExitCode> {
  const slots = Number(numberOption('--slots', options.slots ?? String(enoughSlots), 1n, 65_535n));
  const { client, bounds } = await openSending(hostOf(), options);
  const pools = poolsOf(bounds.chainId, words);
  // Keys are read only from the shell.
  const payer = accountsOf(['PAYER_PRIVATE_KEY'], process.env, bounds.chainId)('PAYER_PRIVATE_KEY');
  const purchase = { bounds, account: payer, isAgreed: options.yes === true };
  let isMissing = false;
  for (const { symbol, pool } of pools) {
    const room = await roomOf(client, pool);
    say(
      `${symbol}: pool ${pool} stores ${room.used} ${room.used === 1 ? 'observation' : 'observations'} and has room for ${room.bought}.`,
    );
    const steps = stepsTo(pool, room, slots);
    if (steps.length > 0) {
      if (!(await bought(client, steps, slots - room.bought, purchase))) isMissing = true;
    } else if (room.used >= slots) say(`  That is enough: 20 minutes need ${slots} at most.`);
    else
      say(
        '  Enough has been bought. The pool uses it once it trades; 20 minutes later, it covers the last 20 minutes.',
      );
  }
  return isMissing ? exitCodes.wrong : exitCodes.done;
}

/** Prints what the room costs, and buys it if agreed. @returns whether it was bought. */
async function bought(
  client: ChainClient,
  steps: readonly Step[],
  lacking: number,
  { account, bounds, isAgreed }: { account: LocalAccount | undefined; bounds: SendBounds; isAgreed: boolean },
): Promise<boolean> {
  const { gas, gasPriceWei, wei } = await costOf(client, steps, account?.address ?? nobody);
  const count = `${steps.length} ${steps.length === 1 ? 'transaction' : 'transactions'}`;
  say(`  To buy: room for ${lacking} more, in ${count}.`);
  say(`  Cost: ${grouped(gas)} gas, ${bnb(wei)} at ${gwei(gasPriceWei)}.`);
  if (account === undefined) {
    say('  No key in PAYER_PRIVATE_KEY. Any wallet may send these, one after the other:');
    for (const { to, data } of steps) say(`    to ${to}  data ${data}`);
    return false;
  }
  const held = await client.getBalance({ address: account.address });
  say(`  Payer: ${account.address}, which holds ${bnb(held)}.`);
  if (!isAgreed) {
    say('  Nothing was sent. Add --yes to buy it.');
    return false;
  }
  // A twentieth more, because gas is paid in advance up to its limit.
  if (held < (wei * 21n) / 20n) throw new Error(`${account.address} holds too little BNB. Nothing was sent.`);
  await buy(client, steps, {
    payer: account.address,
    send: (transaction) => broadcastAs(client, account, transaction, bounds),
    told: (line) => say(`  ${line}`),
  });
  say('  Room bought. The pool uses it once it trades; 20 minutes later, it has the 20 minutes that verdicts need.');
  return true;
}

function poolsOf(chainId: number, symbols: readonly string[]): { readonly symbol: string; readonly pool: Address }[] {
  const known = bookOf(chainId, 'script/deployments').assets.flatMap(({ symbol, pool }) =>
    pool?.address === undefined ? [] : [{ symbol, pool: pool.address }],
  );
  const names = known.map(({ symbol }) => symbol).join(', ');
  if (known.length === 0) throw new Error(`The registry lists no pool on chain ${chainId}.`);
  if (symbols.length === 0)
    throw new UsageError(`Name an asset: npx bowline pool-memory BTCB. Those with a pool: ${names}.`);
  return symbols.map((name) => {
    const found = known.find(({ symbol }) => symbol === name.toUpperCase());
    if (found === undefined) throw new UsageError(`The registry lists no pool of ${name}. Those with one: ${names}.`);
    return found;
  });
}

const abi = parseAbi([
  'function slot0() view returns (uint160 sqrtPriceX96, int24 tick, uint16 observationIndex, uint16 observationCardinality, uint16 observationCardinalityNext, uint32 feeProtocol, bool unlocked)',
  'function increaseObservationCardinalityNext(uint16 cardinality)',
]);

/** A transaction to send. */
export interface Step {
  readonly to: Address;
  readonly data: Hex;
  /** Total slots after it. */
  readonly slots: number;
  /** Slots that it adds. */
  readonly added: number;
}

/**
 * @returns `used`: observations in the pool's current ring. `bought`: the size paid for; the pool uses all of it after its
 * current round.
 */
export async function roomOf(client: ChainClient, pool: Address) {
  const [, , , used, bought] = await client.readContract({ address: pool, abi, functionName: 'slot0' });
  return { used, bought };
}

/** The transactions that give a pool that much room, in order; none if it already has it. */
export function stepsTo(pool: Address, { bought }: Awaited<ReturnType<typeof roomOf>>, slots: number): Step[] {
  const steps: Step[] = [];
  for (let has = bought; has < slots; ) {
    const next = Math.min(has + slotsPerTransaction, slots);
    const data = encodeFunctionData({ abi, functionName: 'increaseObservationCardinalityNext', args: [next] });
    steps.push({ to: pool, data, slots: next, added: next - has });
    has = next;
  }
  return steps;
}

/**
 * What the steps cost at the node's gas price. The node estimates the first; the others cost the same per slot.
 * @throws viem's error if the node does not answer, or if the pool reverts.
 */
export async function costOf(client: ChainClient, steps: readonly Step[], payer: Address) {
  const [first] = steps;
  if (first === undefined) return { gas: 0n, gasPriceWei: 0n, wei: 0n };
  const [measured, gasPriceWei] = await Promise.all([
    client.estimateGas({ account: payer, to: first.to, data: first.data }),
    client.getGasPrice(),
  ]);
  const slots = steps.reduce((sum, { added }) => sum + added, 0);
  const gas = (measured * BigInt(slots) + BigInt(first.added) - 1n) / BigInt(first.added);
  return { gas, gasPriceWei, wei: gas * gasPriceWei };
}

/** Sends one transaction and returns its hash. */
export type Send = (transaction: { to: Address; data: Hex; gas: bigint }) => Promise<Hex>;

/**
 * Sends the steps, each after the previous one is in a block.
 * @param told is called with a sentence for each.
 * @throws one line. After an unknown outcome nothing more is sent: the next call continues from the pool's state.
 */
export async function buy(
  client: ChainClient,
  steps: readonly Step[],
  { payer, send, told }: { readonly payer: Address; readonly send: Send; readonly told: (line: string) => void },
): Promise<void> {
  for (const { to, data, slots } of steps) {
    const measured = await client.estimateGas({ account: payer, to, data });
    const gas = (measured * 21n) / 20n;
    if (gas >= maxTransactionGas)
      throw new Error(`The step to ${slots} would take ${gas} gas, more than a transaction may.`);
    const hash = await send({ to, data, gas });
    const { gasUsed } = await minedBy(client, hash);
    told(`Room for ${slots}: ${hash}, ${gasUsed} gas.`);
  }
}
