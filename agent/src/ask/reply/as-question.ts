import type { Choice } from '@bowline/core/domain/answer';
import { GUARD_TARGET_HEALTH } from '@bowline/core/domain/defaults';
import { grouped, shortAddress } from '@bowline/core/domain/readable';
import type { Language, ToolCall } from '../question.ts';

type Given = Readonly<Record<string, string | undefined>>;
/** In English and in Chinese. */
type Worded = readonly [label: string, prompt: string, chineseLabel: string, chinesePrompt: string];

/** A tool call as a button: a few words, and a question that is read back as the same call. */
export function choiceOf(call: ToolCall, language: Language): Choice {
  const [label, prompt, chineseLabel, chinesePrompt] = worded(call, { side: 'buy', ...call.input } as Given);
  return language === 'zh' ? { label: chineseLabel, prompt: chinesePrompt } : { label, prompt };
}

function worded(call: ToolCall, given: Given): Worded {
  const { plan, guard, owner, asset } = given;
  switch (call.tool) {
    case 'check_asset':
      return check(call, given);
    case 'quote_swap':
      return quote(given);
    case 'what_if':
      return whatIf(given);
    case 'get_price':
      return [`Price of ${asset}`, `What is the price of ${asset}?`, `${asset} 的价格`, `${asset} 现在多少钱？`];
    case 'get_history': {
      const { interval = '1h', count } = given;
      const candles = interval === '1h' ? 'hourly' : interval === '1d' ? 'daily' : interval;
      const lately = `How has ${asset} done?`;
      const prompt = count === undefined ? lately : `Show the last ${count} ${candles} candles of ${asset}`;
      return [`${asset} lately`, prompt, `${asset} 的走势`, `${asset} 走势如何？`];
    }
    case 'list_runs': {
      if (call.input.count === 100)
        return [
          `Total of plan ${plan}`,
          `What has plan ${plan} spent in total?`,
          `计划 ${plan} 的总额`,
          `计划 ${plan} 总共花了多少？`,
        ];
      const { count } = given;
      const prompt =
        count === undefined ? `What happened to plan ${plan}?` : `Show the last ${count} runs of plan ${plan}`;
      return [`Runs of plan ${plan}`, prompt, `计划 ${plan} 的记录`, `计划 ${plan} 的执行记录`];
    }
    case 'plan_outlook':
      return [
        `Next run of plan ${plan}`,
        `When does plan ${plan} run next?`,
        `计划 ${plan} 下次执行`,
        `计划 ${plan} 下次什么时候执行？`,
      ];
    case 'list_plans': {
      const of = call.details?.plan;
      if (of)
        return [`Terms of plan ${of}`, `What are the terms of plan ${of}?`, `计划 ${of} 的条款`, `计划 ${of} 的条款`];
      if (owner === undefined) return ['All plans', 'What plans are there?', '所有计划', '有哪些计划？'];
      return [
        `Plans of ${shortAddress(owner)}`,
        `Plans of ${owner}`,
        `${shortAddress(owner)} 的计划`,
        `${owner} 有哪些计划？`,
      ];
    }
    case 'loan_health': {
      const { borrower = '' } = given;
      const short = shortAddress(borrower);
      return [`Loan of ${short}`, `Health of ${borrower}`, `${short} 的贷款`, `${borrower} 的贷款健康吗？`];
    }
    case 'preview_rescue':
      return [
        `Guard ${guard}: would it rescue?`,
        `Would guard ${guard} rescue?`,
        `守护 ${guard} 会救援吗`,
        `守护 ${guard} 现在会救援吗？`,
      ];
    default:
      return ['Assets', 'Which assets do you cover?', '支持哪些资产', '支持哪些资产？'];
  }
}

/** "$500 of ETH", "2 ETH", "ETH", and in Chinese. */
function sizeIn({ asset = '', amount_usd, amount_asset }: Given): readonly [string, string] {
  if (amount_asset !== undefined) return [`${grouped(amount_asset)} ${asset}`, `${amount_asset} 个 ${asset}`];
  return amount_usd === undefined
    ? [asset, asset]
    : [`$${grouped(amount_usd)} of ${asset}`, `${amount_usd} 美元的 ${asset}`];
}

function check({ input, details }: ToolCall, given: Given): Worded {
  const { asset = '', side } = given;
  const does = side === 'sell' ? '卖' : '买';
  const [size, chineseSize] = sizeIn(given);
  if (details?.largest) {
    const trade = side === 'sell' ? 'sale' : 'purchase';
    return [
      `Largest fair ${trade} of ${asset}`,
      `What is the largest fair ${trade} of ${asset}?`,
      `${asset} 最多${does}多少公平`,
      `${asset} 最多能${does}多少？`,
    ];
  }
  const chinese = [`${does} ${chineseSize} 公平吗`, `${does} ${chineseSize} 公平吗？`] as const;
  const open = [`${asset} 价格公平吗`, `${asset} 现在价格公平吗？`] as const;
  if (details?.priceUsd) {
    const price = `$${grouped(details.priceUsd)}`;
    if (input.side !== undefined || size !== asset)
      return [`Fair to ${side} ${size} at ${price}?`, `Is it fair to ${side} ${size} at ${price}?`, ...chinese];
    return [`${price} is the price of one ${asset}`, `Is ${price} a fair price for ${asset}?`, ...open];
  }
  const label = `Fair to ${side} ${size}?`;
  if (size !== asset) return [label, `Is it fair to ${side} ${size}?`, ...chinese];
  return input.side === undefined
    ? [label, `Is ${asset} fairly priced?`, ...open]
    : [label, `Is ${asset} fairly priced to ${side}?`, ...chinese];
}

function quote(given: Given): Worded {
  const { asset, side, amount_usd, amount_asset } = given;
  const [size, chineseSize] = sizeIn(given);
  const label = `Quote: ${side} ${size}`;
  if (side === 'sell')
    return [
      label,
      `How much would I get for selling ${size}?`,
      `卖 ${chineseSize} 能得多少`,
      `卖 ${chineseSize} 能得到多少？`,
    ];
  const prompt =
    amount_asset === undefined
      ? `How much ${asset} would I get for $${grouped(amount_usd ?? '')}?`
      : `Give me a quote to buy ${size}`;
  return [label, prompt, `买 ${chineseSize}`, `买 ${chineseSize} 公平吗？`];
}

function whatIf({
  asset,
  borrower,
  change_percent: change,
  target_health: target = GUARD_TARGET_HEALTH,
}: Given): Worded {
  if (change === undefined)
    return [
      'What the loan lacks',
      `How much must I add or repay for a health of ${target}? My loan is ${borrower}`,
      '需要补多少',
      `${borrower} 的贷款健康系数到 ${target} 需要补多少？`,
    ];
  const isFall = change.startsWith('-');
  const percent = change.replace('-', '');
  const moved = `${asset ?? 'its collateral'} ${isFall ? 'falls' : 'rises'} by ${percent} %`;
  const chinese = `如果${asset ?? '价格'} ${isFall ? '下跌' : '上涨'} ${percent} %`;
  return [`If ${moved}`, `What if ${moved}? My loan is ${borrower}`, chinese, `${chinese}，${borrower} 的贷款会怎样？`];
}
