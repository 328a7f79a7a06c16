import type { Intent, Question } from './question.ts';

const ofLoan = /\bloans?\b|\bhealth\w*|\bliquidat\w*|\bcollateral\b|\bdebts?\b|\bborrow\w*/;
const supposes = /\bif\b|\bwhat happens\b|\bsuppos\w*|\bassum\w*|\bafter\b|\bsurviv\w*|\bwithstand\b/;
const falls = 'falls?|falling|drops?|dropping|crash(?:es|ed)?|loses?|declines?|dips?|goes down|go down';
const rises = 'rises?|rising|gains?|jumps?|pumps?|goes up|go up|climbs?';
const [isFalling, isRising] = [falls, rises].map((verbs) => new RegExp(`\\b(?:${verbs})\\b`)) as [RegExp, RegExp];
const price = '(?:the )?(?:prices?|value) of ';
/** What moves: an asset, or all collateral. Any other name is of something that is not listed, or no price. */
const [movedAsset, movedAll] = ['@', '(?:prices?|markets?|collateral|crypto|everything|it|they|coins|tokens)'].map(
  (subject) =>
    new RegExp(
      `(?:${price})?(?<![a-z])${subject}(?: prices?)? (?:would |should |were to )?(?:${falls}|${rises})(?![a-z])|` +
        `\\b(?:${falls}|${rises}) (?:in|of) (?:${price}|the |my |its )?${subject}(?![a-z])|` +
        `\\b(?:${falls}|${rises}) of [\\d.]+ ?(?:%|percent) (?:in|of) (?:${price}|the |my |its )?${subject}(?![a-z])`,
    ),
) as [RegExp, RegExp];
/** "a 30 % crash", "a fall of 40 %" without a name. */
const movedSo = new RegExp(
  `\\b(?:a|an|any) (?:[\\d.]+ ?(?:%|percent) )?(?:price |market )?(?:${falls}|${rises})(?: (?:of|by) [\\d.]+ ?(?:%|percent\\b))?(?! (?:in|of|by)\\b)`,
);
const percent = /(?<![\d.,-])(\d{1,3}(?:\.\d{1,2})?) ?(?:%|percent\b|per cent\b)/g;
/** What may change beside prices, or be named by its level: the sums of prices say nothing of it. */
const notAPrice =
  /\b(?:rates?|interest|ap[ry]|ltv|thresholds?|factors? (?:falls?|drops?|rises?)|fees?|rewards?|unless|except|not|never|without)\b|n['’]t\b|\b(?:to|at|under|below|above|over) \$?\d|\b(?:debts?|loans?|health|balance|deposit|supply|amount|borrow\w*) (?:falls?|drops?|rises?|gains?|goes|declines?|climbs?|dips?)\b/;
const lacks =
  /\bhow much\b.*\b(?:add|deposit|supply|top up|repay|pay back|pay off)\b|\bwhat (?:do|must|should|can) i (?:add|deposit|repay)\b/;
/** What for: without it, the question is of the debt itself. */
const inNeed = /\bhealth\w*|\bsafe\w*|\bliquidat\w*|\bdanger\w*|\brisk\w*/;
const target = /\bhealth(?: factor)?(?: of| to| at| is)? (\d{1,2}(?:\.\d{1,4})?)\b/;
const limit =
  /\b(?:what|which)\b.*\bprices?\b.*\bliquidat\w*|\bliquidation prices?\b|\bhow (?:far|much|low)\b.*\b(?:falls?|drops?|go)\b.*\bliquidat\w*/;

/** Reads questions about a loan at other prices, and about what it lacks; undefined for all else. */
export function askWhatIf(prompt: string, { all, address, assets }: Question): Intent | undefined {
  const words = prompt.toLowerCase();
  const percents = [...words.matchAll(percent)].map(([, digits]) => digits);
  const [digits] = percents;
  if (address === undefined && !ofLoan.test(words)) return undefined;
  const isFall = isFalling.test(words);
  if (digits !== undefined && percents.length === 1 && isFall !== isRising.test(words) && supposes.test(words)) {
    const isMoved = assets.length === 0 ? movedAll.test(all) || movedSo.test(all) : movedAsset.test(all);
    if (assets.length > 1 || !isMoved || notAPrice.test(words)) return undefined;
    const [asset] = assets;
    const change_percent = `${isFall ? '-' : ''}${digits}`;
    return by(address, (borrower) => ({ borrower, ...(asset && { asset: asset.symbol }), change_percent }));
  }
  if (digits !== undefined || assets.length > 1) return undefined;
  if (lacks.test(words) && inNeed.test(words)) {
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
