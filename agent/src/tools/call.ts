import type { Asking } from '@bowline/core/domain/asking';
import {
  BowlineError,
  type Failure,
  failure,
  internalFailure,
  type Result,
  success,
} from '@bowline/core/domain/result';
import type { z } from 'zod';
import type { tools as listed } from './index.ts';
import { readInput } from './read-input.ts';
import { frozen } from './shared.ts';
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
    const read = readInput(tool.input, input);
    if (!read.ok) return read;
    try {
      return success(parsedOf(tool.output, await tool.run(read.value, context, asking)) as OutputOf<Name>);
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
