import { grouped, short } from '@bowline/core/domain/readable';
import { healthOf, shortDecimal } from '@bowline/core/texts/amounts';
import { sentence } from '@bowline/core/texts/words';
import type { z } from 'zod';
import { loanHealth } from '../../tools/loan-health.ts';
import { previewRescue } from '../../tools/preview-rescue.ts';
import { whatIf } from '../../tools/what-if.ts';
import { anyInWords, costOf, inChinese, reasonInChinese, say, tokens } from './words.ts';

export const loanSentences = [
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
  say(
    previewRescue,
    ({ guard, would_rescue, repay, reason, ...rest }) => {
      const { liquidation_reason: why } = rest;
      const forced = why === 'forced_liquidation' || why === 'unknown' ? ` ${sentence(danger(rest, 'the loan'))}` : '';
      return would_rescue && repay
        ? `Guard ${guard} would rescue now, and repay ${tokens(repay)}. ${numbersLine(rest)}${forced}`
        : `Guard ${guard} would not rescue now: ${reason === null ? 'the contract gave no reason' : anyInWords(reason)}. ${numbersLine(rest)}${forced}`;
    },
    ({ guard, would_rescue, repay, reason: why, health, trigger_health, target_health }) => {
      const acts =
        would_rescue && repay
          ? `现在会救援，偿还 ${inChinese(repay)}`
          : `现在不会救援：${why === null ? '合约没有给出原因' : reasonInChinese(why)}`;
      return `守护 ${guard} ${acts}。${health === null ? '贷款没有欠款' : `贷款健康系数 ${healthOf(health)}`}；守护低于 ${trigger_health} 时行动，目标 ${target_health === 'unwind' ? '还清' : target_health}。`;
    },
  ),
];

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
