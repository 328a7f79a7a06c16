// Compares how the rules read a question with what is expected (phrasings.json): one or more calls, whose omitted
// arguments may have any value; a fixed reply, such as "hello" or "fee"; or asking back. In a list, each is right. A
// check has "buy" and no size where none is given. The outcome is
//   right    at first · choice   asked back, and one of its own choices, sent next, is right · useless   asked back, none is · wrong   anything else
import { localChainId } from '@bowline/core/domain/chains';
import { readAssetRegistry } from '@bowline/core/registry/assets';
import { isAddress } from 'viem';
import { readIntent } from '../../src/ask/forms/read.ts';
import type { Intent, ToolCall } from '../../src/ask/question.ts';
import { askBack } from '../../src/ask/reply/ask-back.ts';

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

/** How the rules read a question, and how that compares with what is expected. */
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
/** A plan's terms, record and outlook may be given together. */
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
