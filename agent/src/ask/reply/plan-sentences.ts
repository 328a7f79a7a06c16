import { grouped, inUtc } from '@bowline/core/domain/readable';
import { averagePrice, sidedOf } from '@bowline/core/domain/sided';
import { formatBps, formatUnits, parseUnitsDown } from '@bowline/core/domain/units';
import { gainUsd } from '@bowline/core/texts/amounts';
import { counted } from '@bowline/core/texts/counts';
import { period } from '@bowline/core/texts/times';
import type { z } from 'zod';
import { listPlans } from '../../tools/list-plans.ts';
import { listRuns } from '../../tools/list-runs.ts';
import { planOutlook } from '../../tools/plan-outlook.ts';
import { anyInWords, inChinese, reasonInChinese, reasonInWords, say, sizeLine, tokens } from './words.ts';

// Longer lists are available from the tools.
const MAX_PLANS = 5;
const MAX_RUNS = 10;
/** Enough for every token's amounts, which are added here. */
const DECIMALS = 18;

export const planSentences = [
  say(
    listPlans,
    ({ total, plans, unread }, { details }) => {
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
    },
    ({ total, plans, unread }, { details }) => {
      const missing = unread > 0 ? `有 ${unread} 个计划目前无法读取。` : '';
      const listed = details?.plan === undefined ? plans.slice(0, 5) : plans.filter(({ id }) => id === details.plan);
      if (listed.length === 0) return `没有这样的计划。${missing}`;
      const states = { active: '有效', paused: '已暂停', cancelled: '已取消', revoked: '已撤销' } as const;
      const lines = listed.map(
        ({ id, sells, buy, pay, every_seconds, runs, max_runs, status, expires, owner }) =>
          `计划 ${id}：每 ${hours(every_seconds)} ${sells ? `卖 ${inChinese(pay)} 换 ${buy}` : `用 ${inChinese(pay)} 买 ${buy}`}，已执行 ${runs}/${max_runs} 次，${states[status]}${details?.plan === undefined ? '' : `，所有者 ${owner}，到期 ${inUtc(expires)}`}`,
      );
      return `${details?.plan === undefined ? `共 ${total} 个计划。` : ''}${lines.join('；')}。${missing}`;
    },
  ),
  say(
    listRuns,
    ({ plan, sells, total, runs, surplus }) => {
      if (runs.length === 0) return `Plan ${plan} has no record yet: no run, no deferral.`;
      const lines = runs
        .slice(0, MAX_RUNS)
        .map(({ outcome, time, paid, received, verdict, reason, attested }) =>
          outcome === 'executed' && paid && received
            ? `${inUtc(time)}: paid ${tokens(paid)}, received ${tokens(received)} (${verdict})`
            : `${inUtc(time)}: deferred ${attested ? 'with' : 'according to its executor, with'} the verdict ${verdict}${reason === null ? '' : `, because ${anyInWords(reason)}`}`,
        );
      const which = lines.length < total ? `, the newest ${lines.length} of them` : ', newest first';
      const sums = sumsOf(runs, sells);
      const sum =
        sums === undefined
          ? ''
          : ` The ${sums.count} runs among ${runs.length < total ? `the newest ${runs.length}` : 'them'} paid ${sums.paid} and received ` +
            `${sums.received} together${sums.average === undefined ? '' : `, ${sums.average} for one on average`}.`;
      return `Plan ${plan} has ${counted(total, 'record')}${which}. ${lines.join('; ')}.${sum}${gained(surplus)}`;
    },
    ({ plan, sells, total, runs }) => {
      if (runs.length === 0) return `计划 ${plan} 还没有记录。`;
      const lines = runs
        .slice(0, 5)
        .map(({ time, paid, received, verdict, reason: why }) =>
          paid && received
            ? `${inUtc(time)} 付 ${inChinese(paid)}，得 ${inChinese(received)}`
            : `${inUtc(time)} 推迟（${verdict}${why === null ? '' : `：${reasonInChinese(why)}`}）`,
        );
      const sums = sumsOf(runs, sells);
      const sum =
        sums === undefined
          ? ''
          : `所列 ${sums.count} 次执行共付 ${sums.paid}，得 ${sums.received}${sums.average === undefined ? '' : `，平均每单位 ${sums.average}`}。`;
      return `计划 ${plan} 有 ${total} 条记录，最新的：${lines.join('；')}。${sum}`;
    },
  ),
  say(
    planOutlook,
    ({ plan, slots, obstacles, unrecorded, runs_paid_for, more_runs_paid_for, verdict_now }) => {
      const [next, ...later] = slots;
      const against = obstacles.map(reasonInWords).join(', ');
      if (next === undefined) return `Plan ${plan} will not run again${against === '' ? '' : `: ${against}`}.`;
      const when = next.open_now
        ? `may run now, until ${inUtc(next.closes)}`
        : `may run next from ${inUtc(next.opens)} to ${inUtc(next.closes)}`;
      const then = later.length === 0 ? '' : `, then from ${later.map(({ opens }) => inUtc(opens)).join(' and ')}`;
      const isShort = obstacles.includes('balance_too_low') || obstacles.includes('allowance_too_low');
      const money =
        runs_paid_for === null || isShort
          ? ''
          : runs_paid_for === '0'
            ? " Its owner's other plans use up the funds that it needs."
            : ` Its owner's funds cover ${more_runs_paid_for ? 'at least ' : ''}${counted(Number(runs_paid_for), 'run')}.`;
      const verdict =
        verdict_now === null
          ? ''
          : ` The current verdict on its trade is ${verdict_now.verdict}.${sizeLine(verdict_now)}`;
      const stopped = against === '' ? ' Nothing stops it now.' : ` It cannot run now: ${against}.`;
      const silence = unrecorded === null ? '' : ` It needs no recorded deferral now: ${reasonInWords(unrecorded)}.`;
      return `Plan ${plan} ${when}${then}.${verdict}${stopped}${silence}${money}`;
    },
    ({ plan, slots, obstacles, runs_paid_for, verdict_now }) => {
      const [next] = slots;
      const against = obstacles.map(reasonInChinese).join('；');
      if (next === undefined) return `计划 ${plan} 不会再执行${against === '' ? '' : `：${against}`}。`;
      const when = next.open_now
        ? `现在可以执行，到 ${inUtc(next.closes)} 为止`
        : `下次可在 ${inUtc(next.opens)} 到 ${inUtc(next.closes)} 之间执行`;
      return `计划 ${plan} ${when}。${verdict_now === null ? '' : `其交易目前的评估是 ${verdict_now.verdict}。`}${against === '' ? '目前没有阻碍。' : `现在不能执行：${against}。`}${runs_paid_for === null ? '' : `所有者的资金够 ${runs_paid_for} 次。`}`;
    },
  ),
];

