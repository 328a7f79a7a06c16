import type { Head } from '@bowline/core/domain/heads';
import type { Log } from '@bowline/core/domain/log';
import { sleep } from '@bowline/core/domain/sleep';
import type { Timers } from '@bowline/core/domain/time';
import { custom, type Transport } from 'viem';
import { type ChainClient, connectChain, overHttp, repeats } from '../chain-client.ts';
import { isAnswer, refusalOf } from '../errors.ts';
import { Agreement } from './agreement.ts';
import { firstAnswers, unwrap } from './first-answers.ts';
import {
  type Ask,
  askOf,
  type HealthOptions,
  type Member,
  type Node,
  NodeHealth,
  type NodeState,
} from './node-health.ts';

/** The nodes of `RPC_URL`, used as one. */
export interface Nodes {
  /**
   * Sends a request to the first healthy node, and to the next one if it fails or takes long. With three nodes
   * or more, two of them must agree on everything a signature rests on (agreement.ts).
   */
  transport(inBatches?: boolean): Transport;
  /** The same, except that one node is believed while no other answers: no outage of the others stops a rescue. */
  lenient(): Transport;
  /** Each node by itself. */
  each(): readonly OneNode[];
  readonly count: number;
  /** Asks one node for its newest block; undefined if it is not believed. Rejects if the node does not answer. */
  look(at: number): Promise<Head | undefined>;
  /** Notes a head reported by something other than a node. Returns whether it is believed. */
  reportHead(head: Head): boolean;
  states(): readonly NodeState[];
  /** Whether no two nodes agree, so that nothing is signed. */
  areDisagreeing(): boolean;
}

/** A node by itself: its report of a loan in danger needs no second node. */
export interface OneNode {
  readonly client: ChainClient;
  /** Whether it has lately not answered. */
  isSilent(): boolean;
  /** True: the chain lately proved the node right against others. False: it refuted the node, which is not believed alone. */
  wasRight(): boolean | undefined;
  judge(isRight: boolean): void;
}

/** Names a node by its place in the setting and its host: providers put keys into paths. */
export const httpNodes = (urls: readonly string[]): Node[] =>
  urls.map((url, at) => ({
    name: `${at + 1} (${URL.parse(url)?.hostname ?? '?'})`,
    connect: (inBatches) => overHttp(url, inBatches),
  }));

export function openNodes(nodes: readonly Node[], options: HealthOptions): Nodes {
  const { timers, log } = options;
  const health = new NodeHealth(nodes, options);
  const states = () => health.states();
  const { members } = health;
  const disagreement = createDisagreement(states, log);

  /** Sends one request to one node, and updates the node's health. */
  const by = (asks: ReadonlyMap<Member, Ask>) => (member: Member, request: Parameters<Ask>[0]) => async () => {
    try {
      const answer = await (asks.get(member) as Ask)(request);
      health.answered(member);
      return answer;
    } catch (error) {
      health[isAnswer(error) ? 'answered' : 'failed'](member);
      throw error;
    }
  };

  function transport(inBatches: boolean, isLenient: boolean): Transport {
    const askOne = by(new Map(members.map((member) => [member, askOf(member.node.connect(inBatches))])));
    /** A contract's refusal is an answer. The next node may not share any other refusal. */
    const fromOne: Ask = async (request) =>
      unwrap(
        await firstAnswers(
          health.inOrder().map((member) => askOne(member, request)),
          { needed: 1, keyOf: (each) => ('answer' in each || refusalOf(each.error) ? '' : undefined), timers },
        ),
      );
    const { settle } = disagreement;
    const agreement = new Agreement({ health, askOne, fromOne, timers, isLenient, settle });
    const request = members.length < 3 ? fromOne : (asked: Parameters<Ask>[0]) => agreement.ask(asked);
    return custom({ request: repeated(request, timers) }, { retryCount: 0 });
  }

  return {
    transport: (inBatches = false) => transport(inBatches, false),
    lenient: () => transport(false, true),
    each: () =>
      members.map((member) => {
        const ask = by(new Map([[member, member.ask]]));
        const request: Ask = (asked) => ask(member, asked)();
        return {
          client: connectChain(custom({ request }, { retryCount: 0 })),
          isSilent: () => {
            const why = health.whyPassedOver(member);
            return why === 'silent' || why === 'other_chain';
          },
          wasRight: () => health.wasRight(member),
          judge: (isRight) => health.judge(member, isRight),
        };
      }),
    count: members.length,
    look: (at) => health.look(members[at] as Member),
    reportHead: (head) => health.reportHead(head),
    states,
    areDisagreeing: disagreement.isOpen,
  };
}

/** Logs once when it begins and once when it ends. */
function createDisagreement(states: () => readonly NodeState[], log: Log) {
  let isOpen = false;
  return {
    isOpen: () => isOpen,
    settle(isDisagreeing: boolean): void {
      if (isDisagreeing && !isOpen) log.error('nodes.disagree', { nodes: states() });
      if (!isDisagreeing && isOpen) log.info('nodes.agree');
      isOpen = isDisagreeing;
    },
  };
}

/** Retries requests that no node answered, like viem for a single node, but with these timers. */
function repeated(request: Ask, timers: Timers): Ask {
  return async (asked) => {
    for (let repeat = 0; ; repeat += 1) {
      try {
        return await request(asked);
      } catch (error) {
        if (repeat >= repeats.retryCount || isAnswer(error)) throw error;
      }
      await sleep(timers, repeats.retryDelay * 2 ** repeat);
    }
  };
}
