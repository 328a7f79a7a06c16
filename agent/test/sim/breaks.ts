import type { Invariant } from './invariants.ts';
import type { Story } from './story.ts';

/** A change of the code that an invariant must notice. */
export interface Break {
  readonly invariant: Invariant;
  readonly wrong: string;
  readonly edits: readonly Edit[];
  /** The story that notices it, or a seed near which one does. */
  readonly noticedBy: Story | number;
}

/** `find` occurs once in the file, whose path is from the project's folder. */
interface Edit {
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}

const contracts = 'agent/test/sim/contracts.ts';
const plan = 'agent/src/loops/loan-guard/plan.ts';
const keeper = 'agent/src/sending/keeper.ts';

const operation = 'agent/src/sending/operation.ts';
/** A transaction that a node has swallowed stays away. */
const neverSentAgain: readonly Edit[] = [
  { file: operation, find: "isTime ? [{ do: 'submit', payload: newest }] : []", replace: '[]' },
  { file: operation, find: 'const patientBlocks = 2;', replace: 'const patientBlocks = 2_000;' },
];

/** The transaction of the first rescue is swallowed. */
const swallowed: Story = {
  ...{ noise: 1, rttMs: 30, isWallet: false, knowsNodes: false, rescuers: 0, hasBundler: false, plans: 0 },
  falls: [{ atMs: 10_000, guards: [0] }],
  faults: [{ kind: 'sends', atMs: 9_000, become: 'swallowed', count: 1 }],
};

export const breaks: readonly Break[] = [
  {
    invariant: 'rescued_once',
    wrong: 'LoanGuard rescues a loan that is not below its trigger, and the loop asks while a rescue is under way',
    edits: [
      {
        file: contracts,
        find: 'isDue(state, around, guardId) ? { repaid } : { refusal: notBelowTrigger };',
        replace: '({ repaid });',
      },
      {
        file: 'agent/src/loops/loan-guard/tick.ts',
        find: "(rescuer.isUnderWay(key) ? 'under_way' : undefined)",
        replace: 'undefined',
      },
    ],
    noticedBy: 1,
  },
  {
    invariant: 'run_once',
    wrong: 'PlanRegistry runs a slot again, and the executor asks for it',
    edits: [
      {
        file: 'agent/src/loops/executor/plan.ts',
        find: "if (slotStart < plan.cursor) return 'slot_used';",
        replace: '',
      },
      { file: contracts, find: "if (slotStart < cursor) refuse('SlotUsed', [slotStart, cursor]);", replace: '' },
    ],
    noticedBy: 1,
  },
  {
    invariant: 'rescued_in_time',
    wrong: 'a transaction that a node has swallowed is never sent again',
    edits: neverSentAgain,
    noticedBy: swallowed,
  },
  {
    invariant: 'run_in_time',
    wrong: 'a swallowed run is neither sent again nor cancelled',
    edits: [...neverSentAgain, { file: keeper, find: 'receiptSeconds: 30n', replace: 'receiptSeconds: 3_000n' }],
    noticedBy: {
      ...swallowed,
      plans: 1,
      falls: [],
      faults: [{ kind: 'sends', atMs: 4_000, become: 'swallowed', count: 1 }],
    },
  },
  {
    invariant: 'failures_bounded',
    wrong: 'a rescue is signed without asking whether it is due',
    edits: [
      {
        file: plan,
        find: 'else if (health < guard.triggerHealthWad) endangered',
        replace: 'else if (health > 0n) endangered',
      },
      {
        file: 'agent/src/loops/loan-guard/rescue.ts',
        find: "if (skip === undefined && 'repay' in judged)",
        replace: 'if (true)',
      },
      {
        file: 'agent/src/loops/loan-guard/rescue.ts',
        find: 'savedWei: profitability.savedWei(guard, judged.repay), word: judged.word }',
        replace: 'savedWei: 10n ** 18n, word: undefined }',
      },
      {
        file: 'agent/src/sending/eoa/sender.ts',
        find: 'simulate: () => simulated(client, { account: account.address, to, data, value, gas, gasPrice })',
        replace: 'simulate: async () => undefined',
      },
      {
        file: 'agent/src/sending/wallet/sender.ts',
        find: "data === '0x' ? undefined : simulated(client, { account: account.address, to, data, gas })",
        replace: 'undefined',
      },
    ],
    noticedBy: 1,
  },
  {
    invariant: 'send_ends',
    wrong: 'a call that was signed twice is not reported',
    edits: [
      {
        file: 'agent/src/sending/in-flight.ts',
        find: 'this.#report(isPlain && found ? { ...sent, paidWei: found.paidWei } : sent);',
        replace:
          'if ((operation?.payloads.length ?? 0) < 2) this.#report(isPlain && found ? { ...sent, paidWei: found.paidWei } : sent);',
      },
    ],
    noticedBy: 1,
  },
  {
    invariant: 'rescue_told',
    wrong: 'the rescues of one guard are not reported',
    edits: [
      {
        file: 'agent/src/loops/loan-guard/rescue.ts',
        find: 'this.#start(() => this.#reporting(',
        replace: 'if (guard.id !== 3n) this.#start(() => this.#reporting(',
      },
    ],
    noticedBy: 1,
  },
  {
    invariant: 'unready_while_waiting',
    wrong: 'a swallowed rescue is never sent again, and the agent is ready whatever waits',
    edits: [
      ...neverSentAgain,
      {
        file: 'agent/src/loops/loan-guard/waiting.ts',
        find: 'const maxWaitMs = 10_000;',
        replace: 'const maxWaitMs = 1e9;',
      },
    ],
    noticedBy: swallowed,
  },
  {
    invariant: 'no_tick_failed',
    wrong: "a node that does not answer is an exception of viem's",
    edits: [
      {
        file: 'packages/chain/chain-client.ts',
        find: "if (cause instanceof BowlineError || faultOf(cause) !== 'node') throw cause;",
        replace: 'if (cause !== undefined) throw cause;',
      },
    ],
    noticedBy: 1,
  },
  {
    invariant: 'stops_in_time',
    wrong: 'SIGTERM waits until all that is open is over',
    edits: [...neverSentAgain, { file: keeper, find: 'const stopMs = 3_000;', replace: 'const stopMs = 1e9;' }],
    noticedBy: { ...swallowed, faults: [...swallowed.faults, { kind: 'stop', atMs: 12_000 }] },
  },
];
