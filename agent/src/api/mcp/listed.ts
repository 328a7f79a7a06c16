import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Tool } from '../../tools/tool.ts';

/** A tool as `tools/list` shows it: its JSON schemas are made once and shared by all servers. */
export interface Listed {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: StandardSchemaWithJSON;
  readonly outputSchema: StandardSchemaWithJSON;
  readonly annotations: {
    readonly readOnlyHint: true;
    readonly destructiveHint: false;
    readonly idempotentHint: true;
    readonly openWorldHint: true;
  };
}

export function listedOf({ name, title, description, input, output }: Tool): Listed {
  return {
    name,
    title,
    description,
    inputSchema: unparsed(input, 'input'),
    outputSchema: unparsed(output, 'output'),
    // Drafts are unsigned bytes, so they change nothing either.
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  };
}

/**
 * A schema for listings only: `callTool` does the parsing, and parsing twice would parse values that are already
 * transformed.
 */
function unparsed(schema: z.ZodType, io: 'input' | 'output'): StandardSchemaWithJSON {
  const json = z.toJSONSchema(schema, { target: 'draft-2020-12', io }) as Record<string, unknown>;
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
