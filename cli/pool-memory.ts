import type { ChainClient } from '@bowline/chain/chain-client';
import { localChainId } from '@bowline/core/domain/chains';
import { grouped } from '@bowline/core/domain/readable';
import { bnb, gwei } from '@bowline/core/domain/units';
import type { Address, LocalAccount } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { type ExitCode, exitCodes, type Options, UsageError } from './commands.ts';
import { hostOf } from './host.ts';
import { buy, costOf, enoughSlots, roomOf, type Step, stepsTo } from './pool-memory/memory.ts';
import { bookOf } from './record.ts';
import { openSending } from './sending/bounds.ts';
import { accountsOf } from './sending/keys.ts';
import { broadcastAs, type SendBounds } from './sending/send.ts';
import { numberOption } from './values.ts';

/** Of anvil's first account, public: it pays on local chains. */
const localKey = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';

/** For whom the node estimates where there is no key. */
const nobody: Address = '0x000000000000000000000000000000000000dEaD';

const say = (line: string) => void process.stdout.write(`${line}\n`);

interface Purchase {
  readonly client: ChainClient;
  readonly bounds: SendBounds;
  readonly account: LocalAccount | undefined;
  readonly isAgreed: boolean;
}

/**
 * `npx bowline pool-memory BTCB`: says how much of its price the pool of an asset remembers, and what the missing room costs.
 * With `--yes` it buys it, with the account of PAYER_PRIVATE_KEY; use none of the agent's keys, whose nonces the agent counts.
 * Without a key it prints the transactions for any wallet. Something that is missing and was not bought is wrong.
 */
export async function poolMemory(options: Options<'pool-memory'>, words: readonly string[]): Promise<ExitCode> {
  const slots = Number(numberOption('--slots', options.slots ?? String(enoughSlots), 1n, 65_535n));
  const { client, bounds } = await openSending(hostOf(), options);
  const pools = poolsOf(bounds.chainId, words);
  const purchase = { client, bounds, account: payerOn(bounds.chainId), isAgreed: options.yes === true };
  let isMissing = false;
  for (const { symbol, pool } of pools) {
    const room = await roomOf(client, pool);
    say(
      `${symbol}: pool ${pool} remembers ${room.used} ${room.used === 1 ? 'observation' : 'observations'} and has room for ${room.bought}.`,
    );
    const steps = stepsTo(pool, room, slots);
    if (steps.length > 0) {
      if (!(await bought(purchase, steps, slots - room.bought))) isMissing = true;
    } else if (room.used >= slots) say(`  That is enough: 20 minutes need ${slots} at most.`);
    else
      say(
        '  Enough has been bought. The pool takes the room when it trades, and remembers 20 minutes 20 minutes later.',
      );
  }
  return isMissing ? exitCodes.wrong : exitCodes.done;
}

/** Says what the room costs, and buys it if that is agreed. @returns whether it was bought. */
async function bought(
  { client, bounds, account, isAgreed }: Purchase,
  steps: readonly Step[],
  lacking: number,
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
  // A twentieth more, since gas is paid in advance by its limit.
  if (held < (wei * 21n) / 20n) throw new Error(`${account.address} holds too little BNB. Nothing was sent.`);
  await buy(client, steps, {
    payer: account.address,
    send: (transaction) => broadcastAs(client, account, transaction, bounds),
    told: (line) => say(`  ${line}`),
  });
  say('  Bought. The pool takes the room when it trades; verdicts have their 20 minutes 20 minutes later.');
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

/** Keys come from the shell alone. */
function payerOn(chainId: number): LocalAccount | undefined {
  const account = accountsOf(['PAYER_PRIVATE_KEY'], process.env, chainId)('PAYER_PRIVATE_KEY');
  return account ?? (chainId === localChainId ? privateKeyToAccount(localKey) : undefined);
}
