import { buy } from '../world/sale.ts';
import { awaited, must } from './actor.ts';
import { customers, keyOf, planOf, publicUrl, type Step } from './operator.ts';

// What the agent does for others: a plan, a loan and a job.

export const serving: readonly Step[] = [
  {
    title: 'Run a plan',
    why: 'An owner signs a plan: 100 USDT into BTCB every minute, on verdicts by your signer. From then on, the agent runs it.',
    async play(operator) {
      const { stage, agentUrl } = operator;
      const { createPlan, runsAfter, bought } = customers(operator);
      const before = await bought();
      operator.kept.plan = await createPlan(keyOf(operator, 'verdict').address);
      await runsAfter(planOf(operator), 0);
      must((await bought()) > before, 'The owner has no more BTCB than before.');
      await stage.bowline(`show plan ${planOf(operator)}`, { show: /floor: source|^ +0 / });
      must((await fetch(`${agentUrl}/ready`)).status === 200, '/ready is not 200.');
      return 'the plan has run, and its owner holds more BTCB';
    },
  },
  {
    title: 'Rescue a loan',
    why: 'A borrower on Venus registers a guard, and ETH falls by 8 %. The agent repays from the borrower’s own balance.',
    async play(operator) {
      const { stage } = operator;
      const { borrow, fall, rescues } = customers(operator);
      const guard = await borrow();
      await fall(8);
      const [first] = await awaited(async () => {
        const found = await rescues(guard);
        return found.length > 0 ? found : undefined;
      }, 'The loan was not rescued');
      must(first !== undefined && first.healthAfterWad > first.healthBeforeWad, 'Its health is no better.');
      await stage.bowline(`show guard ${guard}`, { show: /trigger|^ +0 / });
      return 'the loan was repaid before it could be liquidated';
    },
  },
  {
    title: 'Sell a job',
    why: 'Here the buyer acts, not the operator: another agent finds the entry, takes an offer, pays into the escrow, and gets a report whose hash is on the chain. On BNB Chain, it could run the example below. In the rehearsal, the same library does this from anvil’s eighth account. The operator then compares payments with deliveries.',
    async play(operator) {
      const { world, stage, agentUrl, kept } = operator;
      const { provider, paid, content } = await buy({
        ...{ rpcUrl: world.rpcUrl, agentUrl, escrow: world.escrow, report: () => {} },
        task: 'Is BTCB fairly priced to buy for 5,000 USD?',
        // The rehearsal's way to the public address: a name server and a proxy with a certificate are elsewhere.
        fetch: (input, init) => fetch(String(input).replace(publicUrl, agentUrl), init),
      });
      must(provider === keyOf(operator, 'seller').address, `${provider} has delivered.`);
      must(paid > 0n && content.includes('BTCB'), 'Nothing was paid, or something else was delivered.');
      const entry = { REGISTRY: world.registry, AGENT_ID: `${kept.entry}`, RPC_URL: world.rpcUrl, PRIVATE_KEY: '0x…' };
      stage.note('npx node examples/buy-job.ts', entry);
      await stage.bowline(`show payments --seller ${provider}`, { show: /job|equal/i });
      return 'the report has the hash that is on the chain, and the escrow has paid the seller';
    },
  },
];
