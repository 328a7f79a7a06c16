import type { Deployment } from '@bowline/chain/drafts/deployment';
import { readTicket, type ServedTicket } from '@bowline/core/replay/served-ticket';
import { writtenAddress as address } from '@bowline/core/schemas';
import type { Address, Hex } from 'viem';
import { z } from 'zod';
import { deploymentOf, isThe, knownOn } from './deployment.ts';
import { noticeReply, type Offer, type OfferedTerms, offered, reportTerms, requestTo } from './job.ts';
import { retryAfterOf } from './retry-after.ts';

/** An error of the agent (RFC 9457), or its silence. */
export class AgentError extends Error {
  override readonly name = 'AgentError';
  /** As in the agent's documentation: `rate_limited`, `chain_unavailable` …; `unreachable`: no answer of its own. */
  readonly code: string;
  readonly status: number | undefined;
  /** Seconds after which to try again, if the agent says so. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    code: string,
    message: string,
    {
      cause,
      status,
      retryAfterSeconds,
    }: { readonly cause?: unknown } & Partial<Pick<AgentError, 'status' | 'retryAfterSeconds'>> = {},
  ) {
    super(message, { cause });
    this.code = code;
    this.status = status;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** The agent makes no offer for a job. */
export class NoOffer extends AgentError {
  /** What it offers instead: its only terms. Undefined if it does not say. */
  readonly offeredTerms: OfferedTerms | undefined;

