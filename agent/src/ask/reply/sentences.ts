import { grouped, inUtc, short } from '@bowline/core/domain/readable';
import {
  BPS,
  deviationBpsUp,
  formatBps,
  formatUnits,
  mulDivDown,
  parseUnitsDown,
  WAD,
} from '@bowline/core/domain/units';
import { healthOf, shortDecimal } from '@bowline/core/texts/amounts';
import { cautionAdvice } from '@bowline/core/texts/cautions';
import { counted } from '@bowline/core/texts/counts';
import { sentence } from '@bowline/core/texts/words';
import type { z } from 'zod';
import type { Checked } from '../../tools/check-asset.ts';
import { checkAsset } from '../../tools/check-asset.ts';
import { getHistory } from '../../tools/get-history.ts';
import { getPrice } from '../../tools/get-price.ts';
import { listAssets } from '../../tools/list-assets.ts';
import { loanHealth } from '../../tools/loan-health.ts';
import { previewRescue } from '../../tools/preview-rescue.ts';
import { quoteSwap } from '../../tools/quote-swap.ts';
import type { referenceList } from '../../tools/schemas.ts';
import { whatIf } from '../../tools/what-if.ts';
import { aboutSentence } from './about-sentence.ts';
import { moneyLine, sizeLine } from './money-line.ts';
import { costOf, planSentences } from './plan-sentences.ts';
import { anyInWords, reasonInWords, type Sentence, say, sourceName, tokens } from './words.ts';

const intervals = { '1m': '1 minute', '5m': '5 minutes', '1h': '1 hour', '1d': '1 day' } as const;

/** Sentence by tool name. */
export const sentences: ReadonlyMap<string, Sentence> = new Map([
  say(checkAsset, (checked, { input, details }) => {
    if (details?.largest) return largestLine(checked);
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
      `${block}, ${inUtc(time)}.`
    );
  }),

  say(getHistory, ({ asset, interval, first, last, high, low, candles }, { details }) => {
    const [then, now] = candles;
    if (details?.yesterday && then && now) {
      return (
        `On the day from ${inUtc(then.time)} ${asset} was ${moved(then.open, then.close)}: from ${short(then.open)} to ` +
        `${short(then.close)} USDT, high ${short(then.high)}, low ${short(then.low)}. Since then it is ` +
        `${moved(then.close, now.close)}.`
      );
    }
    const since = then ? ` since ${inUtc(then.time)}` : '';
    return (
      `${asset} is ${moved(first, last)}${since}: from ${short(first)} to ${short(last)} USDT, high ${short(high)}, ` +
      `low ${short(low)} (${counted(candles.length, 'candle')} of ${intervals[interval]}).`
    );
  }),

  say(quoteSwap, ({ side, pay, receive, route, block }, { input }) => {
    const pools = route ?? [];
    const fees = pools.map(({ fee_millionths }) => formatBps(BigInt(fee_millionths) / 100n)).join(' and ');
    const over = pools.slice(0, -1).map(({ symbol }) => symbol);
    const wanted = input.amount_asset;
    // Payment is the value of the wanted units; pool fees and price impact reduce what is received.
    const valued =
      side === 'buy' && wanted !== undefined && String(wanted) !== receive.amount
        ? `${grouped(String(wanted))} ${receive.symbol} are worth ${short(pay.amount)} ${pay.symbol} by the reference. `
        : '';
    return (
      `${valued}${short(pay.amount)} ${pay.symbol} would get ${short(receive.amount)} ${receive.symbol} now ` +
      `${over.length === 0 ? 'in the PancakeSwap pool' : `on PancakeSwap over ${over.join(' and ')}`}, after ` +
      `${pools.length > 1 ? "the pools' fees" : "the pool's fee"} of ${fees} (block ${block}). ` +
      'This is what you would get, not whether it is fair.'
    );
  }),

  ...planSentences,

  aboutSentence,

  say(
    loanHealth,
    ({
      borrower,
      debt_usd,
      weighted_collateral_usd,
      health,
      guards,
      guards_unread,
      block,
      usual_gap,
      positions,
      ...liquidation
    }) => {
      const active = guards.filter(({ status }) => status === 'active');
      const guarded =
        active.length === 0
          ? guards_unread > 0
            ? ' Whether a guard protects it could not be read just now.'
            : ' No active guard protects it.'
          : ` Protected by ${active.map(({ id, trigger_health, target_health }) => `guard ${id} (below ${trigger_health}, back to ${target_health})`).join(', ')}.`;
      if (health === null) return `${borrower} owes nothing on ${liquidation.protocol} (block ${block}).${guarded}`;
      return (
        `The loan of ${borrower} has health ${healthOf(health)}: ${danger(liquidation, 'it')}. It owes ${shortDecimal(debt_usd)} USD against ` +
        `${shortDecimal(weighted_collateral_usd)} USD of weighted collateral (block ${block}).${fallLine(positions ?? [])}${guarded}${usual_gap ? gapLine(usual_gap) : ''}`
      );
    },
  ),

  say(
    whatIf,
    ({ protocol, changed, change_percent, health_now, health, target_health, can_be_liquidated, add, repay }) => {
      if (health === null || health_now === null) return `Nothing is owed on ${protocol}.`;
      const isChanged = Number(change_percent) !== 0;
      const moves = `${Number(change_percent) < 0 ? 'fall' : 'rise'}${changed.length === 1 ? 's' : ''}`;
      const now = isChanged
        ? `If ${joined(changed, 'and')} ${moves} by ${change_percent.replace('-', '')} %, health goes from ${healthOf(health_now)} to ${healthOf(health)}`
        : `Health is ${healthOf(health)}`;
      const end = can_be_liquidated ? ', and the loan can be liquidated.' : ', and the loan cannot be liquidated.';
      const ways = [
        ...add.map(({ asset, amount }) => `add ${costOf(amount)} ${asset}`),
        ...repay.map(({ asset, amount }) => `repay ${costOf(amount)} ${asset}`),
      ];
      const needs =
        ways.length === 0
          ? ''
          : ` For a health of ${shortDecimal(target_health)}${isChanged ? ' then' : ''}, ${joined(ways, 'or')}.`;
      return `${now}${end}${needs}`;
    },
  ),

  say(previewRescue, ({ guard, would_rescue, repay, reason, ...rest }) => {
    const { liquidation_reason: why } = rest;
    const forced = why === 'forced_liquidation' || why === 'unknown' ? ` ${sentence(danger(rest, 'the loan'))}` : '';
    return would_rescue && repay
      ? `Guard ${guard} would rescue now, and repay ${tokens(repay)}. ${numbersLine(rest)}${forced}`
      : `Guard ${guard} would not rescue now: ${reason === null ? 'the contract gave no reason' : anyInWords(reason)}. ${numbersLine(rest)}${forced}`;
  }),

  say(listAssets, ({ assets }) => {
    const listed = assets.map(({ symbol, name }) => `${symbol} (${name})`).join(', ');
    return `I cover ${listed}.`;
  }),
]);

