import { grouped } from '@bowline/core/domain/readable';
import type { ToolCall } from '../intent/question.ts';
import type { Refused, Told } from './asked-back.ts';

/** Asks which of its readings a number has; each reading is offered. */
export function unclear({ question, instead }: Refused, asset: string): Told {
  const written = question?.unclear?.written ?? '';
  const side = question?.side ?? 'buy';
  const check = (size: ToolCall['input']): ToolCall => ({ tool: 'check_asset', input: { asset, side, ...size } });
  const both = (amount: string): ToolCall[] => [check({ amount_asset: amount }), check({ amount_usd: amount })];
  const plain = { tool: 'check_asset', input: { asset, ...(question?.side && { side }) } };
  switch (question?.unclear?.kind) {
    case 'currency':
      return [
        `I work in US dollars or in units of the asset, not in "${written}". Ask, {}`,
        [check({ amount_usd: '500' }), plain],
      ];
    case 'percent':
      return [
        `"${written}" of what? I do not know what you hold. Give an amount, {}`,
        [{ tool: 'check_asset', input: { asset, side: question.side ?? 'sell', amount_asset: '0.5' } }, plain],
      ];
    case 'number': {
      const readings = readingsOf(written);
      return [
        `"${written}" can be read in two ways. Use a point for decimals and commas or nothing for thousands, {}`,
        readings.length === 0
          ? [check({ amount_asset: '2.5' })]
          : readings.map((amount) =>
              check(
                question.unclear?.kind === 'number' && question.unclear.dollars
                  ? { amount_usd: amount }
                  : { amount_asset: amount },
              ),
            ),
      ];
    }
    case 'times':
      return [
        'Please ask about one period at a time, {}',
        [
          { tool: 'get_history', input: { asset, interval: '1d', count: 7 } },
          { tool: 'get_history', input: { asset } },
        ],
      ];
    case 'thousands':
      return [`Is "${written}" an amount of ${asset}, or of US dollars? Ask, {}`, both(question.unclear.amount)];
    case 'unit':
      return [`"${written}" of what? US dollars, or ${asset}? Ask, {}`, both(written)];
    case 'price_or_size': {
      const usd = question.unclear.amount;
      return [
        `Is ${grouped(usd)} USD the price of one ${asset}, or how much you would spend? Ask, {}`,
        [{ tool: 'check_asset', input: { asset }, details: { priceUsd: usd } }, check({ amount_usd: usd })],
      ];
    }
    default:
      return ['I am not sure what you asked. Ask, {}', instead.length > 0 ? instead : [plain]];
  }
}

/** Decimal texts that digits with separators may mean: "1.500" is 1.5 or 1500. */
function readingsOf(written: string): string[] {
  const parts = /^(\d{1,9})[.,](\d{1,9})$/.exec(written);
  if (parts === null) return [];
  const [, whole = '', rest = ''] = parts;
  const decimal = `${BigInt(whole)}.${rest}`.replace(/\.?0+$/, '');
  const thousands = rest.length === 3 ? [`${BigInt(whole + rest)}`] : [];
  return [decimal, ...thousands].filter((amount) => Number(amount) > 0);
}
