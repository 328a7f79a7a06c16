import { afterEach, beforeEach, expect, test } from 'vitest';
import { keep } from '../../src/process/readiness.ts';
import { startWatchedAgent } from './watched-agent.ts';

// AG-67

type Agent = Awaited<ReturnType<typeof startWatchedAgent>>;
let agent: Agent;
beforeEach(async () => {
  agent = await startWatchedAgent();
  await agent.pass(20);
});
afterEach(() => agent.stop());

const hour = 3_600;
const open = (openMs: number) => ({ queue: 'keeper', label: 'execute plan 3', hash: '0xaa', openMs }) as const;

const cases: readonly [
  name: string,
  spoil: (agent: Agent) => void,
  seconds: number,
  dependency: string,
  reason: string,
  detail: RegExp,
][] = [
  [
    'a node without new blocks',
    ({ world }) => (world.isMining = false),
    20,
    'chain',
    'head_silent',
    /^No new block for 20 s: block \d+, 2\d s old\.$/,
  ],
  ['blocks an hour old', ({ world }) => (world.behind = hour), 5, 'chain', 'head_old', /360\d s old/],
  ['blocks of the future', ({ world }) => (world.behind = -7_193), 5, 'chain', 'head_in_future', /-7193 s old/],
  [
    'a loop that gets no answer',
    ({ world }) => (world.executor = async () => ({ counts: { chain_unavailable: 1 } })),
    965,
    'executor',
    'loop_late',
    /^No good round for 98\d s; the interval is 900 s\.$/,
  ],
  [
    'a loop that hangs',
    ({ world }) => (world.executor = () => new Promise(() => {})),
    965,
    'executor',
    'loop_late',
    /^No good round/,
  ],
  [
    'an operation without an outcome',
    ({ world }) => world.open.push(open(4_000), open(30_001)),
    0,
    'operations',
    'operation_open',
    /^2 open, the oldest for 30 s: execute plan 3 \(keeper\)\.$/,
  ],
  [
    'a rescue that waits',
    ({ waiting }) => waiting.add(1n),
    11,
    'rescues',
    'rescue_waiting',
    /^A rescue has waited 11 s\.$/,
  ],
  [
    'loans that are not read',
    ({ world }) => (world.isUp = false),
    20,
    'rescues',
    'guards_unread',
    /have not been read for/,
  ],
  [
    'no money for a rescue',
    ({ world }) => (world.wei = 499_999_999_999_999n),
    20,
    'gas',
    'rescue_unpayable',
    /^No account can pay for a rescue: keeper 0\.000499999999999999 BNB\.$/,
  ],
  [
    'a day whose gas is used up',
    ({ world }) => (world.isGasDayUsed = true),
    0,
    'gas_day',
    'gas_day_used',
    /^Runs and deferrals have used 0\.25 BNB today/,
  ],
  [
    'gas that costs more than a run may',
    ({ world }) => (world.gasPriceWei = 5_000_000_001n),
    20,
    'gas_price',
    'gas_price_capped',
    /^No run is made: gas costs 5\.000000001 gwei, and MAX_GAS_PRICE_GWEI is 5\.$/,
  ],
  [
    'gas that costs more than a rescue may',
    ({ world }) => (world.gasPriceWei = 20_000_000_001n),
    20,
    'gas',
    'gas_price_capped',
    /^No rescue is made: .* forty times MAX_GAS_PRICE_GWEI is 20\.$/,
  ],
  ['the stop file', ({ world }) => (world.isStopped = true), 0, 'stop_file', 'stop_file', /^The stop file exists/],
];

test.each(cases)('%s makes /ready 503 and is named', async (_, spoil, seconds, dependency, reason, detail) => {
  expect((await agent.ready()).ready).toBe(true);
  spoil(agent);
  if (seconds > 0) await agent.pass(seconds);
  const { ready, dependencies } = await agent.ready();
  expect(ready).toBe(false);
  expect(dependencies[dependency]).toEqual({ ok: false, needed: true, reason, detail: expect.stringMatching(detail) });
});

