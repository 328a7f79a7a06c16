import { isDeepStrictEqual } from 'node:util';
import { type Answer, ask, good, must, type Promised, post, type World } from './promise.ts';

// One price: what is priced at /x402 costs the same at /verdict, MCP and A2A, and what is free is free everywhere.

const prompt = 'Is BTCB fairly priced?';
const check = { asset: 'BTCB', side: 'buy', amount_usd: 100 };

/** What a door asks for a verdict (x402 v2), A2A on behalf of HTTP; undefined: it has given the verdict. */
type Asked = { readonly x402Version?: number; readonly accepts?: readonly Terms[] } | undefined;

interface Terms {
  readonly network?: string;
  readonly asset?: string;
  readonly amount?: string;
  readonly payTo?: string;
}

const doors: Readonly<Record<string, (agentUrl: string) => Promise<Asked>>> = {
  '/x402': async (url) => ofHttp(await post(`${url}/x402`, { prompt }), ({ tickets }) => Array.isArray(tickets)),
  '/verdict': async (url) =>
    ofHttp(
      await ask(`${url}/verdict?asset=${check.asset}&side=${check.side}&amount_usd=${check.amount_usd}`),
      ({ verdict }) => typeof verdict === 'string',
    ),
  async MCP(url) {
    const call = { method: 'tools/call', params: { name: 'check_asset', arguments: check } };
    const { isError, structuredContent } = await rpc(`${url}/mcp`, call);
    if (isError === true) return structuredContent;
    must(structuredContent?.verdict, 'MCP gives no verdict');
    return undefined;
  },
  async A2A(url) {
    const message = { kind: 'message', messageId: '1', role: 'user', parts: [{ kind: 'text', text: prompt }] };
    const { parts } = await rpc(`${url}/a2a`, { method: 'message/send', params: { message } });
    const { result, required } = parts?.[0]?.data ?? {};
    if (required !== undefined) return required;
    must(result, 'A2A gives no answer');
    return undefined;
  },
};

function ofHttp(answer: Answer, isVerdict: (json: Answer['json']) => boolean): Asked {
  if (answer.status === 402) {
    return JSON.parse(Buffer.from(answer.headers.get('payment-required') ?? '', 'base64').toString() || '{}');
  }
  must(isVerdict(good(answer)), 'gives no verdict');
  return undefined;
}

/** The result of a JSON-RPC call, which may come as the only event of a stream. */
async function rpc(url: string, call: object): Promise<Answer['json']> {
  const headers = { accept: 'application/json, text/event-stream' };
  const { status, text } = await post(url, { jsonrpc: '2.0', id: 1, ...call }, headers);
  const { result } = JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? (text || '{}'));
  must(result !== undefined, `${new URL(url).pathname} answers ${status} without a result`);
  return result;
}

export const pricePromise: Promised = {
  that: 'one price: a verdict costs the same at /x402, /verdict, MCP and A2A, or is free at each of them',
  async keep({ agentUrl, priceUsd }: World) {
    const asked: (readonly [door: string, asked: Asked])[] = [];
    for (const [door, look] of Object.entries(doors)) asked.push([door, await look(agentUrl)]);
    if (priceUsd === 0) {
      const priced = asked.filter(([, each]) => each !== undefined).map(([door]) => door);
      must(priced.length === 0, `asks for a payment at ${priced.join(', ')}, and the price is 0`);
      return `free at ${asked.length} doors`;
    }
    const free = asked.filter(([, each]) => each?.x402Version !== 2 || !each.accepts?.length).map(([door]) => door);
    must(free.length === 0, `asks for no payment at ${free.join(', ')}, and the price is ${priceUsd} USD`);
    const [[, first] = []] = asked;
    const other = asked.filter(([, each]) => !isDeepStrictEqual(each?.accepts, first?.accepts)).map(([door]) => door);
    must(other.length === 0, `asks for something else at ${other.join(', ')} than at /x402`);
    const { payment } = good(await ask(`${agentUrl}/x402`));
    const said = [payment?.network, payment?.asset, payment?.amount, payment?.pay_to];
    const [terms] = first?.accepts ?? [];
    must(
      isDeepStrictEqual(said, [terms?.network, terms?.asset, terms?.amount, terms?.payTo]),
      'asks for something else than GET /x402 tells',
    );
    return `${priceUsd} USD at ${asked.length} doors, in ${first?.accepts?.length} tokens`;
  },
};
