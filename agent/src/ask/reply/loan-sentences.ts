import { grouped, short } from '@bowline/core/domain/readable';
import { healthOf, shortDecimal } from '@bowline/core/texts/amounts';
import { sentence } from '@bowline/core/texts/words';
import type { z } from 'zod';
import { loanHealth } from '../../tools/loan-health.ts';
import { previewRescue } from '../../tools/preview-rescue.ts';
import { whatIf } from '../../tools/what-if.ts';
import { anyInWords, costOf, inChinese, reasonInChinese, say, tokens } from './words.ts';

type Loan = z.output<typeof loanHealth.output>;
type Supposed = z.output<typeof whatIf.output>;

export const loanSentences = [
  say(
    loanHealth,
    (loan) => {
      const { borrower, health, block } = loan;
      const guarded = guardedLine(loan);
      if (health === null) return `${borrower} owes nothing on ${loan.protocol} (block ${block}).${guarded}`;
      const falls = fallsOf(loan, (asset, fall, usd) => `${asset} falls by ${fall} % to ${usd} USD`);
      return (
        `The loan of ${borrower} has health ${healthOf(health)}: ${danger(loan, 'it')}. It owes ${shortDecimal(loan.debt_usd)} USD against ` +
        `${shortDecimal(loan.weighted_collateral_usd)} USD of weighted collateral (block ${block}).` +
        `${falls.length === 0 ? '' : ` It can be liquidated if ${joined(falls, 'or')}.`}${guarded}${loan.usual_gap ? gapLine(loan.usual_gap) : ''}`
      );
    },
    (loan) => {
      const { borrower, health, liquidation_reason: why } = loan;
      const active = activeGuards(loan).map(({ id, trigger_health }) => `守护 ${id}（低于 ${trigger_health}）`);
      const guarded = active.length === 0 ? '没有有效的守护。' : `受 ${active.join('、')} 保护。`;
      if (health === null) return `${borrower} 在 ${loan.protocol} 没有欠款。${guarded}`;
      const falls = fallsOf(loan, (asset, fall, usd) => `${asset} 跌 ${fall} % 到 ${usd} 美元`);
      const now = why === null ? '现在不能被清算' : why === 'unknown' ? '无法读取能否被清算' : '现在可以被清算';
      return (
        `${borrower} 的贷款健康系数 ${healthOf(health)}：${now}。欠 ${shortDecimal(loan.debt_usd)} 美元，加权抵押品 ` +
        `${shortDecimal(loan.weighted_collateral_usd)} 美元。${falls.length === 0 ? '' : `会被清算的情况：${falls.join('，或 ')}。`}${guarded}`
      );
    },
  ),
  say(
    whatIf,
    (loan) => {
      const { changed, change_percent: change, health_now, health } = loan;
      if (health === null || health_now === null) return `Nothing is owed on ${loan.protocol}.`;
      const isChanged = Number(change) !== 0;
      const moves = `${Number(change) < 0 ? 'fall' : 'rise'}${changed.length === 1 ? 's' : ''}`;
      const now = isChanged
        ? `If ${joined(changed, 'and')} ${moves} by ${change.replace('-', '')} %, health goes from ${healthOf(health_now)} to ${healthOf(health)}`
        : `Health is ${healthOf(health)}`;
      const ways = joined(waysOf(loan, 'add', 'repay'), 'or');
      const needs = ways && ` For a health of ${shortDecimal(loan.target_health)}${isChanged ? ' then' : ''}, ${ways}.`;
      return `${now}, and the loan ${loan.can_be_liquidated ? 'can' : 'cannot'} be liquidated.${needs}`;
    },
    (loan) => {
      const { changed, change_percent: change, health_now, health } = loan;
      if (health === null || health_now === null) return `在 ${loan.protocol} 没有欠款。`;
      const moved = `${changed.join('、')} ${Number(change) < 0 ? '下跌' : '上涨'} ${change.replace('-', '')} %`;
      const now =
        Number(change) === 0
          ? `健康系数 ${healthOf(health)}`
          : `如果 ${moved}，健康系数从 ${healthOf(health_now)} 变为 ${healthOf(health)}`;
      const ways = waysOf(loan, '补', '还').join('，或');
      return `${now}，${loan.can_be_liquidated ? '可以' : '不能'}被清算。${ways && `要达到 ${shortDecimal(loan.target_health)}：${ways}。`}`;
    },
  ),
  say(
    previewRescue,
    (preview) => {
      const { guard, repay, reason, liquidation_reason: why } = preview;
      const forced =
        why === 'forced_liquidation' || why === 'unknown' ? ` ${sentence(danger(preview, 'the loan'))}` : '';
      const acts =
        preview.would_rescue && repay
          ? `would rescue now, and repay ${tokens(repay)}`
          : `would not rescue now: ${reason === null ? 'the contract gave no reason' : anyInWords(reason)}`;
      return `Guard ${guard} ${acts}. ${numbersLine(preview)}${forced}`;
    },
    ({ guard, would_rescue, repay, reason: why, health, trigger_health, target_health }) => {
      const acts =
        would_rescue && repay
          ? `现在会救援，偿还 ${inChinese(repay)}`
          : `现在不会救援：${why === null ? '合约没有给出原因' : reasonInChinese(why)}`;
      return `守护 ${guard} ${acts}。${health === null ? '贷款没有欠款' : `贷款健康系数 ${healthOf(health)}`}；低于 ${trigger_health} 时触发，目标 ${target_health === 'unwind' ? '还清' : target_health}。`;
    },
  ),
];

