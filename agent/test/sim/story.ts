import fc from 'fast-check';
import type { lies } from './contracts.ts';
import type { Down, NextSend } from './network.ts';

// What happens to an agent: loans that fall, and faults. A story and the code determine everything.

/** Length of a simulation run, in virtual milliseconds. */
export const storyMs = 240_000;
/** Nothing new happens in the last part, in which the agent must finish. */
const quietMs = 40_000;

interface Timed {
  readonly atMs: number;
}

interface Lasting extends Timed {
  readonly lastsMs: number;
}

/** What is wrong with one of two nodes. */
export type Ill = Down | keyof typeof lies | 'frozen' | 'forgets' | { readonly lateMs: number };

export type Lie = 'forged' | 'hidden' | 'heads' | 'calls';

export type Fault =
  /** No node answers. */
  | (Lasting & { readonly kind: 'outage'; readonly how: Down })
  /** One node does not answer. */
  | (Lasting & { readonly kind: 'gone'; readonly node: 0 | 1 | 2; readonly how: Down })
  | (Lasting & { readonly kind: 'lag'; readonly node: 0 | 1 | 2; readonly blocks: number })
  | (Lasting & { readonly kind: 'lie'; readonly node: 0 | 1 | 2; readonly about: Lie })
  /** Two nodes do not answer, or lie about loans. */
  | (Lasting & {
      readonly kind: 'two';
      readonly spared: 0 | 1 | 2;
      readonly how: readonly [Ill, Exclude<Ill, 'endangered'>];
    })
  | (Lasting & { readonly kind: 'slow'; readonly delayMs: number })
  /** The fate of the next transactions that are sent. */
  | (Timed & { readonly kind: 'sends'; readonly become: NextSend; readonly count: number })
  /** The newest pending transaction disappears from all pools. */
  | (Timed & { readonly kind: 'dropped' })
  | (Timed & { readonly kind: 'reorganisation'; readonly depth: number; readonly isKept: boolean })
  /** Gas costs this many times as much. */
  | (Lasting & { readonly kind: 'dear'; readonly times: number })
  | (Lasting & { readonly kind: 'bundler'; readonly mood: 'lies' | 'refuses' | 'down' | { readonly lateMs: number } })
  /** The machine's clock is wrong by this much. */
  | (Lasting & { readonly kind: 'clock'; readonly seconds: number })
  /** The process is killed after this many more steps, and started again. */
  | (Lasting & { readonly kind: 'kill'; readonly steps: number })
  /** SIGTERM, and a start after the process has ended. */
  | (Timed & { readonly kind: 'stop' });

export interface Story {
  /** Seed of delays and ties. */
  readonly noise: number;
  readonly rttMs: number;
  readonly isWallet: boolean;
  /** The agent knows each node, and believes what two of them say. Otherwise they are behind one address. */
  readonly knowsNodes: boolean;
  /** Number of keys that send only rescues. */
  readonly rescuers: number;
  readonly hasBundler: boolean;
  readonly plans: number;
  /** Loans that fall, by index of the guard; several at one moment are a crash. */
  readonly falls: readonly (Timed & { readonly guards: readonly number[] })[];
  readonly faults: readonly Fault[];
}

/** Guards of every story. */
export const guardIds: readonly bigint[] = Array.from({ length: 12 }, (_, at) => BigInt(at + 1));

const at = fc.integer({ min: 3_000, max: storyMs - quietMs });
/** Times of falls: dense, because most faults hurt only what they meet. */
const lasting = (max: number) => ({ atMs: at, lastsMs: fc.integer({ min: 1_000, max }) });
const node = fc.constantFrom(0 as const, 1 as const, 2 as const);
const how = fc.constantFrom<Down[]>('refuses', 'hangs', 'fails');
const ill = fc.oneof(
  fc.constantFrom('refuses' as const, 'hangs' as const, 'fails' as const, 'healthy' as const),
  fc.constantFrom('frozen' as const, 'forgets' as const),
  fc.record({ lateMs: fc.integer({ min: 50, max: 250 }) }),
);
const is = <const Kind extends string>(kind: Kind) => fc.constant(kind);

