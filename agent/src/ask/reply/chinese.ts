import { grouped, inUtc, short } from '@bowline/core/domain/readable';
import { formatBps } from '@bowline/core/domain/units';
import { healthOf, shortDecimal } from '@bowline/core/texts/amounts';
import { reasonTexts } from '@bowline/core/texts/reasons-zh';
import { isWord, spaced } from '@bowline/core/texts/words';
import { checkAsset } from '../../tools/check-asset.ts';
import { getHistory } from '../../tools/get-history.ts';
import { getPrice } from '../../tools/get-price.ts';
import { listAssets } from '../../tools/list-assets.ts';
import { listPlans } from '../../tools/list-plans.ts';
import { listRuns } from '../../tools/list-runs.ts';
import { loanHealth } from '../../tools/loan-health.ts';
import { planOutlook } from '../../tools/plan-outlook.ts';
import { previewRescue } from '../../tools/preview-rescue.ts';
import { quoteSwap } from '../../tools/quote-swap.ts';
import { whatIf } from '../../tools/what-if.ts';
import { capabilitiesIn } from './fixed.ts';
import { costOf, sumsOf } from './plan-sentences.ts';
import { type Sentence, say, sourceName } from './words.ts';

const reason = (word: string): string => (isWord(word) ? reasonTexts[word] : spaced(word));
const tokens = ({ token, amount }: { readonly token: string; readonly amount: string }): string =>
  token.startsWith('0x') ? `${token} 的 ${grouped(amount)} 基本单位` : `${shortDecimal(amount)} ${token}`;
const verdicts = {
  GO: '价格公平',
  CAUTION: '最好等一等，有检查超过警戒线',
  NO_GO: '价格不公平',
  NO_DATA: '数据不足，无法评估',
} as const;

