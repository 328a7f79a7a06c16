import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { openKeystore } from '@bowline/http/keystore';
import { privateKeyToAddress } from 'viem/accounts';
import { poolAbi } from '../world/abis.ts';
import { tradedPools } from '../world/market/pools.ts';
import { bnb, customersOf, must } from './actor.ts';
import { makeKey } from './keys.ts';
import { by, customers, keyOf, type Operator, publicUrl, type Step, startAgent } from './operator.ts';
import { pooled } from './world.ts';

// From nothing to an agent that can do its work.

const names = [
  ...['deployer', 'rotator', 'keeper', 'rescue', 'verdict', 'seller', 'payer'],
  ...['next-keeper', 'next-verdict', 'next-seller'],
];
/** Anvil's second account: its key is in every tutorial. */
const publicKey = '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d';

/** Room of the pools of an asset that verdicts read. */
const roomsOf = ({ world: { chain } }: Operator, asset: string): Promise<readonly number[]> =>
  Promise.all(
    tradedPools
      .filter(({ base, quote }) => base === asset && quote === 'USDT')
      .map(async ({ address }) => (await chain.readContract({ address, abi: poolAbi, functionName: 'slot0' }))[4]),
  );

export const beginning: readonly Step[] = [
  {
    title: 'Make the keys',
    why: 'Make one key for each job, each in an encrypted keystore; the last three are for the rotations below. Whoever has a keystore and its password has the key, so the passwords are in a separate folder, which stands for the system’s secret store on a real host. The rotator should be a multisig or a hardware wallet.',
    async play(operator) {
      const { stage, keys } = operator;
      const [keystores, passwords] = [join(stage.folder, '.foundry/keystores'), join(stage.folder, 'passwords')];
      for (const name of names) keys.set(name, makeKey(keystores, passwords, name));
      stage.note(
        [
          `umask 077; mkdir -p ${keystores} ${passwords}`,
          `for key in ${names.join(' ')}; do`,
          `  openssl rand -base64 24 > ${passwords}/$key`,
          `  CAST_PASSWORD=$(cat ${passwords}/$key) cast wallet new ${keystores} $key`,
          'done',
        ].join('\n'),
      );
      for (const { keystore, password, address } of keys.values()) {
        const key = openKeystore(readFileSync(keystore, 'utf8'), readFileSync(password, 'utf8').trim());
        must(privateKeyToAddress(key as `0x${string}`) === address, `${keystore} opens to another key.`);
        must((statSync(keystore).mode & 0o077) === 0, `${keystore} can be read by others.`);
      }
      return `${keys.size} keystores, each opens with its own password`;
    },
  },
  {
    title: 'See what is refused',
    why: 'On BNB Chain, the agent refuses an unencrypted key from the environment by default, and always refuses a publicly known one.',
    async play({ stage }) {
      const env = { KEEPER_PRIVATE_KEY: publicKey };
      await stage.bowline('agent', { env, code: 1, show: /refused|publicly/ });
      const known = await stage.bowline('agent', {
        env: { ...env, RAW_KEYS: 'accepted' },
        code: 1,
        show: /publicly/,
      });
      must(known.includes('publicly known key'), 'A public key was refused for another reason.');
      return 'the agent did not start';
    },
  },
  {
    title: 'Check the node',
    why: 'This checks everything that the agent needs before there is anything to lose. Here each pool stores a single observation, as a new pool does, and none of our contracts is deployed.',
    async play({ stage }) {
      const said = await stage.bowline('check', {
        code: 1,
        show: /observe|ok +node|settings|record|→/,
      });
      for (const asset of pooled)
        must(new RegExp(`note +node\\.observe\\.${asset}`).test(said), `observe.${asset} is not missing:\n${said}`);
      must(/ok +node /.test(said), 'The node does not answer.');
      return `the pools of ${pooled.join(', ')} store too little history`;
    },
  },
  {
    title: 'Buy pool memory',
    why: 'Anyone can buy a pool room for more observations, once and for everybody. Do not use one of the agent’s keys. The rehearsal then writes the last 20 minutes of history back. On this chain the slots were used before, so they cost a tenth of what they would cost on BNB Chain.',
    async play(operator) {
      const { stage, world } = operator;
      const payer = keyOf(operator, 'payer');
      await world.send(payer.address, '1');
      await stage.bowline(`pool-memory ${pooled.join(' ')} --yes`, {
        env: by(operator, 'PAYER_PRIVATE_KEY', 'payer'),
        show: /To buy|Cost|Room for 13/,
      });
      const rooms = (await Promise.all(pooled.map((asset) => roomsOf(operator, asset)))).flat();
      must(rooms.length === pooled.length, `${rooms.length} pools were found.`);
      must(
        rooms.every((room) => room >= 1_300),
        `The pools have room for ${rooms.join(', ')}.`,
      );
      await world.market.play({ name: 'calm' });
      return `${rooms.length} pools have room for 1300 observations`;
    },
  },
  {
    title: 'Predict the addresses',
    why: 'The settings determine every address. This command prints the addresses and sends nothing: compare them with those that you expect.',
    async play(operator) {
      const { stage, world, folder } = operator;
      const { address, password } = keyOf(operator, 'deployer');
      await world.send(address, '1');
      const env = deployment(operator);
      const said = await stage.bowline(`${deploy(world.rpcUrl, password)} --predict`, {
        env,
        show: / new | deployed |Nothing was/,
      });
      const places = [...said.matchAll(/(0x[0-9a-fA-F]{40}) new +(\w+)/g)];
      must(places.length === 8, `${places.length} contracts were foreseen in ${folder}.`);
      for (const [, place] of places) {
        const code = await world.chain.getCode({ address: place as `0x${string}` });
        must(code === undefined, `${place} has code already.`);
      }
      must((await world.chain.getTransactionCount({ address })) === 0, 'Something was sent.');
      operator.kept.foreseen = places.map(([, place = '', name = '']) => [name, place as `0x${string}`] as const);
      return `${places.length} addresses, and no transaction`;
    },
  },
  {
    title: 'Deploy',
    why: 'Run the same command without `--predict`. It reads the settings back from the chain before it writes the record.',
    async play(operator) {
      const { stage, world, deployments } = operator;
      const { password } = keyOf(operator, 'deployer');
      await stage.bowline(deploy(world.rpcUrl, password), {
        env: deployment(operator),
        show: /ONCHAIN|Deployed, read/,
      });
      for (const [name, address] of operator.kept.foreseen ?? []) {
        const code = await world.chain.getCode({ address });
        must(code !== undefined, `${name} is not at ${address}.`);
      }
      operator.customers = customersOf(world, deployments);
      const found = await customers(operator).operator();
      must(found === keyOf(operator, 'keeper').address, `The operator is ${found}.`);
      return 'the contracts are at the predicted addresses, and the keeper operates them';
    },
  },
  {
    title: 'Fund the payers',
    why: 'Each account that sends transactions needs its own BNB. These accounts never hold anyone else’s money. Put settings that are not secret into `.env` or `agent.env`, and name the files of the keys: the check then starts as the agent would, opens every key and compares it with the chain.',
    async play(operator) {
      const { world, stage } = operator;
      const payers = ['keeper', 'rescue', 'seller'].map((name) => keyOf(operator, name).address);
      for (const payer of payers) await world.send(payer, '1');
      operator.settings = {
        ...by(operator, 'KEEPER_PRIVATE_KEY', 'keeper'),
        ...by(operator, 'RESCUE_PRIVATE_KEYS', 'rescue'),
        ...by(operator, 'VERDICT_PRIVATE_KEY', 'verdict'),
        ...by(operator, 'SELLER_PRIVATE_KEY', 'seller'),
      };
      await stage.bowline('check', { env: operator.settings, show: /^ {2}|^Nothing/ });
      const held = await Promise.all(payers.map((address) => world.chain.getBalance({ address })));
      must(
        held.every((wei) => wei === 10n ** 18n),
        `They hold ${held.map(bnb).join(', ')}.`,
      );
      return `${payers.length} payers hold 1 BNB each, and nothing is refused`;
    },
  },
  {
    title: 'Start the agent',
    why: 'It starts with the same settings. The check may be run at any time: it takes nothing from the agent.',
    async play(operator) {
      await startAgent(operator);
      const { stage, world } = operator;
      await stage.bowline('check', { env: operator.settings, show: /swapexecutor|bytecode| agent |^Nothing/i });
      must(new URL(world.rpcUrl).hostname === '127.0.0.1', 'The node is elsewhere.');
      return '/ready is 200, and the check refuses nothing';
    },
  },
  {
    title: 'Register the agent',
    why: 'Other agents find the entry in ERC-8004’s registry. It names the public address, which must be https on BNB Chain.',
    async play(operator) {
      const { stage, world } = operator;
      const file = join(stage.folder, 'data/deliverables/registration.json');
      const env = by(operator, 'SELLER_PRIVATE_KEY', 'seller');
      await stage.bowline(`register --agent ${publicUrl}`, { env });
      const { agentId } = JSON.parse(readFileSync(file, 'utf8')) as { agentId: string };
      operator.kept.entry = BigInt(agentId);
      const holder = await world.ownerOf(operator.kept.entry);
      must(holder === keyOf(operator, 'seller').address, `The entry belongs to ${holder}.`);
      return `entry ${agentId} belongs to the seller`;
    },
  },
];

const deploy = (rpcUrl: string, password: string) =>
  `deploy --rpc-url ${rpcUrl} --account deployer --password-file ${password}`;

const deployment = (operator: Operator) => ({
  OPERATOR: keyOf(operator, 'keeper').address,
  ROTATOR: keyOf(operator, 'rotator').address,
  VERDICT_SIGNERS: keyOf(operator, 'verdict').address,
});
