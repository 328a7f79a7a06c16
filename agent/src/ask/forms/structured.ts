import { type Asset, assetNamed } from '@bowline/core/domain/assets';
import { checkAsset } from '../../tools/check-asset.ts';
import { tools } from '../../tools/index.ts';
import { lackingIn, readInput } from '../../tools/read-input.ts';
import type { ToolCall } from '../question.ts';

/** What a program wrote: a call, a question in words, or something that is neither. */
type Structured = { readonly calls: readonly ToolCall[] } | { readonly words: string } | 'unreadable';
type Fields = Readonly<Record<string, unknown>>;

const callable = tools.filter(({ effect }) => effect === 'read');
const nested = ['arguments', 'args', 'input', 'params', 'parameters'];
const byName = new RegExp(
  `^(?:call |run |use )?(${callable.flatMap(({ name }) => (name.includes('_') ? [name] : [])).join('|')})\\b\\s*:?\\s*(.*?)\\s*;?$`,
  's',
);

/**
 * Reads what programs send: JSON, `check_asset(asset="BTCB", side="buy")`, `asset=BTCB side=buy`, `Asset: BTCB. Side: buy.`
 * Undefined for a question in words. An unknown or repeated field makes it unreadable.
 */
export function readStructured(prompt: string, assets: readonly Asset[]): Structured | undefined {
  const text = prompt.trim();
  const [, tool, rest = ''] = byName.exec(text) ?? [];
  if (tool !== undefined) {
    const inner = /^\((.*)\)$/s.exec(rest)?.[1]?.trim() ?? rest;
    const fields = fieldsOf(inner) ?? positional(tool, inner);
    return fields === undefined ? 'unreadable' : callOf(tool, fields, assets);
  }
  if (!/^(?:[{[]|\w+\s*=)/.test(text)) return readForm(text);
  const fields = fieldsOf(text);
  return (fields && readFields(fields, assets)) ?? 'unreadable';
}

const fieldsOf = (text: string): Fields | undefined => (/^[{[]/.test(text) ? fieldsOfJson(text) : fieldsOfPairs(text));

/** Undefined if it is no JSON object, or has a key twice. */
function fieldsOfJson(text: string): Fields | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return undefined;
    const written = text.match(/"(?:[^"\\]|\\.)*"\s*:/g)?.length ?? 0;
    return written === (JSON.stringify(parsed).match(/"(?:[^"\\]|\\.)*":/g)?.length ?? 0)
      ? (parsed as Fields)
      : undefined;
  } catch {
    return undefined;
  }
}

/** `asset=BTCB, side="buy"`; undefined if anything is left or a key is there twice. */
function fieldsOfPairs(text: string): Fields | undefined {
  const pairs: [string, string][] = [];
  const left = text.replace(/(\w+)\s*[=:]\s*(?:"([^"]*)"|'([^']*)'|([^\s,;"'(){}]+))/g, (_, key, one, two, three) => {
    pairs.push([key, one ?? two ?? three]);
    return '';
  });
  const fields = Object.fromEntries(pairs);
  return /^[\s,;]*$/.test(left) && Object.keys(fields).length === pairs.length ? fields : undefined;
}

/** `get_price BTCB`: the one field that a tool needs. */
function positional(tool: string, text: string): Fields | undefined {
  const value = /^["']?([\w.]+)["']?$/.exec(text)?.[1];
  const schema = callable.find(({ name }) => name === tool)?.input;
  const [needed, ...more] = schema === undefined ? [] : lackingIn(schema, {});
  return value === undefined || needed === undefined || more.length > 0 ? undefined : { [needed]: value };
}

function readFields(fields: Fields, assets: readonly Asset[]): Structured | undefined {
  const keys = Object.keys(fields);
  const [only] = keys;
  if (keys.length === 1 && only !== undefined && ['prompt', 'question', 'query', 'message', 'text'].includes(only)) {
    const words = fields[only];
    return typeof words === 'string' ? { words } : undefined;
  }
  const key = keys.find((each) => ['tool', 'name', 'action', 'function', 'method', 'skill'].includes(each));
  // A trade without a tool's name asks for its verdict.
  if (key === undefined)
    return 'asset' in fields && 'side' in fields ? callOf(checkAsset.name, fields, assets) : undefined;
  const { [key]: tool, ...rest } = fields;
  if (typeof tool !== 'string' || !callable.some(({ name }) => name === tool)) return undefined;
  const [inner, ...others] = Object.keys(rest);
  const given = inner !== undefined && others.length === 0 && nested.includes(inner) ? rest[inner] : rest;
  return typeof given === 'object' && given !== null ? callOf(tool, given as Fields, assets) : undefined;
}

function callOf(tool: string, fields: Fields, assets: readonly Asset[]): Structured {
  const schema = callable.find(({ name }) => name === tool)?.input;
  const texts = Object.entries(fields).map(([key, value]): [string, unknown] =>
    key === 'count' ? [key, Number(value)] : [key, typeof value === 'number' ? String(value) : value],
  );
  const input = Object.fromEntries(texts);
  const asset = typeof input.asset === 'string' ? assetNamed(assets, input.asset) : undefined;
  if (asset) input.asset = asset.symbol;
  const isUnknown = input.asset !== undefined && asset === undefined;
  const twoSizes = input.amount_usd !== undefined && input.amount_asset !== undefined;
  return schema === undefined || isUnknown || twoSizes || !readInput(schema, input).ok
    ? 'unreadable'
    : { calls: [{ tool, input }] };
}

const field =
  /(?:^|(?<=[.;,\n])\s*)(task|request|goal|asset|token|side|direction|size|amount)\s*:\s*([^:\n;]*?)\s*(?:[.;,](?=\s|$)|\n|$)/gi;
/** "Task: judge the price. Asset: BNB. Side: sell. Size: 15 BNB." as one question. */
function readForm(text: string): Structured | undefined {
  const fields = new Map<string, string>();
  const tasks: string[] = [];
  let found = 0;
  const left = text.replace(field, (_, key: string, value: string) => {
    if (/task|request|goal/i.test(key)) tasks.push(`${value} : `);
    else {
      found++;
      fields.set(
        key.toLowerCase().replace('token', 'asset').replace('direction', 'side').replace('amount', 'size'),
        value,
      );
    }
    return '';
  });
  const [asset, side = '', size = ''] = ['asset', 'side', 'size'].map((key) => fields.get(key));
  if (asset === undefined || !/^(?:buy|sell)$/i.test(side) || found !== fields.size || left.trim() !== '')
    return undefined;
  // "15 BNB" names the asset; "$500" and "500 USD" do not.
  const traded =
    size === '' || size.toLowerCase().endsWith(asset.toLowerCase()) ? size || asset : `${size} of ${asset}`;
  return { words: `${tasks.join('')}Is it fair to ${side} ${traded}?` };
}
