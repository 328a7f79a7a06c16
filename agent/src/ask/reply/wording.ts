import type { ToolCall } from '../intent/intents.ts';
import { grouped } from './words.ts';

const intervals: Readonly<Record<string, string>> = { '1h': 'hourly', '1d': 'daily' };

/** A call as a question that is read as that call. */
export function asQuestion({ tool, input }: ToolCall): string {
  const given = input as Readonly<Record<string, string | undefined>>;
  const { asset = '', side, amount_usd, amount_asset } = given;
  const size =
    amount_asset !== undefined
      ? `${grouped(amount_asset)} ${asset}`
      : amount_usd !== undefined
        ? `$${grouped(amount_usd)} of ${asset}`
        : undefined;
  switch (tool) {
    case 'check_asset':
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
      return given.owner ? `Plans of ${given.owner}` : 'What plans are there?';
    case 'loan_health':
      return `Health of ${given.borrower}`;
    case 'preview_rescue':
      return `Would guard ${given.guard} rescue?`;
    default:
      return 'What can you do?';
  }
}
