import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { privateKeyToAccount } from 'viem/accounts';
import { payingFetch } from '../../../packages/sdk/pay.ts';
import { must } from '../../smoke/requests.ts';
import { tokens } from '../../world/addresses.ts';
import { localChainId } from '../../world/fork.ts';
import { buy } from '../../world/sale.ts';
import { owner } from '../customers.ts';
import { type Operator, publicUrl, type Step } from '../operator.ts';

// What the agent does for others.

/** Key of anvil's fourth account, which owns the plans. It is public. */
const ownerKey = '0x7c852118294e51e653712a81e05800f419141751be58f605c371e15141b007a6';

export const serving: readonly Step[] = [
  {
    title: 'Run a plan',
    why: 'An owner signs a plan: 100 USDT into BTCB every minute, on verdicts by your signer. From then on, the agent runs it.',
    async play(operator) {
      const bought = () => operator.customers().held(tokens.BTCB, owner);
      const before = await bought();
      const plan = await operator.planThatRuns('verdict');
      must((await bought()) > before, 'The owner has no more BTCB than before.');
      await operator.stage.run(`npx bowline show plan ${plan}`, { show: /floor: source|^ +0 / });
      return 'the plan has run, and its owner holds more BTCB';
    },
  },
  {
    title: 'Rescue two loans',
    why: 'Two borrowers on Venus register guards: the first one’s repays from the wallet, the second one has no stablecoins, and the guard sells some of the collateral. ETH falls by 5 %.',
    async play(operator) {
      const { borrowAndFall, firstRescue } = operator.customers();
      await borrowAndFall(5);
      for (const guard of [1n, 'collateral-1'] as const) {
        await firstRescue(guard);
        await operator.stage.run(`npx bowline show guard ${guard}`, { show: /trigger|^ +0 / });
      }
      return 'both loans were repaid before they could be liquidated';
    },
  },
  {
    title: 'Sell an answer and a job',
    why: 'Register the agent in ERC-8004’s registry, where other agents find it: the entry names the public address, which must be https on BNB Chain. The rest is done by buyers, here from anvil’s accounts: one pays for a verdict, the other takes an offer, pays into the escrow, and gets a report whose hash is on the chain. You then compare payments with deliveries.',
    async play(operator) {
      const { stage, world, agentUrl } = operator;
      const env = operator.by('SELLER_PRIVATE_KEY', 'seller');
      await stage.run(`npx bowline register --agent ${publicUrl}`, { env });
      const file = join(stage.folder, 'data/deliverables/registration.json');
      operator.entry = BigInt(JSON.parse(readFileSync(file, 'utf8')).agentId);
      const seller = operator.key('seller').address;
      must((await world.ownerOf(operator.entry)) === seller, 'The entry belongs to somebody else.');
      operator.askAgain = await paidFor(operator);
      const { provider, paid, content } = await buy({
        ...{ rpcUrl: world.rpcUrl, agentUrl, escrow: world.escrow, report: () => {} },
        task: 'Is BTCB fairly priced to buy for 5,000 USD?',
        // Skips the public address's name server and its proxy with a certificate, which are elsewhere.
        fetch: (input, init) => fetch(String(input).replace(publicUrl, agentUrl), init),
      });
      must(provider === seller && paid > 0n, `${provider} has delivered for ${paid}.`);
      must(content.includes('BTCB'), 'Something else was delivered.');
      const buyer = { REGISTRY: world.registry, AGENT_ID: `${operator.entry}`, RPC_URL: world.rpcUrl };
      stage.note('npx node examples/buy-job.ts', { ...buyer, PRIVATE_KEY: '0x…' });
      await stage.run(`npx bowline show payments --payee ${seller} --seller ${seller}`);
      return 'the answer and the report are delivered, and the seller is paid for both';
    },
  },
];

/** Pays for a verdict. @returns a function that asks for it again with the same payment. */
async function paidFor(operator: Operator): Promise<() => Promise<void>> {
  const { agentUrl, world } = operator;
  const { held, fund } = operator.customers();
  const token = world.escrow.token.address;
  const left = () => held(token, owner);
  await fund();
  let payment: string | null = null;
  const pay = payingFetch({
    ...{ account: privateKeyToAccount(ownerKey), chainId: localChainId, token, maxAmount: 10n ** 17n },
    fetch: (input, init) => {
      const request = new Request(input, init);
      payment = request.headers.get('payment-signature') ?? payment;
      return fetch(request);
    },
  });
  const url = `${agentUrl}/verdict?asset=BTCB&amount_usd=100`;
  const answer = await (await pay(url)).text();
  must(JSON.parse(answer).verdict === 'GO' && payment !== null, `Nothing was paid for ${answer}`);
  const afterwards = await left();
  must((await held(token, operator.key('seller').address)) > 0n, 'The seller has no income.');
  return async () => {
    const again = await fetch(url, { headers: { 'payment-signature': `${payment}` } });
    must((await again.text()) === answer, 'The same payment gets another answer.');
    must((await left()) === afterwards, 'The same payment was taken again.');
  };
}
