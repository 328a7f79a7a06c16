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

/** By the tool's name. */
export const sentences: ReadonlyMap<string, Sentence> = new Map([
  say(checkAsset, (checked, { input, told }) => {
    const line = verdictLine(checked, input);
    const finding = told?.check === undefined ? '' : findingLine(checked, told.check);
    if (told?.priceUsd === undefined) return line + finding;
    return `${comparedWith(told.priceUsd, checked.asset, checked.reference_usd)} In the pool now: ${line}${finding}`;
  }),

  say(getPrice, ({ asset, usd, references, pool_usd, block, time }, { told }) => {
    const compared = told?.priceUsd === undefined ? '' : `${comparedWith(told.priceUsd, asset, usd)} `;
    const by = references.filter(({ independent }) => independent).length > 1 ? 'the median of' : 'by';
    const units = told?.units;
    const value = units === undefined ? '' : ` At that, ${short(units)} ${asset} are worth ${worth(units, usd)} USD.`;
    const pool = pool_usd === null ? '' : ` Its PancakeSwap pool trades at ${short(pool_usd)} USD.`;
    return (
      `${compared}${asset} is at ${short(usd)} USD, ${by} ${sourcesLine(references)}.${staleLine(references)}${value}${pool} That is at block ${block}, ` +
      `${utc(time)}.`
    );
  }),

  say(getHistory, ({ asset, interval, first, last, high, low, candles }, { told }) => {
    const [then, now] = candles;
    if (told?.yesterday && then && now) {
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
    // What so many are worth is paid, and the pool's fee and its depth take their part.
    const asked =
      side === 'buy' && wanted !== undefined && String(wanted) !== receive.amount
        ? `${grouped(String(wanted))} ${receive.symbol} are worth ${short(pay.amount)} ${pay.symbol} by the reference. `
        : '';
    return (
      `${asked}${short(pay.amount)} ${pay.symbol} would get ${short(receive.amount)} ${receive.symbol} now in the ` +
      `PancakeSwap pool, the pool's fee of ${fee} taken off (block ${block}). This says what one gets, not whether it is fair.`
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
      const danger = can_be_liquidated
        ? 'it can be liquidated now'
        : 'it cannot be liquidated, which takes less than 1';
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
      : `Guard ${guard} would not rescue now: ${reason === null ? 'it gives no reason' : anyInWords(reason)}. ${numbers}`;
  }),

  say(listAssets, ({ assets }) => {
    const listed = assets.map(({ symbol, name }) => `${symbol} (${name})`).join(', ');
    return `I know ${listed}. ${capabilities}`;
  }),
]);

function moved(first: string, last: string): string {
  const [from, to] = [parseUnitsDown(first, 18) ?? 0n, parseUnitsDown(last, 18) ?? 0n];
  if (from === 0n || from === to) return 'unchanged';
  return `${to > from ? 'up' : 'down'} ${formatBps(((to > from ? to - from : from - to) * BPS) / from)}`;
}

export const capabilities =
  'I can say whether a price is fair ("Is BTCB fairly priced?", "Should I sell 2 ETH?"), what it is ("price of ETH") and was ' +
  '("ETH over the last week"), what a swap would pay ("How much BTCB for $500?"), which plans there are and what became of ' +
  'one ("runs of plan 1"), how safe a loan is ("health of 0x…") and whether a guard would rescue it ("would guard 1 rescue?").';

/** How a price that somebody named lies to the reference; both decimal text of US dollars for one of the asset. */
function comparedWith(priceUsd: string, asset: string, referenceUsd: string | null): string {
  const named = `${short(priceUsd)} USD`;
  const [price, reference] = [
    parseUnitsDown(priceUsd, 18),
    referenceUsd === null ? undefined : parseUnitsDown(referenceUsd, 18),
  ];
  if (!price || !reference || referenceUsd === null)
    return `There is no reference price of ${asset} to compare ${named} with.`;
  const of = `the reference price of one ${asset}, ${short(referenceUsd)} USD`;
  if (price === reference) return `${named} is ${of}.`;
  return `${named} is ${formatBps(deviationBpsUp(price, reference))} ${price < reference ? 'below' : 'above'} ${of}.`;
}

/** What so many units are worth; decimal text, cut. */
const worth = (units: string, usd: string): string =>
  short(formatUnits(mulDivDown(parseUnitsDown(units, 18) ?? 0n, parseUnitsDown(usd, 18) ?? 0n, WAD), 18));
