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
import { shortDecimal } from '@bowline/core/texts/amounts';
import { cautionAdvice } from '@bowline/core/texts/cautions';
import { counted } from '@bowline/core/texts/counts';
import type { z } from 'zod';
import { type Checked, checkAsset } from '../../tools/check-asset.ts';
import { getHistory } from '../../tools/get-history.ts';
import { getPrice } from '../../tools/get-price.ts';
import { listAssets } from '../../tools/list-assets.ts';
import { quoteSwap } from '../../tools/quote-swap.ts';
import type { referenceList } from '../../tools/schemas.ts';
import { moneyLine, reasonInChinese, reasonInWords, say, sizeLine, sourceName, tokens } from './words.ts';

const intervals = { '1m': '1 minute', '5m': '5 minutes', '1h': '1 hour', '1d': '1 day' } as const;
const verdicts = {
  GO: '价格公允',
  CAUTION: '最好等一等，有检查超过警戒线',
  NO_GO: '价格不公允',
  NO_DATA: '数据不足，无法评估',
} as const;

export const marketSentences = [
  say(
    checkAsset,
    (checked, { input, details }) => {
      if (details?.largest) return largestLine(checked);
      const line = verdictLine(checked, input);
      const finding = details?.check === undefined ? '' : findingLine(checked, details.check);
      if (details?.priceUsd === undefined) return line + finding;
      return `${comparedWith(details.priceUsd, checked.asset, checked.reference_usd)} In the pool now: ${line}${finding}`;
    },
    (
      { asset, side, amount_usd, verdict, reason: why, pay, receive, cost, pool_usd, reference_usd, go_up_to },
      { input, details },
    ) => {
      const does = side === 'buy' ? '买入' : '卖出';
      if (details?.largest) {
        return go_up_to === null
          ? `没有已知的公允数量上限：${does} ${asset} 的评估是 ${verdict}${why === null ? '' : `，原因：${reasonInChinese(why)}`}。`
          : `现在${does} ${asset} 最多 ${shortDecimal(go_up_to.amount)} ${go_up_to.symbol} 仍是 GO。`;
      }
      const size =
        input.amount_asset === undefined
          ? `${amount_usd === null ? '' : ` ${short(amount_usd)} 美元的 `}${asset}`
          : `${grouped(String(input.amount_asset))} ${asset}`;
      const unsized = input.amount_usd === undefined && input.amount_asset === undefined ? '（未给出数量）' : '';
      const money =
        pay === null || receive === null
          ? ''
          : `付 ${shortDecimal(pay.amount)} ${pay.symbol}，得 ${shortDecimal(receive.amount)} ${receive.symbol}。`;
      const inAll =
        cost === null
          ? ''
          : `总成本 ${shortDecimal(cost.total_usd)} 美元（${formatBps(BigInt(cost.total_bps) < 0n ? -BigInt(cost.total_bps) : BigInt(cost.total_bps))}${cost.total_usd.startsWith('-') ? '，为收益' : ''}）。`;
      const prices = `资金池价格 ${pool_usd === null ? '未知' : `${short(pool_usd)} 美元`}，参考价 ${reference_usd === null ? '未知' : `${short(reference_usd)} 美元`}。`;
      const because = why === null ? '' : `原因：${reasonInChinese(why)}。`;
      const upTo = go_up_to === null ? '' : `最多 ${shortDecimal(go_up_to.amount)} ${go_up_to.symbol} 是 GO。`;
      const named = details?.priceUsd === undefined ? '' : `你说的价格是 ${short(details.priceUsd)} 美元。`;
      return `${verdict}：${does}${size}${unsized}，${verdicts[verdict]}。${money}${inAll}${prices}${named}${because}${upTo}`;
    },
  ),
  say(
    getPrice,
    ({ asset, usd, references, pool_usd, block, time }, { details }) => {
      const compared = details?.priceUsd === undefined ? '' : `${comparedWith(details.priceUsd, asset, usd)} `;
      const by = references.filter(({ independent }) => independent).length > 1 ? 'the median of' : 'by';
      const units = details?.units;
      const value = units === undefined ? '' : ` At that, ${short(units)} ${asset} are worth ${worth(units, usd)} USD.`;
      const pool = pool_usd === null ? '' : ` Its PancakeSwap pool trades at ${short(pool_usd)} USD.`;
      return (
        `${compared}${asset} is at ${short(usd)} USD, ${by} ${sourcesLine(references)}.${staleLine(references)}${value}${pool} Prices as of block ` +
        `${block}, ${inUtc(time)}.`
      );
    },
    ({ asset, usd, references, pool_usd, time, stale }, { details }) => {
      const sources = references
        .filter(({ independent }) => independent)
        .map(({ source, usd: each }) => `${sourceName(source)} ${short(each)}`);
      const units =
        details?.units === undefined
          ? ''
          : `${details.units} ${asset} 值 ${short(String(Number(details.units) * Number(usd)))} 美元。`;
      return `${asset} 现价 ${short(usd)} 美元（${sources.join('、')}）。${units}${pool_usd === null ? '' : `PancakeSwap 资金池价格 ${short(pool_usd)} 美元。`}${stale ? '注意：这个价格不是最新的。' : ''}时间 ${inUtc(time)}。`;
    },
  ),
  say(
    getHistory,
    ({ asset, interval, first, last, high, low, candles }, { details }) => {
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
    },
    ({ asset, first, last, high, low, candles }) =>
      `${asset} 从 ${short(first)} 到 ${short(last)} USDT，最高 ${short(high)}，最低 ${short(low)}（自 ${inUtc(candles[0]?.time ?? '')}）。`,
  ),
  say(
    quoteSwap,
    ({ side, pay, receive, route, block }, { input }) => {
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
    },
    ({ pay, receive }) =>
      `${short(pay.amount)} ${pay.symbol} 现在可换 ${short(receive.amount)} ${receive.symbol}（已扣资金池手续费）。这只是能得到的数量，不代表价格公允。`,
  ),
  say(
    listAssets,
    ({ assets }) => {
      const listed = assets.map(({ symbol, name }) => `${symbol} (${name})`).join(', ');
      return `I cover ${listed}.`;
    },
    ({ assets }) => `我支持 ${assets.map(({ symbol }) => symbol).join('、')}。`,
  ),
];

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
  return `No size is known at which a ${does} of ${asset} is GO: the verdict is ${verdict}${reason === null ? '' : `, because ${reasonInWords(reason)}`}.`;
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
