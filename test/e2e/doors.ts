import { base64, type Payload } from './signed-payment.ts';

// The agent's doors that sell a verdict, each as a plain client speaks to it: what an answer costs must not depend on the door.

export interface Question {
  readonly asset: string;
  readonly usd: number;
}

/** What comes with a question. A text is a header as it is. */
export interface Paying {
  readonly payment?: Payload | string | undefined;
  readonly idempotencyKey?: string;
  /** Of the HTTP request. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** What a door said. `word`: the reason or code by which it did not answer. */
export interface Told {
  readonly isAnswered: boolean;
  readonly word: string;
  readonly text: string;
  /** The answer alone, equal whenever it is given again. */
  readonly answer?: string;
  /** What is owed for paid work that failed. */
  readonly credit?: Data | undefined;
}

type Data = Record<string, unknown>;

export interface Door {
  readonly name: string;
  /** Doors of one kind take the same question for the same. */
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
  readonly credit?: Data;
}

/** Any HTTP request, as this agent answers. */
export async function http(url: string, init: RequestInit): Promise<Told & { readonly status: number }> {
  const response = await fetch(url, init);
  const text = await response.text();
  const { status } = response;
  if (response.ok) return { status, isAnswered: true, word: '', text, answer: text };
  const { code = '', reason, credit }: Refusal = text === '' ? {} : JSON.parse(text);
  return { status, isAnswered: false, word: reason ?? code, text, credit };
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

/** A payment inside of a message is JSON, however a header would write it. */
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
  const { reason, code = 'payment_required', credit } = said;
  return { isAnswered: false, word: refused ?? reason ?? code, text, credit };
}

type Part = Readonly<Record<string, unknown>>;

const a2aSend = async (url: string, parts: readonly Part[], paying: Paying, taskId?: string): Promise<Data> => {
  const { payment, idempotencyKey } = paying;
  const metadata = {
    ...(payment !== undefined && {
      'x402.payment.status': 'payment-submitted',
      'x402.payment.payload': inside(paying),
    }),
    ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
  };
  const ids = { messageId: crypto.randomUUID(), ...(taskId !== undefined && { taskId }) };
  const message = { kind: 'message', role: 'user', ...ids, parts, metadata };
  return rpc(
    `${url}/a2a`,
    { method: 'message/send', params: { message } },
    { headers: paying.headers ?? {}, ...(paying.signal && { signal: paying.signal }) },
  );
};

export function toldByA2a({ result, ...rest }: Data): Told {
  const text = JSON.stringify(result ?? rest);
  if (result === undefined) return { isAnswered: false, word: 'rpc_error', text };
  const { kind, parts, status } = result as {
    kind: string;
    parts?: [{ data: Data }];
    status?: { state: string; message: { parts: [{ data: Data }] } };
  };
  const [{ data }] = status?.message.parts ?? parts ?? [{ data: {} }];
  const { reason, code = '', credit } = data as Refusal;
  const isAnswered = kind === 'message' ? data.code === undefined : status?.state === 'completed';
  if (isAnswered) return { isAnswered, word: '', text, answer: JSON.stringify(data) };
  return { isAnswered, word: reason ?? code, text, credit };
}

const a2a =
  (partOf: (question: Question) => Part): Door['ask'] =>
  async (url, question, paying = {}) =>
    toldByA2a(await a2aSend(url, [partOf(question)], paying));

/** Asks first, and pays in a second message, which need not say the question again. */
const a2aTask: Door['ask'] = async (url, question, paying = {}) => {
  const asked = await a2aSend(url, [{ kind: 'text', text: wordsOf(question) }], {});
  const { kind, id } = (asked.result ?? {}) as { kind?: string; id?: string };
  // Without a task there is nothing to pay for.
  if (paying.payment === undefined || kind !== 'task') return toldByA2a(asked);
  return toldByA2a(await a2aSend(url, [{ kind: 'text', text: 'Here is my payment.' }], paying, id));
};

/** All doors at which a verdict has a price. */
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
  {
    name: 'A2A check_asset',
    kind: 'check',
    ask: a2a((question) => ({ kind: 'data', data: { skill: 'check_asset', ...checkOf(question) } })),
  },
  { name: 'A2A in words', kind: 'words', ask: a2a((question) => ({ kind: 'text', text: wordsOf(question) })) },
  { name: 'A2A by task', kind: 'words', ask: a2aTask },
];

/** Whether a text shows what costs: a verdict, or anything that the agent signs for whoever has paid. */
export const showsVerdict = ({ text }: Told): boolean =>
  /"verdict"|"ticket"|"tickets":\[\{|\bNO_GO\b|\bCAUTION\b|: GO\b/.test(text);
