import { execFileSync } from 'node:child_process';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Address, type Hex, numberToHex, toFunctionSelector } from 'viem';
import { expect } from 'vitest';
import type { Random } from '../../agent/test/sim/random.ts';
import { type Answer, type Call, type Fate, refuse } from '../../packages/chain/test/rpc-proxy.ts';
import { type Door, doors, type Question, type Told } from './doors.ts';
import { encodings } from './heist.ts';
import { hangs, type Settle } from './hostile-facilitator.ts';
import type { Shop } from './shop.ts';
import type { Payload } from './signed-payment.ts';

// What goes wrong at one moment of a payment's life. Each fault reports afterwards whether it took place: a fault that
// came too late, or that nothing ran into, proves nothing.

/** Where a payment is: sent, simulated, at the facilitator, settled, reported to the agent, shown to it by its node. */
export const moments = ['sent', 'checked', 'asked', 'settled', 'told', 'proved'] as const;
export type Moment = (typeof moments)[number];

/** One payment under way. */
export interface Victim {
  readonly shop: Shop;
  readonly random: Random;
  readonly payer: Address;
  readonly door: Door;
  readonly question: Question;
  readonly payload: Payload;
  /** Whether its client still waits. */
  isOpen(): boolean;
  /** The client hangs up. */
  hangUp(): void;
}

/** A fault of one payment. */
export interface Fault {
  /** How the facilitator handles the payment. */
  readonly settle?: Settle;
  strike(): Promise<void>;
  /** Whether it took place. */
  hasHit(): boolean;
  /** Puts everything back as it was. */
  heal(): Promise<void>;
}

type Making = (victim: Victim) => Fault;

export interface Kind {
  /** How many of the fifty faults are of this kind. */
  readonly times: number;
  /** Moments at which it may strike. */
  readonly at: readonly Moment[];
  readonly make: Making;
}

const nothing = async () => {};

const killed =
  (how: 'kill' | 'stop', times = 1): Making =>
  ({ shop, random, isOpen }) => {
    let wasOpen = false;
    return {
      async strike() {
        wasOpen = isOpen();
        for (let time = 1; time <= times; time++) {
          const { agent } = shop;
          await agent[how]();
          // Null after the signal, 0 after an orderly stop.
          expect(await agent.ended).toBe(how === 'kill' ? null : 0);
          if (time === times) return;
          await shop.start();
          // Strikes again while it looks for open payments.
          await sleep(random.below(150));
        }
      },
      hasHit: () => wasOpen,
      heal: () => shop.start(),
    };
  };

/** A node that misbehaves like this until it is healed. Counts the answers that it changed. */
function nodeThat(
  { shop: { node }, isOpen }: Victim,
  does: {
    fate?: (method: string) => Fate;
    ask?: (call: Call) => boolean;
    tell?: (call: Call, answer: Answer) => boolean;
  },
  settle?: Settle,
): Fault {
  let changed = 0;
  let wasOpen = false;
  const usual = { fate: node.fate, ask: node.ask, tell: node.tell };
  return {
    ...(settle && { settle }),
    async strike() {
      wasOpen = isOpen();
      const { fate, ask, tell } = does;
      node.fate = async (method, body) => {
        const own = fate?.(method) ?? 'answered';
        if (own === 'answered') return usual.fate(method, body);
        changed += isOpen() ? 1 : 0;
        return own;
      };
      node.ask = (call) => {
        usual.ask(call);
        if (ask?.(call)) changed += isOpen() ? 1 : 0;
      };
      node.tell = (call, answer) => {
        usual.tell(call, answer);
        if (tell?.(call, answer)) changed += isOpen() ? 1 : 0;
      };
      // Waits until the payment has ended, three seconds at most.
      const until = performance.now() + 3_000;
      while (isOpen() && performance.now() < until) await sleep(20);
    },
    hasHit: () => wasOpen && changed > 0,
    async heal() {
      Object.assign(node, usual);
    },
  };
}

/** Settles, but the answer is lost: the agent has only the chain to go by. */
const settlesAndBreaks: Settle = async (_body, settle) => {
  await settle();
  throw new Error('down');
};

const refusesLogs: Making = (victim) =>
  nodeThat(victim, { fate: (method) => (method === 'eth_getLogs' ? 'batch_refused' : 'answered') }, settlesAndBreaks);

