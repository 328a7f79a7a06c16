import type { Asking } from '@bowline/core/domain/asking';
import { frozen } from '@bowline/core/domain/frozen';
import {
  BowlineError,
  type Failure,
  type FailureCode,
  failure,
  internalFailure,
  type Result,
  success,
} from '@bowline/core/domain/result';
import { isOfAddress } from '@bowline/core/schemas';
import { z } from 'zod';
import type { tools as listed } from './index.ts';
import type { Tool, ToolContext } from './tool.ts';

type Listed = (typeof listed)[number];

/** Output type of the tool with that name; an object if the name is known only at run time. */
type OutputOf<Name extends string> = string extends Name
  ? Record<string, unknown>
  : z.output<Extract<Listed, { readonly name: Name }>['output']>;

export type CallTool = <Name extends string>(
  name: Name,
  input: unknown,
  asking?: Asking,
) => Promise<Result<OutputOf<Name>>>;

/**
 * The only entry to the tools: parses the input, runs the tool, parses the output. Third-party error texts never pass;
 * `onInternal` receives unexpected errors.
 */
export function callTool(tools: readonly Tool[], context: ToolContext, onInternal: (error: unknown) => void): CallTool {
  const parsedOf = createParsing();
  return async <Name extends string>(name: Name, input: unknown, asking: Asking = {}) => {
    const tool = tools.find((candidate) => candidate.name === name);
    if (tool === undefined) return failure('unknown_tool', `There is no tool "${name}".`);
    const parsed = tool.input.safeParse(input ?? {}, { error: wordsOf });
    if (!parsed.success) return failure(inputCode(parsed.error), inputError(tool.input, parsed.error));
    try {
      return success(parsedOf(tool.output, await tool.run(parsed.data, context, asking)) as OutputOf<Name>);
    } catch (error) {
      return failureOf(error, onInternal);
    }
  };
}

/**
 * Parses outputs. One that its tool has frozen may be given to many callers: it is parsed once, and all of them get the same
 * frozen object.
 */
function createParsing(): (schema: z.ZodType, output: unknown) => unknown {
  const parsed = new WeakMap<object, unknown>();
  return (schema, output) => {
    if (typeof output !== 'object' || output === null || !Object.isFrozen(output)) return schema.parse(output);
    if (!parsed.has(output)) parsed.set(output, frozen(schema.parse(output)));
    return parsed.get(output);
  };
}

/** The failure that callers see: our own error's, or `internal` for any other, which only `onInternal` sees. */
export function failureOf(error: unknown, onInternal: (error: unknown) => void): Failure {
  if (error instanceof BowlineError) return failure(error.code, error.message, error.retryable);
  onInternal(error);
  return internalFailure;
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
    case 'invalid_union':
      return wordsOfUnion(issue.errors);
    default:
      return 'does not match the format in its description';
  }
}

/** Inputs with a code of their own, in any tool; an address says its own. */
const codes: Readonly<Record<string, FailureCode>> = {
  side: 'invalid_side',
  amount_usd: 'invalid_amount',
  amount_asset: 'invalid_amount',
};

/** Code of the first issue with a tool's input. */
export const inputCode = (error: z.ZodError): FailureCode =>
  isOfAddress(error) ? 'invalid_address' : (codes[String(error.issues[0]?.path[0])] ?? 'invalid_input');

/** One sentence about the first issue with a tool's input. */
export function inputError(schema: z.ZodType, { issues: [issue] }: z.ZodError): string {
  if (issue?.code === 'unrecognized_keys') {
    const named = Object.keys(schema instanceof z.ZodObject ? schema.shape : {});
    const there = named.length === 0 ? 'this tool takes none' : `valid inputs are: ${named.join(', ')}`;
    return `There is no input "${issue.keys[0]}"; ${there}.`;
  }
  return `${issue?.path.join('.') || 'The input'} ${issue?.message}.`;
}

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

/** The issue of the union member that was meant; otherwise all of them. */
function wordsOfUnion(ways: readonly (readonly z.core.$ZodIssue[])[]): string {
  const firsts = ways.flatMap(([first]) => first ?? []);
  const meant = firsts.find(({ code, path }) => code !== 'invalid_type' || path.length > 0);
  const messages = [...new Set(firsts.map(({ message }) => message))];
  return meant?.message ?? `must be ${messages.map((each) => each.replace(/^must be /, '')).join(' or ')}`;
}
