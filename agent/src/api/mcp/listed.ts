import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Tool } from '../../tools/tool.ts';

/** A tool as `tools/list` shows it: its JSON schemas are made once and shared by all servers. */
export function listedOf({ name, title, description, input, output, brief }: Tool) {
  return {
    name,
    title,
    description,
    inputSchema: unparsed(input, 'input'),
    outputSchema: unparsed(brief?.output ?? output, 'output'),
    // Drafts are unsigned bytes, so they change nothing either.
    annotations: { readOnlyHint: true, destructiveHint: false },
  };
}

/**
 * A schema for listings only: `callTool` does the parsing, and parsing twice would parse values that are already
 * transformed.
 */
function unparsed(schema: z.ZodType, io: 'input' | 'output'): StandardSchemaWithJSON {
  const whole = short(z.toJSONSchema(schema, { target: 'draft-2020-12', io })) as Json;
  const json = io === 'input' ? whole : named(whole);
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

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);
/** Longer lists of words, such as all reasons of verdicts, cost a model more than they tell. */
const MAX_WORDS = 12;

/** The schema without what tells a model nothing: patterns, lengths, bounds of safe integers. It accepts the same and more. */
function short(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(short);
  if (!isJson(schema)) return schema;
  const kept = Object.entries(schema)
    .filter(([key, value]) => !isSpared(key, value))
    .map(([key, value]) => [key, isJson(value) || key === 'anyOf' ? short(value) : value]);
  return orNull(Object.fromEntries(kept));
}

const sparedText = ['$schema', 'pattern', 'minLength', 'maxLength', 'propertyNames', 'format'];
const isSpared = (key: string, value: unknown): boolean =>
  (sparedText.includes(key) && !(isJson(value) && 'type' in value && key !== 'propertyNames')) ||
  (key === 'additionalProperties' && value === false) ||
  (key === 'enum' && Array.isArray(value) && value.length > MAX_WORDS) ||
  ((key === 'minimum' || key === 'maximum') && Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER);

/** `{anyOf: [{type}, {type: 'null'}]}` as `{type: [type, 'null']}`. */
function orNull(schema: Json): Json {
  const { anyOf, ...rest } = schema;
  if (!Array.isArray(anyOf) || anyOf.length !== 2 || anyOf[1]?.type !== 'null') return schema;
  const { type, enum: words, ...other } = anyOf[0];
  if (typeof type !== 'string') return schema;
  return { type: [type, 'null'], ...(words && { enum: [...words, null] }), ...other, ...rest };
}

/**
 * An output in which only the fields that need words have schemas; `required` names the others. What is within a field is told in
 * its words, a line instead of a tree.
 */
function named({ properties, required }: Json): Json {
  const fields = Object.entries(isJson(properties) ? properties : {}).flatMap(([name, field]) => {
    const description = isJson(field) ? wordsOf(field) : '';
    return description === '' ? [] : [[name, { description }]];
  });
  const told = fields.map(([name]) => name);
  const names = (Array.isArray(required) ? required : []).filter((name) => !told.includes(name));
  return { type: 'object', properties: Object.fromEntries(fields), ...(names.length > 0 && { required: names }) };
}

/** Longer lists of words explain themselves where they are met. */
const MAX_NAMED = 4;

/** "Why. Fields: symbol, fee_millionths (pool fee)." */
function wordsOf({ description, items, properties, enum: words }: Json): string {
  const fields = isJson(properties)
    ? Object.entries(properties).map(([name, field]) => {
        const inner = isJson(field) ? wordsOf(field).replace(/\.$/, '') : '';
        return inner === '' ? name : `${name} (${inner})`;
      })
    : [];
  return [
    description,
    Array.isArray(words) && words.length <= MAX_NAMED && ` ${words.filter((word) => word !== null).join(', ')}.`,
    fields.length > 0 && `Fields: ${fields.join(', ')}.`,
    isJson(items) && wordsOf(items),
  ]
    .filter((part) => typeof part === 'string' && part !== '')
    .join(' ');
}
