import { grouped, inUtc } from '@bowline/core/domain/readable';
import { formatBps, formatUnits, parseUnitsDown, WAD } from '@bowline/core/domain/units';
import { gainUsd, shortCost } from '@bowline/core/texts/amounts';
import { counted } from '@bowline/core/texts/counts';
import { period } from '@bowline/core/texts/times';
import { listPlans } from '../../tools/list-plans.ts';
import { listRuns } from '../../tools/list-runs.ts';
import { planOutlook } from '../../tools/plan-outlook.ts';
import { sizeLine } from './money-line.ts';
import { anyInWords, reasonInWords, say, tokens } from './words.ts';

// Longer lists are available from the tools.
const MAX_PLANS = 5;
const MAX_RUNS = 10;

export const planSentences = [
  say(listPlans, ({ total, plans, unread }, { details }) => {
    if (details?.plan !== undefined) {
      const plan = plans.find(({ id }) => id === details.plan);
      if (plan === undefined) {
        return unread > 0 ? `Plan ${details.plan} could not be read just now.` : `There is no plan ${details.plan}.`;
      }
      const slippage = formatBps(BigInt(plan.max_slippage_bps));
      return (
        `${terms(plan, 'Plan')}. It belongs to ${plan.owner}, expires ${inUtc(plan.expires)} and allows ${slippage} of ` +
        'slippage.'
      );
    }
    const missing = unread > 0 ? ` ${counted(unread, 'plan')} could not be read just now.` : '';
    if (total === 0) return `${unread > 0 ? 'I found' : 'There are'} no such plans on chain.${missing}`;
    const listed = plans.slice(0, MAX_PLANS).map((plan) => terms(plan, 'plan'));
    const rest = total - listed.length;
    const more = rest > 0 ? ` And ${rest} more.` : '';
    const many = total === 1 ? 'There is 1 plan' : `There are ${total} plans, newest first${states(plans, total)}`;
    return `${many}: ${listed.join('; ')}.${more}${missing}`;
  }),

  say(listRuns, ({ plan, total, runs, surplus }) => {
    if (runs.length === 0) return `Plan ${plan} has no record yet: no run, no deferral.`;
    const lines = runs
      .slice(0, MAX_RUNS)
      .map(({ outcome, time, paid, received, verdict, reason, attested }) =>
        outcome === 'executed' && paid && received
          ? `${inUtc(time)}: paid ${tokens(paid)}, received ${tokens(received)} (${verdict})`
          : `${inUtc(time)}: deferred ${attested ? 'with' : "by its executor's word, with"} the verdict ${verdict}${reason === null ? '' : `, because ${anyInWords(reason)}`}`,
      );
    const which = lines.length < total ? `, the newest ${lines.length} of them` : ', newest first';
    const sums = sumsOf(runs);
    const sum =
      sums === undefined
        ? ''
        : ` The ${sums.count} runs among ${runs.length < total ? `the newest ${runs.length}` : 'them'} paid ${tokens(sums.paid)} and received ` +
          `${tokens(sums.received)} together${sums.average === undefined ? '' : `, ${sums.average} for one on average`}.`;
    return `Plan ${plan} has ${counted(total, 'record')}${which}. ${lines.join('; ')}.${sum}${gained(surplus)}`;
  }),

  say(planOutlook, ({ plan, slots, obstacles, unrecorded, runs_paid_for, more_runs_paid_for, verdict_now }) => {
    const [next, ...later] = slots;
    const against = obstacles.map(reasonInWords).join(', ');
    if (next === undefined) return `Plan ${plan} will not run again${against === '' ? '' : `: ${against}`}.`;
    const when = next.open_now
      ? `may run now, until ${inUtc(next.closes)}`
      : `may run next from ${inUtc(next.opens)} to ${inUtc(next.closes)}`;
    const then = later.length === 0 ? '' : `, then from ${later.map(({ opens }) => inUtc(opens)).join(' and ')}`;
    const isShort = obstacles.includes('balance_too_low') || obstacles.includes('allowance_too_low');
    const money = runs_paid_for === null || isShort ? '' : ` ${paidFor(Number(runs_paid_for), more_runs_paid_for)}`;
    const verdict =
      verdict_now === null
        ? ''
        : ` The current verdict on its trade is ${verdict_now.verdict}.${sizeLine(verdict_now)}`;
    const stopped = against === '' ? ' Nothing stops it now.' : ` It cannot run now: ${against}.`;
    const silence =
      unrecorded === null ? '' : ` No deferral need be recorded for it now: ${reasonInWords(unrecorded)}.`;
    return `Plan ${plan} ${when}${then}.${verdict}${stopped}${silence}${money}`;
  }),
];