/** How far each collateral can fall, alone, before the loan can be liquidated. */
function fallLine(positions: NonNullable<z.output<typeof loanHealth.output>['positions']>): string {
  const falls = positions.flatMap(({ asset, liquidation_price_usd: price, fall_to_liquidation_percent: fall }) =>
    price === null || fall === null ? [] : [`${asset} falls by ${fall} % to ${short(price)} USD`],
  );
  return falls.length === 0 ? '' : ` It can be liquidated if ${joined(falls, 'or')}.`;
}

const joined = (words: readonly string[], last: 'and' | 'or'): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`;

/** The trigger that the loan's usual gap needs. */
function gapLine({ collateral_fall_percent: fall, debt_rise_percent: rise, trigger_needed, one_hour_in }: Gap): string {
  const moves = [
    ...(Number(fall) > 0 ? [`its collateral falls by ${fall} %`] : []),
    ...(Number(rise) > 0 ? [`its debt rises by ${rise} %`] : []),
  ];
  if (moves.length === 0) return '';
  return (
    ` In one hour of ${grouped(one_hour_in)} ${moves.join(' and ')} or more: if that comes at once, a guard with a ` +
    `trigger below ${trigger_needed} may be too late.`
  );
}

type Gap = NonNullable<z.output<typeof loanHealth.output>['usual_gap']>;

type Liquidation = Pick<z.output<typeof loanHealth.output>, 'protocol' | 'liquidation_reason' | 'forced_debts'>;

/** @param loan in words: "it" only right after the loan was named. */
function danger({ protocol, liquidation_reason, forced_debts }: Liquidation, loan: 'it' | 'the loan'): string {
  const debts = (forced_debts ?? []).join(' and ');
  switch (liquidation_reason) {
    case null:
      return `${loan} cannot be liquidated at 1 or above`;
    case 'unknown':
      return `whether ${protocol} lets anyone liquidate ${loan} at any health could not be read`;
    case 'forced_liquidation':
      return `${loan} can be liquidated now, because ${protocol} lets anyone liquidate its debt in ${debts} at any health, and only repaying that debt protects it`;
    case 'health_below_one':
      return `${loan} can be liquidated now`;
  }
}

type Previewed = z.output<typeof previewRescue.output>;

/** A guard's healths beside the loan's. */
function numbersLine({
  borrower,
  health,
  price_source,
  triggered_by,
  trigger_health,
  target_health,
}: Omit<Previewed, 'guard' | 'would_rescue' | 'repay' | 'reason'>): string {
  if (health === null)
    return `The loan has no debt; the guard acts below ${trigger_health} and aims at ${target_health}.`;
  const loan = `the loan of ${borrower} has health ${healthOf(health)}`;
  if (price_source === null)
    return sentence(`${loan}; the guard acts below ${trigger_health} and aims at ${target_health}`);
  const byProtocol = `By the protocol's prices ${loan}`;
  return triggered_by === 'price_source'
    ? `${byProtocol}; the guard's price source puts it below the trigger of ${trigger_health}. The guard aims at ${target_health}.`
    : `${byProtocol}; the guard acts if the loan's health by these prices or by the guard's price source is below ${trigger_health}, and aims at ${target_health}.`;
}

