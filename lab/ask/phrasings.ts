// `npm run lab -- phrasings FILE.json`: how the rules read questions that they have not seen. FILE is a list of
//   {"text": "Is BTCB fairly priced?", "language": "en" | "zh" | any other, "expected": EXPECTED or a list of them}
// EXPECTED is one of
//   {"tool": "check_asset", "args": {"asset": "BTCB", "side": "buy", "amount_usd": "500"}}   a call; args that are left out may have any value
//   {"calls": [{"tool": …, "args": …}, …]}                                                    several calls
//   {"topic": "fee"}   a fixed reply: hello, who, fee, custody, working, stop, makePlan, makeGuard, meaning (with "word", as in "no_go")
//   {"ask": true}      asking back is right: the question is not to be answered
// Of a list, each is right. A check has "buy" and no size where none is given. Of one question come:
//   right    at first · choice   asked back, and one of its own choices, sent next, is right · useless   asked back, none is · wrong   anything else
import { readFileSync } from 'node:fs';
import { localChainId } from '@bowline/core/domain/chains';
import { readAssetRegistry } from '@bowline/core/registry/assets';
import { isAddress } from 'viem';
import { readIntent } from '../../agent/src/ask/forms/read.ts';
import type { Intent, ToolCall } from '../../agent/src/ask/question.ts';
import { askBack } from '../../agent/src/ask/reply/ask-back.ts';

interface Call {
  readonly tool: string;
  readonly args?: Readonly<Record<string, unknown>>;
}
type Expected =
  | Call
  | { readonly calls: readonly Call[] }
  | { readonly topic: string; readonly word?: string }
  | { readonly ask: true };
export interface Phrasing {
  readonly text: string;
  readonly language: string;
  readonly expected: Expected | readonly Expected[];
}
export type Outcome = 'right' | 'choice' | 'useless' | 'wrong';

const assets = readAssetRegistry(localChainId, (text): text is `0x${string}` => isAddress(text));

/** What is read of a question, and how that compares with what is expected. */
export function outcomeOf({ text, expected }: Phrasing): { readonly outcome: Outcome; readonly got: string } {
  const wanted = Array.isArray(expected) ? (expected as readonly Expected[]) : [expected as Expected];
  const intent = readIntent(text, assets);
  const got = shown(intent);
  if (wanted.some((each) => isMeant(each, intent))) return { outcome: 'right', got };
  if (!('back' in intent)) return { outcome: 'wrong', got };
  const { choices } = askBack(intent, assets);
  const offered = choices.some(({ prompt }) => wanted.some((each) => isMeant(each, readIntent(prompt, assets))));
  return { outcome: offered ? 'choice' : 'useless', got: `${got} ${choices.map(({ label }) => label).join(' | ')}` };
}

function isMeant(wanted: Expected, intent: Intent): boolean {
  if ('ask' in wanted) return 'back' in intent;
  if ('topic' in wanted)
    return (
      'fixed' in intent && intent.fixed === wanted.topic && (wanted.word === undefined || wanted.word === intent.about)
    );
  if (!('calls' in intent)) return false;
  const calls = 'calls' in wanted ? wanted.calls : [wanted];
  const unmet = calls.filter((call) => !intent.calls.some((each) => matches(call, each)));
  const strange = intent.calls.filter((each) => !calls.some((call) => matches(call, each) || isBeside(call, each)));
  return unmet.length === 0 && strange.length === 0;
}

const ofPlan = ['list_plans', 'list_runs', 'plan_outlook'];
/** Of one plan its terms, its record and its outlook may be told together. */
const isBeside = ({ tool, args = {} }: Call, other: ToolCall): boolean =>
  ofPlan.includes(tool) &&
  ofPlan.includes(other.tool) &&
  (other.input.plan ?? other.details?.plan) === String(args.plan ?? '');

function matches({ tool, args = {} }: Call, { tool: called, input, details }: ToolCall): boolean {
  if (tool !== called) return false;
  const given: Record<string, unknown> = {
    ...input,
    ...(tool === 'check_asset' && input.side === undefined && { side: 'buy' }),
    ...details,
  };
  const sized = tool === 'check_asset' && details?.largest === undefined;
  const wanted: Record<string, unknown> = {
    ...args,
    ...(sized && { amount_usd: args.amount_usd, amount_asset: args.amount_asset }),
  };
  return Object.entries(wanted).every(([key, value]) => plain(given[key]) === plain(value));
}

/** The same for "1,000", 1000 and "1000.0", and for addresses in any case. */
const plain = (value: unknown): string => {
  const text = String(value ?? '')
    .replaceAll(',', '')
    .toLowerCase();
  return /^-?\d+\.\d+$/.test(text) ? text.replace(/\.?0+$/, '') : text;
};

function shown(intent: Intent): string {
  if ('fixed' in intent) return `${intent.fixed} ${intent.about ?? ''}`.trim();
  if ('back' in intent) return `asks ${intent.back}${intent.about ? ` (${intent.about.join(', ')})` : ''}:`;
  return intent.calls
    .map(({ tool, input, details }) => `${tool} ${JSON.stringify({ ...input, ...details })}`)
    .join(' + ');
}

function main(): void {
  const [file, ...flags] = process.argv.slice(2);
  if (file === undefined) throw new Error('npm run lab -- phrasings FILE.json [--all]');
  const phrasings = JSON.parse(readFileSync(file, 'utf8')) as readonly Phrasing[];
  const judged = phrasings.map((phrasing) => ({ ...phrasing, ...outcomeOf(phrasing) }));
  for (const { outcome, text, expected, got } of judged)
    if (outcome !== 'right' || flags.includes('--all'))
      console.log(`${outcome.padEnd(8)}${text}\n        expected ${JSON.stringify(expected)}\n        got      ${got}`);
  for (const language of ['all', ...new Set(judged.map((each) => each.language))]) {
    const of = judged.filter((each) => language === 'all' || each.language === language);
    const count = (...outcomes: Outcome[]) => of.filter(({ outcome }) => outcomes.includes(outcome)).length;
    const rate = (number: number) => `${((100 * number) / of.length).toFixed(1)} %`;
    console.log(
      `${language}: ${of.length} phrasings · right at first ${count('right')} (${rate(count('right'))}) · right after one choice ` +
        `${count('right', 'choice')} (${rate(count('right', 'choice'))}) · useless ${count('useless')} · wrong ${count('wrong')}`,
    );
  }
}

if (import.meta.filename === process.argv[1]) main();
