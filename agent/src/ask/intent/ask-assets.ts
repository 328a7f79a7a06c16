import type { Asset } from '@bowline/core/domain/assets';
import type { Side } from '@bowline/core/domain/facts';
import type { Leg, Size } from './clauses.ts';
import type { Details, Intent, Question, ToolCall } from './question.ts';
import { using } from './question.ts';
import { isSideless, leavesSideOpen } from './sides.ts';
import * as topics from './vocabulary.ts';

/** Reads questions about prices, verdicts and swaps; undefined for other topics. */
export function askAssets(question: Question): Intent | undefined {
  const { words, assets, sizes, priceUsd, side, span } = question;
  const listed =
    /\b(?:assets|tokens|coins|symbols|cryptos)\b|^help\b|\bwhat (?:can|do) you (?:do|know)\b|\bwhat can i ask\b|\bhow (?:do|can) i use\b|\bcan you help\b|\b(?:able to|can you) (?:answer|tell)\b/;
  const judged =
    topics.verdict.test(words) &&
    !(
      topics.priceOfSource.test(words) &&
      !/\bfair|\bstale|\bsafe|\bdiffer|\bdeviat|\bagree|\baway\b|\bfar\b|\bmanipul|\bpushed\b|\btrust|\bshould\b/.test(
        words,
      )
    );
  if (assets.length === 0) {
    if (
      listed.test(words) &&
      (!judged || /\b(?:can|do|could) (?:you|i|we)\b/.test(words)) &&
      !topics.history.test(words)
    )
      return using(question, [], { calls: [{ tool: 'list_assets', input: {} }] });
    const about =
      judged ||
      topics.swap.test(words) ||
      topics.history.test(words) ||
      topics.price.test(words) ||
      topics.bought.test(words);
    return about || side ? { missing: 'asset' } : undefined;
  }

  const clauses = question.clauses.kind;
  if (clauses === 'unclear' && question.sides.length > 1) return { refusal: 'both_sides' };
  const otherwise = [topics.swap, topics.bought, topics.history, topics.price, topics.asksForAmount];
  if (clauses === 'each') {
    const asksVerdicts = !question.vague && (judged || !otherwise.some((topic) => topic.test(words)));
    return asksVerdicts ? checkEach(question) : { refusal: 'both_sides' };
  }

  if (judged && /\b(?:history|charts?|candles?|graph)\b/.test(words)) return { refusal: 'too_much_at_once' };
  if (judged && !(span && topics.history.test(words))) return check(question);
  const swapped = topics.swap.test(words) || topics.bought.test(words);
  if (swapped || (sizes.length > 0 && topics.asksForAmount.test(words) && wantsQuote(question))) return quote(question);
  if (topics.history.test(words) || (span && !/^what\b.*\bcosts?\b/.test(words))) return history(question);
  const rest = words.replace(/\bnot_that\b/g, '').trim();
  // "Sell @ at this price?" does not ask for a price.
  const priceWords = side ? words.replace(/\bat (?:this|that|the current|today) prices?\b/g, '') : words;
  if (topics.price.test(priceWords) || (rest !== '' && rest.split(' ').length <= 2 && rest === words && !side))
    return price(question);
  // A stated intention to trade without a question: answer whether the trade is fair.
  if (side && !words.includes('not_that')) return check(question);
  return priceUsd !== undefined ? price(question) : undefined;
}

/** Sizes in dollars get a quote; for an amount of the asset, "how much is it" asks for its value. */
const wantsQuote = ({ words, sizes }: Question): boolean =>
  sizes.some(({ amount }) => 'amount_usd' in amount) ||
  /\bquot\w*|\b(?:sell|buy)\w*|\bpay\b|\bstablecoin\b/.test(words);

/** Checks each asset by its own clause: "sell 1 @ and buy 3 @". */
function checkEach(question: Question): Intent {
  const { words, clauses } = question;
  if (isRead(question) && leavesSideOpen(question)) return { refusal: 'both_sides' };
  const unsized = clauses.legs.filter(({ size }) => size === undefined).length;
  if (unsized !== 0 && unsized !== clauses.legs.length) return { missing: 'one size' };
  const named = topics.checks.find(([pattern]) => pattern.test(words))?.[1];
  return using(question, ['assets', 'sizes'], {
    calls: clauses.legs.map((leg) => ({ ...checkOf(leg), ...(named && { details: { check: named } }) })),
  });
}

/** The check_asset call of one leg. */
export const checkOf = ({ asset, side, size }: Leg): ToolCall => ({
  tool: 'check_asset',
  input: { asset: asset.symbol, ...(side && { side }), ...size },
});

/** Otherwise the unread word is asked about first, by name. */
const isRead = ({ unknown, unclear }: Question): boolean => unknown.length === 0 && unclear === undefined;