test.each<[what: string, spoil: (agent: Agent) => unknown, seconds: number, dependency: string, reason: string]>([
  ['a key that others send with', ({ world }) => (world.isForeignNonce = true), 0, 'keys', 'key_shared'],
  ['a guard left out that is due', ({ world }) => (world.isLeftOutDue = true), 60, 'served', 'rescue_left_out'],
  ['a document that cannot be written', ({ keepEvidence }) => keepEvidence(), 0, 'evidence', 'evidence_not_kept'],
])('AG-67: %s is named, and makes nothing 503', async (_, spoil, seconds, dependency, reason) => {
  expect((await agent.ready()).dependencies[dependency]).toMatchObject({ ok: true });
  await spoil(agent);
  if (seconds > 0) await agent.pass(seconds);
  const { ready, dependencies } = await agent.ready();
  expect([ready, dependencies[dependency]]).toMatchObject([true, { ok: false, needed: false, reason }]);
});

test('AG-67: an accepted verdict key that the record does not name is named', async () => {
  const other = await startWatchedAgent({ isVerdictKeyUnnamed: true });
  try {
    await other.pass(20);
    const { ready, dependencies } = await other.ready();
    expect(dependencies.verdict_key).toMatchObject({ ok: false, needed: false, reason: 'verdict_key_unnamed' });
    expect(ready).toBe(true);
  } finally {
    other.stop();
  }
  expect(Object.keys((await agent.ready()).dependencies)).not.toContain('verdict_key');
});

test('a block that was never there is forgotten after fifteen seconds', async () => {
  agent.vitals.headSeen({ number: 2n ** 60n, timestamp: 1_000_000n });
  await agent.pass(20);
  expect((await agent.ready()).dependencies.chain).toMatchObject({ ok: false, reason: 'head_silent' });
  await agent.pass(10);
  expect((await agent.ready()).dependencies.chain).toMatchObject({ ok: true });
});

test('what is within its bound is ready', async () => {
  const { world, waiting } = agent;
  world.behind = 50;
  world.open.push(open(30_000));
  waiting.add(1n);
  world.wei = 500_000_000_000_000n;
  world.unread = 1;
  await agent.pass(10);
  expect((await agent.ready()).ready).toBe(true);
});

test('what only selling needs makes nothing 503', async () => {
  const { dependencies } = await agent.ready();
  expect(dependencies.jobs).toMatchObject({ ok: true, needed: false });
});

test('a first look is waited for two seconds', async () => {
  const { timers } = agent;
  const look = () => new Promise<string>((resolve) => timers.after(1_500, () => resolve('well')));
  const end = new AbortController().signal;
  const soon = keep({ name: 'chain', look }, 5, timers, end).look();
  await agent.pass(2);
  expect(await soon).toBe('well');
  const never = keep({ name: 'chain', look: () => new Promise(() => {}) }, 5, timers, end).look();
  const answer = expect(never).rejects.toMatchObject({ reason: 'no_answer', message: 'No answer yet.' });
  await agent.pass(2);
  await answer;
});

test('AG-371: a look that says how soon it is to be asked again is', async () => {
  const { timers } = agent;
  const waits = [1, 1, 60, 60];
  let looks = 0;
  const look = async () => `${++looks}`;
  const end = new AbortController();
  keep({ name: 'served', look }, () => waits[looks - 1] ?? 60, timers, end.signal);
  await agent.pass(3);
  expect(looks).toBe(3);
  await agent.pass(58);
  expect(looks).toBe(3);
  await agent.pass(2);
  expect(looks).toBe(4);
  end.abort();
});

test('with several workers, where no key carries for the wallet, the wallet pays for no rescue', async () => {
  const worker = await startWatchedAgent({ payer: 'wallet' });
  try {
    await worker.pass(20);
    const gas = async () => (await worker.ready()).dependencies.gas;
    expect(await gas()).toMatchObject({ ok: false, reason: 'rescue_unpayable' });
    worker.vitals.payerSeen('rescuer', { wei: 10n ** 18n, gasPriceWei: 10n ** 8n });
    expect(await gas()).toMatchObject({ ok: true });
  } finally {
    worker.stop();
  }
});

test('a look that never ends is no answer, and one that ends late is not waited for', async () => {
  let now = 0;
  const timers = { now: () => now, after: () => () => {} };
  const look = () => new Promise<string>(() => {});
  const hung = keep({ name: 'chain', look }, 5, timers, new AbortController().signal);
  now = 35_001;
  await expect(hung.look()).rejects.toMatchObject({ reason: 'no_answer', message: 'No answer for 35 s.' });
});
