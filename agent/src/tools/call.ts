import { BowlineError, failure, type Result, success } from '@bowline/core/domain/result';
import { inputCode, inputError, wordsOf } from './input-error.ts';
import type { Tool, ToolContext } from './tool.ts';

export type CallTool = (name: string, input: unknown) => Promise<Result<Record<string, unknown>>>;

/**
 * The one door to the tools: parses what comes in, runs the tool, parses what goes out. Nothing of a third party's error
 * text passes; `onInternal` is told of errors that nobody expected.
 */
export function callTool(tools: readonly Tool[], context: ToolContext, onInternal: (error: unknown) => void): CallTool {
  return async (name, input) => {
    const tool = tools.find((candidate) => candidate.name === name);
    if (tool === undefined) return failure('unknown_tool', `There is no tool "${name}".`);
    const parsed = tool.input.safeParse(input ?? {}, { error: wordsOf });
    if (!parsed.success) return failure(inputCode(parsed.error), inputError(tool.input, parsed.error));
    try {
      return success(tool.output.parse(await tool.run(parsed.data, context)) as Record<string, unknown>);
    } catch (error) {
      if (error instanceof BowlineError) return failure(error.code, error.message, error.retryable);
      onInternal(error);
      return failure('internal', 'Something went wrong here. The error has been logged.', true);
    }
  };
}
