import { type FailureCode, failure, type Result, success } from '@bowline/core/domain/result';
import { isOfAddress } from '@bowline/core/schemas';
import { z } from 'zod';

type Json = Record<string, unknown>;

/**
 * Reads a caller's input, at any API. Accepts any unambiguous way of writing a value. A failure names every mistake at
 * once, the inputs there are, and the corrected call.
 */
export function readInput<Schema extends z.ZodType>(schema: Schema, given: unknown): Result<z.output<Schema>> {
  const input = isJson(given) ? forgiven(given, shapeOf(schema)) : (given ?? {});
  const { data, error } = schema.safeParse(input, { error: wordsOf });
  return error === undefined ? success(data) : failure(inputCode(error), refusalOf(schema, input, error));
}

/** The missing fields for which an input is refused; none if it is also refused for another reason. */
export function lackingIn(schema: z.ZodType, given: Json): string[] {
  const input = forgiven(given, shapeOf(schema));
  const fields = schema.safeParse(input).error?.issues.map(({ path }) => String(path[0] ?? '')) ?? [];
  return fields.every((field) => field !== '' && input[field] === undefined) ? [...new Set(fields)] : [];
}

export const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

interface Field {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  /** The only allowed value. */
  readonly const?: unknown;
  readonly description?: string;
}

interface Shape {
  readonly fields: Readonly<Record<string, Field>>;
  readonly required: readonly string[];
}

const shapes = new WeakMap<z.ZodType, Shape>();

/** The fields of an input by its JSON schema; cached. */
function shapeOf(schema: z.ZodType): Shape {
  const known = shapes.get(schema);
  if (known !== undefined) return known;
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  const shape = { fields: properties as Shape['fields'], required };
  shapes.set(schema, shape);
  return shape;
}

/** The same input with each value in its field's type. Ambiguous values stay as they are and are refused. */
function forgiven(given: Json, { fields, required }: Shape): Json {
  const read = Object.entries(given).map(([name, value]) => [name, asField(value, name, fields[name])] as const);
  // Many clients send every field, with null for those they leave out.
  return Object.fromEntries(read.filter(([name, value]) => required.includes(name) || value !== null));
}

function asField(value: unknown, name: string, field: Field = {}): unknown {
  if (field.type === 'string' && typeof value === 'number') return String(value);
  if (typeof value !== 'string') return value;
  const text = plain(value.trim());
  if (field.enum !== undefined) return field.enum.find((each) => each === text.toLowerCase()) ?? text;
  if (field.type === 'string') return text;
  const [, percent] = name.endsWith('_bps') ? (/^(\d{1,3}(?:\.\d{1,2})?) ?%$/.exec(text) ?? []) : [];
  if (percent !== undefined) return Math.round(Number(percent) * 100);
  if (field.type === 'integer' && /^\d{1,15}$/.test(text)) return Number(text);
  if (field.type === 'boolean' && /^(true|false)$/i.test(text)) return text.toLowerCase() === 'true';
  return value;
}

