import { type Asset, assetNamed } from '@bowline/core/domain/assets';
import type { z } from 'zod';
import { checkAsset } from '../../tools/check-asset.ts';
import { tools } from '../../tools/index.ts';
import type { ToolCall } from './question.ts';
import { words } from './vocabulary.ts';

/** What a program wrote: a call, a question in words, or something that is neither. */
export type Structured = { readonly calls: readonly ToolCall[] } | { readonly words: string } | 'unreadable';

const callable = tools.filter(({ effect }) => effect === 'read');
const toolNames = callable.map(({ name }) => name).join('|');
const named = ['tool', 'name', 'action', 'function', 'method', 'skill'];
const nested = ['arguments', 'args', 'input', 'params', 'parameters'];
const asked = ['prompt', 'question', 'query', 'message', 'text'];

const byName = new RegExp(`^(?:call |run |use )?(${toolNames})\\b\\s*:?\\s*(.*?)\\s*;?$`, 's');

/**
 * Reads what programs send: JSON, `check_asset(asset="BTCB", side="buy")`, `asset=BTCB side=buy`, `Asset: BTCB. Side: buy.`
 * Undefined for a question in words. A field that is not known, or is there twice, makes it unreadable.
 */
export function readStructured(prompt: string, assets: readonly Asset[]): Structured | undefined {
  const text = prompt.trim();
  if (/^[{[]/.test(text)) {
    const fields = fieldsOfJson(text);
    return (fields && readFields(fields, assets)) ?? 'unreadable';
  }
  const [, tool, rest = ''] = byName.exec(text) ?? [];
  if (tool !== undefined) return readCall(tool, rest, assets);
  if (/^\w+\s*=/.test(text)) {
    const fields = fieldsOfPairs(text);
    return (fields && readFields(fields, assets)) ?? 'unreadable';
  }
  return readForm(text);
}

type Fields = Readonly<Record<string, unknown>>;

/** Undefined if it is no JSON object, or has a key twice. */
function fieldsOfJson(text: string): Fields | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return undefined;
  const written = text.match(/"(?:[^"\\]|\\.)*"\s*:/g)?.length ?? 0;
  return written === countKeys(parsed) ? (parsed as Fields) : undefined;
}

const countKeys = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? Object.values(value).reduce<number>(
        (sum, each) => sum + countKeys(each),
        Array.isArray(value) ? 0 : Object.keys(value).length,
      )
    : 0;

/** `asset=BTCB, side="buy"`; undefined if anything is left or a key is there twice. */
function fieldsOfPairs(text: string): Fields | undefined {
  const fields = new Map<string, string>();
  let pairs = 0;
  const left = text.replace(/(\w+)\s*[=:]\s*(?:"([^"]*)"|'([^']*)'|([^\s,;"'(){}]+))/g, (_, key, one, two, three) => {
    pairs++;
    fields.set(key, one ?? two ?? three);
    return '';
  });
  return /^[\s,;]*$/.test(left) && fields.size === pairs ? Object.fromEntries(fields) : undefined;
}

function readCall(tool: string, rest: string, assets: readonly Asset[]): Structured {
  const inner = /^\((.*)\)$/s.exec(rest)?.[1]?.trim() ?? rest;
  if (inner === '') return callOf(tool, {}, assets);
  const fields = inner.startsWith('{') ? fieldsOfJson(inner) : (fieldsOfPairs(inner) ?? positional(tool, inner));
  return fields === undefined ? 'unreadable' : callOf(tool, fields, assets);
}