  constructor(code: string, message: string, offeredTerms: OfferedTerms | undefined) {
    super(code, message, { status: 200 });
    this.offeredTerms = offeredTerms;
  }
}

export interface VerdictQuestion {
  /** Symbol, other name or address. */
  readonly asset: string;
  readonly side?: 'buy' | 'sell';
  /** One of the two, as decimal text; 1,000 US dollars if neither is given. */
  readonly amountUsd?: string;
  readonly amountAsset?: string;
}

/** Big numbers are text, as in JSON; `verifyTicket` parses them. */
type TicketJson = {
  readonly [Name in keyof ServedTicket]: ServedTicket[Name] extends bigint ? string : ServedTicket[Name];
};
const ticket = z.custom<TicketJson>((given) => readTicket(given) !== null);

const verdictAnswer = z.looseObject({
  verdict: z.enum(['GO', 'CAUTION', 'NO_GO', 'NO_DATA']),
  reason: z.string().nullable(),
  findings: z.array(z.looseObject({ check: z.string() })),
  ticket: ticket.nullable(),
  evidence: z.looseObject({ rules: z.int() }),
});

const spokenAnswer = z.looseObject({
  result: z.string(),
  tools: z.array(z.string()),
  tickets: z.array(ticket),
});

const deploymentRecord = z
  .looseObject({ chainId: z.int() })
  .transform((record) => deploymentOf(record.chainId, record));

const terms = z.looseObject({
  price_usd: z.number(),
  /** Absent if answers are free. Pay one of the tokens, in its own amount; `asset` and `amount` are the first's. */
  payment: z
    .looseObject({
      rail: z.string(),
      network: z.string(),
      asset: address,
      amount: z.string(),
      pay_to: address,
      tokens: z.array(z.looseObject({ asset: address, amount: z.string(), method: z.string() })),
    })
    .optional(),
  limit: z.object({ requests: z.int(), seconds: z.int() }),
});

/** The answer to a verdict question; pass it to `verifyTicket`. */
export type VerdictAnswer = z.output<typeof verdictAnswer>;
export type SpokenAnswer = z.output<typeof spokenAnswer>;

export interface Agent {
  /** Whether an asset is fairly priced now, at a size. @throws AgentError */
  verdict(question: VerdictQuestion): Promise<VerdictAnswer>;
  /** Answers a question in words. @throws AgentError */
  ask(prompt: string): Promise<SpokenAnswer>;
  /** The evidence of a verdict, as the bytes that were hashed. @throws AgentError */
  evidence(hash: Hex): Promise<string>;
  /** What an answer costs, and how many are allowed in a minute. @throws AgentError */
  terms(): Promise<z.output<typeof terms>>;
  /**
   * The agent's contracts and signers, as it states them: to send money there is to trust the agent. If the package
   * knows the chain's deployment, a different statement is an error, `other_deployment`. @throws AgentError
   */
  deployment(): Promise<Deployment>;
  /**
   * A signed offer for a report as a job (ERC-8183): the description of the job to create, only by `client` if given.
   * @throws AgentError; NoOffer with the agent's code (`task_not_offered`, `terms_not_offered`, `invalid_terms` …) or `no_offer`
   */
  offer(task: string, client?: Address): Promise<Offer>;
  /** Tells the agent that one of its jobs is funded. @throws AgentError, `job_refused` if it will not work on it */
  notifyFunded(jobId: bigint): Promise<void>;
}

/**
 * A client of one agent. Its answers are not verified here: check them with `verifyTicket`.
 * @param fetch replaces the platform's: `payingFetch` of `@bowline/sdk/pay` pays what is asked.
 */
export function connectAgent(url: string, fetch: typeof globalThis.fetch = globalThis.fetch): Agent {
  const base = url.endsWith('/') ? url : `${url}/`;

  async function request(path: string, init?: RequestInit): Promise<string> {
    let response: Response;
    let body: string;
    try {
      response = await fetch(new URL(path, base), init);
      body = await response.text();
    } catch (cause) {
      // payingFetch's errors have a code of their own; fetch's do not name the address.
      const { code, message, retryAfterSeconds } = cause as Error & Partial<AgentError>;
      if (typeof code === 'string') throw new AgentError(code, message, { retryAfterSeconds, cause });
      throw new AgentError('unreachable', `${url} does not answer: ${message}.`, { cause });
    }
    if (response.ok) return body;
    const problem = problemIn(body);
    throw new AgentError(
      problem?.code ?? 'unreachable',
      problem?.detail ?? `${url} answered with HTTP status ${response.status}.`,
      { status: response.status, retryAfterSeconds: retryAfterOf(response) },
    );
  }

  async function read<Shape>(schema: z.ZodType<Shape>, path: string, init?: RequestInit): Promise<Shape> {
    const body = await request(path, init);
    try {
      return schema.parse(JSON.parse(body));
    } catch (cause) {
      const message = `${url} is not a Bowline agent: ${path} has a different format.`;
      throw new AgentError('unreachable', message, { status: 200, cause });
    }
  }

  return {
    verdict({ asset, side = 'buy', amountUsd, amountAsset }) {
      const query = new URLSearchParams({
        asset,
        side,
        ...(amountUsd !== undefined && { amount_usd: amountUsd }),
        ...(amountAsset !== undefined && { amount_asset: amountAsset }),
      });
      return read(verdictAnswer, `verdict?${query}`);
    },
    ask: (prompt) =>
      read(spokenAnswer, 'x402', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ prompt }),
      }),
    evidence: (hash) => request(`evidence/${hash}`),
    terms: () => read(terms, 'x402'),
    async deployment() {
      const stated = await read(deploymentRecord, '.well-known/bowline.json');
      const known = knownOn(stated.chainId);
      if (known === undefined || isThe(known, stated)) return known ?? stated;
      const message = `${url} states different contracts or signers than this package knows.`;
      throw new AgentError('other_deployment', message, { status: 200 });
    },
    async offer(task, client) {
      const reply = await read(
        offered,
        'a2a',
        requestTo({ skill: 'negotiate', task_description: task, terms: reportTerms, client }),
      );
      if (reply.offer === undefined) throw new NoOffer(reply.code ?? 'no_offer', reply.problem, reply.offeredTerms);
      return reply.offer;
    },
    async notifyFunded(jobId) {
      const { problem, code } = await read(
        noticeReply,
        'a2a',
        requestTo({ skill: 'notify_funded', job_id: jobId.toString() }),
      );
      if (problem !== undefined) throw new AgentError(code ?? 'job_refused', problem, { status: 200 });
    },
  };
}

function problemIn(body: string): { readonly code: string; readonly detail: string } | undefined {
  try {
    return z.looseObject({ code: z.string(), detail: z.string() }).parse(JSON.parse(body));
  } catch {
    return undefined;
  }
}
