import type { z } from 'zod';
import type { Tool } from '../../tools/tool.ts';
import type { ToolCall } from '../intent/intents.ts';

/** Renders a tool's output in a sentence or two. It states nothing that is not in the output. */
export type Sentence = (output: Record<string, unknown>, call: ToolCall) => string;

export const say = <Output extends z.ZodType>(
  { name, output }: Tool<z.ZodType, Output>,
  sentence: (output: z.output<Output>, call: ToolCall) => string,
): [string, Sentence] => [name, (value, call) => sentence(output.parse(value), call)];
