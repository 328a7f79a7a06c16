import type { PlanHistory } from '@bowline/core/audit/history';
import { guardIrregularities, planIrregularities } from '@bowline/core/audit/irregularities';
import { reasonOf } from '@bowline/core/domain/reasons';
import { inWords, sentence } from '@bowline/core/texts/words';
import { formatUnits } from 'viem';
import { loanGuardAbi } from '../../../abis/index.ts';
import { agentAt, everyEvidenceLines } from '../../../cli/audit/evidence.ts';
import { openChain } from '../../../cli/audit/read.ts';
import { connect } from '../chain.ts';
import { buy } from '../sale.ts';
import type { Contracts } from '../start/contracts.ts';
import { crowdOf, setUpCrowd } from './crowd.ts';

/** A running `npm start`, and how to tell what happens there. */
export interface Tour {
  readonly agentUrl: string;
  readonly rpcUrl: string;
  readonly marketUrl: string;
  readonly contracts: Contracts;
  /** A line of explanation. */
  readonly explain: (text: string) => void;
  /** What was seen. */
  readonly saw: (text: string) => void;
  readonly sleep: (ms: number) => Promise<void>;
  /** Unix seconds with a fraction. */
  readonly now: () => number;
}

export interface Step {
  readonly title: string;
  /** @throws a line if what it shows does not happen. */
  play(tour: Tour): Promise<void>;
}

const patienceSeconds = 150;
const crowd = 40;

async function until<Found>(
  { sleep, now }: Tour,
  what: string,
  look: () => Promise<Found | undefined>,
): Promise<Found> {
  const deadline = now() + patienceSeconds;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (now() > deadline) throw new Error(`${what} did not come within ${patienceSeconds} s.`);
    await sleep(500);
  }
}

async function planOf({ rpcUrl, contracts }: Tour, id: bigint): Promise<PlanHistory> {
  return (await openChain(rpcUrl, contracts)).plan(id);
}

const usd = (wei: bigint) => Number(formatUnits(wei, 18)).toLocaleString('en', { maximumFractionDigits: 2 });
const health = (wad: bigint) => Number(formatUnits(wad, 18)).toFixed(3);

async function verdictOf({ agentUrl }: Tour, asset: string): Promise<{ verdict: string; reason: string | null }> {
  const response = await fetch(`${agentUrl}/verdict?asset=${asset}&side=buy&amount_usd=1000`);
  if (!response.ok) throw new Error(`The agent answers ${response.status} to the question about ${asset}.`);
  return (await response.json()) as { verdict: string; reason: string | null };
}