/** `get_price BTCB`: the one field that a tool needs. */
function positional(tool: string, text: string): Fields | undefined {
  const value = /^["']?([\w.]+)["']?$/.exec(text)?.[1];
  const [needed, ...more] = requiredOf(tool);
  return value === undefined || needed === undefined || more.length > 0 ? undefined : { [needed]: value };
}

const requiredOf = (tool: string): string[] =>
  Object.entries<z.ZodType>(callable.find(({ name }) => name === tool)?.input.shape ?? {})
    .filter(([, schema]) => !schema.safeParse(undefined).success)
    .map(([key]) => key);

function readFields(fields: Fields, assets: readonly Asset[]): Structured | undefined {
  const keys = Object.keys(fields);
  const [only] = keys;
  if (keys.length === 1 && only !== undefined && asked.includes(only)) {
    const words = fields[only];
    return typeof words === 'string' ? { words } : undefined;
  }
  const name = keys.find((key) => named.includes(key));
  if (name === undefined) {
    // A trade without a tool's name asks for its verdict.
    return 'asset' in fields && 'side' in fields ? callOf(checkAsset.name, fields, assets) : undefined;
  }
  const { [name]: tool, ...rest } = fields;
  if (typeof tool !== 'string' || !callable.some((each) => each.name === tool)) return undefined;
  const [inner, ...others] = Object.keys(rest);
  const given = inner !== undefined && others.length === 0 && nested.includes(inner) ? rest[inner] : rest;
  return typeof given === 'object' && given !== null ? callOf(tool, given as Fields, assets) : undefined;
}

function callOf(tool: string, fields: Fields, assets: readonly Asset[]): Structured {
  const input: Record<string, unknown> = Object.fromEntries(
    Object.entries(fields).map(([key, value]) => [key, key === 'count' ? Number(value) : value]),
  );
  if (typeof input.asset === 'string') {
    const asset = assetNamed(assets, input.asset);
    if (asset === undefined) return 'unreadable';
    input.asset = asset.symbol;
  }
  if (typeof input.plan === 'number') input.plan = String(input.plan);
  if (typeof input.guard === 'number') input.guard = String(input.guard);
  if (typeof input.amount_usd === 'number') input.amount_usd = String(input.amount_usd);
  if (typeof input.amount_asset === 'number') input.amount_asset = String(input.amount_asset);
  const twoSizes = input.amount_usd !== undefined && input.amount_asset !== undefined;
  const valid = callable.find(({ name }) => name === tool)?.input.safeParse(input).success === true && !twoSizes;
  return valid ? { calls: [{ tool, input }] } : 'unreadable';
}

const field =
  /(?:^|(?<=[.;,\n])\s*)(task|request|goal|asset|token|side|direction|size|amount)\s*:\s*([^:\n;]*?)\s*(?:[.;,](?=\s|$)|\n|$)/gi;

/** All that a task beside an asset and a side may say: any other word, and any number, may ask for something else. */
const taskWords: ReadonlySet<string> = new Set(
  words(`a an the this that these it its is are be if whether or and of for to at in on by with now today currently please
    judge judgement judgment verdict check assess assessment evaluate evaluation fair fairly fairness unfair price priced
    pricing level market current right good reasonable trade trading swap order purchase buy buying sale sell selling asset
    token coin give get me us i we my our request report`),
);
const isTask = (text: string): boolean =>
  (text.toLowerCase().match(/[^\s,.!?'"()-]+/g) ?? []).every((word) => taskWords.has(word));

/** "Task: judge the price. Asset: BNB. Side: sell. Size: 15 BNB." as one question. */
function readForm(text: string): Structured | undefined {
  const fields = new Map<string, string>();
  let found = 0;
  const left = text.replace(field, (_, key: string, value: string) => {
    found++;
    fields.set(
      key.toLowerCase().replace('token', 'asset').replace('direction', 'side').replace('amount', 'size'),
      value,
    );
    return '';
  });
  const [asset, side, size = '', task] = ['asset', 'side', 'size', 'task'].map((key) => fields.get(key));
  if (asset === undefined || side === undefined || found !== fields.size || left.trim() !== '') return undefined;
  if (!/^(?:buy|sell)$/i.test(side) || (task !== undefined && !/\b(?:fair\w*|verdict|judge|check)\b/i.test(task)))
    return undefined;
  if (![task, fields.get('request'), fields.get('goal')].every((said = '') => isTask(said))) return undefined;
  // "15 BNB" has the asset; "$500" and "500 USD" are of it.
  if (size === '') return { words: `Is ${asset} fairly priced to ${side}?` };
  const traded = size.toLowerCase().endsWith(asset.toLowerCase()) ? size : `${size} of ${asset}`;
  return { words: `Is it fair to ${side} ${traded}?` };
}
