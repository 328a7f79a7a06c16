import type { Choice } from '@bowline/core/domain/answer';
import { GUARD_TARGET_HEALTH } from '@bowline/core/domain/defaults';
import { grouped, shortAddress } from '@bowline/core/domain/readable';
import type { Language, ToolCall } from '../question.ts';

type Given = Readonly<Record<string, string | undefined>>;
type Words = readonly [label: string, prompt: string];

const sizeIn = ({ asset = '', amount_usd, amount_asset }: Given): string =>
  amount_asset !== undefined
    ? `${grouped(amount_asset)} ${asset}`
    : amount_usd === undefined
      ? asset
      : `$${grouped(amount_usd)} of ${asset}`;

/** A tool call as a button: a few words, and a question that is read back as the same call. */
export function choiceOf(call: ToolCall, language: Language): Choice {
  const given = { side: 'buy', ...call.input } as Given;
  const [label, prompt] = (language === 'zh' ? chinese : english)(call, given);
  return { label, prompt };
}

function english({ tool, input, details }: ToolCall, given: Given): Words {
  const { asset = '', side, amount_usd, amount_asset, plan, guard, borrower = '', owner } = given;
  const size = sizeIn(given);
  switch (tool) {
    case 'check_asset':
      if (details?.priceUsd)
        return [
          `$${grouped(details.priceUsd)} is the price of one ${asset}`,
          `Is $${grouped(details.priceUsd)} a fair price for ${asset}?`,
        ];
      if (details?.largest)
        return [
          `Largest fair ${side} of ${asset}`,
          `What is the largest fair ${side === 'sell' ? 'sale' : 'purchase'} of ${asset}?`,
        ];
      if (amount_usd ?? amount_asset) return [`Fair to ${side} ${size}?`, `Is it fair to ${side} ${size}?`];
      return [
        `Fair to ${side} ${asset}?`,
        input.side === undefined ? `Is ${asset} fairly priced?` : `Is ${asset} fairly priced to ${side}?`,
      ];
    case 'get_price':
      return [`Price of ${asset}`, `What is the price of ${asset}?`];
    case 'get_history':
      return [
        `${asset} lately`,
        input.count === undefined
          ? `How has ${asset} done?`
          : `Show the last ${input.count} ${candles(given)} candles of ${asset}`,
      ];
    case 'quote_swap':
      return [
        `Quote: ${side} ${size}`,
        side === 'sell'
          ? `How much would I get for selling ${size}?`
          : amount_asset === undefined
            ? `How much ${asset} would I get for $${grouped(amount_usd ?? '')}?`
            : `Give me a quote to buy ${size}`,
      ];
    case 'list_runs':
      if (input.count === 100) return [`Total of plan ${plan}`, `What has plan ${plan} spent in total?`];
      return [
        `Runs of plan ${plan}`,
        input.count === undefined
          ? `What happened to plan ${plan}?`
          : `Show the last ${input.count} runs of plan ${plan}`,
      ];
    case 'plan_outlook':
      return [`Next run of plan ${plan}`, `When does plan ${plan} run next?`];
    case 'list_plans':
      if (details?.plan) return [`Terms of plan ${details.plan}`, `What are the terms of plan ${details.plan}?`];
      return owner ? [`Plans of ${shortAddress(owner)}`, `Plans of ${owner}`] : ['All plans', 'What plans are there?'];
    case 'loan_health':
      return [`Loan of ${shortAddress(borrower)}`, `Health of ${borrower}`];
    case 'what_if':
      return given.change_percent === undefined
        ? [
            'What the loan lacks',
            `How much must I add or repay for a health of ${given.target_health ?? GUARD_TARGET_HEALTH}? My loan is ${borrower}`,
          ]
        : [`If ${movedIn(given, 'en')}`, `What if ${movedIn(given, 'en')}? My loan is ${borrower}`];
    case 'preview_rescue':
      return [`Guard ${guard}: would it rescue?`, `Would guard ${guard} rescue?`];
    default:
      return ['What you can ask', 'What can you do?'];
  }
}

function chinese({ tool, input, details }: ToolCall, given: Given): Words {
  const { asset = '', side, amount_usd, amount_asset, plan, guard, borrower = '', owner } = given;
  const does = side === 'sell' ? '卖' : '买';
  const size =
    amount_asset !== undefined
      ? `${amount_asset} 个 ${asset}`
      : amount_usd === undefined
        ? asset
        : `${amount_usd} 美元的 ${asset}`;
  switch (tool) {
    case 'check_asset':
      if (details?.largest) return [`${asset} 最多${does}多少公平`, `${asset} 最多能${does}多少？`];
      if (details?.priceUsd) return [`${asset} 的价格公平吗`, `${asset} 现在价格公平吗？`];
      if (input.side === undefined && size === asset) return [`${asset} 价格公平吗`, `${asset} 现在价格公平吗？`];
      return [`${does} ${size} 公平吗`, `${does} ${size} 公平吗？`];
    case 'get_price':
      return [`${asset} 的价格`, `${asset} 现在多少钱？`];
    case 'get_history':
      return [`${asset} 的走势`, `${asset} 走势如何？`];
    case 'quote_swap':
      return side === 'sell'
        ? [`卖 ${size} 能得多少`, `卖 ${size} 能得到多少？`]
        : [`买 ${size}`, `买 ${size} 公平吗？`];
    case 'list_runs':
      return input.count === 100
        ? [`计划 ${plan} 的总额`, `计划 ${plan} 总共花了多少？`]
        : [`计划 ${plan} 的记录`, `计划 ${plan} 的执行记录`];
    case 'plan_outlook':
      return [`计划 ${plan} 下次执行`, `计划 ${plan} 下次什么时候执行？`];
    case 'list_plans':
      if (details?.plan) return [`计划 ${details.plan} 的条款`, `计划 ${details.plan} 的条款`];
      return owner ? [`${shortAddress(owner)} 的计划`, `${owner} 有哪些计划？`] : ['所有计划', '有哪些计划？'];
    case 'loan_health':
      return [`${shortAddress(borrower)} 的贷款`, `${borrower} 的贷款健康吗？`];
    case 'what_if':
      return given.change_percent === undefined
        ? ['需要补多少', `${borrower} 的贷款健康系数到 ${given.target_health ?? GUARD_TARGET_HEALTH} 需要补多少？`]
        : [`如果${movedIn(given, 'zh')}`, `如果${movedIn(given, 'zh')}，${borrower} 的贷款会怎样？`];
    case 'preview_rescue':
      return [`守护 ${guard} 会救援吗`, `守护 ${guard} 现在会救援吗？`];
    default:
      return ['可以问什么', '可以问什么？'];
  }
}

const candles = ({ interval = '1h' }: Given): string =>
  interval === '1h' ? 'hourly' : interval === '1d' ? 'daily' : interval;

function movedIn({ asset, change_percent = '' }: Given, language: Language): string {
  const isFall = change_percent.startsWith('-');
  const percent = change_percent.replace('-', '');
  if (language === 'zh') return `${asset ?? '价格'} ${isFall ? '下跌' : '上涨'} ${percent} %`;
  return `${asset ?? 'its collateral'} ${isFall ? 'falls' : 'rises'} by ${percent} %`;
}