interface Gained {
  readonly runs: number;
  readonly reference_usd: string;
  readonly pool_usd: string | null;
}

function gained({ runs, reference_usd, pool_usd }: Gained): string {
  if (runs === 0) return '';
  const besidePool = pool_usd === null ? '' : `, and ${gainOf(pool_usd)} compared with the best single pool`;
  return ` By their evidence ${counted(runs, 'run')} got ${gainOf(reference_usd)} compared with the reference price${besidePool}.`;
}

const gainOf = (decimal: string): string => {
  const wad = parseUnitsDown(decimal.replace('-', ''), 18) ?? 0n;
  return gainUsd(decimal.startsWith('-') ? -wad : wad);
};

const paidFor = (runs: number, isMinimum: boolean): string =>
  runs === 0
    ? "Its owner's other plans take what would pay for it."
    : `Its owner's funds cover ${isMinimum ? 'at least ' : ''}${counted(runs, 'run')}.`;

interface Terms {
  readonly id: string;
  readonly status: string;
  readonly pay: Amount;
  readonly buy: string;
  readonly every_seconds: string;
  readonly runs: number;
  readonly max_runs: number;
}

interface Amount {
  readonly token: string;
  readonly amount: string;
}

const terms = ({ id, status, pay, buy, every_seconds, runs, max_runs }: Terms, word: string): string =>
  `${word} ${id} buys ${buy} for ${tokens(pay)} every ${period(BigInt(every_seconds))}, ` +
  `${grouped(runs)} of ${counted(max_runs, 'run')} done, ${status}`;

/** Number of active, paused and cancelled plans. */
function states(plans: readonly Terms[], total: number): string {
  const each = ['active', 'paused', 'cancelled'].flatMap((state) => {
    const count = plans.filter(({ status }) => status === state).length;
    return count > 0 ? [`${count} ${state}`] : [];
  });
  return ` (${plans.length < total ? `of the newest ${plans.length}: ` : ''}${each.join(', ')})`;
}

interface Sums {
  readonly count: number;
  readonly paid: Amount;
  readonly received: Amount;
  /** Paid for one unit, in words; absent where a token has unknown decimals. */
  readonly average?: string;
}

/** What several runs paid and received together; undefined for fewer than two. All amounts belong to one plan, so to one token. */
export function sumsOf(
  runs: readonly { readonly paid: Amount | null; readonly received: Amount | null }[],
): Sums | undefined {
  const bought = runs.flatMap(({ paid, received }) => (paid && received ? [{ paid, received }] : []));
  const [first] = bought;
  if (first === undefined || bought.length < 2) return undefined;
  const sum = (amounts: readonly Amount[]) =>
    amounts.reduce((total, { amount }) => total + (parseUnitsDown(amount, 18) ?? 0n), 0n);
  const [paidWad, receivedWad] = [sum(bought.map(({ paid }) => paid)), sum(bought.map(({ received }) => received))];
  const isKnown = receivedWad > 0n && !first.paid.token.startsWith('0x') && !first.received.token.startsWith('0x');
  return {
    count: bought.length,
    paid: { token: first.paid.token, amount: formatUnits(paidWad, 18) },
    received: { token: first.received.token, amount: formatUnits(receivedWad, 18) },
    ...(isKnown && {
      average: tokens({ token: first.paid.token, amount: formatUnits((paidWad * WAD) / receivedWad, 18) }),
    }),
  };
}

/** Rounded up, as it is to be enough. */
export const costOf = (decimal: string): string => shortCost(parseUnitsDown(decimal, 18) ?? 0n, 18);
