import type { Choice } from '@bowline/core/domain/answer';
import { GUARD_TARGET_HEALTH } from '@bowline/core/domain/defaults';
import { grouped, shortAddress } from '@bowline/core/domain/readable';
import type { ToolCall } from '../intent/question.ts';

type Given = Readonly<Record<string, string | undefined>>;

const intervals: Readonly<Record<string, string>> = { '1h': 'hourly', '1d': 'daily' };

const sizeIn = ({ asset = '', amount_usd, amount_asset }: Given): string | undefined => {
  if (amount_asset !== undefined) return `${grouped(amount_asset)} ${asset}`;
  return amount_usd === undefined ? undefined : `$${grouped(amount_usd)} of ${asset}`;
};

/** Renders a tool call as a question that the rules read back as the same call. */
export function asQuestion({ tool, input, details }: ToolCall): string {
  const given = input as Given;
  const { asset = '', side, amount_usd, amount_asset } = given;
  const size = sizeIn(given);
  switch (tool) {
    case 'check_asset':
      if (details?.priceUsd !== undefined) return `Is $${grouped(details.priceUsd)} a fair price for ${asset}?`;
      if (size !== undefined) return `Is it fair to ${side ?? 'buy'} ${size}?`;
      return `Is ${asset} fairly priced${side ? ` to ${side}` : ''}?`;
    case 'get_price':
      return `What is the price of ${asset}?`;
    case 'get_history': {
      const { interval = '1h' } = given;
      return input.count === undefined
        ? `How has ${asset} done?`
        : `Show the last ${input.count} ${intervals[interval] ?? interval} candles of ${asset}`;
    }
    case 'quote_swap':
      return side === 'buy' && amount_asset !== undefined
        ? `What would it cost to buy ${size}?`
        : side === 'sell'
          ? `How much would I get for selling ${size}?`
          : `How much ${asset} would I get for $${grouped(amount_usd ?? '')}?`;
    case 'list_runs':
      return input.count === undefined
        ? `What happened to plan ${given.plan}?`
        : `Show the last ${input.count} runs of plan ${given.plan}`;
    case 'plan_outlook':
      return `When does plan ${given.plan} run next?`;
    case 'list_plans':
      if (details?.plan !== undefined) return `What are the terms of plan ${details.plan}?`;
      return given.owner ? `Plans of ${given.owner}` : 'What plans are there?';
    case 'loan_health':
      return `Health of ${given.borrower}`;
    case 'what_if':
      return given.change_percent === undefined
        ? `How much must I add or repay for a health of ${given.target_health ?? GUARD_TARGET_HEALTH}? My loan is ${given.borrower}`
        : `What if ${supposedOf(given)}? My loan is ${given.borrower}`;
    case 'preview_rescue':
      return `Would guard ${given.guard} rescue?`;
    default:
      return 'What can you do?';
  }
}

const supposedOf = ({ asset, change_percent = '' }: Given): string =>
  `${asset ?? 'its collateral'} ${change_percent.startsWith('-') ? 'falls' : 'rises'} by ${change_percent.replace('-', '')} %`;

/** A tool call in a few words. */
function labelOf({ tool, input, details }: ToolCall): string {
  const given = input as Given;
  const { asset = '', side } = given;
  const trade = `${side ?? 'buy'} ${sizeIn(given) ?? asset}`;
  switch (tool) {
    case 'check_asset':
      if (details?.priceUsd !== undefined) return `$${grouped(details.priceUsd)} is the price of one ${asset}`;
      return `Fair to ${trade}?`;
    case 'get_price':
      return `Price of ${asset}`;
    case 'get_history':
      return `${asset} lately`;
    case 'quote_swap':
      return `Quote: ${trade}`;
    case 'list_runs':
      return `Runs of plan ${given.plan}`;
    case 'plan_outlook':
      return `Next run of plan ${given.plan}`;
    case 'list_plans':
      if (details?.plan !== undefined) return `Terms of plan ${details.plan}`;
      return given.owner ? `Plans of ${shortAddress(given.owner)}` : 'All plans';
    case 'loan_health':
      return `Loan of ${shortAddress(given.borrower ?? '')}`;
    case 'what_if':
      return given.change_percent === undefined ? 'What the loan lacks' : `If ${supposedOf(given)}`;
    case 'preview_rescue':
      return `Guard ${given.guard}: would it rescue?`;
    default:
      return 'What you can ask';
  }
}

export const choiceOf = (call: ToolCall): Choice => ({ label: labelOf(call), prompt: asQuestion(call) });