/** The node stays at the block at which the payment began. */
const lags: Making = (victim) => {
  let head: bigint | undefined;
  victim.shop.chain.getBlockNumber().then((block) => (head = block));
  const isLater = (block: unknown) => head !== undefined && BigInt(String(block)) > head;
  return nodeThat(victim, {
    ask({ params = [] }) {
      const at = params.indexOf('latest');
      if (head === undefined || at < 0) return false;
      params[at] = numberToHex(head);
      // Not counted: this may still be the newest block. What the node hides below counts.
      return false;
    },
    tell({ method }, answer) {
      const { result } = answer as { result?: { blockNumber?: Hex } | Hex | { blockNumber: Hex }[] | null };
      if (method === 'eth_blockNumber' && typeof result === 'string') {
        if (head === undefined || !isLater(result)) return false;
        answer.result = numberToHex(head);
        return true;
      }
      if (method === 'eth_getTransactionReceipt' && result && isLater((result as { blockNumber: Hex }).blockNumber)) {
        answer.result = null;
        return true;
      }
      if (method !== 'eth_getLogs' || !Array.isArray(result)) return false;
      const shown = result.filter(({ blockNumber }) => !isLater(blockNumber));
      answer.result = shown;
      return shown.length < result.length;
    },
  });
};

/** The node shows the nonce as used, and hides what used it. */
const hides: Making = (victim) =>
  nodeThat(victim, {
    tell({ method }, answer) {
      const isHidden = ['eth_getTransactionReceipt', 'eth_getLogs', 'eth_getBlockReceipts'].includes(method);
      if (!isHidden || answer.result === null || answer.result === undefined) return false;
      answer.result = method === 'eth_getTransactionReceipt' ? null : [];
      return true;
    },
  });

/** The node shows the receipt without its logs, as if the authorisation had been used for nothing. */
const strips: Making = (victim) =>
  nodeThat(victim, {
    tell({ method }, answer) {
      if (method !== 'eth_getTransactionReceipt' || !answer.result) return false;
      (answer.result as { logs: unknown[] }).logs = [];
      return true;
    },
  });

const stateSelector = toFunctionSelector('authorizationState(address,bytes32)');

/** The node says that the authorisation is unused. */
const denies: Making = (victim) =>
  nodeThat(
    victim,
    {
      tell({ method, params = [] }, answer) {
        const { data = '', input = data } = (params[0] ?? {}) as { data?: string; input?: string };
        if (method !== 'eth_call' || !input.includes(stateSelector.slice(2))) return false;
        if (BigInt(String(answer.result ?? 0)) === 0n) return false;
        // In a single call or a batch: changes "used" to "unused".
        answer.result = `0x${'0'.repeat(String(answer.result).length - 2)}`;
        return true;
      },
    },
    settlesAndBreaks,
  );

const isAway: Making = (victim) => nodeThat(victim, { fate: () => 'lost' });
const refusesCalls: Making = (victim) =>
  nodeThat(victim, {
    tell({ method }, answer) {
      if (method !== 'eth_call') return false;
      refuse(answer, -32_005, 'limit exceeded');
      return true;
    },
  });

/** A facilitator that does this when it is asked to settle. */
const facilitatorThat =
  (does: (settle: () => Promise<unknown>) => Promise<unknown>): Making =>
  ({ random }) => {
    let times = 0;
    const pauseMs = random.below(300);
    return {
      settle: async (_body, settle) => {
        await sleep(pauseMs);
        const answer = does(settle);
        times += 1;
        return answer;
      },
      strike: nothing,
      hasHit: () => times > 0,
      heal: nothing,
    };
  };

const claim = (transaction: string, success = true) => ({
  success,
  transaction,
  network: 'eip155:31337',
  ...(!success && { errorReason: 'unexpected_settle_error' }),
});
const after = (answer: () => unknown) => async (settle: () => Promise<unknown>) => {
  await settle();
  return answer();
};

/** The folder of open or of answered payments becomes unwritable, or the disk is full for all of them. */
const unwritable =
  (name: 'open' | 'answered'): Making =>
  ({ shop, isOpen }) => {
    const folder = new URL(`../../${shop.folder}/payments/${name}`, import.meta.url);
    const away = new URL(`${folder.href}.away`);
    return diskFault(
      shop,
      isOpen,
      () => {
        renameSync(folder, away);
        writeFileSync(folder, '');
      },
      () => {
        rmSync(folder);
        renameSync(away, folder);
      },
    );
  };

