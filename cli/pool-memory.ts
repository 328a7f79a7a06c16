import { connectChain } from '@bowline/chain/chain-client';
import { checkChain } from '@bowline/chain/check-address-book';
import { localChainId } from '@bowline/core/domain/chains';
import { type Environment, readEnvFile } from '@bowline/http/environment';
import { type Address, BaseError, formatEther, formatGwei, type LocalAccount } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { bookOf } from './check/record.ts';
import { hostOf } from './host.ts';
import { readLine } from './options.ts';
import { buy, costOf, enoughSlots, roomOf, stepsTo } from './pool-memory/memory.ts';
import { boundsIn } from './sending/bounds.ts';
import { accountsOf } from './sending/keys.ts';
import { broadcastAs } from './sending/send.ts';

// `npx bowline pool-memory BTCB`: says how much of its price the pool of an asset remembers, and what the missing room costs.
// With `--yes` it buys it, with the account of PAYER_PRIVATE_KEY; use none of the agent's keys, whose nonces the agent counts.
// Without a key it prints the transactions for any wallet. Exits with 1 if something is missing and was not bought.

/** Of anvil's first account, public: it pays on local chains. */
const localKey = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';

/** For whom the node estimates where there is no key. */
const nobody: Address = '0x000000000000000000000000000000000000dEaD';

const say = (line: string) => void process.stdout.write(`${line}\n`);

try {
  const args = process.argv.slice(2);
  const isAgreed = args.includes('--yes');
  // Keys come from the shell alone.
  const shell = { ...process.env };
  const settings = readEnvFile();
  const { options, words } = readLine(
    'npx bowline pool-memory ASSET … [--yes]',
    { rpc: '', chain: '', slots: String(enoughSlots) },
    args.filter((arg) => arg !== '--yes'),
  );
  const slots = slotsIn(options.slots);
  const client = connectChain(options.rpc || hostOf().rpcUrls()[0]);
  const bounds = boundsIn(settings, options.chain);
  const { chainId } = bounds;
  await checkChain(client, chainId);
  const pools = poolsOf(chainId, words);
  const account = payerIn(shell, chainId);
  let missing = 0;
  for (const { symbol, pool } of pools) {
    const room = await roomOf(client, pool);
    say(
      `${symbol}: pool ${pool} remembers ${room.used} ${room.used === 1 ? 'observation' : 'observations'} and has room for ${room.bought}.`,
    );
    const steps = stepsTo(pool, room, slots);
    if (steps.length === 0) {
      say(
        room.used >= slots
          ? `  That is enough: 20 minutes need ${slots} at most.`
          : '  Enough has been bought. The pool takes the room when it trades, and remembers 20 minutes 20 minutes later.',
      );
      continue;
    }
    const { gas, gasPriceWei, wei } = await costOf(client, steps, account?.address ?? nobody);
    const count = `${steps.length} ${steps.length === 1 ? 'transaction' : 'transactions'}`;
    say(`  To buy: room for ${slots - room.bought} more, in ${count}.`);
    say(`  Cost: ${gas.toLocaleString('en')} gas, ${formatEther(wei)} BNB at ${formatGwei(gasPriceWei)} gwei.`);
    if (account === undefined) {
      say('  No key in PAYER_PRIVATE_KEY. Any wallet may send these, one after the other:');
      for (const { to, data } of steps) say(`    to ${to}  data ${data}`);
      missing += 1;
      continue;
    }
    const held = await client.getBalance({ address: account.address });
    say(`  Payer: ${account.address}, which holds ${formatEther(held)} BNB.`);
    if (!isAgreed) {
      say('  Nothing was sent. Add --yes to buy it.');
      missing += 1;
      continue;
    }
    // A twentieth more, since gas is paid in advance by its limit.
    if (held < (wei * 21n) / 20n) throw new Error(`${account.address} holds too little BNB. Nothing was sent.`);
    await buy(client, steps, {
      payer: account.address,
      send: (transaction) => broadcastAs(client, account, transaction, bounds),
      told: (line) => say(`  ${line}`),
    });
    say('  Bought. The pool takes the room when it trades; verdicts have their 20 minutes 20 minutes later.');
  }
  process.exitCode = missing > 0 ? 1 : 0;
} catch (error) {
  // Of the node's client the first line alone: others quote the request and the address.
  const { message } = error as Error;
  process.stderr.write(`${error instanceof BaseError ? message.split('\n')[0] : message}\n`);
  process.exitCode = 2;
}

function slotsIn(text: string): number {
  const slots = Number(text);
  if (Number.isInteger(slots) && slots > 0 && slots <= 65_535) return slots;
  throw new Error(`--slots takes a number from 1 to 65535, not "${text}".`);
}

function poolsOf(chainId: number, symbols: readonly string[]): { readonly symbol: string; readonly pool: Address }[] {
  const known = bookOf(chainId, 'script/deployments').assets.flatMap(({ symbol, pool }) =>
    pool?.address === undefined ? [] : [{ symbol, pool: pool.address }],
  );
  const names = known.map(({ symbol }) => symbol).join(', ');
  if (known.length === 0) throw new Error(`The registry lists no pool on chain ${chainId}.`);
  if (symbols.length === 0)
    throw new Error(`Name an asset: npx bowline pool-memory BTCB. Those with a pool: ${names}.`);
  return symbols.map((name) => {
    const found = known.find(({ symbol }) => symbol === name.toUpperCase());
    if (found === undefined) throw new Error(`The registry lists no pool of ${name}. Those with one: ${names}.`);
    return found;
  });
}

function payerIn(environment: Environment, chainId: number): LocalAccount | undefined {
  const account = accountsOf(['PAYER_PRIVATE_KEY'], environment, chainId)('PAYER_PRIVATE_KEY');
  return account ?? (chainId === localChainId ? privateKeyToAccount(localKey) : undefined);
}
