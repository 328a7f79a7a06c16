import type { Side } from '@bowline/core/domain/facts';
import type { Item, Size, Trade } from '../question.ts';
import { rowsOf } from '../rows.ts';
import { itsOwn, purchase, quoted, sale } from './english.ts';
import type { Slots } from './slots.ts';

const few =
  '(?:(?:up|now|today|some|the|all|off|of|more|back|on|worth|just|entire|whole|stack|bag|holdings|a|an|little|bit|lot|bunch) )*';
const own = few.replace('(?:(?:', '(?:(?:my|our|');
/** Words between an asset and its side: "A: is it fair to sell". */
const bridge =
  '(?:(?:[:,.?(-]|and|is|it|fair|fairly|priced|good|ok|okay|safe|smart|price|now|a|an|the|time|to|should|i|right|for|be|worth|today|hold|or|' +
  'reasonable|great|bad|wise|this|still|too|cheap|expensive|enough|late|can|high|low|really|also|currently|at|moment|them|want|do|we|value|deal|idea) )*';
const noMoney = '(?! (?:(?:my|some|all|the) )*(?:usd|dollars|cash|money|stable|M\\b))';
const swap = '(?:swap|convert|exchang)(?:e|p?ing)?';
const put = '(?:put|invest|spend|ape)(?:ting|ing)?';

/**
 * A trade is read only from one of these: another order of the same words may reverse its side ("sell dollars for A").
 * Both sides of one asset are two trades. "Buy my ETH" (the last) may address a buyer, but not together with a sale.
 */
const forms = rowsOf(String.raw`
buy sell → (?:P ?(?:or|and|\/|,)(?: to| should i)? ?S) ${own}(?<at>A\d+)|(?<to>A\d+) ${bridge}P ?(?:or|and|\/|,)(?: to| should i| a)* S
sell buy → (?:S ?(?:or|and|\/|,)(?: to| should i)? ?P) ${own}(?<at>A\d+)|(?<to>A\d+) ${bridge}S ?(?:or|and|\/|,)(?: to| should i| a)* P
sell → ${swap} ${own}(?<at>A\d+) (?:for|to|into) ${few}M
buy → (?:${swap}|trad(?:e|ing)) ${own}(?<mark>D\d+) (?:for|to|into) ${few}(?<at>A\d+)
buy → ${put} ${own}(?<mark>[DB]\d+) (?:into|in|on) ${few}(?<at>A\d+)
buy → (?:with|for|using) ${own}(?<mark>D\d+) P ${few}(?<at>A\d+)
buy → (?<=^ |[:?] |\b(?:is|if|does|would|that) )(?<mark>[DB]\d+) (?:in|into|->|→) ${few}(?<at>A\d+)
buy → (?<mark>[DB]\d+)? ?P ${few}(?<at>A\d+)(?: right now| now| today)?(?: (?:for|with|using|from) ${own}(?:M|(?<more>D\d+)))?
buy → P ${bridge}\? (?<at>A\d+)|(?<to>A\d+) ${bridge}[?.] i am P
sell → S ${bridge}\? (?<at>A\d+)|(?<to>A\d+) ${bridge}[?.] i am S
sell → (?<mark>D\d+)? ?S ${own}(?<at>A\d+)(?: (?:for|to|into|in) ${few}M)?
buy → (?<!my )(?<at>A\d+) ${bridge}P(?: it| them)?(?: now| today| rn)?${noMoney}(?: ?,? ?(?:(?<mark>[DB]\d+)|for (?<more>D\d+)))?
buy → (?<mark>D\d+) (?:of |in )?(?<at>A\d+) ${bridge}P(?: it| them)?
buy → (?<at>A\d+) [a-z' ]*(?:for|with|on) (?:a|an|my) (?<mark>D\d+) P
sell → (?<at>A\d+) [a-z' ]*(?:for|with|on) (?:a|an|my) (?<mark>D\d+) S
sell → (?<at>A\d+) ${bridge}S(?: it| them)?(?: now| today| rn)?${noMoney}(?: ?,? ?(?:(?<mark>[DB]\d+)|for (?<more>D\d+)))?
buy → P ${own}(?<at>A\d+)(?=.* T\d)|(?<=T\d.*) P ${own}(?<to>A\d+)
`).map(
  ([sides, pattern]) => [new RegExp(` (?:${pattern})(?![a-z\\d])`, 'g'), ...(sides.split(' ') as Side[])] as const,
);