const fullDisk: Making = (victim) => {
  // Only Linux can refuse a process every byte that it writes.
  if (process.platform !== 'linux') return unwritable('open')(victim);
  const { shop, isOpen } = victim;
  const allow = (size: string) => execFileSync('prlimit', ['--pid', `${shop.agent.pid}`, `--fsize=${size}:`]);
  return diskFault(
    shop,
    isOpen,
    () => allow('0'),
    () => allow('unlimited'),
  );
};

function diskFault(shop: Shop, isOpen: () => boolean, strike: () => void, heal: () => void): Fault {
  let logged = 0;
  let wasOpen = false;
  const complaints = () =>
    shop.agent.log.filter(({ event }) => event === 'payment.not_kept' || event === 'payment.unreadable').length;
  return {
    async strike() {
      wasOpen = isOpen();
      logged = complaints();
      strike();
      const until = performance.now() + 3_000;
      while (isOpen() && performance.now() < until) await sleep(20);
    },
    hasHit: () => wasOpen && complaints() > logged,
    heal: async () => heal(),
  };
}

/** The client sends the payment again, in other encodings and at other doors that take the same question. */
const copied: Making = ({ shop, random, door, question, payload, isOpen }) => {
  let wasOpen = false;
  let copies: readonly Told[] = [];
  return {
    async strike() {
      wasOpen = isOpen();
      const same = doors.filter(({ kind }) => kind === door.kind);
      const asked = Object.values(encodings)
        .slice(0, 4)
        .map((encode) => {
          const at = same[random.below(same.length)] as Door;
          return at.ask(shop.agent.url, question, { payment: encode(payload) });
        });
      copies = await Promise.all(asked);
    },
    hasHit: () => wasOpen && copies.length > 0 && copies.every(({ isAnswered }) => isAnswered),
    heal: nothing,
  };
};

const dropped: Making = ({ isOpen, hangUp }) => {
  let wasOpen = false;
  return {
    async strike() {
      wasOpen = isOpen();
      hangUp();
    },
    hasHit: () => wasOpen,
    heal: nothing,
  };
};

const early = ['sent', 'checked', 'asked'] as const;
const untilSettled = [...early, 'settled'] as const;
const whenAsked = (times: number, does: Parameters<typeof facilitatorThat>[0]): Kind => ({
  times,
  at: ['asked'],
  make: facilitatorThat(does),
});
const breaks = () => {
  throw new Error('down');
};

export const faults: Readonly<Record<string, Kind>> = {
  'kill -9': { times: 8, at: moments, make: killed('kill') },
  SIGTERM: { times: 6, at: moments, make: killed('stop') },
  'kill -9 twice': { times: 2, at: moments, make: killed('kill', 2) },
  'node refuses logs': { times: 3, at: early, make: refusesLogs },
  'node lags': { times: 3, at: ['checked', 'asked', 'settled'], make: lags },
  'node hides the use': { times: 2, at: untilSettled, make: hides },
  'node strips the receipt': { times: 2, at: untilSettled, make: strips },
  'node denies the use': { times: 2, at: untilSettled, make: denies },
  'node is away': { times: 3, at: moments, make: isAway },
  'node refuses calls': { times: 2, at: ['sent', 'checked'], make: refusesCalls },
  'facilitator hangs': whenAsked(1, () => hangs('', nothing)),
  'facilitator settles and hangs': whenAsked(1, (settle) => settle().then(() => hangs('', nothing))),
  'facilitator says paid': whenAsked(2, async () => claim('')),
  'facilitator settles and fails': whenAsked(2, after(breaks)),
  'facilitator settles and declines': whenAsked(
    1,
    after(() => claim('', false)),
  ),
  'facilitator settles and names another': whenAsked(
    1,
    after(() => claim(numberToHex(9, { size: 32 }))),
  ),
  'disk full': { times: 3, at: moments, make: fullDisk },
  'open payments unwritable': { times: 1, at: moments, make: unwritable('open') },
  'answers unwritable': { times: 1, at: moments, make: unwritable('answered') },
  'client sends copies': { times: 2, at: moments, make: copied },
  'client hangs up': { times: 2, at: moments, make: dropped },
};
