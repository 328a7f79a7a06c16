import {
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  ResourceTemplate,
} from '@modelcontextprotocol/server';
import type { CallTool } from '../../tools/call.ts';

export interface ResourceParts {
  readonly call: CallTool;
  /** An evidence document by its hash, or by the 19 bytes that a record has; undefined if there is none. */
  readonly evidence: (hash: string) => Promise<string | undefined>;
}

const mimeType = 'application/json';

/** Resources: lists and records as the tools return them, and evidence as it was hashed. */
export function addResources(server: McpServer, { call, evidence }: ResourceParts): void {
  /** A tool's answer as a resource. Unknown ids and malformed ones are not found. */
  const answered = async (uri: URL, tool: string, input: Record<string, unknown>) => {
    const result = await call(tool, input);
    if (result.ok) return { contents: [{ uri: uri.href, mimeType, text: JSON.stringify(result.value) }] };
    if (/^(unknown|invalid)_/.test(result.code)) throw new ResourceNotFoundError(uri.href);
    throw new ProtocolError(ProtocolErrorCode.InternalError, result.message, { code: result.code });
  };

  for (const { name, title, description, uri, tool } of lists) {
    server.registerResource(name, uri, { title, description, mimeType }, (at) => answered(at, tool, {}));
  }
  for (const { name, title, description, template, tool, input } of records) {
    server.registerResource(name, template, { title, description, mimeType }, (at, { id = '' }) =>
      answered(at, tool, { [input]: String(id) }),
    );
  }
  server.registerResource(
    'evidence',
    evidenceTemplate,
    {
      title: 'Evidence',
      description: 'Everything a verdict follows from, by the keccak256 in its ticket, or its first 19 bytes.',
      mimeType,
    },
    async (at, { hash = '' }) => {
      const isHash = /^0x(?:[0-9a-fA-F]{64}|[0-9a-fA-F]{38})$/.test(String(hash));
      const text = isHash ? await evidence(String(hash)) : undefined;
      if (text === undefined) throw new ResourceNotFoundError(at.href);
      return { contents: [{ uri: at.href, mimeType, text }] };
    },
  );
}

// A template is compiled when it is made: once, not for each request.
const at = (uri: string) => new ResourceTemplate(uri, { list: undefined });
const evidenceTemplate = at('bowline://evidence/{hash}');

const lists = [
  {
    name: 'assets',
    title: 'Assets',
    description: 'The assets that have prices, verdicts and quotes.',
    uri: 'bowline://assets',
    tool: 'list_assets',
  },
  {
    name: 'plans',
    title: 'Newest plans',
    description: 'The newest plans of all owners.',
    uri: 'bowline://plans',
    tool: 'list_plans',
  },
] as const;

const records = [
  {
    name: 'runs',
    title: 'Runs of a plan',
    description: 'The newest records of a plan: runs and deferrals.',
    template: at('bowline://plans/{id}/runs'),
    tool: 'list_runs',
    input: 'plan',
  },
  {
    name: 'plan',
    title: 'Outlook of a plan',
    description: 'When a plan may run next, and what would stop it now.',
    template: at('bowline://plans/{id}'),
    tool: 'plan_outlook',
    input: 'plan',
  },
  {
    name: 'guard',
    title: 'Guard',
    description: 'A loan guard: its loan, and whether it would rescue it now.',
    template: at('bowline://guards/{id}'),
    tool: 'preview_rescue',
    input: 'guard',
  },
] as const;