const judged =
  'fair|good|great|bad|reasonable|right|realistic|ok|okay|too much|too high|too low|cheap|expensive|a lot|high|low|steep';
/** A named price of one unit: "is 60k a fair price for A", "A below 2,000". */
const namedPrices = [
  new RegExp(
    ` (?:at |for |of )?(?<amount>[DB]\\d+) (?:(?:is|a|an|the|too|really) )*(?:${judged})(?: price| deal| value)? (?:for|per|of) (?:an? |one )?(?<at>A\\d+) `,
  ),
  / (?<amount>[DB]\d+) (?:per|each for|for one|for an?) (?:an? |one )?(?<at>A\d+) /,
  / (?<at>A\d+) (?:(?:is|now|still|trading|currently|price) )*(?:at|above|below|over|under|more than|less than|(?:high|low)er than) (?<amount>[DB]\d+)(?: each| per unit)? /,
];
const money = '(?:for|into|to|in|with|against|using|from|vs|how much|how many|\\/)';
const partOf =
  / (?:some|any|part|most|half|quarter|third|rest|all but|fraction) (?:of )?(?:my |the |our )(?:whole )?(?:[NDB]\d+ )?@| (?:some|any|most) of [NDB]\d+ @/;

const itemsAt = ({ items }: Slots, mark = ''): readonly Item[] => items[Number(mark.slice(1))] ?? [];
const itemMark = (slots: Slots, list: readonly Item[]): string => ` A${slots.items.push(list) - 1} `;

/** A number without a unit means dollars if it is large enough, and the answer says so. */
function sizeAt(slots: Slots, mark: string | undefined): Size | undefined {
  if (mark === undefined) return undefined;
  const index = Number(mark.slice(1));
  const [size, written = ''] = [slots.sizes[index], slots.written[index]];
  if (mark.startsWith('B') && size && 'amount_usd' in size) {
    const isSmall = Number(size.amount_usd) < 100;
    if (isSmall) slots.unclear ??= { back: 'unit', written, sizes: [{ amount_asset: size.amount_usd }, size] };
    else slots.readings.push({ written, as: 'USD' });
  }
  return size;
}

/** Assets with their sizes become items, stablecoins that pay become M, lists one item. */
function takeItems(slots: Slots): void {
  const isStable = (mark = '') => slots.assets[Number(mark)]?.class === 'stable';
  const part = partOf.exec(slots.text)?.[0];
  if (part) slots.unclear ??= { back: 'percent', written: part.replace(/(?:[NDB]\d+ )?@/, '').trim(), sizes: [] };
  if (slots.assets.some(({ class: kind }) => kind !== 'stable'))
    slots.take(new RegExp(`(?<=\\b${money}\\s?(?:my |the |some |of |all )*)@(\\d+)`, 'g'), (_, mark) =>
      isStable(mark) ? 'M' : undefined,
    );
  slots.take(
    /\bstable ?coins?\b|(?<=\b(?:for|into|to|in|with|against|using|how many) (?:my )?)(?:usd|dollars|cash(?! out\b))\b/g,
    () => 'M',
  );
  slots.take(/ (?:([NDB]\d+) (?:worth )?(?:of )?(?:my |the |some )?)?@(\d+)/g, (_, amount, mark) => {
    const [asset, size] = [slots.assets[Number(mark)], sizeAt(slots, amount)];
    return asset && itemMark(slots, [{ asset, ...(size && { size }) }]);
  });
  slots.text = slots.text.replace(/ +/g, ' ');
}