function check(question: Question): Intent {
  const { words, assets, side, sides, priceUsd, clauses, vague } = question;
  if (priceUsd !== undefined && assets.length > 1) return { refusal: 'too_much_at_once' };
  if (clauses.kind === 'unclear') return { refusal: 'too_much_at_once' };
  if (vague || sides.length > 1 || (side === undefined && isSideless(words))) return { missing: 'side' };
  const named = topics.checks.find(([pattern]) => pattern.test(words))?.[1];
  const details: Details = { ...(priceUsd !== undefined && { priceUsd }), ...(named && { check: named }) };
  const intent = sized(
    question,
    (asset, size) => ({
      ...checkOf({ asset, ...(side && { side }), ...(size && { size }) }),
      ...(Object.keys(details).length > 0 && { details }),
    }),
    ['priceUsd'],
  );
  return 'calls' in intent && isRead(question) && leavesSideOpen(question) ? { missing: 'side' } : intent;
}

function history(question: Question): Intent {
  const { assets, span } = question;
  const { yesterday, ...candles } = span ?? {};
  return using(question, ['assets', 'span'], {
    calls: assets.map(({ symbol }) => ({
      tool: 'get_history',
      input: { asset: symbol, ...candles },
      ...(yesterday && { details: { yesterday } }),
    })),
  });
}

function price(question: Question): Intent {
  const { assets, sizes, priceUsd, words } = question;
  // Prices are in dollars only: "@ in @" is a different price.
  if (assets.length > 1 && /@\s*(?:in|to|per|\/)\s*@|\b(?:exchange )?rate\b/.test(words))
    return { missing: 'one asset' };
  // "The price of $500 of it" is not a price.
  if (sizes.some(({ amount }) => 'amount_usd' in amount)) return { refusal: 'too_much_at_once' };
  if (priceUsd !== undefined && assets.length > 1) return { refusal: 'too_much_at_once' };
  return sized(
    question,
    (asset, size) => {
      const units = size && 'amount_asset' in size && size.amount_asset !== '1' ? size.amount_asset : undefined;
      const details: Details = { ...(priceUsd !== undefined && { priceUsd }), ...(units && { units }) };
      return { tool: 'get_price', input: { asset: asset.symbol }, ...(Object.keys(details).length > 0 && { details }) };
    },
    ['priceUsd'],
  );
}

/** One call per asset, with its own size or the shared one. */
function sized(
  question: Question,
  call: (asset: Asset, size: Size['amount'] | undefined) => ToolCall,
  facts: readonly 'priceUsd'[] = [],
): Intent {
  const { assets, sizes } = question;
  const shared = sizes.filter(({ asset }) => asset === undefined);
  const ownSizes = (asset: Asset) => sizes.filter((size) => size.asset === asset);
  const tooMany = shared.length > 1 || assets.some((asset) => shared.length + ownSizes(asset).length > 1);
  const some = sizes.length > 0 && shared.length === 0 && assets.some((asset) => ownSizes(asset).length === 0);
  if (tooMany || some) return { missing: 'one size' };
  const calls = assets.map((asset) => call(asset, (ownSizes(asset)[0] ?? shared[0])?.amount));
  return using(question, ['assets', 'sizes', ...facts], { calls });
}

function quote(question: Question): Intent {
  const { assets, sizes, vague } = question;
  if (vague) return { missing: 'side' };
  // A stablecoin beside another asset is the payment for it.
  const traded = assets.filter((asset) => asset.class !== 'stable' || assets.length === 1);
  if (traded.length !== 1 || traded[0] === undefined) return { missing: 'one asset' };
  if (sizes.length === 0) return { missing: 'amount' };
  const [asset, size] = [traded[0], sizes[0]?.amount];
  if (sizes.length > 1 || size === undefined) return { missing: 'one size' };
  const sides = 'amount_asset' in size ? sidesOf(question) : [question.side];
  return using(question, ['assets', 'sizes'], {
    calls: sides.map((side) => ({
      tool: 'quote_swap',
      input: { asset: asset.symbol, ...(side && { side }), ...size },
    })),
  });
}

/** Whether the user has or wants the amount. If the question does not say, both are answered. */
function sidesOf({ words, side }: Question): readonly Side[] {
  if (side) return [side];
  if (/\b(?:in)?to N @|\b(?:costs?|needs?|pay|spend)\b/.test(words)) return ['buy'];
  const had =
    /\bfor N @|\b(?:convert\w*|swap\w*|exchang\w*|get|receiv\w*|end up|gives?|have|proceeds)\b|\b(?:to|for|in) stablecoin\b|\bhow (?:much|many) stablecoin\b/;
  return had.test(words) ? ['sell'] : ['sell', 'buy'];
}
