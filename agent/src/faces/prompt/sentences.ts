import type { z } from 'zod';
import { formatBps } from '../../domain/units.ts';
import { checkAsset } from '../../tools/check-asset.ts';
import { getHistory } from '../../tools/get-history.ts';
import { getPrice } from '../../tools/get-price.ts';
import { listAssets } from '../../tools/list-assets.ts';
import { listPlans } from '../../tools/list-plans.ts';
import { listRuns } from '../../tools/list-runs.ts';
import { loanHealth } from '../../tools/loan-health.ts';
import { previewRescue } from '../../tools/preview-rescue.ts';
import { quoteSwap } from '../../tools/quote-swap.ts';
import type { Tool } from '../../tools/tool.ts';
import { verdictLine } from './verdict-line.ts';
import { counted, cut, duration, grouped, short, spaced, tokens, utc } from './words.ts';

type Sentence = (output: Record<string, unknown>) => string;

const say = <Output extends z.ZodType>(
  { name, output }: Tool<z.ZodType, Output>,
  sentence: (output: z.output<Output>) => string,
): [string, Sentence] => [name, (value) => sentence(output.parse(value))];

// Long lists are for the tools themselves.
const MOST_PLANS = 5;

/** What a tool's output says, in a sentence or two, by the tool's name. Nothing is said that is not in the output. */
export const sentences: ReadonlyMap<string, Sentence> = new Map([
  say(checkAsset, verdictLine),

  say(getPrice, ({ asset, usd, references, pool_usd, block, time }) => {
    const sources = references.map(({ source, usd: price }) => `${source} ${short(price)}`).join(', ');
    const pool = pool_usd === null ? '' : ` Its PancakeSwap pool trades at ${short(pool_usd)} USD.`;
    return `${asset} is at ${short(usd)} USD, the median of ${sources}.${pool} That is at block ${block}, ${utc(time)}.`;
  }),

  say(getHistory, ({ asset, interval, first, last, high, low, change_bps, candles }) => {
    const change = BigInt(change_bps);
    const moved =
      change === 0n ? 'unchanged' : `${change > 0n ? 'up' : 'down'} ${formatBps(change < 0n ? -change : change)}`;
    const since = candles[0] ? ` since ${utc(candles[0].time)}` : '';
    return (
      `${asset} is ${moved}${since}: from ${grouped(first)} to ${grouped(last)} USDT, high ${grouped(high)}, ` +
      `low ${grouped(low)} (${counted(candles.length, 'candle')} of ${interval}).`
    );
  }),

  say(quoteSwap, ({ pay, receive, pool_fee_millionths, block }) => {
    const fee = formatBps(BigInt(pool_fee_millionths) / 100n);
    return (
      `${short(pay.amount)} ${pay.symbol} would get ${short(receive.amount)} ${receive.symbol} now in the PancakeSwap pool, ` +
      `the pool's fee of ${fee} taken off (block ${block}). This says what one gets, not whether it is fair.`
    );
  }),

  say(listPlans, ({ total, plans, unread }) => {
    const missing = unread > 0 ? ` ${counted(unread, 'plan')} could not be read just now.` : '';
    if (total === 0) return `${unread > 0 ? 'I found' : 'There are'} no such plans on chain.${missing}`;
    const shown = plans
      .slice(0, MOST_PLANS)
      .map(
        ({ id, status, pay, buy, every_seconds, runs, max_runs }) =>
          `plan ${id} buys ${buy} for ${tokens(pay)} every ${duration(every_seconds)}, ` +
          `${runs} of ${counted(max_runs, 'run')} done, ${status}`,
      );
    const rest = total - shown.length;
    const more = rest > 0 ? ` And ${rest} more.` : '';
    return `${total === 1 ? 'There is 1 plan' : `There are ${total} plans, newest first`}: ${shown.join('; ')}.${more}${missing}`;
  }),

  say(listRuns, ({ plan, total, runs }) => {
    if (runs.length === 0) return `Plan ${plan} has no record yet: no run, no deferral.`;
    const shown = runs.map(({ outcome, time, paid, received, verdict, reason }) =>
      outcome === 'executed' && paid && received
        ? `${utc(time)}: paid ${tokens(paid)}, received ${tokens(received)} (${verdict})`
        : `${utc(time)}: deferred, verdict ${verdict}, reason ${reason}`,
    );
    const which = runs.length < total ? `, of which the newest ${runs.length}` : '';
    return `Plan ${plan} has ${counted(total, 'record')}${which}. ${shown.join('; ')}.`;
  }),

  say(
    loanHealth,
    ({ borrower, debt_usd, weighted_collateral_usd, health, can_be_liquidated, guards, guards_unread, block }) => {
      const active = guards.filter(({ status }) => status === 'active');
      const guarded =
        active.length === 0
          ? guards_unread > 0
            ? ' Whether a guard protects it could not be read just now.'
            : ' No active guard protects it.'
          : ` Protected by ${active.map(({ id, trigger_health, target_health }) => `guard ${id} (below ${trigger_health}, back to ${target_health})`).join(', ')}.`;
      if (health === null) return `${borrower} owes nothing on Venus (block ${block}).${guarded}`;
      const danger = can_be_liquidated
        ? 'it can be liquidated now'
        : 'it cannot be liquidated, which takes less than 1';
      return (
        `The loan of ${borrower} has health ${cut(health, 4)}: ${danger}. It owes ${grouped(debt_usd)} USD against ` +
        `${grouped(weighted_collateral_usd)} USD of weighted collateral (block ${block}).${guarded}`
      );
    },
  ),

  say(previewRescue, ({ guard, borrower, would_rescue, repay, reason, health, trigger_health, target_health }) => {
    const at = health === null ? 'The loan has no debt' : `The loan of ${borrower} has health ${cut(health, 4)}`;
    const numbers = `${at}; the guard acts below ${trigger_health} and aims at ${target_health}.`;
    return would_rescue && repay
      ? `Guard ${guard} would rescue now, and repay ${tokens(repay)}. ${numbers}`
      : `Guard ${guard} would not rescue now: ${spaced(reason ?? 'no reason given')}. ${numbers}`;
  }),

  say(listAssets, ({ assets }) => {
    const listed = assets.map(({ symbol, name }) => `${symbol} (${name})`).join(', ');
    return `I know ${listed}. ${capabilities}`;
  }),
]);

export const capabilities =
  'I can say whether a price is fair ("Is BTCB fairly priced?"), what it is ("price of ETH") and was ("ETH over the last ' +
  'week"), what a swap would pay ("How much BTCB for $500?"), which plans there are and what became of one ("runs of plan ' +
  '1"), how safe a loan is ("health of 0x…") and whether a guard would rescue it ("would guard 1 rescue?").';