/** The sentences of sentences.ts in Chinese, with the same facts and none of their details in English. */
export const chineseSentences: ReadonlyMap<string, Sentence> = new Map([
  say(
    checkAsset,
    (
      { asset, side, amount_usd, verdict, reason: why, pay, receive, cost, pool_usd, reference_usd, go_up_to },
      { input, details },
    ) => {
      const does = side === 'buy' ? '买入' : '卖出';
      if (details?.largest) {
        return go_up_to === null
          ? `没有可以说明的最大公平数量：${does} ${asset} 的评估是 ${verdict}${why === null ? '' : `，原因：${reason(why)}`}。`
          : `现在${does} ${asset} 最多 ${shortDecimal(go_up_to.amount)} ${go_up_to.symbol} 仍是 GO。`;
      }
      const size =
        input.amount_asset === undefined
          ? `${amount_usd === null ? '' : ` ${short(amount_usd)} 美元的 `}${asset}`
          : `${grouped(String(input.amount_asset))} ${asset}`;
      const unsized = input.amount_usd === undefined && input.amount_asset === undefined ? '（没有给出数量）' : '';
      const money =
        pay === null || receive === null
          ? ''
          : `付 ${shortDecimal(pay.amount)} ${pay.symbol}，得 ${shortDecimal(receive.amount)} ${receive.symbol}。`;
      const inAll =
        cost === null
          ? ''
          : `总成本 ${shortDecimal(cost.total_usd)} 美元（${formatBps(BigInt(cost.total_bps) < 0n ? -BigInt(cost.total_bps) : BigInt(cost.total_bps))}${cost.total_usd.startsWith('-') ? '，为收益' : ''}）。`;
      const prices = `资金池价格 ${pool_usd === null ? '未知' : `${short(pool_usd)} 美元`}，参考价格 ${reference_usd === null ? '未知' : `${short(reference_usd)} 美元`}。`;
      const because = why === null ? '' : `原因：${reason(why)}。`;
      const upTo = go_up_to === null ? '' : `最多 ${shortDecimal(go_up_to.amount)} ${go_up_to.symbol} 是 GO。`;
      const named = details?.priceUsd === undefined ? '' : `您说的价格是 ${short(details.priceUsd)} 美元。`;
      return `${verdict}：${does}${size}${unsized}，${verdicts[verdict]}。${money}${inAll}${prices}${named}${because}${upTo}`;
    },
  ),
  say(getPrice, ({ asset, usd, references, pool_usd, time, stale }, { details }) => {
    const sources = references
      .filter(({ independent }) => independent)
      .map(({ source, usd: each }) => `${sourceName(source)} ${short(each)}`);
    const units =
      details?.units === undefined
        ? ''
        : `${details.units} ${asset} 值 ${short(String(Number(details.units) * Number(usd)))} 美元。`;
    return `${asset} 现价 ${short(usd)} 美元（${sources.join('，')}）。${units}${pool_usd === null ? '' : `PancakeSwap 资金池价格 ${short(pool_usd)} 美元。`}${stale ? '注意：这个价格不是最新的。' : ''}时间 ${inUtc(time)}。`;
  }),
  say(
    getHistory,
    ({ asset, first, last, high, low, candles }) =>
      `${asset} 从 ${short(first)} 到 ${short(last)} USDT，最高 ${short(high)}，最低 ${short(low)}（自 ${inUtc(candles[0]?.time ?? '')}）。`,
  ),
  say(
    quoteSwap,
    ({ pay, receive }) =>
      `${short(pay.amount)} ${pay.symbol} 现在可换 ${short(receive.amount)} ${receive.symbol}（已扣资金池手续费）。这是能得到的数量，不说明是否公平。`,
  ),
  say(listPlans, ({ total, plans, unread }, { details }) => {
    const missing = unread > 0 ? `有 ${unread} 个计划现在读不到。` : '';
    const listed = details?.plan === undefined ? plans.slice(0, 5) : plans.filter(({ id }) => id === details.plan);
    if (listed.length === 0) return `没有这样的计划。${missing}`;
    const states = { active: '有效', paused: '已暂停', cancelled: '已取消', revoked: '已撤销' } as const;
    const lines = listed.map(
      ({ id, buy, pay, every_seconds, runs, max_runs, status, expires, owner }) =>
        `计划 ${id}：每 ${hours(every_seconds)} 用 ${tokens(pay)} 买 ${buy}，已执行 ${runs}/${max_runs} 次，${states[status]}${details?.plan === undefined ? '' : `，所有者 ${owner}，到期 ${inUtc(expires)}`}`,
    );
    return `${details?.plan === undefined ? `共 ${total} 个计划。` : ''}${lines.join('；')}。${missing}`;
  }),
  say(listRuns, ({ plan, total, runs }) => {
    if (runs.length === 0) return `计划 ${plan} 还没有记录。`;
    const lines = runs
      .slice(0, 5)
      .map(({ time, paid, received, verdict, reason: why }) =>
        paid && received
          ? `${inUtc(time)} 付 ${tokens(paid)}，得 ${tokens(received)}`
          : `${inUtc(time)} 推迟（${verdict}${why === null ? '' : `：${reason(why)}`}）`,
      );
    const sums = sumsOf(runs);
    const sum =
      sums === undefined
        ? ''
        : `所列 ${sums.count} 次执行共付 ${tokens(sums.paid)}，得 ${tokens(sums.received)}${sums.average === undefined ? '' : `，平均每单位 ${sums.average}`}。`;
    return `计划 ${plan} 有 ${total} 条记录，最新的：${lines.join('；')}。${sum}`;
  }),
  say(planOutlook, ({ plan, slots, obstacles, runs_paid_for, verdict_now }) => {
    const [next] = slots;
    const against = obstacles.map(reason).join('；');
    if (next === undefined) return `计划 ${plan} 不会再执行${against === '' ? '' : `：${against}`}。`;
    const when = next.open_now
      ? `现在可以执行，到 ${inUtc(next.closes)} 为止`
      : `下次可在 ${inUtc(next.opens)} 到 ${inUtc(next.closes)} 之间执行`;
    return `计划 ${plan} ${when}。${verdict_now === null ? '' : `它的交易现在的评估是 ${verdict_now.verdict}。`}${against === '' ? '现在没有什么阻止它。' : `现在不能执行：${against}。`}${runs_paid_for === null ? '' : `所有者的资金够 ${runs_paid_for} 次。`}`;
  }),
  say(
    loanHealth,
    ({ borrower, debt_usd, weighted_collateral_usd, health, guards, positions, protocol, liquidation_reason: why }) => {
      const active = guards
        .filter(({ status }) => status === 'active')
        .map(({ id, trigger_health }) => `守护 ${id}（低于 ${trigger_health}）`);
      const guarded = active.length === 0 ? '没有有效的守护。' : `受 ${active.join('、')} 保护。`;
      if (health === null) return `${borrower} 在 ${protocol} 没有欠款。${guarded}`;
      const falls = (positions ?? []).flatMap(
        ({ asset, liquidation_price_usd: price, fall_to_liquidation_percent: fall }) =>
          price === null || fall === null ? [] : [`${asset} 跌 ${fall} % 到 ${short(price)} 美元`],
      );
      const now = why === null ? '现在不能被清算' : why === 'unknown' ? '能否被清算读不到' : '现在可以被清算';
      return `${borrower} 的贷款健康系数 ${healthOf(health)}：${now}。欠 ${shortDecimal(debt_usd)} 美元，加权抵押品 ${shortDecimal(weighted_collateral_usd)} 美元。${falls.length === 0 ? '' : `会被清算的情况：${falls.join('，或 ')}。`}${guarded}`;
    },
  ),
  say(
    whatIf,
    ({ protocol, changed, change_percent, health_now, health, target_health, can_be_liquidated, add, repay }) => {
      if (health === null || health_now === null) return `在 ${protocol} 没有欠款。`;
      const isFall = change_percent.startsWith('-');
      const now =
        Number(change_percent) === 0
          ? `健康系数 ${healthOf(health)}`
          : `如果 ${changed.join('、')} ${isFall ? '下跌' : '上涨'} ${change_percent.replace('-', '')} %，健康系数从 ${healthOf(health_now)} 变为 ${healthOf(health)}`;
      const ways = [
        ...add.map(({ asset, amount }) => `补 ${costOf(amount)} ${asset}`),
        ...repay.map(({ asset, amount }) => `还 ${costOf(amount)} ${asset}`),
      ];
      return `${now}，${can_be_liquidated ? '可以被清算' : '不能被清算'}。${ways.length === 0 ? '' : `要达到 ${shortDecimal(target_health)}：${ways.join('，或')}。`}`;
    },
  ),
  say(previewRescue, ({ guard, would_rescue, repay, reason: why, health, trigger_health, target_health }) => {
    const acts =
      would_rescue && repay
        ? `现在会救援，偿还 ${tokens(repay)}`
        : `现在不会救援：${why === null ? '合约没有给出原因' : reason(why)}`;
    return `守护 ${guard} ${acts}。${health === null ? '贷款没有欠款' : `贷款健康系数 ${healthOf(health)}`}；守护低于 ${trigger_health} 时行动，目标 ${target_health === 'unwind' ? '还清' : target_health}。`;
  }),
  say(listAssets, ({ assets }) => `我支持 ${assets.map(({ symbol }) => symbol).join('、')}。${capabilitiesIn('zh')}`),
]);

const hours = (seconds: string): string => {
  const count = Number(seconds);
  return count % 86_400 === 0
    ? `${count / 86_400} 天`
    : count % 3_600 === 0
      ? `${count / 3_600} 小时`
      : `${Math.round(count / 60)} 分钟`;
};
