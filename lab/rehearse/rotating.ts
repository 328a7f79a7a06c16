import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { localAccountFactory } from '@bowline/core/registry/address-book';
import type { Address, Hex } from 'viem';
import { awaited, must, owner } from './actor.ts';
import { by, customers, endAgent, keyOf, planOf, type Step, startAgent } from './operator.ts';

// Other keys in the place of the first ones.

interface Edits {
  readonly owners: readonly {
    readonly owner: Address;
    readonly edits: readonly { readonly call: { to: Address; data: Hex } }[];
  }[];
}

export const rotating: readonly Step[] = [
  {
    title: 'Rotate the operator',
    why: 'The rotator proposes and the next operator accepts. Here the next operator is the ERC-4337 account of a new key; the command first says how much BNB it lacks. The factory of such accounts is named, since none is published. A bundler then submits its operations.',
    async play(operator) {
      const { stage, world } = operator;
      const { operator: current, runsAfter, plan } = customers(operator);
      const next = keyOf(operator, 'next-keeper');
      const env = {
        ...by(operator, 'ROTATOR_PRIVATE_KEY', 'rotator'),
        ...by(operator, 'NEW_OPERATOR_PRIVATE_KEY', 'next-keeper'),
        ACCOUNT_FACTORY: localAccountFactory,
      };
      await world.send(keyOf(operator, 'rotator').address, '1');
      await world.send(next.address, '1');
      const rotate = 'rotate operator --account wallet';
      const lacking = await stage.bowline(rotate, { env, code: 1 });
      const [, wallet] = /(0x[0-9a-fA-F]{40}) holds 0 BNB/.exec(lacking) ?? [];
      must(wallet !== undefined, `Nobody was said to lack BNB: ${lacking}`);
      operator.kept.wallet = wallet as Address;
      await world.send(operator.kept.wallet, '1');
      await stage.bowline(rotate, { env });
      must((await current()) === wallet, `The operator is ${await current()}.`);
      const { runs } = (await plan(planOf(operator))).state;
      must((await endAgent(operator)) === 0, 'The agent did not end with 0.');
      const next4337 = {
        ...by(operator, 'KEEPER_PRIVATE_KEY', 'next-keeper'),
        BUNDLER_URL: world.bundlerUrl,
        ACCOUNT_FACTORY: localAccountFactory,
      };
      operator.settings = { ...operator.settings, ...next4337 };
      const bundled = await world.bundled();
      await startAgent(operator);
      await runsAfter(planOf(operator), runs);
      // The keeper's own key carries what a bundler leaves lying for ten seconds.
      await awaited(
        async () => ((await world.bundled()) > bundled ? true : undefined),
        'No operation went through the bundler',
      );
      return 'the account of the new key is the operator, and the plan has run again through the bundler';
    },
  },
  {
    title: 'Rotate the verdict signer',
    why: 'A plan names its signer, and only its owner can change it. So the command first names the next signer in the record, without which the agent does not start with its key, and the agent keeps both keys until each owner has sent the edit that the command prepares.',
    async play(operator) {
      const { stage, deployments } = operator;
      const { plan, runsAfter, send } = customers(operator);
      const [from, to] = [keyOf(operator, 'verdict'), keyOf(operator, 'next-verdict')];
      const both = {
        ...by(operator, 'VERDICT_PRIVATE_KEY', 'next-verdict', 'verdict'),
      };
      const out = join(stage.folder, 'edits.json');
      const rotate = `rotate verdict --from ${from.address} --to ${to.address} --out ${out}`;
      const env = by(operator, 'VERDICT_PRIVATE_KEY', 'next-verdict');
      await stage.bowline(rotate, { env, code: 3, show: /name|keep both/ });
      await endAgent(operator);
      operator.settings = { ...operator.settings, ...both };
      await startAgent(operator);
      // A run in between voids an edit, so it is prepared again.
      for (let tries = 0; (await plan(planOf(operator))).terms.verdictSigner !== to.address; tries++) {
        must(tries < 3, 'The edits were void three times.');
        if (tries > 0) await stage.bowline(rotate, { env, code: 3, show: false });
        const { owners } = JSON.parse(readFileSync(out, 'utf8')) as Edits;
        const calls = owners
          .filter((each) => each.owner === owner)
          .flatMap(({ edits }) => edits.map(({ call }) => call));
        must(calls.length === 1, `${calls.length} edits were prepared.`);
        await send(
          owner,
          calls.map(({ to: registry, data }) => ({ to: registry, data })),
        ).catch(() => {});
      }
      const { runs } = (await plan(planOf(operator))).state;
      await stage.bowline(rotate, { env });
      const { verdictSigners } = JSON.parse(readFileSync(new URL('56.json', deployments), 'utf8'));
      must(verdictSigners.includes(to.address), 'The record does not name the next signer.');
      await endAgent(operator);
      const {
        VERDICT_FORMER_PRIVATE_KEYS_FILE: _,
        VERDICT_FORMER_PRIVATE_KEYS_PASSWORD_FILE: __,
        ...alone
      } = operator.settings;
      operator.settings = alone;
      await startAgent(operator);
      await runsAfter(planOf(operator), runs);
      return 'the plan names the new signer, and has run on its verdict without the former key';
    },
  },
  {
    title: 'Rotate the seller',
    why: 'When every job is delivered, stop the agent and transfer the entry in the registry of agents to the next key.',
    async play(operator) {
      const { stage, world, kept } = operator;
      await world.send(keyOf(operator, 'next-seller').address, '1');
      await endAgent(operator);
      await stage.bowline('rotate seller', {
        env: {
          ...by(operator, 'SELLER_PRIVATE_KEY', 'seller'),
          ...by(operator, 'NEW_SELLER_PRIVATE_KEY', 'next-seller'),
        },
      });
      const holder = await world.ownerOf(kept.entry ?? 0n);
      must(holder === keyOf(operator, 'next-seller').address, `The entry belongs to ${holder}.`);
      operator.settings = { ...operator.settings, ...by(operator, 'SELLER_PRIVATE_KEY', 'next-seller') };
      await startAgent(operator);
      return 'the entry belongs to the new seller, and the agent sells under its key';
    },
  },
];