function takeNamedPrices(slots: Slots): void {
  for (const pattern of namedPrices)
    slots.text = slots.text.replace(pattern, (...found) => {
      const { amount = '', at } = found.at(-1) as Record<string, string>;
      const [item, ...others] = itemsAt(slots, at);
      const size = slots.sizes[Number(amount.slice(1))];
      if (item === undefined || others.length > 0 || slots.named || !size || !('amount_usd' in size))
        return String(found[0]);
      slots.named = { asset: item.asset, priceUsd: size.amount_usd };
      return pattern === namedPrices[0] ? ` ${at} fair ` : ` ${at} `;
    });
  const [, mark] = /\bpay(?:ing)? [DB](\d+) for A/.exec(slots.text) ?? [];
  const size = mark === undefined ? undefined : slots.sizes[Number(mark)];
  if (size) slots.unclear ??= { back: 'price_or_size', written: slots.written[Number(mark)] ?? '', sizes: [size] };
}

/** Takes trades out of a text with marks. */
export function takeTrades(slots: Slots): void {
  slots.text = ` ${slots.text
    .replace(/\(([^()]*[NDB]\d[^()]*)\)/g, ' , $1 , ')
    .replace(/[|"]|,(?=\S)/g, ' , ')
    .replace(/\s+/g, ' ')} `;
  takeItems(slots);
  takeNamedPrices(slots);
  slots.take(
    / (?:both )?A\d+(?: ?(?:,|and|or|&|\+|plus)(?: ?(?:,|and|or|also))? (?:my |the )?A\d+)+ (?:both )?/g,
    (all) =>
      itemMark(
        slots,
        [...all.matchAll(/A\d+/g)].flatMap(([at]) => itemsAt(slots, at)),
      ),
  );
  slots.take(itsOwn, (all) =>
    all.replace(/(?:sell|dump)\w*/, (word) => (word.startsWith('s') ? 'trading' : 'falling')),
  );
  slots.take(purchase, () => 'P');
  for (const [pattern, plain] of quoted) slots.text = slots.text.replace(pattern, plain);
  slots.take(sale, () => 'S');
  if (slots.assets.length === 1)
    slots.take(/\b(?:if|when) (?:i )?(?:were to |was to |should |would |now |just )?(?=[SP] )/g, () => 'i want to ');
  slots.text = slots.text.replace(/(?<![SP] ?, ?)([SP]) ?: /g, '$1 ');
  slots.take(/([SP]) an? (A(\d+))/g, (_, side, at, index) => {
    const [item, ...others] = itemsAt(slots, at);
    if (item === undefined || item.size !== undefined || others.length > 0) return undefined;
    slots.items[Number(index)] = [{ ...item, size: { amount_asset: '1' } }];
    return `${side} ${at}`;
  });
  for (const [pattern, ...sides] of forms)
    slots.text = slots.text.replace(pattern, (...found) => {
      const { at, to, mark, more } = found.at(-1) as Record<string, string | undefined>;
      const [assets, size] = [itemsAt(slots, at ?? to), sizeAt(slots, mark ?? more)];
      if (size && assets.some((each) => each.size !== undefined))
        slots.unclear ??= { back: 'size', written: '', sizes: [size] };
      return sides.map((side) => ` T${slots.trades.push({ assets, side, ...(size && { size }) }) - 1} `).join(' ');
    });
}

/** The items and trades that are left, in the order of the text, not of the forms. */
export const itemsIn = (slots: Slots): Item[] =>
  [...slots.text.matchAll(/A\d+/g)].flatMap(([at]) => itemsAt(slots, at));
export const tradesIn = ({ text, trades }: Slots): Trade[] =>
  [...text.matchAll(/T(\d+)/g)].flatMap(([, at]) => trades[Number(at)] ?? []);