async function scene({ marketUrl }: Tour, ...words: string[]): Promise<void> {
  const body = JSON.stringify({ words });
  const response = await fetch(`${marketUrl}/scene`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  if (!response.ok) throw new Error(`The market does not play "${words.join(' ')}".`);
}

export const steps: readonly Step[] = [
  {
    title: 'A plan runs',
    play: async (tour) => {
      tour.explain(
        'Plan 1 says: buy BTCB for 100 USDT every minute, at 1 % below Chainlink’s price at worst. Its owner signed once.',
      );
      const { runs: before } = await planOf(tour, 1n);
      const run = await until(tour, 'A run of plan 1', async () => {
        const { runs } = await planOf(tour, 1n);
        return runs.slice(before.length).find(({ outcome }) => outcome === 1);
      });
      tour.saw(
        `Paid ${usd(run.amountIn)} USDT, received ${formatUnits(run.amountOut, 18)} BTCB. The contract demanded ${formatUnits(run.floor, 18)} at least.`,
      );
    },
  },
  {
    title: 'A plan is deferred, and says why',
    play: async (tour) => {
      tour.explain(
        'Plan 2 wants WBNB for 500,000 USDT at once. The agent could send that, but its verdict must be GO first.',
      );
      const deferral = await until(tour, 'A deferral of plan 2', async () => {
        const { runs } = await planOf(tour, 2n);
        return runs.findLast(({ outcome }) => outcome !== 1);
      });
      const reason = reasonOf(deferral.reason);
      if (reason === undefined) throw new Error('The deferral has no reason that is known.');
      tour.saw(`Deferred, recorded on chain as ${reason}: ${sentence(inWords(reason))}`);
    },
  },
  {
    title: 'A pool is manipulated',
    play: async (tour) => {
      tour.explain('Somebody buys BTCB until its pool’s price is 5 % off. Whoever buys there now pays them.');
      await scene(tour, 'pool-manipulated', 'BTCB');
      const refused = await until(tour, 'A verdict other than GO', async () => {
        const judged = await verdictOf(tour, 'BTCB');
        return judged.verdict === 'GO' ? undefined : judged;
      });
      tour.saw(
        `BTCB is ${refused.verdict}: ${refused.reason}. ${refused.reason === null ? '' : sentence(inWords(refused.reason))}`,
      );
      await scene(tour, 'calm');
      const calm = await until(tour, 'A GO', async () => {
        const judged = await verdictOf(tour, 'BTCB');
        return judged.verdict === 'GO' ? judged : undefined;
      });
      tour.saw(`The pool is back at its price, and BTCB is ${calm.verdict}.`);
    },
  },
  {
    title: `A crash, and ${crowd} loans in danger`,
    play: async (tour) => {
      const { contracts, rpcUrl, now } = tour;
      const chain = connect(rpcUrl);
      tour.explain(
        `${crowd} people borrow USDT against BTCB, and each guards the loan: below a health of 1.1, repay from my own account.`,
      );
      const guardCount = () =>
        chain.readContract({ address: contracts.loanGuard, abi: loanGuardAbi, functionName: 'guardCount' });
      const first = (await guardCount()) + 1n;
      await setUpCrowd(chain, contracts, crowdOf(crowd, `${now()}`));
      const guards = Array.from({ length: crowd }, (_, at) => first + BigInt(at));
      await scene(tour, 'crash', 'BTCB', '12%');
      const began = now();
      tour.explain(
        'BTCB falls by 12 % within seconds. A liquidator may take a loan below 1, with a part of its collateral.',
      );
      const rescued = await until(tour, `The rescue of ${crowd} loans`, async () => {
        const { found } = await (await openChain(rpcUrl, contracts)).guards(guards);
        const done = found.filter(({ rescues }) => rescues.length > 0);
        return done.length === crowd ? done : undefined;
      });
      const rescues = rescued.flatMap(({ rescues: [one] }) => one ?? []);
      const least = rescues.reduce(
        (min, { healthBeforeWad }) => (healthBeforeWad < min ? healthBeforeWad : min),
        2n ** 128n,
      );
      const repaid = rescues.reduce((sum, each) => sum + each.repaid, 0n);
      tour.saw(
        `All ${crowd} were rescued within ${Math.ceil(now() - began)} s of the crash. The lowest health on the way was ${health(least)}; ${usd(repaid)} USDT were repaid.`,
      );
    },
  },
  {
    title: 'A job is sold to another agent',
    play: async (tour) => {
      const { escrow } = tour.contracts;
      tour.explain(
        'A stranger’s agent reads our card, takes a signed offer, and pays for a report into an escrow that neither of us owns.',
      );
      const { rpcUrl, agentUrl } = tour;
      const task = 'Is ETH fairly priced to buy for 5,000 USD?';
      const { id, paid, content } = await buy({ rpcUrl, agentUrl, escrow, task, report: () => {} });
      const verdict = /\b(GO|CAUTION|NO_GO|NO_DATA)\b/.exec(content)?.[0] ?? 'no verdict';
      tour.saw(
        `Job ${id}: delivered (${verdict}) with the hash that is on chain, not disputed, and ${usd(paid)} tokens paid.`,
      );
    },
  },
  {
    title: 'What happened, from the chain alone',
    play: async (tour) => {
      tour.explain(
        'Nothing that the agent says is needed for this: the audit reads every record, and judges every verdict again.',
      );
      const chain = await openChain(tour.rpcUrl, tour.contracts);
      const plans = await chain.plans([1n, 2n]);
      for (const plan of plans.found) {
        const runs = plan.runs.filter(({ outcome }) => outcome === 1).length;
        const [judged = '', ...problems] = await everyEvidenceLines(plan, agentAt(tour.agentUrl));
        const odd = [...planIrregularities(plan), ...problems];
        tour.saw(
          `Plan ${plan.id}: ${runs} runs, ${plan.runs.length - runs} deferrals, ${odd.length} irregularities; ${judged.trim()}.`,
        );
        if (odd.length > 0) throw new Error(odd.join(' '));
      }
      const count = await connect(tour.rpcUrl).readContract({
        address: tour.contracts.loanGuard,
        abi: loanGuardAbi,
        functionName: 'guardCount',
      });
      const { found } = await chain.guards(Array.from({ length: Number(count) }, (_, at) => BigInt(at + 1)));
      const odd = found.flatMap(guardIrregularities);
      const rescues = found.reduce((sum, guard) => sum + guard.rescues.length, 0);
      tour.saw(`${found.length} guards: ${rescues} rescues, ${odd.length} irregularities.`);
      if (odd.length > 0) throw new Error(odd.join(' '));
    },
  },
];
