import type { Intent, Question } from './question.ts';

const ofLoan = /\bloans?\b|\bhealth\w*|\bliquidat\w*|\bcollateral\b|\bdebts?\b|\bborrow\w*/;
const supposes = /\bif\b|\bwhat happens\b|\bsuppos\w*|\bassum\w*|\bafter\b|\bsurviv\w*|\bwithstand\b/;
const falls = /\b(?:falls?|falling|drops?|dropping|crash\w*|loses?|declines?|dips?|goes down|go down|down by|minus)\b/;
const rises = /\b(?:rises?|gains?|jumps?|pumps?|goes up|go up|up by|climbs?)\b/;
const percent = /(?<![\d.,-])(\d{1,3}(?:\.\d{1,2})?) ?(?:%|percent\b|per cent\b)/g;
const lacks =
  /\bhow much\b.*\b(?:add|deposit|supply|top up|repay|pay back|pay off)\b|\bwhat (?:do|must|should|can) i (?:add|deposit|repay)\b/;
const target = /\bhealth(?: factor)?(?: of| to| at| is)? (\d{1,2}(?:\.\d{1,4})?)\b/;
const limit =
  /\b(?:what|which)\b.*\bprices?\b.*\bliquidat\w*|\bliquidation prices?\b|\bhow (?:far|much|low)\b.*\b(?:falls?|drops?|go)\b.*\bliquidat\w*/;

/** Reads questions about a loan at other prices, and about what it lacks; undefined for all else. */
export function askWhatIf(prompt: string, { address, assets }: Question): Intent | undefined {
  const words = prompt.toLowerCase();
  const percents = [...words.matchAll(percent)].map(([, digits]) => digits);
  const [digits] = percents;
  if (address === undefined && !ofLoan.test(words)) return undefined;
  const isFall = falls.test(words);
  if (digits !== undefined && percents.length === 1 && isFall !== rises.test(words) && supposes.test(words)) {
    if (assets.length > 1) return undefined;
    const [asset] = assets;
    const change_percent = `${isFall ? '-' : ''}${digits}`;
    return by(address, (borrower) => ({ borrower, ...(asset && { asset: asset.symbol }), change_percent }));
  }
  if (digits !== undefined || assets.length > 1) return undefined;
  if (lacks.test(words) && ofLoan.test(words.replace(target, 'health'))) {
    const [, health] = target.exec(words) ?? [];
    return by(address, (borrower) => ({ borrower, ...(health && { target_health: health }) }));
  }
  if (!limit.test(words)) return undefined;
  return address === undefined
    ? { missing: 'address' }
    : { calls: [{ tool: 'loan_health', input: { borrower: address } }] };
}

const by = (address: string | undefined, inputOf: (borrower: string) => Record<string, string>): Intent =>
  address === undefined ? { missing: 'address' } : { calls: [{ tool: 'what_if', input: inputOf(address) }] };