const activeGuards = ({ guards }: Loan) => guards.filter(({ status }) => status === 'active');

function guardedLine(loan: Loan): string {
  const guards = activeGuards(loan).map(
    ({ id, trigger_health, target_health }) => `guard ${id} (below ${trigger_health}, back to ${target_health})`,
  );
  if (guards.length > 0) return ` Protected by ${guards.join(', ')}.`;
  return loan.guards_unread > 0
    ? ' Whether a guard protects it could not be read just now.'
    : ' No active guard protects it.';
}

/** How far each collateral alone can fall before the loan can be liquidated. */
const fallsOf = ({ positions }: Loan, words: (asset: string, fall: string, usd: string) => string): string[] =>
  (positions ?? []).flatMap(({ asset, liquidation_price_usd: price, fall_to_liquidation_percent: fall }) =>
    price === null || fall === null ? [] : [words(asset, fall, short(price))],
  );

const waysOf = ({ add, repay }: Supposed, ...[adds, repays]: readonly [string, string]): string[] => [
  ...add.map(({ asset, amount }) => `${adds} ${costOf(amount)} ${asset}`),
  ...repay.map(({ asset, amount }) => `${repays} ${costOf(amount)} ${asset}`),
];

const joined = (words: readonly string[], last: 'and' | 'or'): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`;

/** The trigger that the loan's usual gap needs. */
function gapLine({
  collateral_fall_percent: fall,
  debt_rise_percent: rise,
  trigger_needed,
  one_hour_in,
}: NonNullable<Loan['usual_gap']>): string {
  const moves = [
    ...(Number(fall) > 0 ? [`its collateral falls by ${fall} %`] : []),
    ...(Number(rise) > 0 ? [`its debt rises by ${rise} %`] : []),
  ];
  if (moves.length === 0) return '';
  return (
    ` In one hour out of ${grouped(one_hour_in)}, ${moves.join(' and ')} or more: if that comes at once, a guard with a ` +
    `trigger below ${trigger_needed} may be too late.`
  );
}

/** @param loan in words: "it" only right after the loan was named. */
function danger(
  { protocol, liquidation_reason, forced_debts }: Pick<Loan, 'protocol' | 'liquidation_reason' | 'forced_debts'>,
  loan: 'it' | 'the loan',
): string {
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

/** A guard's healths next to the loan's. */
function numbersLine(preview: z.output<typeof previewRescue.output>): string {
  const { borrower, health, trigger_health: trigger, target_health: target } = preview;
  if (health === null) return `The loan has no debt; the guard acts below ${trigger} and aims at ${target}.`;
  const loan = `the loan of ${borrower} has health ${healthOf(health)}`;
  if (preview.price_source === null) return sentence(`${loan}; the guard acts below ${trigger} and aims at ${target}`);
  const byProtocol = `By the protocol's prices ${loan}`;
  return preview.triggered_by === 'price_source'
    ? `${byProtocol}; the guard's price source puts it below the trigger of ${trigger}. The guard aims at ${target}.`
    : `${byProtocol}; the guard acts if the loan's health by these prices or by the guard's price source is below ${trigger}, and aims at ${target}.`;
}
