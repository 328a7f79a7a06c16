import {
  acceptedContent,
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  createRequestStateCodec,
  type InputRequest,
  inputRequired,
  inputResponse,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';

// The suite's tools that ask the client for input first. Ours never do, so these are registered with the SDK.

const states = createRequestStateCodec<string>({ key: new Uint8Array(32).fill(7) });
export const requestState = { verify: states.verify };

const name = z.object({ name: z.string() });
const asksName = (message: string) => inputRequired.elicit({ message, requestedSchema: name });
const asksModel = (text: string) =>
  inputRequired.createMessage({ messages: [{ role: 'user', content: { type: 'text', text } }], maxTokens: 100 });

const said = (text: string) => ({ content: [{ type: 'text' as const, text }] });
const asks = (inputRequests: Record<string, InputRequest>, state?: string) =>
  inputRequired({ inputRequests, ...(state !== undefined && { requestState: state }) });
const nameIn = ({ mcpReq }: ServerContext, key: string) => acceptedContent(mcpReq.inputResponses, key, name)?.name;
const has = ({ mcpReq }: ServerContext, key: string) => inputResponse(mcpReq.inputResponses, key).kind !== 'missing';

type Answer = ReturnType<typeof said> | ReturnType<typeof inputRequired>;

const ok = z.object({ ok: z.boolean() });
const color = z.object({ color: z.string() });

const tools: Readonly<Record<string, (context: ServerContext) => Promise<Answer>>> = {
  async test_input_required_result_elicitation(context) {
    const given = nameIn(context, 'user_name');
    return given === undefined ? asks({ user_name: asksName('What is your name?') }) : said(`Hello, ${given}!`);
  },
  async test_input_required_result_sampling({ mcpReq }) {
    const answer = inputResponse(mcpReq.inputResponses, 'capital_question');
    if (answer.kind !== 'sampling') return asks({ capital_question: asksModel('What is the capital of France?') });
    return said(JSON.stringify(answer.result.content));
  },
  async test_input_required_result_list_roots({ mcpReq }) {
    const answer = inputResponse(mcpReq.inputResponses, 'client_roots');
    if (answer.kind !== 'roots') return asks({ client_roots: inputRequired.listRoots() });
    return said(answer.roots.map(({ uri }) => uri).join(', '));
  },
  async test_input_required_result_request_state({ mcpReq }) {
    const given = acceptedContent(mcpReq.inputResponses, 'confirm', ok);
    if (given !== undefined && mcpReq.requestState<string>() === 'confirming') return said('state-ok');
    const confirm = inputRequired.elicit({ message: 'Please confirm', requestedSchema: ok });
    return asks({ confirm }, await states.mint('confirming'));
  },
  async test_input_required_result_multiple_inputs(context) {
    const keys = ['user_name', 'greeting', 'client_roots'];
    if (keys.every((key) => has(context, key)) && context.mcpReq.requestState<string>() === 'all') return said('All.');
    const user_name = asksName('What is your name?');
    const greeting = asksModel('Generate a greeting');
    return asks({ user_name, greeting, client_roots: inputRequired.listRoots() }, await states.mint('all'));
  },
  async test_input_required_result_multi_round(context) {
    const state = context.mcpReq.requestState<string>();
    const chosen = acceptedContent(context.mcpReq.inputResponses, 'step2', color);
    if (state === 'second' && chosen !== undefined) return said(`You like ${chosen.color}.`);
    if (state === 'first' && has(context, 'step1')) {
      const step2 = inputRequired.elicit({ message: 'Step 2: What is your favorite color?', requestedSchema: color });
      return asks({ step2 }, await states.mint('second'));
    }
    return asks({ step1: asksName('Step 1: What is your name?') }, await states.mint('first'));
  },
  async test_input_required_result_tampered_state(context) {
    if (context.mcpReq.requestState<string>() === 'untouched') return said('The state is ours.');
    const confirm = inputRequired.elicit({ message: 'Please confirm', requestedSchema: ok });
    return asks({ confirm }, await states.mint('untouched'));
  },
  async test_input_required_result_capabilities({ mcpReq }) {
    // The SDK's type of the envelope has no keys.
    const envelope: Readonly<Record<string, ClientCapabilities>> = mcpReq.envelope ?? {};
    const { sampling, elicitation } = envelope[CLIENT_CAPABILITIES_META_KEY] ?? {};
    return asks({
      ...(sampling && { asked: asksModel('What is the capital of France?') }),
      ...(elicitation && { user_name: asksName('What is your name?') }),
    });
  },
  // The SDK rejects this call for a client that cannot sample.
  async test_missing_capability() {
    return asks({ asked: asksModel('What is the capital of France?') });
  },
};

export function addAskingTools(server: McpServer): void {
  for (const [tool, answer] of Object.entries(tools)) {
    const shown = { description: 'A tool of the conformance suite that asks back.', inputSchema: z.object({}) };
    server.registerTool(tool, shown, (_input, context) => answer(context));
  }
  const context = z.object({ context: z.string() });
  server.registerPrompt('test_input_required_result_prompt', { description: 'Asks back.' }, ({ mcpReq }) => {
    const given = acceptedContent(mcpReq.inputResponses, 'user_context', context);
    const message = 'What context should the prompt use?';
    if (given === undefined) return asks({ user_context: inputRequired.elicit({ message, requestedSchema: context }) });
    return { messages: [{ role: 'user', content: { type: 'text', text: given.context } }] };
  });
}
