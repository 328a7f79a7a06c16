import type { Slots } from './slots.ts';
import { itemsIn } from './trades.ts';

const falls =
  '(?:falls?|falling|lost|(?:is )?down|drops?|dropping|crash(?:es|ed)?|loses?|declines?|dips?|goes down|go down|went down|dropped|fell|tanks?|plunges?|sinks?|dump(?:s|ed)?)';
const rises = '(?:rises?|rising|gains?|jumps?|pumps?|goes up|go up|climbs?|rose|rallies|increases?)';
const subject =
  '(?:(?:the )?(?:prices? |value )?(?:of )?(?:my |the )?(?:A(?<at>\\d+)|prices?|markets?|collateral|crypto|everything|it|coins?|tokens?)(?: prices?)?)';
const by = '(?: by| of| on| another| a further| further| more| about)*';
/** "A -25%" */
const signed = / A(?<at>\d+) C(?<c>\d+)(?= )/;
const moves = [
  ...String.raw`
 (?:if |suppose |assuming |after |when |should |were )?${subject} (?:would |will |should |were to |to )?(?:${falls}|(?<up>${rises}))${by} C(?<c>\d+)(?: (?:down|up|more))?(?! (?:to|of)\b)
 (?:if |after |with |in |of )?(?:a |an |another )?C(?<c>\d+) (?:price )?(?:${falls}|(?<up>${rises}))(?: (?:in|of) (?:the price of )?(?:A(?<at>\d+)|prices?|(?:the |my )?(?:market|collateral)))?(?! (?:in|of)\b)
 (?:if |after |with )?(?:a |an )?(?:${falls}|(?<up>${rises})) of C(?<c>\d+)(?: (?:in|of) (?:the price of )?(?:A(?<at>\d+)|prices?|(?:the |my )?(?:market|collateral)))?(?! (?:in|of)\b)
`
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => new RegExp(line)),
  signed,
];
const supposing =
  /\b(?:if|what if|suppose|assuming|what (?:would |will )?happens?(?: to)?|happens|survive|withstand|after|when|case|in case)\b/g;

/** Takes what moves by how many percent: "if A falls by 20 %". Any other order of these words is left in the text. */
export function takeMove(slots: Slots): void {
  for (const pattern of moves) {
    const found = pattern.exec(slots.text);
    const { at, up, c } = found?.groups ?? {};
    const percent = slots.percents[Number(c)];
    const [item, ...others] = at === undefined ? [] : itemsIn(slots);
    const isOne = at === undefined || (item !== undefined && item.size === undefined && others.length === 0);
    const isSigned = pattern === signed;
    const isWritten = (isSigned ? /^[-−][\d.]+$/ : /^[\d.]+$/).test(percent ?? '');
    if (found === null || percent === undefined || !isWritten || !isOne) continue;
    const change = isSigned ? percent.replace('−', '-') : `${up === undefined ? '-' : ''}${percent}`;
    slots.moved = { ...(item && { asset: item.asset }), change };
    slots.text = slots.text.replace(found[0], ' ').replace(supposing, ' ');
    return;
  }
}
