import { type Answer, type Call, type RpcProxy, refuse as refuseWith } from './rpc-proxy.ts';

// Nodes as some providers run them: each answers less than the agent needs.

const refuse = (answer: Answer): void => refuseWith(answer, -32_602, 'not on this plan');

const capGas = 1n << 24n;
const gasOf = ({ method, params = [] }: Partial<Call>): bigint =>
  method === 'eth_call' ? BigInt((params[0] as { gas?: string }).gas ?? 0) : 0n;
const isOf = ({ method, params = [] }: Partial<Call>, block: string): boolean =>
  method === 'eth_getBlockByNumber' && params[0] === block;
const isPast = (block: unknown): boolean => typeof block === 'string' && block.startsWith('0x');

type Cripple = (line: RpcProxy) => void;

/** Runs `tell` after what the line does already. */
const telling =
  (tell: RpcProxy['tell']): Cripple =>
  (line) => {
    const before = line.tell;
    line.tell = (call, answer) => {
      before(call, answer);
      tell(call, answer);
    };
  };

/** By what the node does wrong. */
export const crippled = {
  ignoresOverrides: (line) => {
    line.fate = (method) => (method === 'eth_call' ? 'nothing_supposed' : 'answered');
  },
  refusesOverrides: telling(({ method, params = [] }: Partial<Call>, answer) => {
    if (method === 'eth_call' && params[2] !== undefined) refuse(answer);
  }),
  refusesGas: telling((call, answer) => {
    if (gasOf(call) > capGas) refuse(answer);
  }),
  capsGas: (line) => {
    line.ask = (call) => {
      if (gasOf(call) > capGas) (call.params[0] as { gas: string }).gas = `0x${capGas.toString(16)}`;
    };
  },
  refusesBatches: (line) => {
    line.fate = (_method, body) => (body.startsWith('[') ? 'batch_refused' : 'answered');
  },
  knowsNoFinal: telling((call, answer) => {
    if (isOf(call, 'finalized')) answer.result = null;
  }),
  forgetsStates: telling(({ method, params = [] }: Partial<Call>, answer) => {
    if (method === 'eth_call' && isPast(params[1])) refuse(answer);
  }),
  ignoresBlocks: (line) => {
    line.ask = ({ method, params }) => {
      if (method === 'eth_call' && isPast(params[1])) params[1] = 'latest';
    };
  },
} as const satisfies Readonly<Record<string, Cripple>>;
