import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { openKeystore } from '@bowline/http/keystore';
import type { Address } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';
import { must } from '../../smoke/requests.ts';
import { makeKey, type Step } from '../operator.ts';

// From nothing to an agent that can do its work.

const names = [
  ...['deployer', 'rotator', 'keeper', 'rescue', 'verdict', 'seller'],
  ...['next-keeper', 'next-verdict', 'next-seller'],
];

export const beginning: readonly Step[] = [
  {
    title: 'Make the keys',
    why: 'Make one key for each job, each in an encrypted keystore; the last three are for the rotations below. Whoever has a keystore and its password has the key, so the passwords are in a separate folder, which stands for the system’s secret store on a real host. The rotator should be a multisig or a hardware wallet.',
    async play({ stage, keys }) {
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
    title: 'Check the node',
    why: 'Before there are keys or contracts, the check looks at the node, its pools and its feeds, and says what is still missing.',
    async play({ stage }) {
      const said = await stage.run('npx bowline check', { code: 1, show: / (settings|node|record|keys) +\S|→/ });
      must(/ok +node /.test(said), `The node is not good enough:\n${said}`);
      return 'the node is good enough, and the rest is missing';
    },
  },
  {
    title: 'Deploy',
    why: 'The settings determine every address. With `--predict`, the command prints them and sends nothing: compare them with those that you expect. Without it, the same command deploys, and reads the settings back from the chain before it writes the record.',
    async play(operator) {
      const { stage, world } = operator;
      const { address, password } = operator.key('deployer');
      await world.fund(address);
      const env = {
        OPERATOR: operator.key('keeper').address,
        ROTATOR: operator.key('rotator').address,
        VERDICT_SIGNERS: operator.key('verdict').address,
        COLLATERAL_GUARD: 'true',
      };
      const deploy = `npx bowline deploy --rpc-url ${world.rpcUrl} --account deployer --password-file ${password}`;
      const said = await stage.run(`${deploy} --predict`, { env, show: / new | deployed |Nothing was/ });
      const places = [...said.matchAll(/(0x[0-9a-fA-F]{40}) new +\w+/g)].map(([, place]) => place as Address);
      must(places.length === 11, `${places.length} contracts were foreseen.`);
      must((await world.chain.getTransactionCount({ address })) === 0, 'Something was sent.');
      await stage.run(deploy, { env, show: /ONCHAIN|Deployed, read/ });
      for (const place of places)
        must((await world.chain.getCode({ address: place })) !== undefined, `Nothing is at ${place}.`);
      must((await operator.customers().operator()) === operator.key('keeper').address, 'Somebody else operates.');
      return 'the contracts are at the predicted addresses, and the keeper operates them';
    },
  },
  {
    title: 'Verify',
    why: 'Put the settings into `.env`, which commands read in their folder, or into `agent.env`, which the shell and the service read (`set -a; . ./agent.env`), and name the files of the keys. The check then starts as the agent would, opens every key and compares it with the chain, and compares every byte of the contracts with this checkout. Here it has one thing to say: nobody can pay for gas.',
    async play(operator) {
      operator.set({
        ...operator.by('KEEPER_PRIVATE_KEY', 'keeper'),
        ...operator.by('RESCUE_PRIVATE_KEYS', 'rescue'),
        ...operator.by('VERDICT_PRIVATE_KEY', 'verdict'),
        ...operator.by('SELLER_PRIVATE_KEY', 'seller'),
        ...{ PRICE_USD: '0.02', PAY_TO: operator.key('seller').address },
        ...{ PAYMENT_RAIL: 'x402', X402_FACILITATOR_URL: operator.world.facilitatorUrl },
      });
      const said = await operator.stage.run('npx bowline check', {
        ...{ settings: operator.settings, code: 1, show: /contracts|verdict_key|keeper|bytecode|^\d+ |→ Send/ },
      });
      must(/ok +bytecode +All 11 contracts/.test(said), said);
      const refused = [...said.matchAll(/^ *refused +(\S+)/gm)].map(([, what]) => what);
      must(refused.join() === 'gas.keeper,gas.rescuer,gas.seller', `Refused were ${refused.join(', ')}.`);
      return 'the contracts are those of this checkout, and only gas is missing';
    },
  },
  {
    title: 'Fund and start',
    why: 'Each account that sends transactions needs its own BNB. These accounts never hold anyone else’s money. When nothing is refused, start the agent.',
    async play(operator) {
      const { world, stage, settings } = operator;
      const payers = ['keeper', 'rescue', 'seller'];
      for (const name of payers) await world.fund(operator.key(name).address);
      await stage.run('npx bowline check', { settings, show: / gas|^Nothing/ });
      await operator.start();
      return `${payers.length} payers hold 1 BNB each, nothing is refused, and /ready is 200`;
    },
  },
];
