import type { Asset } from '../../domain/assets.ts';
import { type Question, readQuestion } from './question.ts';

interface ToolCall {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** What is missing before a question can be answered. */
export type Missing = 'asset' | 'amount' | 'address' | 'plan' | 'guard' | 'one asset';

/** Why a question is not answered. */
export type Refusal = 'not_understood' | 'only_reads' | 'no_forecast' | 'not_instructed';

export type Intent =
  | { readonly calls: readonly ToolCall[] }
  | { readonly missing: Missing }
  | { readonly refusal: Refusal };

/** What one asset's question may be about; the first that fits. */
const topics = {
  verdict:
    /\bfair\w*|\bover ?-?(?:pric|valu)\w*|\bunder ?-?(?:pric|valu)\w*|\bmis-?(?:pric|valu)\w*|\bexpensive\b|\bcheap\w*|\b(?:un)?safe\w*|\bshould (?:i|we|one|you)\b|\b(?:good|bad|right|great|wrong) (?:time|idea|price|deal|moment|entry)\b|\bworth (?:buying|selling|it)\b|\bverdict\b|\bcheck\w*|\bno.?go\b|\bmanipulat\w*|\bfishy\b|\bsuspicious\b|\btrust\w*|\breasonabl[ey]\b|\bok(?:ay)?\b|\b(?:off )?peg\w*|\bde-?peg\w*|\bworth a dollar\b|\b(?:price )?impact\b|\bdepth\b|\bliquid(?:ity)?\b|\bagree\w*|\bavoid\b|\brisk\w*|\bwait\b|\bpass(?:es)?\b|\bjudge\w*|\bgo (?:for|ahead)\b|\brip-?off\b|\bscam\b|\bdanger\w*|\bstale\b|\bdiffer\w*|\bhow far\b|\boracles?\b|\bchainlink\b|\breferences?\b|\btoo (?:high|low|much)\b/,
  swap: /\bswap\w*|\bconvert\w*|\bexchang(?:e|ing) (?!rate|price)|\breceiv\w*|\boutput\b|\bcomes? out\b|\bget out\b/,
  bought:
    /\bhow (?:much|many)\b.*\b(?:get|have|buy|receive|gives?)\b|\b(?:gives?|get|gets|buys) (?:me )?how (?:much|many)\b|\bwhat (?:would|do|could|can|will) (?:i|we) get\b/,
  history:
    /\bhistor\w*|\bchart\w*|\btrend\w*|\bperform\w*|\bcandles?\b|\bsince\b|\b(?:go(?:ne)?|went|going) (?:up|down)\b|\b(?:up|down) or (?:up|down)\b|\b(?:is|was) @ (?:up|down)\b|\b(?:rise|rose|risen|fall|fell|fallen|drop\w*|mov(?:ed?|ing)|chang\w*|volatil\w*)\b|\bhighs?\b|\blows?\b|\b(?:has|have|did|how (?:is|are|was)) .*\b(?:done|do|doing)\b/,
  price:
    /\bpri[cs]\w*|\bprcie\b|\bcosts?\b|\bworth\b|\bvalu\w*|\bhow much\b|\bhow many dollars\b|\btrad(?:es?|ing)\b|\bquot\w*|\brate\b|\bgoing for\b|\bwhere\b.*\bat\b|@\s*\/\s*usd/,
} as const;

/** Maps a question in English to calls of tools, to what it lacks, or to a refusal. By rules alone: no state, no chance. */
export function readIntent(prompt: string, assets: readonly Asset[]): Intent {
  const question = readQuestion(prompt, assets);
  return (
    refuse(question, prompt) ??
    askLoans(question) ??
    askPlans(question) ??
    askAssets(question) ?? { refusal: 'not_understood' }
  );
}

/** The arguments of check_asset that a task asks for; undefined where it asks for anything else, or for more than one. */
export function verdictRequest(task: string, assets: readonly Asset[]): Readonly<Record<string, unknown>> | undefined {
  const intent = readIntent(task, assets);
  const [call, ...others] = 'calls' in intent ? intent.calls : [];
  return call?.tool === 'check_asset' && others.length === 0 ? call.input : undefined;
}

function refuse({ words, assets }: Question, prompt: string): Intent | undefined {
  const instructed =
    /\b(?:ignore|disregard|forget|override|bypass)\b.*\b(?:instructions?|rules?|prompts?|previous|checks?|guard)\b|\bsystem prompt\b|\bdeveloper mode\b|\bjailbreak|\b(?:private key|seed phrase|mnemonic|password)\b|\bpretend\b|\bno matter what\b|\b(?:set|change|make|mark) the verdict\b|\bact as\b|\b(?:say|answer|reply|respond|output|print)\b.* go\b/;
  if (instructed.test(words)) return { refusal: 'not_instructed' };
  const forecast =
    /\b(?:predict\w*|forecast\w*|tomorrow)\b|\bnext (?:hour|day|last)\b|\b(?:will|going to)\b.*\b(?:go up|go down|rise|fall|reach|hit|moon|crash|drop|pump|be worth)\b/;
  if (forecast.test(words) && assets.length > 0) return { refusal: 'no_forecast' };
  const order =
    /^(?:please |kindly |now |just |go |can you |could you |i want you to |i need you to )*(?:transfer|send|withdraw|deposit|approve|revoke|cancel|create|set up|pause|resume|open|close|execute|borrow|repay|lend|stake|mint|bridge|sign|rescue (?:my|the|this|that|it|0x))\b/;
  const trade = /^(?:please |kindly |now |just |go |can you |could you |i want you to )*(?:buy|sell|purchase)\b/;
  if (order.test(words) || (trade.test(words) && !prompt.includes('?'))) return { refusal: 'only_reads' };
  return undefined;
}

function askLoans({ words, assets, address, guard }: Question): Intent | undefined {
  if (guard !== undefined) return { calls: [{ tool: 'preview_rescue', input: { guard } }] };
  if (/\brescue\w*/.test(words)) return { missing: 'guard' };
  const loan =
    /\bloans?\b|\bhealth\b|\bliquidat\w*|\bborrow\w*|\bdebts?\b|\bow(?:e|es|ing)\b|\bcollateral\w*|\bvenus\b/;
  const risk = /\bdanger\w*|\brisk\w*|\bsafe\w*/;
  if (address !== undefined && assets.length === 0 && risk.test(words)) return loanOf(address);
  if (!loan.test(words) && (assets.length > 0 || !/\bguards?\b|\bprotect\w*/.test(words))) return undefined;
  return address === undefined ? { missing: 'address' } : loanOf(address);
}

const loanOf = (borrower: string): Intent => ({ calls: [{ tool: 'loan_health', input: { borrower } }] });

function askPlans({ words, assets, address, plan, count }: Question): Intent | undefined {
  if (plan !== undefined) return { calls: [{ tool: 'list_runs', input: { plan, ...(count && { count }) } }] };
  if (assets.length > 0) return undefined;
  if (/\bruns?\b|\brecords?\b|\bdefer\w*/.test(words)) return { missing: 'plan' };
  if (!/\bplans?\b|\bdca\b|\brecurring\b|\bstanding\b|\bscheduled\b/.test(words)) return undefined;
  if (address !== undefined) return { calls: [{ tool: 'list_plans', input: { owner: address } }] };
  // Who asks is not known, and everybody's plans are not theirs.
  return /\b(?:my|mine)\b/.test(words) ? { missing: 'address' } : { calls: [{ tool: 'list_plans', input: {} }] };
}

function askAssets(question: Question): Intent | undefined {
  const { words, assets, amountUsd, side, span } = question;
  const listed =
    /\b(?:assets|tokens|coins|symbols)\b|^help\b|\bwhat (?:can|do) you (?:do|know)\b|\bwhat can i ask\b|\bhow (?:do|can) i use\b/;
  if (assets.length === 0 && listed.test(words)) return { calls: [{ tool: 'list_assets', input: {} }] };

  const each = (tool: string, input: Record<string, unknown> = {}): Intent =>
    assets.length === 0
      ? { missing: 'asset' }
      : { calls: assets.map(({ symbol }) => ({ tool, input: { asset: symbol, ...input } })) };

  if (topics.verdict.test(words)) {
    return each('check_asset', { ...(side && { side }), ...(amountUsd !== undefined && { amount_usd: amountUsd }) });
  }
  const howMuch = /\bhow (?:much|many)\b|\bwhat (?:would|do|will|could)\b|\bexpected\b|\bquote\b/.test(words);
  if (topics.swap.test(words) || topics.bought.test(words) || (amountUsd !== undefined && howMuch)) {
    return quote(question, each);
  }
  if (topics.history.test(words) || (span && !/^what\b.*\bcosts?\b/.test(words)))
    return each('get_history', { ...span });
  if (topics.price.test(words) || (assets.length > 0 && words.split(' ').length <= 2)) return each('get_price');
  // An intention to trade, with nothing else asked: whether that is fair is what there is to say.
  if (side && assets.length > 0) {
    return each('check_asset', { side, ...(amountUsd !== undefined && { amount_usd: amountUsd }) });
  }
  return undefined;
}

function quote(
  { assets, amountUsd, side }: Question,
  each: (tool: string, input: Record<string, unknown>) => Intent,
): Intent {
  // A stablecoin beside another asset is what that one is paid with.
  const traded = assets.filter((asset) => asset.class !== 'stable' || assets.length === 1);
  if (assets.length > 0 && traded.length !== 1) return { missing: 'one asset' };
  if (amountUsd === undefined) return assets.length === 0 ? { missing: 'asset' } : { missing: 'amount' };
  const input = { ...(side && { side }), amount_usd: amountUsd };
  return traded[0] ? { calls: [{ tool: 'quote_swap', input: { asset: traded[0].symbol, ...input } }] } : each('', {});
}
