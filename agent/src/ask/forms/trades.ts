import type { Side } from '@bowline/core/domain/facts';
import type { Item, Question, Reading, Size, Trade } from '../question.ts';
import { rowsOf } from '../rows.ts';
import { itsOwn, purchase, quoted, sale } from './english.ts';
import type { Slots } from './slots.ts';

/** What a text says of trades; its marks A, D, B, S, P that no form took are left in the text. */
export interface Traded extends Pick<Question, 'items' | 'trades' | 'named' | 'unclear' | 'readings'> {
  readonly text: string;
}

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
 * A trade is read only from one of these: any other order of the same words may turn its side around ("sell dollars for A"). Both sides of
 * one asset are two trades. "Buy my ETH" (the last) may be said to a buyer, but not beside a sale.
 */
const forms = rowsOf(String.raw`
buy sell → (?:P ?(?:or|and|\/|,)(?: to| should i)? ?S) ${own}(?<at>A\d+)|(?<to>A\d+) ${bridge}P ?(?:or|and|\/|,)(?: to| should i| a)* S
sell buy → (?:S ?(?:or|and|\/|,)(?: to| should i)? ?P) ${own}(?<at>A\d+)|(?<to>A\d+) ${bridge}S ?(?:or|and|\/|,)(?: to| should i| a)* P
sell → ${swap} ${own}(?<at>A\d+) (?:for|to|into) ${few}M
buy → (?:${swap}|trad(?:e|ing)) ${own}(?<mark>D\d+) (?:for|to|into) ${few}(?<at>A\d+)
buy → ${put} ${own}(?<mark>[DB]\d+) (?:into|in|on) ${few}(?<at>A\d+)
buy → (?:with|for|using) ${own}(?<mark>D\d+) P ${few}(?<at>A\d+)
buy → (?<=^ |[:?] |\b(?:is|if|does|would|that) )(?<mark>D\d+) (?:into|->|→) ${few}(?<at>A\d+)
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
/** A price of one unit that is named: "is 60k a fair price for A", "A below 2,000". */
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

class Reader {
  text: string;
  readonly items: (readonly Item[])[] = [];
  readonly trades: Trade[] = [];
  readonly readings: Reading[];
  unclear: Question['unclear'];
  named: Question['named'];
  readonly slots: Slots;

  constructor(slots: Slots) {
    this.slots = slots;
    this.text = ` ${slots.text
      .replace(/\(([^()]*[NDB]\d[^()]*)\)/g, ' , $1 , ')
      .replace(/[|"]|,(?=\S)/g, ' , ')
      .replace(/\s+/g, ' ')} `;
    this.readings = [...slots.readings];
    this.unclear = slots.unclear;
  }

  put(list: readonly Item[]): string {
    return ` A${this.items.push(list) - 1} `;
  }

  itemsAt(mark = ''): readonly Item[] {
    return this.items[Number(mark.slice(1))] ?? [];
  }

  /** A number without a unit means dollars if it is large enough, and the answer says so. */
  sizeAt(mark: string | undefined): Size | undefined {
    if (mark === undefined) return undefined;
    const index = Number(mark.slice(1));
    const [size, written = ''] = [this.slots.sizes[index], this.slots.written[index]];
    if (mark.startsWith('B') && size && 'amount_usd' in size) {
      const isSmall = Number(size.amount_usd) < 100;
      if (isSmall) this.unclear ??= { back: 'unit', written, sizes: [{ amount_asset: size.amount_usd }, size] };
      else this.readings.push({ written, as: 'USD' });
    }
    return size;
  }

  trade(at: string, side: Side, mark: string | undefined): string {
    const [assets, size] = [this.itemsAt(at), this.sizeAt(mark)];
    if (size && assets.some((each) => each.size !== undefined))
      this.unclear ??= { back: 'size', written: '', sizes: [size] };
    return ` T${this.trades.push({ assets, side, ...(size && { size }) }) - 1} `;
  }

  /** Assets with their sizes become items, stablecoins that pay become M, lists one item. */
  takeItems(): void {
    const { slots } = this;
    const stable = (mark: string) => slots.assets[Number(mark)]?.class === 'stable';
    const part = partOf.exec(this.text)?.[0];
    if (part) this.unclear ??= { back: 'percent', written: part.replace(/(?:[NDB]\d+ )?@/, '').trim(), sizes: [] };
    if (slots.assets.some(({ class: kind }) => kind !== 'stable'))
      this.text = this.text.replace(
        new RegExp(`(?<=\\b${money}\\s?(?:my |the |some |of |all )*)@(\\d+)`, 'g'),
        (match, mark) => (stable(mark) ? 'M' : match),
      );
    this.text = this.text
      .replace(
        /\bstable ?coins?\b|(?<=\b(?:for|into|to|in|with|against|using|how many) (?:my )?)(?:usd|dollars|cash(?! out\b))\b/g,
        'M',
      )
      .replace(/ (?:([NDB]\d+) (?:worth )?(?:of )?(?:my |the |some )?)?@(\d+)/g, (match, amount, mark) => {
        const [asset, size] = [slots.assets[Number(mark)], this.sizeAt(amount)];
        return asset ? this.put([{ asset, ...(size && { size }) }]) : match;
      })
      .replace(/ +/g, ' ');
  }

  takeNamedPrices(): void {
    for (const pattern of namedPrices) {
      this.text = this.text.replace(pattern, (...found) => {
        const { amount = '', at } = found.at(-1) as Record<string, string>;
        const [item, ...others] = this.itemsAt(at);
        const size = this.slots.sizes[Number(amount.slice(1))];
        if (item === undefined || others.length > 0 || this.named || !size || !('amount_usd' in size))
          return String(found[0]);
        this.named = { asset: item.asset, priceUsd: size.amount_usd };
        return pattern === namedPrices[0] ? ` ${at} fair ` : ` ${at} `;
      });
    }
    const [, mark] = /\bpay(?:ing)? ([DB]\d+) for A/.exec(this.text) ?? [];
    const size = mark === undefined ? undefined : this.slots.sizes[Number(mark.slice(1))];
    if (size)
      this.unclear ??= {
        back: 'price_or_size',
        written: this.slots.written[Number(mark?.slice(1))] ?? '',
        sizes: [size],
      };
  }

  takeTrades(): void {
    const { slots } = this;
    this.text = this.text
      .replace(
        / (?:both )?A\d+(?: ?(?:,|and|or|&|\+|plus)(?: ?(?:,|and|or|also))? (?:my |the )?A\d+)+ (?:both )?/g,
        (all) => this.put([...all.matchAll(/A\d+/g)].flatMap(([at]) => this.itemsAt(at))),
      )
      .replace(itsOwn, (all) =>
        all.replace(/(?:sell|dump)\w*/, (word) => (word.startsWith('s') ? 'trading' : 'falling')),
      )
      .replace(purchase, 'P');
    for (const [pattern, plain] of quoted) this.text = this.text.replace(pattern, plain);
    this.text = this.text.replace(sale, 'S');
    if (slots.assets.length === 1)
      this.text = this.text.replace(
        /\b(?:if|when) (?:i )?(?:were to |was to |should |would |now |just )?(?=[SP] )/g,
        'i want to ',
      );
    this.text = this.text
      .replace(/(?<![SP] ?, ?)([SP]) ?: /g, '$1 ')
      .replace(/([SP]) an? (A(\d+))/g, (all, side, at, index) => {
        const [item, ...others] = this.itemsAt(at);
        if (item === undefined || item.size !== undefined || others.length > 0) return all;
        this.items[Number(index)] = [{ ...item, size: { amount_asset: '1' } }];
        return `${side} ${at}`;
      });
    for (const [pattern, ...sides] of forms) {
      this.text = this.text.replace(pattern, (...found) => {
        const { at, to, mark, more } = found.at(-1) as Record<string, string | undefined>;
        return sides.map((side) => this.trade(at ?? to ?? '', side, mark ?? more)).join(' ');
      });
    }
  }
}

/** Takes what buys or sells out of a text with marks. */
export function takeTrades(slots: Slots): Traded {
  const reader = new Reader(slots);
  reader.takeItems();
  reader.takeNamedPrices();
  reader.takeTrades();
  const { text, trades, readings, named, unclear } = reader;
  return {
    text,
    items: [...text.matchAll(/A\d+/g)].flatMap(([at]) => reader.itemsAt(at)),
    // In the order of the text, not of the forms.
    trades: [...text.matchAll(/T(\d+)/g)].flatMap(([, at]) => trades[Number(at)] ?? []),
    readings,
    ...(named && { named }),
    ...(unclear && { unclear }),
  };
}