function moved(first: string, last: string): string {
  const [from, to] = [parseUnitsDown(first, 18) ?? 0n, parseUnitsDown(last, 18) ?? 0n];
  if (from === 0n || from === to) return 'unchanged';
  return `${to > from ? 'up' : 'down'} ${formatBps(((to > from ? to - from : from - to) * BPS) / from)}`;
}

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

/** Size arguments of a check, as passed to the tool. */
interface Asked {
  readonly amount_usd?: unknown;
  readonly amount_asset?: unknown;
}

/**
 * One line for a check: verdict, money, prices compared, deviation and, unless GO, the reason. If the question named no size,
 * it states the size judged.
 */
function verdictLine(checked: Checked, { amount_usd: usd, amount_asset: units }: Asked): string {
  const { asset, side, amount_usd, verdict, reason, findings } = checked;
  const dollars = amount_usd === null ? undefined : `${short(amount_usd)} USD`;
  const size =
    units === undefined
      ? `${dollars === undefined ? '' : `${dollars} of `}${asset}`
      : `${grouped(String(units).trim())} ${asset}${dollars === undefined ? '' : ` (worth ${dollars})`}`;
  const trade = `${side === 'buy' ? 'buying' : 'selling'} ${size}`;
  const unasked =
    usd === undefined && units === undefined ? ` (no size was given: judged for ${dollars ?? asset})` : '';
  const deciding = findings.find((finding) => reason !== null && finding.reason === reason);
  const line = `Verdict: ${verdict} for ${trade}${unasked}${moneyLine(checked)}. ${comparison(checked)}`;
  if (deciding === undefined || reason === null) return `${line} All ${findings.length} checks pass.`;
  const advice = verdict === 'CAUTION' ? ` ${cautionAdvice(reason)}` : '';
  return `${line} Reason: ${reasonInWords(reason)}. ${deciding.detail}${sizeLine(checked)}${advice}`;
}

/** The largest size that is GO; the size judged was larger than any pool takes. */
function largestLine({ asset, side, go_up_to, verdict, reason }: Checked): string {
  const does = side === 'buy' ? 'purchase' : 'sale';
  if (go_up_to !== null)
    return `The largest ${does} of ${asset} that is GO now: ${tokens({ token: go_up_to.symbol, amount: go_up_to.amount })}.`;
  return `No size of a ${does} of ${asset} can be named that is GO: the verdict is ${verdict}${reason === null ? '' : `, because ${reasonInWords(reason)}`}.`;
}

/** What one check measured; empty if the verdict line already gave it as the reason. */
function findingLine({ findings, reason }: Checked, check: string): string {
  const finding = findings.find((each) => each.check === check);
  if (finding === undefined || (reason !== null && finding.reason === reason)) return '';
  const outcome = { pass: 'passes', caution: 'returns CAUTION', no_go: 'returns NO_GO', no_data: 'has no data' }[
    finding.outcome
  ];
  return ` "${finding.question}" ${outcome}: ${finding.detail}`;
}

function comparison({ asset, pool_usd, reference_usd, deviation_bps, references }: Checked): string {
  const reference =
    reference_usd === null
      ? 'no reference gives a price'
      : `the reference price is ${short(reference_usd)} USD (${sourcesLine(references)})`;
  const pool =
    pool_usd === null ? `The pool gives no price of ${asset}` : `The pool trades ${asset} at ${short(pool_usd)} USD`;
  const deviation = deviation_bps === null ? '' : `, a deviation of ${formatBps(BigInt(deviation_bps))}`;
  return `${pool}, ${reference}${deviation}.`;
}

type Listed = z.output<typeof referenceList>;

/**
 * Sources and their prices, independent ones first: "Chainlink 100,000, exchange 100,010; a third 100,000 by the same
 * feed".
 */
function sourcesLine(references: Listed): string {
  const priced = ({ source, usd }: Listed[number]) => `${sourceName(source)} ${short(usd)}`;
  const counted = references.filter(({ independent }) => independent);
  const line = `${counted.map(priced).join(', ')}${counted.length === 1 ? ' alone' : ''}`;
  const rest = references.filter(({ independent }) => !independent);
  return [line, ...rest.map((each) => `${priced(each)} ${whyDependent(each)}`)].join('; ');
}

/** Why a source does not count as independent. */
function whyDependent({ source, origin, fresh }: Listed[number]): string {
  const isOperators = source === 'redstone' || source === 'binance_oracle';
  if (!isOperators) return origin === 'unknown' ? 'by an unknown feed' : 'by the same feed';
  return fresh ? 'by the exchange’s operator' : 'too old or of unknown age';
}

/** Names the outdated independent sources; empty if none is known to be. */
function staleLine(references: Listed): string {
  const old = references.filter(({ independent, fresh }) => independent && fresh === false);
  if (old.length === 0) return '';
  const named = old.map(({ source, age_seconds }) => `${sourceName(source)} (${grouped(age_seconds ?? '')} s old)`);
  return ` This price is not current: it rests on ${named.join(', ')}.`;
}
