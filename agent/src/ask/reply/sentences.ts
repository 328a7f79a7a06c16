import {
  BPS,
  deviationBpsUp,
  formatBps,
  formatUnits,
  mulDivDown,
  parseUnitsDown,
  WAD,
} from '@bowline/core/domain/units';
import { checkAsset } from '../../tools/check-asset.ts';
import { getHistory } from '../../tools/get-history.ts';
import { getPrice } from '../../tools/get-price.ts';
import { listAssets } from '../../tools/list-assets.ts';
import { loanHealth } from '../../tools/loan-health.ts';
import { previewRescue } from '../../tools/preview-rescue.ts';
import { quoteSwap } from '../../tools/quote-swap.ts';
import { planSentences } from './plan-sentences.ts';
import { type Sentence, say } from './sentence.ts';
import { findingLine, sourcesLine, staleLine, verdictLine } from './verdict-line.ts';
import { anyInWords, counted, cut, grouped, short, tokens, utc } from './words.ts';

const intervals = { '1m': '1 minute', '5m': '5 minutes', '1h': '1 hour', '1d': '1 day' } as const;

/** Sentence by tool name. */
export const sentences: ReadonlyMap<string, Sentence> = new Map([
  say(checkAsset, (checked, { input, details }) => {
    const line = verdictLine(checked, input);
    const finding = details?.check === undefined ? '' : findingLine(checked, details.check);
    if (details?.priceUsd === undefined) return line + finding;
    return `${comparedWith(details.priceUsd, checked.asset, checked.reference_usd)} In the pool now: ${line}${finding}`;
  }),

  say(getPrice, ({ asset, usd, references, pool_usd, block, time }, { details }) => {
    const compared = details?.priceUsd === undefined ? '' : `${comparedWith(details.priceUsd, asset, usd)} `;
    const by = references.filter(({ independent }) => independent).length > 1 ? 'the median of' : 'by';
    const units = details?.units;
    const value = units === undefined ? '' : ` At that, ${short(units)} ${asset} are worth ${worth(units, usd)} USD.`;
    const pool = pool_usd === null ? '' : ` Its PancakeSwap pool trades at ${short(pool_usd)} USD.`;
    return (
      `${compared}${asset} is at ${short(usd)} USD, ${by} ${sourcesLine(references)}.${staleLine(references)}${value}${pool} Prices as of block ` +
      `${block}, ${utc(time)}.`
    );
  }),

  say(getHistory, ({ asset, interval, first, last, high, low, candles }, { details }) => {
    const [then, now] = candles;
    if (details?.yesterday && then && now) {
      return (
        `On the day from ${utc(then.time)} ${asset} was ${moved(then.open, then.close)}: from ${short(then.open)} to ` +
        `${short(then.close)} USDT, high ${short(then.high)}, low ${short(then.low)}. Since then it is ` +
        `${moved(then.close, now.close)}.`
      );
    }
    const since = then ? ` since ${utc(then.time)}` : '';
    return (
      `${asset} is ${moved(first, last)}${since}: from ${short(first)} to ${short(last)} USDT, high ${short(high)}, ` +
      `low ${short(low)} (${counted(candles.length, 'candle')} of ${intervals[interval]}).`
    );
  }),

  say(quoteSwap, ({ side, pay, receive, pool_fee_millionths, block }, { input }) => {
    const fee = formatBps(BigInt(pool_fee_millionths) / 100n);
    const wanted = input.amount_asset;
    // Payment is the value of the wanted units; pool fee and price impact reduce what is received.
    const valued =
      side === 'buy' && wanted !== undefined && String(wanted) !== receive.amount
        ? `${grouped(String(wanted))} ${receive.symbol} are worth ${short(pay.amount)} ${pay.symbol} by the reference. `
        : '';
    return (
      `${valued}${short(pay.amount)} ${pay.symbol} would get ${short(receive.amount)} ${receive.symbol} now in the ` +
      `PancakeSwap pool, after the pool's fee of ${fee} (block ${block}). This is what you would get, not whether it is fair.`
    );
  }),

  ...planSentences,

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
      const danger = can_be_liquidated ? 'it can be liquidated now' : 'it cannot be liquidated at 1 or above';
      return (
        `The loan of ${borrower} has health ${cut(health, 4)}: ${danger}. It owes ${short(debt_usd)} USD against ` +
        `${short(weighted_collateral_usd)} USD of weighted collateral (block ${block}).${guarded}`
      );
    },
  ),

  say(previewRescue, ({ guard, borrower, would_rescue, repay, reason, health, trigger_health, target_health }) => {
    const at = health === null ? 'The loan has no debt' : `The loan of ${borrower} has health ${cut(health, 4)}`;
    const numbers = `${at}; the guard acts below ${trigger_health} and aims at ${target_health}.`;
    return would_rescue && repay
      ? `Guard ${guard} would rescue now, and repay ${tokens(repay)}. ${numbers}`
      : `Guard ${guard} would not rescue now: ${reason === null ? 'the contract gave no reason' : anyInWords(reason)}. ${numbers}`;
  }),

  say(listAssets, ({ assets }) => {
    const listed = assets.map(({ symbol, name }) => `${symbol} (${name})`).join(', ');
    return `I cover ${listed}. ${capabilities}`;
  }),
]);

function moved(first: string, last: string): string {
  const [from, to] = [parseUnitsDown(first, 18) ?? 0n, parseUnitsDown(last, 18) ?? 0n];
  if (from === 0n || from === to) return 'unchanged';
  return `${to > from ? 'up' : 'down'} ${formatBps(((to > from ? to - from : from - to) * BPS) / from)}`;
}

export const capabilities =
  'I can say whether a price is fair ("Is BTCB fairly priced?", "Should I sell 2 ETH?"), what a price is ("price of ETH") or ' +
  'was ("ETH over the last week"), what a swap would pay ("How much BTCB for $500?"), which plans exist and what happened to ' +
  'one ("runs of plan 1"), how safe a loan is ("health of 0x…") and whether a guard would rescue it ("would guard 1 rescue?").';

/** Compares a price named by the user with the reference; both decimal text of US dollars per unit. */
function comparedWith(priceUsd: string, asset: string, referenceUsd: string | null): string {
  const named = `${short(priceUsd)} USD`;
  const [price, reference] = [
    parseUnitsDown(priceUsd, 18),
    referenceUsd === null ? undefined : parseUnitsDown(referenceUsd, 18),
  ];
  if (!price || !reference || referenceUsd === null)
    return `There is no reference price of ${asset} to compare ${named} with.`;
  const compared = `the reference price of one ${asset}, ${short(referenceUsd)} USD`;
  if (price === reference) return `${named} is ${compared}.`;
  return `${named} is ${formatBps(deviationBpsUp(price, reference))} ${price < reference ? 'below' : 'above'} ${compared}.`;
}

/** Value of this many units; decimal text, truncated. */
const worth = (units: string, usd: string): string =>
  short(formatUnits(mulDivDown(parseUnitsDown(units, 18) ?? 0n, parseUnitsDown(usd, 18) ?? 0n, WAD), 18));