const hours = (seconds: string): string => {
  const [unit, of] = (
    [
      ['天', 86_400],
      ['小时', 3_600],
    ] as const
  ).find(([, each]) => Number(seconds) % each === 0) ?? ['分钟', 60];
  return `${Math.round(Number(seconds) / of)} ${unit}`;
};

function gained({ runs, reference_usd, pool_usd }: z.output<typeof listRuns.output>['surplus']): string {
  if (runs === 0) return '';
  const besidePool = pool_usd === null ? '' : `, and ${gainOf(pool_usd)} compared with the best single pool`;
  return ` According to their evidence, ${counted(runs, 'run')} got ${gainOf(reference_usd)} compared with the reference price${besidePool}.`;
}

const gainOf = (decimal: string): string => {
  const wad = parseUnitsDown(decimal.replace('-', ''), DECIMALS) ?? 0n;
  return gainUsd(decimal.startsWith('-') ? -wad : wad);
};

type Terms = z.output<typeof listPlans.output>['plans'][number];

const terms = ({ id, status, sells, pay, buy, every_seconds, runs, max_runs }: Terms, word: string): string =>
  `${word} ${id} ${sells ? `sells ${tokens(pay)} for ${buy}` : `buys ${buy} for ${tokens(pay)}`} every ${period(BigInt(every_seconds))}, ` +
  `${grouped(runs)} of ${counted(max_runs, 'run')} done, ${status}`;

/** Number of active, paused and cancelled plans. */
function states(plans: readonly Terms[], total: number): string {
  const each = ['active', 'paused', 'cancelled'].flatMap((state) => {
    const count = plans.filter(({ status }) => status === state).length;
    return count > 0 ? [`${count} ${state}`] : [];
  });
  return ` (${plans.length < total ? `of the newest ${plans.length}: ` : ''}${each.join(', ')})`;
}

/**
 * What several runs paid and received together, and the average price of one asset; undefined for fewer than two. All are of one
 * plan, so of one trade.
 */
function sumsOf(runs: z.output<typeof listRuns.output>['runs'], isSale: boolean) {
  const done = runs.flatMap(({ paid, received }) => (paid && received ? [{ paid, received }] : []));
  const [first] = done;
  if (first === undefined || done.length < 2) return undefined;
  const sum = (of: 'paid' | 'received') =>
    done.reduce((total, each) => total + (parseUnitsDown(each[of].amount, DECIMALS) ?? 0n), 0n);
  const [paidWad, receivedWad] = [sum('paid'), sum('received')];
  const inToken = (of: 'paid' | 'received', wad: bigint) =>
    tokens({ token: first[of].token, amount: formatUnits(wad, DECIMALS) });
  const [pay, buy] = [first.paid.token, first.received.token];
  const isKnown = !pay.startsWith('0x') && !buy.startsWith('0x');
  const named = (symbol: string) => ({ symbol, decimals: DECIMALS });
  const sided = sidedOf(isSale, named(pay), named(buy));
  const price = isKnown ? averagePrice(paidWad, receivedWad, sided) : undefined;
  const average = price === undefined ? undefined : inToken(isSale ? 'received' : 'paid', price);
  return { count: done.length, paid: inToken('paid', paidWad), received: inToken('received', receivedWad), average };
}
