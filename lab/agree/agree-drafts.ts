import { draftPlan } from '@bowline/chain/drafts/plan';
import { parseUnits } from 'viem';
import { termsOf } from '../../web/app/plans/draft-plan.ts';
import { blankPlan, readPlanForm } from '../../web/app/plans/plan-form.ts';
import type { Random } from '../bench/verdict-quality/random.ts';
import { settings } from './agree-plans.ts';
import { executor, owner, registry, source } from './places.ts';

/** The terms that the page would have signed and those of the SDK, by which the tools draft, for the same wishes. */
export function disagreementsOfDrafts(random: Random): string[] {
  const whole = (low: number, high: number) => Math.floor(random.between(low, high + 1));
  const [amount, limit] = [whole(1, 10 ** 6), whole(1, 10 ** 6)].map((each) => `${each / 1_000}`) as [string, string];
  const period = [60, 3_600, 7_200, 21_600, 86_400, 604_800][whole(0, 5)] ?? 60;
  const [runs, startAt] = [whole(1, 10_000), whole(0, 2_000_000_000)];
  const hasLimit = random.chance(0.5);
  const form = { ...blankPlan, amount, runs: `${runs}`, period: `${period}`, limit: hasLimit ? limit : '' };
  const { draft } = readPlanForm(form, settings.assets);
  if (draft === undefined) return [`page: no draft of ${JSON.stringify(form)}`];
  const words = {
    ...{ owner, pay: 'USDT', buy: 'BTCB', amountPerRun: amount, periodSeconds: period, maxRuns: runs, startAt },
    ...(hasLimit && { limitPrice: limit }),
  };
  const contracts = { planRegistry: registry, swapExecutor: executor, chainlinkPriceSource: source };
  const deployment = { chainId: 1, contracts, assets: settings.assets, lending: [], verdictSigners: [] } as never;
  const [page, sdk] = [termsOf(draft, settings, owner, BigInt(startAt)), draftPlan(deployment, words)].map(textOf);
  const isPaid = draft.amountPerRun === parseUnits(amount, 18);
  return page === sdk && isPaid ? [] : [`page: ${page}, SDK: ${sdk}, of ${amount}`];
}

const textOf = (terms: object): string =>
  JSON.stringify(
    Object.entries(terms).toSorted(([a], [b]) => (a < b ? -1 : 1)),
    (_, each) => (typeof each === 'bigint' ? `${each}` : typeof each === 'string' ? each.toLowerCase() : each),
  );
