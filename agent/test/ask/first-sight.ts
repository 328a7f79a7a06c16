import type { Asset } from '@bowline/core/domain/assets';
import { readIntent } from '../../src/ask/forms/read.ts';
import type { Intent, ToolCall } from '../../src/ask/question.ts';
import firstSight from './first-sight.json' with { type: 'json' };

export type Half = 'worked' | 'kept' | 'traps_worked' | 'traps_kept' | 'again';

/** `right`: a call that the question means, or a question back where no call is meant. `asked`: a question back instead. */
type Outcome = 'right' | 'asked' | 'wrong';

export interface Sighted {
  readonly kind: string;
  readonly prompt: string;
  readonly wanted: string;
  readonly got: string;
  readonly outcome: Outcome;
}

/** How the rules read each question of one half. */
export const sighted = (half: Half, assets: readonly Asset[]): Sighted[] =>
  firstSight[half].map(([kind = '', prompt = '', wanted = '']) => {
    const got = written(readIntent(prompt, assets)).replace(/plan (\d+) \+ runs \1/, 'plan $1');
    const right = wanted.split(' / ').some((each) => means(each, got));
    return { kind, prompt, wanted, got, outcome: right ? 'right' : asksBack.has(got) ? 'asked' : 'wrong' };
  });

/** The list of assets only shows what can be asked, so it counts as asking back. */
const asksBack: ReadonlySet<string> = new Set(['ask', 'assets']);

function means(wanted: string, got: string): boolean {
  if (wanted === 'ask') return asksBack.has(got);
  if (wanted.endsWith('*')) return got.startsWith(wanted.slice(0, -1).trim()) || means(wanted.slice(0, -1).trim(), got);
  // A plan's status is its terms and its record. Why it waits is its record and its outlook.
  const plan = /^(?:plan|runs) (\d+)$/.exec(wanted)?.[1];
  const together = [`plan ${plan}`, `outlook ${plan} + runs ${plan}`];
  return got === sorted(wanted.split(' + ')) || (plan !== undefined && together.includes(got));
}

const sorted = (calls: readonly string[]): string => [...new Set(calls)].toSorted().join(' + ');

const written = (intent: Intent): string =>
  'calls' in intent ? sorted(intent.calls.map(writtenCall)) : 'fixed' in intent ? 'ask' : 'ask';

/** A call in short: "check BTCB buy 1000 USD", "history ETH 1h x24", "plan 3", "runs 3 x5". */
function writtenCall({ tool, input }: ToolCall): string {
  const given = input as Readonly<Record<string, string | number | undefined>>;
  const size = given.amount_usd ? ` ${given.amount_usd} USD` : given.amount_asset ? ` ${given.amount_asset}` : '';
  const count = given.count ? ` x${given.count}` : '';
  switch (tool) {
    case 'check_asset':
      return `check ${given.asset} ${given.side ?? 'buy'}${size}`;
    case 'quote_swap':
      return `quote ${given.asset} ${given.side ?? 'buy'}${size}`;
    case 'get_price':
      return `price ${given.asset}`;
    case 'get_history':
      return `history ${given.asset} ${given.interval ?? '1h'} x${given.count ?? 24}`;
    case 'list_plans':
      if (given.before !== undefined) return `plan ${BigInt(given.before) - 1n}`;
      return given.owner ? `plans ${String(given.owner).toLowerCase()}` : 'plans';
    case 'list_runs':
      return `runs ${given.plan}${count}`;
    case 'plan_outlook':
      return `outlook ${given.plan}`;
    case 'loan_health':
      return `loan ${String(given.borrower).toLowerCase()}`;
    case 'preview_rescue':
      return `rescue ${given.guard}`;
    default:
      return tool === 'list_assets' ? 'assets' : tool;
  }
}
