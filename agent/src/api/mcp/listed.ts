import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { isJson } from '../../tools/read-input.ts';
import type { Tool } from '../../tools/tool.ts';

/** A tool as `tools/list` shows it: its JSON schemas are made once and shared by all servers. */
export function listedOf({ name, title, description, input, output, brief }: Tool) {
  return {
    name,
    title,
    description,
    inputSchema: unparsed(input, () => listedInput({ input })),
    outputSchema: unparsed(brief?.output ?? output, (schema) => named(whole(schema, 'output'), input)),
    // Drafts are unsigned bytes, so they change nothing either.
    annotations: { readOnlyHint: true },
  };
}

/**
 * The same for a tool that may ask for a payment first. Its schema requires no field: clients of the 2025 revisions
 * validate even errors against it, and would discard payment terms, which are structured content but no answer.
 */
export function listedWithPrice(tool: Tool) {
  const output = (schema: z.ZodType) => requiringNothing(named(whole(schema, 'output'), tool.input));
  return { ...listedOf(tool), outputSchema: unparsed(tool.brief?.output ?? tool.output, output) };
}

/** The fields keep their names, which tell a model what to expect. */
function requiringNothing({ required, properties, ...schema }: Json): Json {
  const names = Array.isArray(required) ? required.map((name) => [name, {}]) : [];
  return { ...schema, properties: { ...(isJson(properties) && properties), ...Object.fromEntries(names) } };
}

/**
 * A schema for listings only: `callTool` does the parsing, and parsing twice would parse values that are already
 * transformed.
 */
function unparsed(schema: z.ZodType, shown: (schema: z.ZodType) => Json): StandardSchemaWithJSON {
  const json = shown(schema);
  const given = () => json;
  return {
    '~standard': {
      version: 1,
      vendor: 'zod',
      validate: (value) => ({ value }),
      jsonSchema: { input: given, output: given },
    },
  };
}

type Json = Record<string, unknown>;

/** The JSON schema of a tool's input: one scalar type per field. */
export const listedInput = ({ input }: Pick<Tool, 'input'>): Json => whole(input, 'input');

const whole = (schema: z.ZodType, io: 'input' | 'output'): Json =>
  short(z.toJSONSchema(schema, { target: 'draft-2020-12', io })) as Json;

/** Longer enums, such as all verdict reasons, cost a model more than they help. */
const MAX_WORDS = 12;

/** The schema without what does not help a model: patterns, lengths, bounds. It accepts a superset. */
function short(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(short);
  if (!isJson(schema)) return schema;
  const kept = Object.entries(schema)
    .filter(([key, value]) => !isSpared(key, value))
    .map(([key, value]) => [key, isJson(value) || key === 'anyOf' ? short(value) : value]);
  return first(Object.fromEntries(kept));
}

const sparedText = [
  '$schema',
  'pattern',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'propertyNames',
  'format',
];
const isSpared = (key: string, value: unknown): boolean =>
  (sparedText.includes(key) && !(isJson(value) && 'type' in value && key !== 'propertyNames')) ||
  (key === 'additionalProperties' && value === false) ||
  (key === 'enum' && Array.isArray(value) && value.length > MAX_WORDS);

/** The first type of a union: some clients refuse a field with several types, and the tools also read numbers from text. */
const first = ({ anyOf, ...rest }: Json): Json => (Array.isArray(anyOf) ? { ...(anyOf[0] as Json), ...rest } : rest);

/**
 * An output schema in which only fields that need a description have schemas. `required` names the others, and those
 * that the input already explains. Nested fields are described in their field's text, a line instead of a tree.
 */
function named({ properties, required }: Json, input: z.ZodType): Json {
  const { properties: told } = listedInput({ input });
  const fields = Object.entries(isJson(properties) ? properties : {}).flatMap(([name, field]) => {
    const description = isJson(field) && !(isJson(told) && name in told) ? wordsOf(field) : '';
    return description === '' ? [] : [[name, { description }]];
  });
  const described = fields.map(([name]) => name);
  const names = (Array.isArray(required) ? required : []).filter((name) => !described.includes(name));
  return { type: 'object', properties: Object.fromEntries(fields), ...(names.length > 0 && { required: names }) };
}

/** Longer lists of words explain themselves where they appear. */
const MAX_NAMED = 4;
/** Characters that explain a field within a field. */
const MAX_INNER = 20;

/** "Why. {symbol, fee_millionths (pool fee)}" */
function wordsOf({ description, items, properties, enum: words }: Json): string {
  const fields = isJson(properties)
    ? Object.entries(properties).map(([name, field]) => {
        const inner = isJson(field) ? wordsOf(field).replace(/\.$/, '') : '';
        return inner === '' || inner.length > MAX_INNER ? name : `${name} (${inner})`;
      })
    : [];
  return [
    description,
    Array.isArray(words) && words.length <= MAX_NAMED && `${words.filter((word) => word !== null).join(', ')}.`,
    fields.length > 0 && `{${fields.join(', ')}}`,
    isJson(items) && wordsOf(items),
  ]
    .filter((part) => typeof part === 'string' && part !== '')
    .join(' ');
}
