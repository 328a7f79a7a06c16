import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { localAccountFactory } from '@bowline/core/registry/address-book';
import type { Address, Hex } from 'viem';
import { awaited, must } from '../../smoke/requests.ts';
import { owner, patienceMs } from '../customers.ts';
import type { Step } from '../operator.ts';

// Replaces the first keys with others.

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
      const wallet4337 = { ACCOUNT_FACTORY: localAccountFactory };
      const env = {
        ...operator.by('ROTATOR_PRIVATE_KEY', 'rotator'),
        ...operator.by('NEW_OPERATOR_PRIVATE_KEY', 'next-keeper'),
        ...wallet4337,
      };
      for (const name of ['rotator', 'next-keeper']) await world.fund(operator.key(name).address);
      const rotate = 'npx bowline rotate operator --account wallet';
      const lacking = await stage.run(rotate, { env, code: 1 });
      const [, wallet] = /(0x[0-9a-fA-F]{40}) holds 0 BNB/.exec(lacking) ?? [];
      must(wallet !== undefined, `Nobody was said to lack BNB: ${lacking}`);
      await world.fund(wallet as Address);
      await stage.run(rotate, { env });
      must((await operator.customers().operator()) === wallet, 'The account is not the operator.');
      must((await operator.end()).code === 0, 'The agent did not end with 0.');
      const keeper = operator.by('KEEPER_PRIVATE_KEY', 'next-keeper');
      operator.set({ ...keeper, ...wallet4337, BUNDLER_URL: world.bundlerUrl });
      const bundled = () => world.chain.getTransactionCount({ address: world.bundler });
      const before = await bundled();
      await operator.start();
      await operator.planThatRuns('verdict');
      // The keeper's own key sends what a bundler has left pending for ten seconds.
      await awaited(async () => (await bundled()) > before || undefined, 'The bundler has carried nothing', patienceMs);
      return 'the account of the new key is the operator, and has run a plan through the bundler';
    },
  },
  {
    title: 'Rotate the verdict signer',
    why: 'A plan names its signer, and only its owner can change it. So the command first names the next signer in the record, without which the agent does not start with its key, and the agent keeps both keys until each owner has sent the edits that the command prepares.',
    async play(operator) {
      const { stage } = operator;
      const { plan, send } = operator.customers();
      const [from, to] = [operator.key('verdict').address, operator.key('next-verdict').address];
      const out = join(stage.folder, 'edits.json');
      const rotate = `npx bowline rotate verdict --from ${from} --to ${to} --out ${out}`;
      const env = operator.by('VERDICT_PRIVATE_KEY', 'next-verdict');
      await stage.run(rotate, { env, code: 3, show: /name|keep both/ });
      await operator.end();
      operator.set(operator.by('VERDICT_PRIVATE_KEY', 'next-verdict', 'verdict'));
      await operator.start();
      // A run in between voids an edit, so it is prepared again.
      const isEdited = async () =>
        (await Promise.all([1n, 2n].map(plan))).every(({ versions }) => versions.at(-1)?.verdictSigner === to);
      for (let tries = 0; !(await isEdited()); tries++) {
        must(tries < 4, 'The edits were void four times.');
        if (tries > 0) await stage.run(rotate, { env, code: 3, show: false });
        const { owners } = JSON.parse(readFileSync(out, 'utf8')) as Edits;
        const edits = owners.filter((each) => each.owner === owner).flatMap((each) => each.edits);
        await send(
          owner,
          edits.map(({ call: { to: registry, data } }) => ({ to: registry, data })),
        ).catch(() => {});
      }
      await stage.run(rotate, { env });
      await operator.end();
      operator.set(env);
      await operator.start();
      await operator.planThatRuns('next-verdict');
      return 'the plans name the new signer, and one has run on its verdict without the former key';
    },
  },
  {
    title: 'Rotate the seller',
    why: 'When every job is delivered, stop the agent and transfer the entry in the agent registry to the next key.',
    async play(operator) {
      const { stage, world } = operator;
      const next = operator.key('next-seller').address;
      await world.fund(next);
      await operator.end();
      await stage.run('npx bowline rotate seller', {
        env: {
          ...operator.by('SELLER_PRIVATE_KEY', 'seller'),
          ...operator.by('NEW_SELLER_PRIVATE_KEY', 'next-seller'),
        },
      });
      must((await world.ownerOf(operator.entry)) === next, 'The entry belongs to somebody else.');
      operator.set(operator.by('SELLER_PRIVATE_KEY', 'next-seller'));
      await operator.start();
      return 'the entry belongs to the new seller, and the agent sells under its key';
    },
  },
];