const fault: fc.Arbitrary<Fault> = fc.oneof(
  // Longer than a node remembers state.
  { weight: 3, arbitrary: fc.record({ kind: is('outage'), ...lasting(75_000), how }) },
  { weight: 2, arbitrary: fc.record({ kind: is('gone'), ...lasting(90_000), node, how }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: is('lag'), ...lasting(30_000), node, blocks: fc.integer({ min: 1, max: 5 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: is('lie'),
      ...lasting(30_000),
      node,
      about: fc.constantFrom<Lie[]>('forged', 'hidden', 'heads', 'calls'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: is('slow'), ...lasting(20_000), delayMs: fc.integer({ min: 200, max: 2_000 }) }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: is('sends'),
      atMs: at,
      become: fc.oneof(
        fc.constantFrom<NextSend[]>('swallowed', 'half', 'lost'),
        fc.record({ heldMs: fc.integer({ min: 1_000, max: 60_000 }) }),
      ),
      count: fc.integer({ min: 1, max: 3 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: is('dropped'), atMs: at }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: is('reorganisation'),
      atMs: at,
      depth: fc.integer({ min: 1, max: 16 }),
      isKept: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: is('dear'), ...lasting(30_000), times: fc.integer({ min: 2, max: 30 }) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: is('bundler'),
      ...lasting(60_000),
      mood: fc.oneof(
        fc.constantFrom('lies' as const, 'refuses' as const, 'down' as const),
        fc.record({ lateMs: fc.integer({ min: 2_000, max: 40_000 }) }),
      ),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: is('clock'), ...lasting(60_000), seconds: fc.integer({ min: -7_200, max: 7_200 }) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: is('kill'),
      atMs: at,
      lastsMs: fc.integer({ min: 500, max: 5_000 }),
      steps: fc.integer({ min: 0, max: 120 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: is('stop'), atMs: at }) },
);

const two: fc.Arbitrary<Fault> = fc.record({
  kind: is('two'),
  ...lasting(60_000),
  spared: node,
  how: fc.tuple(fc.oneof(ill, is('endangered')), ill),
});

const parts = fc.record({
  noise: fc.noShrink(fc.nat(2 ** 31 - 1)),
  rttMs: fc.integer({ min: 4, max: 150 }),
  isWallet: fc.boolean(),
  knowsNodes: fc.boolean(),
  rescuers: fc.integer({ min: 0, max: 2 }),
  hasBundler: fc.boolean(),
  plans: fc.integer({ min: 0, max: 3 }),
  falls: fc.array(
    fc.record({
      atMs: at,
      guards: fc.oneof(
        { weight: 5, arbitrary: fc.nat(guardIds.length - 1).map((one) => [one]) },
        {
          weight: 1,
          arbitrary: fc.uniqueArray(fc.nat(guardIds.length - 1), { minLength: 2, maxLength: guardIds.length }),
        },
      ),
    }),
    { minLength: 1, maxLength: 14, size: 'max' },
  ),
  faults: fc.array(fault, { maxLength: 10, size: 'max' }),
  // Last of all, so that a seed keeps telling the same story.
  twos: fc.array(two, { maxLength: 2, size: 'max' }),
});

export const story: fc.Arbitrary<Story> = parts.map(({ twos, faults, ...rest }) => ({
  ...rest,
  faults: [...faults, ...twos],
}));

/** One line for each thing that happens, in its order. */
export function tell(told: Story): string {
  const { falls, faults, ...setting } = told;
  const lines = [
    ...falls.map(({ atMs, guards }) => ({
      atMs,
      text: `loans of guards ${guards.map((each) => each + 1).join(', ')} fall`,
    })),
    ...faults.map(({ atMs, kind, ...rest }) => ({ atMs, text: `${kind} ${JSON.stringify(rest)}` })),
  ];
  const ordered = lines.toSorted((a, b) => a.atMs - b.atMs);
  return [
    JSON.stringify(setting),
    ...ordered.map(({ atMs, text }) => `${(atMs / 1000).toFixed(1).padStart(6)} s  ${text}`),
  ].join('\n');
}
