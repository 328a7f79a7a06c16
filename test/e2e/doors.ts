import { base64, type Payload } from './signed-payment.ts';

// The doors of the agent that sell a verdict, as plain clients call them: the price must not depend on the door.

export interface Question {
  readonly asset: string;
  readonly usd: number;
}

/** What accompanies a question. A payment given as text is sent as the header, unchanged. */
export interface Paying {
  readonly payment?: Payload | string | undefined;
  readonly idempotencyKey?: string;
  /** Of the HTTP request. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** A door's answer. `word`: the reason or code of a refusal. */
export interface Told {
  readonly isAnswered: boolean;
  readonly word: string;
  readonly text: string;
  /** The answer alone; a repeated answer is equal. */
  readonly answer?: string;
}

type Data = Record<string, unknown>;

export interface Door {
  readonly name: string;
  /** Doors of one kind treat the same question as identical. */
  readonly kind: 'check' | 'words' | 'swap' | 'desk';
  ask(url: string, question: Question, paying?: Paying): Promise<Told>;
}

const owner = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';
const wordsOf = ({ asset, usd }: Question): string => `Is ${asset} fairly priced to buy for ${usd} USD?`;
const checkOf = ({ asset, usd }: Question) => ({ asset, side: 'buy', amount_usd: usd });
const orderOf = (question: Question) => ({ ...checkOf(question), owner });
const deskOf = ({ asset, usd }: Question) => ({ asset, amount_usd: usd, owner });

function headersOf({ payment, idempotencyKey, headers }: Paying, isHttp: boolean): Record<string, string> {
  const header = typeof payment === 'string' ? payment : payment && base64(payment);
  return {
    'content-type': 'application/json',
    ...(isHttp && header !== undefined && { 'payment-signature': header }),
    ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    ...headers,
  };
}

interface Refusal {
  readonly code?: string;
  readonly reason?: string;
}

/** Sends any HTTP request, and reads the answer as this agent gives it. */
export async function http(url: string, init: RequestInit): Promise<Told & { readonly status: number }> {
  const response = await fetch(url, init);
  const text = await response.text();
  const { status } = response;
  if (response.ok) return { status, isAnswered: true, word: '', text, answer: text };
  const { code = '', reason }: Refusal = text === '' ? {} : JSON.parse(text);
  return { status, isAnswered: false, word: reason ?? code, text };
}

const get =
  (pathOf: (question: Question) => string): Door['ask'] =>
  (url, question, paying = {}) =>
    http(url + pathOf(question), { headers: headersOf(paying, true), signal: paying.signal ?? null });

const post =
  (path: string, bodyOf: (question: Question) => object): Door['ask'] =>
  (url, question, paying = {}) => {
    const body = JSON.stringify(bodyOf(question));
    return http(url + path, { method: 'POST', headers: headersOf(paying, true), body, signal: paying.signal ?? null });
  };

/** A JSON-RPC call, whose answer may be the only event of a stream. */
export async function rpc(url: string, call: object, { headers = {}, ...paying }: Paying): Promise<Data> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { ...headersOf(paying, false), accept: 'application/json, text/event-stream', ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...call }),
    signal: paying.signal ?? null,
  });
  const text = await response.text();
  return JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text);
}

/** Inside a message a payment is JSON, whatever its encoding in a header. */
const inside = ({ payment }: Paying): unknown =>
  typeof payment === 'string' ? JSON.parse(Buffer.from(payment, 'base64').toString()) : payment;

const mcp =
  (name: string, inputOf: (question: Question) => object): Door['ask'] =>
  async (url, question, paying = {}) => {
    const { payment, idempotencyKey } = paying;
    const _meta = {
      ...(payment !== undefined && { 'x402/payment': inside(paying) }),
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    };
    const params = { name, arguments: inputOf(question), _meta };
    const told = await rpc(`${url}/mcp`, { method: 'tools/call', params }, paying);
    return toldByMcp(told);
  };

export function toldByMcp({ result, ...rest }: Data): Told {
  const text = JSON.stringify(result ?? rest);
  if (result === undefined) return { isAnswered: false, word: 'rpc_error', text };
  const { isError, structuredContent, content, _meta } = result as {
    isError?: boolean;
    structuredContent?: { error?: string };
    content: { text: string }[];
    _meta?: Record<string, { errorReason?: string } | undefined>;
  };
  if (isError !== true) {
    return { isAnswered: true, word: '', text, answer: JSON.stringify([content, structuredContent]) };
  }
  const refused = _meta?.['x402/payment-response']?.errorReason;
  const said: Refusal = structuredContent === undefined ? JSON.parse(content[0]?.text ?? '{}') : {};
  const { reason, code = 'payment_required' } = said;
  return { isAnswered: false, word: refused ?? reason ?? code, text };
}

export function toldByA2a({ result, ...rest }: Data): Told {
  const text = JSON.stringify(result ?? rest);
  if (result === undefined) return { isAnswered: false, word: 'rpc_error', text };
  const [{ data }] = (result as { parts: [{ data: Data }] }).parts;
  const { code: word = '' } = data as Refusal;
  return word === ''
    ? { isAnswered: true, word, text, answer: JSON.stringify(data) }
    : { isAnswered: false, word, text };
}

/** All doors that sell a verdict. */
export const doors: readonly Door[] = [
  { name: '/x402', kind: 'words', ask: post('/x402', (question) => ({ prompt: wordsOf(question) })) },
  {
    name: '/verdict',
    kind: 'check',
    ask: get(({ asset, usd }) => `/verdict?asset=${asset}&side=buy&amount_usd=${usd}`),
  },
  { name: '/swap-draft', kind: 'swap', ask: post('/swap-draft', orderOf) },
  { name: '/desk-quote', kind: 'desk', ask: post('/desk-quote', deskOf) },
  { name: 'MCP check_asset', kind: 'check', ask: mcp('check_asset', checkOf) },
  { name: 'MCP draft_swap', kind: 'swap', ask: mcp('draft_swap', orderOf) },
];

/** Whether a text shows what must be paid for: a verdict, or anything that the agent signs for a paying caller. */
export const showsVerdict = ({ text }: Told): boolean =>
  /"verdict"|"ticket"|"tickets":\[\{|\bNO_GO\b|\bCAUTION\b|: GO\b/.test(text);
