import { setTimeout as sleep } from 'node:timers/promises';
import { type Hex, keccak256, toHex } from 'viem';
import type { Answer, Call, Exchange, Treatment } from './line.ts';

// Faults on the line to a node or a bundler, as real ones show them.

const isMethod = (method: string) => (call: Call) => call.method === method;
const isSend = isMethod('eth_sendRawTransaction');

/** Changes the answers that the node gave. */
const telling =
  (change: (answer: Answer, call: Call) => Answer): Treatment =>
  async ({ calls, pass, reply, send }) => {
    const answers = await pass();
    send(
      reply(
        answers.map((answer) => {
          const call = calls.find(({ id }) => id === answer.id);
          return call === undefined ? answer : change(answer, call);
        }),
      ),
    );
  };

/** Answers calls of one method without asking the node, and passes the others. */
const instead =
  (method: string, answer: (call: Call, exchange: Exchange) => void): Treatment =>
  async (exchange) => {
    const call = exchange.calls.find(isMethod(method));
    if (call !== undefined) return answer(call, exchange);
    exchange.send(exchange.reply(await exchange.pass()));
  };

const refusing = (method: string, code: number, message: string): Treatment =>
  instead(method, ({ id }, { send, reply }) => send(reply([errorOf(id, code, message)])));

const errorOf = (id: number, code: number, message: string): Answer =>
  ({ jsonrpc: '2.0', id, error: { code, message } }) as Answer;
const resultOf = (id: number, result: unknown): Answer => ({ jsonrpc: '2.0', id, result }) as Answer;

/** Some of the requests, spread evenly: the same in every run. */
const oneIn =
  (count: number, treatment: Treatment): Treatment =>
  (exchange) => {
    asked += 1;
    return asked % count === 0 ? treatment(exchange) : healthy(exchange);
  };
let asked = 0;
const healthy: Treatment = async ({ send, reply, pass }) => send(reply(await pass()));

const cut: Treatment = ({ cut }) => cut();
const hang: Treatment = async ({ over, cut }) => {
  await over;
  cut();
};
const status =
  (code: number, text: string): Treatment =>
  ({ send }) =>
    send(text, code);
const page = (title: string) => `<html><head><title>${title}</title></head><body>${title}</body></html>`;

/** The receipt of a transaction that the node says has failed. */
const failed = (result: unknown): unknown =>
  result === null ? null : { ...(result as object), status: '0x0', logs: [], logsBloom: toHex(0, { size: 256 }) };

/** The node knows no newer block than this one, and answers requests for the newest block from it. */
const rewinding =
  (of: (head: bigint) => bigint): Treatment =>
  async ({ calls, ask, pass, reply, send }) => {
    const tag = toHex(of(BigInt((await ask('eth_blockNumber', [])) as Hex)));
    for (const call of calls) call.params = call.params.map((each) => (each === 'latest' ? tag : each));
    const answers = await pass();
    send(
      reply(
        answers.map((answer) => {
          const isHead = calls.some(({ id, method }) => id === answer.id && method === 'eth_blockNumber');
          return isHead ? { ...answer, result: tag } : answer;
        }),
      ),
    );
  };

function frozen(): Treatment {
  let at: bigint | undefined;
  return rewinding((head) => {
    at ??= head;
    return at;
  });
}

/** Faults of the node. Each makes a treatment for one occurrence. */
export const nodeFaults = {
  refused: () => cut,
  silent: () => hang,
  empty: () => status(200, ''),
  bad_gateway: () => status(502, page('502 Bad Gateway')),
  server_error: () => status(500, '{"error":"internal"}'),
  too_many: () => status(429, '{"error":"rate limit"}'),
  /** The connection ends in the middle of an answer. */
  short: () => async (exchange) => exchange.part(exchange.reply(await exchange.pass())),
  truncated: () => async (exchange) => {
    const text = exchange.reply(await exchange.pass());
    exchange.send(text.slice(0, text.length / 2));
  },
  wrong_id: () => telling((answer) => ({ ...answer, id: answer.id + 1_000_000 })),
  null_result: () => telling(({ id }) => resultOf(id, null)),
  limit: () => telling(({ id }) => errorOf(id, -32005, 'limit exceeded')),
  slow: () => async (exchange) => {
    await sleep(2_000);
    await healthy(exchange);
  },
  half_cut: () => oneIn(2, cut),
  tenth_silent: () => oneIn(10, hang),
  behind: () => rewinding((head) => head - 8n),
  frozen,
  /** Accepts transactions, and forgets them. */
  swallowed: () =>
    instead('eth_sendRawTransaction', ({ id, params }, { send, reply }) =>
      send(reply([resultOf(id, keccak256(params[0] as Hex))])),
    ),
  send_error: () => instead('eth_sendRawTransaction', (_call, { send }) => send('{"error":"internal"}', 500)),
  nonce_too_low: () => refusing('eth_sendRawTransaction', -32000, 'nonce too low'),
  underpriced: () => refusing('eth_sendRawTransaction', -32000, 'replacement transaction underpriced'),
  already_known: () => telling((answer, call) => (isSend(call) ? errorOf(answer.id, -32000, 'already known') : answer)),
  /** Accepts transactions, but the answer is lost. */
  sent_and_cut: () => async (exchange) => {
    const answers = await exchange.pass();
    if (exchange.calls.some(isSend)) exchange.cut();
    else exchange.send(exchange.reply(answers));
  },
  no_receipts: () =>
    telling((answer, call) => (call.method === 'eth_getTransactionReceipt' ? { ...answer, result: null } : answer)),
  forged_receipts: () =>
    telling((answer, call) =>
      call.method === 'eth_getTransactionReceipt' ? { ...answer, result: failed(answer.result) } : answer,
    ),
  dear_gas: () =>
    telling((answer, { method }) =>
      method === 'eth_gasPrice' ? { ...answer, result: toHex(BigInt(answer.result as Hex) * 1_000n) } : answer,
    ),
  other_chain: () =>
    telling((answer, { method }) => (method === 'eth_chainId' ? { ...answer, result: '0x38' } : answer)),
} satisfies Record<string, () => Treatment>;

/** Faults of the bundler. */
export const bundlerFaults = {
  bundler_refused: () => cut,
  bundler_silent: () => hang,
  bundler_empty: () => status(200, ''),
  bundler_bad_gateway: () => status(502, page('502 Bad Gateway')),
  /** Accepts operations, and forgets them. */
  bundler_lies: () =>
    instead('eth_sendUserOperation', ({ id }, { send, reply }) => send(reply([resultOf(id, keccak256('0x1e'))]))),
  bundler_refuses: () => refusing('eth_sendUserOperation', -32500, 'AA23 reverted'),
  bundler_forged_receipts: () =>
    telling((answer, { method }) =>
      method === 'eth_getUserOperationReceipt' ? { ...answer, result: forgedOperation(answer.result) } : answer,
    ),
} satisfies Record<string, () => Treatment>;

function forgedOperation(result: unknown): unknown {
  if (result === null) return null;
  const { receipt, ...operation } = result as { receipt: unknown };
  return { ...operation, success: false, logs: [], receipt: failed(receipt) };
}

export type NodeFault = keyof typeof nodeFaults;
export type BundlerFault = keyof typeof bundlerFaults;