/** "#1" and "guard 1" are 1; an amount is without its groups. */
const plain = (text: string): string =>
  /^(?:(?:plan|guard) *#?|#) *(\d{1,20})$/i.exec(text)?.[1] ?? programsAmount(text);

/** Every mistake, and the corrected call. */
function refusalOf(schema: z.ZodType, input: unknown, error: z.ZodError): string {
  if (!isJson(input)) return `The input ${error.issues[0]?.message}.`;
  const right = JSON.stringify(corrected(schema, shapeOf(schema), input, error.issues));
  return right === '{}' ? mistakesOf(schema, error) : `${mistakesOf(schema, error)} Send ${right}.`;
}

/** A sentence for each mistake, with the valid inputs if one was unknown. */
export function mistakesOf(schema: z.ZodType, { issues }: z.ZodError): string {
  const told = issues.map((issue) =>
    issue.code === 'unrecognized_keys'
      ? `There is no input ${issue.keys.map((key) => `"${key}"`).join(' or ')}; ${validOf(shapeOf(schema))}.`
      : `${issue.path.join('.') || 'The input'} ${issue.message}.`,
  );
  return [...new Set(told)].join(' ');
}

const validOf = ({ fields }: Shape): string => {
  const names = Object.keys(fields);
  return names.length === 0 ? 'this tool takes none' : `valid inputs are: ${names.join(', ')}`;
};

/** Right values stay, values under another name move, and missing ones are described. Nothing is invented. */
function corrected(
  schema: z.ZodType,
  { fields, required }: Shape,
  input: Json,
  issues: readonly z.core.$ZodIssue[],
): Json {
  const wrong = new Set(issues.flatMap(({ path: [name] }) => (name === undefined ? [] : [String(name)])));
  const known = Object.keys(fields).filter((name) => name in input || required.includes(name) || wrong.has(name));
  const strangers = Object.entries(input).filter(([name]) => !(name in fields));
  const right: Json = {};
  for (const name of [...known, ...Object.keys(fields).filter((each) => !known.includes(each))]) {
    if (name in input && !wrong.has(name)) {
      right[name] = input[name];
      continue;
    }
    const at = strangers.findIndex(([other, value]) => isMeant(other, name, required) && takes(schema, name, value));
    const [moved] = at < 0 ? [] : strangers.splice(at, 1);
    if (moved !== undefined) right[name] = asField(moved[1], name, fields[name]);
    else if (required.includes(name) || (wrong.has(name) && input[name] !== ''))
      right[name] = placeholder(name, fields[name]);
  }
  return right;
}

/** An unknown name may mean any required field, or an optional one that shares its name: `guard_id`, `amount`. */
const isMeant = (stranger: string, name: string, required: readonly string[]): boolean =>
  required.includes(name) || stranger.includes(name) || name.includes(stranger);

/** Whether a field accepts that value. */
function takes(schema: z.ZodType, name: string, value: unknown): boolean {
  const { fields } = shapeOf(schema);
  const tried = schema.safeParse({ [name]: asField(value, name, fields[name]) });
  return !tried.error?.issues.some(({ path }) => path[0] === name);
}

function placeholder(name: string, { enum: words, const: only, description, type }: Field = {}): unknown {
  if (only !== undefined) return only;
  const told = words?.join(' or ') ?? description?.replace(/\.$/, '') ?? (type === 'integer' ? 'whole number' : name);
  return `<${told}>`;
}

// zod's own messages ("Invalid input: expected string, received undefined") describe its types. Callers need to know
// what is accepted.

/** Words after the input's name, for an issue without a message of its own in the schema. */
export function wordsOf(issue: z.core.$ZodRawIssue): string {
  if (issue.input === undefined) return 'is required';
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${kinds[issue.expected] ?? 'of another kind'}`;
    case 'invalid_value':
      return `must be ${issue.values.length === 1 ? '' : 'one of '}${issue.values.join(', ')}`;
    case 'too_small':
      return `must be ${bound(issue.origin, issue.inclusive ? 'at least' : 'above', issue.minimum)}`;
    case 'too_big':
      return `must be ${bound(issue.origin, issue.inclusive ? 'at most' : 'below', issue.maximum)}`;
    default:
      return 'does not match the format in its description';
  }
}

/** Inputs with an error code of their own, in any tool. Addresses have theirs already. */
const codes: Readonly<Record<string, FailureCode>> = {
  side: 'invalid_side',
  amount_usd: 'invalid_amount',
  amount_asset: 'invalid_amount',
};

/** Code of the first mistake. */
export const inputCode = (error: z.ZodError): FailureCode =>
  isOfAddress(error) ? 'invalid_address' : (codes[String(error.issues[0]?.path[0])] ?? 'invalid_input');

const kinds: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
};

function bound(origin: string, words: string, limit: number | bigint): string {
  if (origin !== 'string') return `${words} ${limit}`;
  return `${words} ${limit} ${limit === 1 ? 'character' : 'characters'} long`;
}

/** A program's amount without separators. Its decimal sign is a point: 1,250 is a thousand; 1,25 is refused. */
export function programsAmount(text: string): string {
  const [, amount] = /^\$? *(\d{1,3}(?:([,_' ])\d{3}(?:\2\d{3})*)?(?:\.\d+)?|\d+(?:\.\d+)?)$/.exec(text) ?? [];
  return amount?.replace(/[,_' ]/g, '') ?? text;
}
