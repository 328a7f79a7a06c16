import { writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Json, Payment, PaymentRail, PaymentRefusal, Progress, Taken } from '@bowline/core/domain/payment';
import { BowlineError, failure, internalFailure, type Result, success } from '@bowline/core/domain/result';
import { verifyTypedData } from 'viem';
import { expect, test, vi } from 'vitest';
import { createAnswer } from '../../src/ask/answer.ts';
import type { LanguageModel } from '../../src/ask/model.ts';
import type { Lost } from '../../src/payments/lost.ts';
import { openPaymentStore } from '../../src/payments/payment-store.ts';
import type { Ask } from '../../src/payments/question.ts';
import { inWords } from '../../src/payments/question.ts';
import { callTool } from '../../src/tools/call.ts';
import { tools } from '../../src/tools/index.ts';
import type { ToolContext } from '../../src/tools/tool.ts';
import { keepLog } from '../api/log.ts';
import { world } from '../tools/world.ts';
import {
  answer,
  authorization,
  hash,
  onUnreadable,
  paid,
  read,
  receipt,
  start,
  unavailable,
  unknown,
} from './till-stub.ts';

test('PY-3: one payment gives one answer, however often, at whatever time and however encoded it is sent', async () => {
  const take = async () => {
    // So long that all copies come while the first is being taken.
    await sleep(200);
    return paid;
  };
  const { send, rail, worked } = await start({ take });
  const copies = await Promise.all([send('a'), send('a/ '), send('a/  ')]);
  copies.push(await send('a'), await send('a/b'));
  const answer = { status: 200, said: 'answer', receipt, asked: null };
  for (const copy of copies) expect(copy).toMatchObject(answer);
  expect(rail.settle).toHaveBeenCalledTimes(1);
  expect(worked).toHaveBeenCalledTimes(1);
  await send('b');
  expect(worked).toHaveBeenCalledTimes(2);
});

test('PY-3: a payment that was sent with another prompt pays for that one alone', async () => {
  const { send, worked } = await start({ take: async () => paid });
  const [one, two] = await Promise.all([send('a', 'one'), send('a/ ', 'two')]);
  expect([one.said, two.said].toSorted()).toEqual(['answer', 'payment_used_for_another_prompt']);
  expect(await send('a', 'three')).toMatchObject({ status: 409, said: 'payment_used_for_another_prompt' });
  expect(worked).toHaveBeenCalledTimes(1);
});

test('what the token would not take is asked for again, with the reason; nothing is settled, and the same words are looked at anew', async () => {
  const { send, rail, worked } = await start({ take: async () => paid, open: async () => 'token_refuses' });
  const said = {
    status: 402,
    said: 'payment_refused',
    reason: 'token_refuses',
    asked: 'token_refuses',
    receipt: null,
  };
  expect(await send('a')).toEqual(said);
  expect(await send('a')).toEqual(said);
  expect(rail.open).toHaveBeenCalledTimes(2);
  expect(rail.settle).not.toHaveBeenCalled();
  expect(worked).not.toHaveBeenCalled();
  expect(await send('!')).toMatchObject({ status: 402, said: 'payment_malformed' });
});

test('PY-4: work that failed may be had by the same payment, which is not taken again', async () => {
  let fails = true;
  const work = async () => (fails ? failure('model_unavailable', 'No.', true) : answer);
  const { send, rail, worked } = await start({ take: async () => paid, work });
  expect(await send('a')).toMatchObject({ status: 502, said: 'model_unavailable', receipt });
  fails = false;
  expect(await send('a')).toMatchObject({ status: 200, said: 'answer' });
  expect(rail.settle).toHaveBeenCalledTimes(1);
  expect(worked).toHaveBeenCalledTimes(2);
});

test('AG-283: a model whose tools could not read the chain leaves a credit, which buys the answer later', async () => {
  let isDown = true;
  const down = (): never => {
    throw new BowlineError('chain_unavailable', 'The chain does not answer.', { retryable: true });
  };
  const chain: ToolContext['chain'] = {
    ...world.chain,
    facts: async (...of) => (isDown ? down() : world.chain.facts(...of)),
  };
  const call = callTool(tools, { ...world, chain }, () => {});
  const model: LanguageModel = {
    respond: async ({ length }) =>
      length === 2
        ? { text: '', calls: [{ id: '1', tool: 'check_asset', argumentsJson: '{"asset":"BTCB"}' }] }
        : { text: 'It looks fine.', calls: [] },
  };
  const ask = createAnswer({ tools, call, assets: world.assets, model, timeoutMs: 20_000, log: keepLog() });
  const work = async () => {
    const result = await ask('Is BTCB fair?');
    return result.ok ? success({ text: result.value.text }) : result;
  };
  const { send, rail } = await start({ take: async () => paid, work });
  const failed = { status: 502, said: 'chain_unavailable', receipt, credit: { signature: expect.any(String) } };
  expect(await send('a')).toMatchObject(failed);
  isDown = false;
  expect(await send('a')).toMatchObject({ status: 200, said: expect.stringMatching(/^Verdict: GO for buying/) });
  expect(rail.settle).toHaveBeenCalledTimes(1);
});

test('PY-5: an unknown outcome is told as such, and looked at again when the payment comes again', async () => {
  const outcomes: Taken[] = [{ state: 'unknown', transaction: hash('d') }, { state: 'unknown' }, paid];
  const { send, rail, worked } = await start({ take: async () => outcomes.shift() ?? paid });
  expect(await send('a')).toMatchObject({ status: 503, said: 'settlement_unknown', receipt: null });
  expect(await send('a/ ')).toMatchObject({ status: 503, said: 'settlement_unknown' });
  expect(await send('a', 'another')).toMatchObject({ status: 409 });
  expect(worked).not.toHaveBeenCalled();
  expect(await send('a')).toMatchObject({ status: 200, said: 'answer' });
  expect(await send('a')).toMatchObject({ status: 200, said: 'answer' });
  expect(rail.open).toHaveBeenCalledTimes(1);
  expect(rail.settle).toHaveBeenCalledTimes(3);
  expect(worked).toHaveBeenCalledTimes(1);
});

test('an unknown outcome that turns out to be a refusal is one', async () => {
  const outcomes: Taken[] = [{ state: 'unknown' }, { state: 'refused', reason: 'lapsed' }];
  const { send, worked } = await start({ take: async () => outcomes.shift() ?? paid });
  expect((await send('a')).status).toBe(503);
  expect(await send('a')).toMatchObject({ status: 402, reason: 'lapsed' });
  expect(worked).not.toHaveBeenCalled();
});

test('PY-5: what the facilitator did not take is looked at again before it is taken for a new payment', async () => {
  const outcomes: Taken[] = [{ state: 'refused', reason: 'facilitator_refuses' }, paid];
  const { send, rail } = await start({ take: async () => outcomes.shift() ?? paid });
  expect(await send('a', 'one')).toMatchObject({ status: 402, reason: 'facilitator_refuses' });
  // The facilitator may have sent it all the same: whoever reads it from its calldata asks nothing with it (AG-148).
  expect(await send('a', 'two')).toMatchObject({ status: 409 });
  expect(await send('a', 'one')).toMatchObject({ status: 200, said: 'answer' });
  expect(rail.open).toHaveBeenCalledTimes(1);
  expect(rail.settle).toHaveBeenCalledTimes(2);
});

test('while the rail is not available nothing is remembered, and asking says so too', async () => {
  let down = true;
  const open = async () => (down ? Promise.reject(unavailable()) : undefined);
  const { send, rail, till } = await start({ take: async () => paid, open });
  expect(await send('a')).toMatchObject({ status: 503, said: 'payment_unavailable' });
  rail.ask.mockRejectedValueOnce(unavailable());
  await expect(till.ask({ url: '', description: '' })).rejects.toThrow('Not now.');
  down = false;
  expect(await send('a', 'another')).toMatchObject({ status: 200, said: 'answer' });
  expect(await till.ask({ url: '', description: '' })).toEqual({ asked: '' });
});

test('PY-11: a payment is counted once, when it is about to be taken; nothing else that is sent as one is counted', async () => {
  const check = async ({ key }: Payment) => (key.startsWith('forged') ? 'bad_signature' : undefined);
  let funds = false;
  const open = async () => (funds ? undefined : 'token_refuses');
  const outcomes: Taken[] = [];
  const { send, worked, pass } = await start({ take: async () => outcomes.shift() ?? paid, check, open });
  const times = <Sent>(many: number, one: (at: number) => Promise<Sent>) =>
    Promise.all(Array.from({ length: many }, (_, at) => one(at)));

  await times(50, (at) => send(`!${at}`));
  await times(50, (at) => send(`forged${at}`));
  await times(50, (at) => send(`poor${at}`));
  funds = true;
  outcomes.push(...Array.from({ length: 50 }, () => ({ state: 'refused', reason: 'cancelled' }) as const));
  // Those that are being taken hold a place each; what comes of them gives it back.
  for (let round = 0; round < 5; round++) await times(10, (at) => send(`cancelled${round}-${at}`));
  expect(outcomes).toHaveLength(0);
  expect(worked).not.toHaveBeenCalled();

  const copies = await times(200, (at) => send(`honest/${at}`));
  expect(new Set(copies.map(({ status }) => status))).toEqual(new Set([200]));
  expect(worked).toHaveBeenCalledTimes(1);
  const others = await times(30, (at) => send(`other${at}`));
  expect(others.filter(({ status }) => status === 200)).toHaveLength(19);
  expect(others.filter(({ said }) => said === 'rate_limited')).toHaveLength(11);
  expect((await send('honest')).status).toBe(200);

  const late = others.findIndex(({ status }) => status === 429);
  pass(60_000);
  expect(await send(`other${late}`, 'another')).toMatchObject({ status: 200, said: 'answer' });
});

test('AG-357: a paid failure that is permanent says so, with the credit and no time to come again', async () => {
  const { till, limit } = await start({ take: async () => paid, work: async () => internalFailure });
  const resource = { url: 'http://localhost', description: '' };
  const outcome = await till.serve({ payload: 'a', question: inWords('hello'), resource, limit });
  expect(outcome).toMatchObject({
    state: 'failed',
    failure: {
      code: 'internal',
      retryable: false,
      message: expect.stringContaining('the same payment will not bring the answer'),
    },
    receipt,
    credit: { signature: expect.any(String) },
  });
  expect(outcome).not.toHaveProperty('waitSeconds');
});

/** For ever, and retryable. */
const failing = async () => failure('model_unavailable', 'No.', true);
const owed = { status: 502, said: 'model_unavailable', receipt, credit: { signature: expect.any(String) } };

test('PY-21: work that failed is counted again each time it is tried again, in a share of a fifth', async () => {
  const { send, worked, pass } = await start({ take: async () => paid, work: failing });
  for (let payer = 0; payer < 10; payer++) {
    for (let tries = 0; tries < 2; tries++) expect(await send(`${payer}`)).toMatchObject(owed);
  }
  // What is refused a place is owed, and waits for one.
  expect(await send('9')).toMatchObject({ ...owed, waitSeconds: 60 });
  expect(worked).toHaveBeenCalledTimes(14);
  // Ten new payments have the rest of the limit.
  for (let payer = 10; payer < 20; payer++) expect(await send(`${payer}`)).toMatchObject(owed);
  expect(await send('20')).toMatchObject({ status: 429, said: 'rate_limited', receipt: null });
  pass(59_999);
  expect(await send('9')).toMatchObject({ ...owed, waitSeconds: 1 });
  expect(worked).toHaveBeenCalledTimes(24);
  pass(1);
  expect(await send('9')).toMatchObject({ ...owed, waitSeconds: 5 });
  expect(worked).toHaveBeenCalledTimes(25);
});

test('PY-21: work of one payment that fails for ever is tried ever more rarely, and the payer is told when to retry', async () => {
  const { send, worked, pass } = await start({ take: async () => paid, work: failing });
  /** Five times a second. */
  const poll = async (seconds: number) => {
    for (let sent = 0; sent < seconds * 5; sent++) {
      expect(await send('a')).toMatchObject(owed);
      pass(200);
    }
  };
  await poll(180);
  // At once, again at once, and after 5, 10, 20, 40 and 80 s.
  expect(worked).toHaveBeenCalledTimes(7);
  expect(await send('a')).toMatchObject({ ...owed, waitSeconds: 136 });
  const waits: number[] = [];
  for (let tries = 0; tries < 8; tries++) {
    const { waitSeconds = 0 } = await send('a');
    pass(waitSeconds * 1_000);
    waits.push(waitSeconds);
  }
  expect(waits).toEqual([136, 320, 640, 1_280, 2_560, 5_120, 7_200, 7_200]);
  expect(worked).toHaveBeenCalledTimes(14);
});

test('PY-21: 40 payments whose work fails for ever, sent again all the time, refuse no honest payer', async () => {
  const questions: string[] = [];
  const work = async (ask: Ask) => {
    questions.push('prompt' in ask ? ask.prompt : '');
    return questions.at(-1) === 'honest' ? answer : await failing();
  };
  const { send, worked, pass } = await start({ take: async () => paid, work });
  // As many are paid in a minute as the limit has.
  for (let at = 0; at < 40; at++) {
    if (at === 20) pass(60_000);
    expect(await send(`failing${at}`)).toMatchObject(owed);
  }
  const before = worked.mock.calls.length;
  for (let minute = 0; minute < 3; minute++) {
    for (let second = 0; second < 60; second++) {
      pass(1_000);
      for (let at = 0; at < 40; at++) expect(await send(`failing${at}`)).toMatchObject(owed);
    }
    expect(await send(`honest${minute}`, 'honest')).toMatchObject({ status: 200, said: 'answer' });
  }
  expect(questions.slice(before).filter((question) => question !== 'honest').length).toBeLessThanOrEqual(4 * 4);
});

const busy = { status: 503, said: 'payment_unavailable', reason: 'payer_busy' };
const earlierUnknown = { status: 503, said: 'payment_unavailable', reason: 'earlier_payment_unknown' };

test('PY-13: of one payer one payment is settled at a time and three wait; the others are put off, and other payers are not', async () => {
  // Nothing ends before the others have been put off: on a busy machine a fixed time would pass before they arrive.
  const arrived = Promise.withResolvers<void>();
  let running = 0;
  let max = 0;
  let previews = 0;
  let maxPreviews = 0;
  const open = async () => {
    maxPreviews = Math.max(maxPreviews, ++previews);
    await arrived.promise;
    previews -= 1;
    return undefined;
  };
  const take = async () => {
    max = Math.max(max, ++running);
    await sleep(20);
    running -= 1;
    return paid;
  };
  const { send, rail } = await start({ take, open });
  let putOff = 0;
  const sendOne = async (at: number) => {
    const answer = await send(`one:${at}`);
    if (answer.status !== 200 && ++putOff === 36) arrived.resolve();
    return answer;
  };
  const answers = await Promise.all(Array.from({ length: 40 }, (_, at) => sendOne(at)));
  expect([max, maxPreviews]).toEqual([1, 4]);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(4);
  for (const answer of answers.filter(({ status }) => status !== 200)) expect(answer).toMatchObject(busy);
  // The three that waited are simulated again when their turn has come.
  expect(rail.open).toHaveBeenCalledTimes(4 + 3);
  // What was put off has taken nothing of the limit: 16 places are left.
  const others = await Promise.all(Array.from({ length: 17 }, (_, at) => send(`other${at}`)));
  expect(others.filter(({ status }) => status === 200)).toHaveLength(16);
});

test('PY-13: a payment that waited is refused when the funds are gone, and goes on when it was used meanwhile', async () => {
  let spent = false;
  const open = async ({ key }: Payment) => {
    if (!spent) return undefined;
    return key === 'one/used' ? 'already_used' : 'token_refuses';
  };
  const take = async () => {
    await sleep(300);
    spent = true;
    return paid;
  };
  const { send, rail } = await start({ take, open });
  const begun = send('one:1');
  await vi.waitUntil(() => rail.open.mock.calls.length === 1);
  const [first, used, poor] = await Promise.all([begun, send('one:used'), send('one:3')]);
  expect([first?.status, used?.status]).toEqual([200, 200]);
  expect(poor).toMatchObject({ status: 402, reason: 'token_refuses' });
  expect(rail.settle).toHaveBeenCalledTimes(2);
});

test('PY-13: payments that were used before they were first seen here do not keep their payer waiting', async () => {
  let free = () => {};
  const gate = new Promise<void>((resolve) => {
    free = resolve;
  });
  const open = async ({ key }: Payment) => {
    if (!key.startsWith('one/used')) return undefined;
    await gate;
    return 'already_used';
  };
  const { send, rail } = await start({ take: async () => paid, open });
  const copied = Array.from({ length: 4 }, (_, at) => `one:used${at}`);
  const first = copied.map((signed) => send(signed));
  await vi.waitUntil(() => rail.open.mock.calls.length === 4);
  expect(await send('one:mine')).toMatchObject(busy);
  free();
  const refused = { status: 402, said: 'payment_already_used', reason: 'already_used' };
  for (const answer of await Promise.all(first)) expect(answer).toMatchObject(refused);
  const again = Array.from({ length: 40 }, (_, at) => send(`${copied[at % 4]}`));
  expect(await send('one:mine')).toMatchObject({ status: 200 });
  for (const answer of await Promise.all(again)) expect(answer).toMatchObject(refused);
  expect(rail.open).toHaveBeenCalledTimes(5);
});

test('PY-14: while an earlier payment of a payer is of unknown outcome, a later one is put off, for 60 s at most', async () => {
  const outcomes: Taken[] = [unknown];
  const { send, rail, pass } = await start({ take: async () => outcomes.shift() ?? paid, look: async () => unknown });
  expect(await send('one:1')).toMatchObject({ said: 'settlement_unknown' });
  for (let tries = 1; tries <= 30; tries++) {
    expect(await send(`one:${tries + 1}`)).toMatchObject(earlierUnknown);
    expect(rail.looked).toHaveBeenCalledTimes(tries);
  }
  expect(rail.settle).toHaveBeenCalledTimes(1);
  expect(await send('two:1')).toMatchObject({ status: 200 });
  pass(60_000);
  expect(await send('one:2')).toMatchObject({ status: 200 });
  expect(await send('one:1')).toMatchObject({ status: 200 });
});

test('PY-14: what became of the earlier payment is looked up first; it is answered when it comes again, or gives its place back', async () => {
  const outcomes: Taken[] = [unknown];
  const found = await start({ take: async () => outcomes.shift() ?? paid, look: async () => paid });
  expect(await found.send('one:1')).toMatchObject({ said: 'settlement_unknown' });
  expect(await found.send('one:2')).toMatchObject({ status: 200 });
  expect(await found.send('one:1')).toMatchObject({ status: 200, receipt });
  expect(found.rail.settle).toHaveBeenCalledTimes(2);

  outcomes.push(unknown);
  const look = async (): Promise<Taken> => ({ state: 'refused', reason: 'cancelled' });
  const gone = await start({ take: async () => outcomes.shift() ?? paid, look });
  expect(await gone.send('one:1')).toMatchObject({ said: 'settlement_unknown' });
  for (let other = 0; other < 20; other++) expect(await gone.send(`one:${other + 2}`)).toMatchObject({ status: 200 });
  expect(await gone.send('one:22')).toMatchObject({ status: 429 });
});

test('PY-14: a payment of unknown outcome that comes again while the line of its payer is full is not forgotten', async () => {
  let free = () => {};
  const gate = new Promise<void>((resolve) => {
    free = resolve;
  });
  const outcomes = [async () => unknown];
  const take = async () => (outcomes.shift() ?? (() => gate.then(() => paid)))();
  const { send, rail, pass } = await start({ take, look: async () => unknown });
  expect(await send('one:1', 'first')).toMatchObject({ said: 'settlement_unknown' });
  pass(60_000);
  const line = [2, 3, 4, 5].map((at) => send(`one:${at}`));
  await vi.waitUntil(() => rail.open.mock.calls.length === 5);
  // Nor is it said that it was not tried.
  expect(await send('one:1', 'first')).toMatchObject({ status: 503, said: 'settlement_unknown' });
  expect(await send('one:6')).toMatchObject(busy);
  free();
  for (const answer of await Promise.all(line)) expect(answer.status).toBe(200);
  // It is still the payment for that prompt, and is not taken for a new one.
  expect(await send('one:1', 'second')).toMatchObject({ status: 409 });
  expect(await send('one:1', 'first')).toMatchObject({ status: 200 });
});

test('AG-140: a paid answer is on disk before it is sent, and given again by the next process', async () => {
  const before = await start({ take: async () => paid, work: async () => success({ text: 'first' }) });
  expect(await before.send('a')).toMatchObject({ status: 200, said: 'first' });
  expect([await before.files('open/'), (await before.files('answered/')).length]).toEqual([[], 1]);
  const { folder } = before;
  const after = await start({ take: async () => paid, work: async () => success({ text: 'second' }), folder });
  for (const encoded of ['a', 'a/ ']) {
    expect(await after.send(encoded)).toMatchObject({ status: 200, said: 'first', receipt });
  }
  expect(await after.send('a', 'another')).toMatchObject({ status: 409, said: 'payment_used_for_another_prompt' });
  expect(after.worked).not.toHaveBeenCalled();
  expect(after.rail.settle).not.toHaveBeenCalled();
});

test('AG-140: before the facilitator has a payment its file is there; if it cannot be written, nothing is tried', async () => {
  let files: string[] = [];
  const {
    send,
    folder,
    rail,
    files: filesIn,
  } = await start({
    take: async () => {
      files = await filesIn('open/');
      return paid;
    },
  });
  expect(await send('a')).toMatchObject({ status: 200 });
  expect(files).toHaveLength(1);
  await rm(folder, { recursive: true });
  expect(await send('b')).toMatchObject({ status: 503, said: 'payment_unavailable', reason: 'not_kept' });
  expect(rail.settle).toHaveBeenCalledTimes(1);
  // Nor is it remembered: it may come again with another question.
  expect(await send('b', 'another')).toMatchObject({ status: 503, reason: 'not_kept' });
});

test('AG-141: what was paid and not answered is answered after a restart, also if nobody knew yet that it was paid', async () => {
  const hangs = () => new Promise<never>(() => {});
  const before = await start({ take: async () => paid, work: hangs });
  void before.send('works');
  await vi.waitUntil(() => before.worked.mock.calls.length === 1);
  const { folder } = before;
  const asking = await start({ take: hangs, folder });
  void asking.send('asked');
  await vi.waitUntil(() => asking.rail.settle.mock.calls.length === 1);
  const after = await start({ take: async () => paid, folder });
  expect(await after.files('open/')).toHaveLength(2);
  await after.till.recover();
  expect([await after.files('open/'), (await after.files('answered/')).length]).toEqual([[], 2]);
  expect(after.worked).toHaveBeenCalledTimes(2);
  expect(after.rail.resume).toHaveBeenCalledWith(expect.anything(), { since: 7n, transactions: [hash('8')] });
  for (const key of ['works', 'asked']) expect(await after.send(key)).toMatchObject({ status: 200, said: 'answer' });
  expect(after.worked).toHaveBeenCalledTimes(2);
});

test('AG-141: what the chain shows as not taken is forgotten after a restart; what is unknown stays', async () => {
  const before = await start({ take: async () => unknown });
  expect(await before.send('a')).toMatchObject({ said: 'settlement_unknown' });
  const { folder } = before;
  const later = await start({ take: async () => unknown, folder });
  await later.till.recover();
  expect(await later.files('open/')).toHaveLength(1);
  expect(await later.send('a', 'another')).toMatchObject({ status: 409 });
  const lapsed = await start({ take: async () => ({ state: 'refused', reason: 'lapsed' }), folder });
  await lapsed.till.recover();
  expect(await lapsed.files('open/')).toEqual([]);
});

test('AG-142: stopping waits for what was begun and begins nothing new', async () => {
  const gate = Promise.withResolvers<void>();
  const work = async () => {
    await gate.promise;
    return answer;
  };
  const { send, till, worked } = await start({ take: async () => paid, work });
  const begun = send('a');
  await vi.waitUntil(() => worked.mock.calls.length === 1);
  let isDrained = false;
  const drained = till.drain().then(() => {
    isDrained = true;
  });
  expect(await send('b')).toMatchObject({ status: 503, said: 'payment_unavailable', reason: 'stopping' });
  const copy = send('a/ ');
  expect(isDrained).toBe(false);
  gate.resolve();
  expect([await begun, await copy]).toEqual([expect.objectContaining({ status: 200 }), await begun]);
  await drained;
});

test('AG-143: paid work that fails leaves a signed credit, which the same payment redeems, after a restart too', async () => {
  const work = async () => failure('model_unavailable', 'No.', true);
  const { send, folder, signer } = await start({ take: async () => paid, work });
  const failed = await send('a');
  expect(failed).toMatchObject({ status: 502, said: 'model_unavailable', receipt });
  const {
    signature,
    issued_at,
    amount,
    domain,
    signer: by,
    ...rest
  } = (failed as { credit: Json }).credit as {
    signature: `0x${string}`;
    issued_at: string;
    amount: string;
    domain: { name: string; version: string; chain_id: number };
    signer: string;
    payer: `0x${string}`;
    token: `0x${string}`;
    nonce: `0x${string}`;
    transaction: `0x${string}`;
    question: `0x${string}`;
  };
  expect([by, domain]).toEqual([signer.address, { name: 'Bowline credits', version: '1', chain_id: 31337 }]);
  expect(rest).toMatchObject({
    payer: read('a').authorization.from,
    nonce: authorization.nonce,
    transaction: hash('a'),
  });
  const types = {
    PaymentCredit: [
      { name: 'payer', type: 'address' },
      { name: 'token', type: 'address' },
      { name: 'amount', type: 'uint256' },
      { name: 'nonce', type: 'bytes32' },
      { name: 'transaction', type: 'bytes32' },
      { name: 'question', type: 'bytes32' },
      { name: 'issuedAt', type: 'uint64' },
    ],
  } as const;
  const message = { ...rest, amount: BigInt(amount), issuedAt: BigInt(issued_at) };
  const signed = { domain: { name: domain.name, version: domain.version, chainId: domain.chain_id }, types };
  const primaryType = 'PaymentCredit';
  expect(await verifyTypedData({ ...signed, primaryType, message, address: signer.address, signature })).toBe(true);
  expect(await send('a')).toMatchObject({ credit: (failed as { credit: Json }).credit });

  const after = await start({ take: async () => paid, folder });
  expect(await after.send('a', 'another')).toMatchObject({ status: 409 });
  expect(await after.send('a')).toMatchObject({ status: 200, said: 'answer' });
  expect(after.rail.settle).not.toHaveBeenCalled();
});

test('AG-146: the same payer, Idempotency-Key and question are one payment, at once, later and after a restart', async () => {
  const take = async () => {
    await sleep(50);
    return paid;
  };
  const { send, rail, folder } = await start({ take });
  const [one, two] = await Promise.all([send('one:1', 'hello', 'key'), send('one:2', 'hello', 'key')]);
  expect(one).toMatchObject({ status: 200 });
  expect(two).toEqual(one);
  expect(await send('one:3', 'hello', 'key')).toEqual(one);
  expect(rail.settle).toHaveBeenCalledTimes(1);
  expect(await send('one:4', 'other', 'key')).toMatchObject({ status: 409, said: 'idempotency_key_reused' });
  // A key is its payer's alone.
  expect(await send('two:1', 'other', 'key')).toMatchObject({ status: 200 });
  expect(await send('one:5', 'hello', 'key 2')).toMatchObject({ status: 200 });
  expect(rail.settle).toHaveBeenCalledTimes(3);
  const after = await start({ take, folder });
  expect(await after.send('one:6', 'hello', 'key')).toEqual(one);
  expect(await after.send('one:7', 'other', 'key')).toMatchObject({ said: 'idempotency_key_reused' });
  expect(after.rail.settle).not.toHaveBeenCalled();
});

test('AG-146: an Idempotency-Key whose payment took nothing may come with another payment', async () => {
  const outcomes: Taken[] = [{ state: 'refused', reason: 'cancelled' }];
  const { send, rail } = await start({ take: async () => outcomes.shift() ?? paid });
  expect(await send('one:1', 'hello', 'key')).toMatchObject({ status: 402 });
  expect(await send('one:2', 'hello', 'key')).toMatchObject({ status: 200 });
  expect(rail.settle).toHaveBeenCalledTimes(2);
});

test('AG-140: answers of more than a week ago are forgotten, what is owed never', async () => {
  const results: Result<Json>[] = [answer, failure('timeout', 'No.', true)];
  const { send, folder, files } = await start({ take: async () => paid, work: async () => results.shift() ?? answer });
  expect(await send('a')).toMatchObject({ status: 200 });
  expect(await send('b')).toMatchObject({ status: 502 });
  const store = await openPaymentStore(folder, onUnreadable);
  await store.prune(Date.now() + 6 * 24 * 3_600_000);
  expect(await files('answered/')).toHaveLength(1);
  await store.prune(Date.now() + 8 * 24 * 3_600_000);
  expect([await files('answered/'), (await files('open/')).length]).toEqual([[], 1]);
});

test('AG-148: of a declined payment that comes again, its first question alone is answered, whoever copies it meanwhile', async () => {
  const settled = Promise.withResolvers<Taken>();
  const outcomes: (Taken | Promise<Taken>)[] = [{ state: 'refused', reason: 'facilitator_refuses' }, settled.promise];
  const { send, worked } = await start({ take: async () => (await outcomes.shift()) ?? paid });
  expect(await send('one', 'mine')).toMatchObject({ status: 402 });
  const again = send('one', 'mine');
  const thief = send('one', 'not mine');
  settled.resolve({ state: 'unknown' });
  expect([(await again).status, (await thief).status]).toEqual([503, 409]);
  expect(await send('one', 'not mine')).toMatchObject({ status: 409 });
  expect(await send('one', 'mine')).toMatchObject({ status: 200 });
  expect(worked.mock.calls.map(([ask]) => ask)).toEqual([{ prompt: 'mine' }]);
});

test('AG-140: a file that cannot be read costs its own payment alone', async () => {
  const { send, folder } = await start({ take: async () => ({ state: 'unknown' }) });
  expect(await send('one')).toMatchObject({ status: 503 });
  writeFileSync(new URL('open/broken.json', folder), '{');
  const unreadable: string[] = [];
  const store = await openPaymentStore(folder, (name) => unreadable.push(name));
  expect(await store.open()).toHaveLength(1);
  expect(unreadable).toEqual(['broken.json']);
});

test('AG-237: a payment that the facilitator has had keeps its file while its outcome may change, whatever the chain shows', async () => {
  const cancelled: Taken = { state: 'refused', reason: 'cancelled', mayChange: true };
  let shown: Taken = cancelled;
  const { send, till, files, lookAgain, folder, worked } = await start({ take: async () => shown });
  await till.recover();
  expect(await send('one:1', 'hello', 'key')).toMatchObject({ status: 402, reason: 'cancelled' });
  await lookAgain();
  expect([(await files('open/')).length, await files('keys/')]).toEqual([1, []]);
  // It is that payment still, after a restart too, and its Idempotency-Key may come with another one.
  expect(await send('one:1', 'another')).toMatchObject({ status: 409 });
  const after = await start({ take: async () => shown, folder });
  expect(await after.send('one:1', 'another')).toMatchObject({ status: 409 });
  expect(await after.send('one:1')).toMatchObject({ status: 402, reason: 'cancelled' });
  // A reorganisation made it paid: it is answered.
  shown = paid;
  expect(await send('one:2', 'hello', 'key')).toMatchObject({ status: 200 });
  await lookAgain();
  expect([await files('open/'), (await files('answered/')).length]).toEqual([[], 2]);
  expect(worked).toHaveBeenCalledTimes(2);
  // Final: the file goes.
  shown = cancelled;
  expect(await send('two:1')).toMatchObject({ reason: 'cancelled' });
  expect(await files('open/')).toHaveLength(1);
  shown = { state: 'refused', reason: 'cancelled' };
  await lookAgain();
  expect(await files('open/')).toEqual([]);
});

test('AG-239: a payment that a restore has lost is answered once the chain has proved it; any other used one buys nothing', async () => {
  let known: Progress | Error | undefined = { since: 3n, transactions: [hash('a')] };
  const lost: Lost = {
    mayBe: ({ key }) => key.startsWith('lost'),
    recall: async () => {
      if (known instanceof Error) throw known;
      return known;
    },
  };
  const check = vi.fn<PaymentRail['check']>(async (_payment, _payload, mayBeOver) =>
    mayBeOver ? undefined : 'expired',
  );
  const open = async (): Promise<PaymentRefusal> => 'already_used';
  const till = await start({ take: async () => paid, check, open, lost });
  expect(await till.send('lost:1')).toMatchObject({ status: 200, said: 'answer', receipt });
  expect(till.rail.resume).toHaveBeenCalledWith(expect.objectContaining({ key: 'lost/1' }), known);
  expect(await till.send('lost:1', 'another')).toMatchObject({ status: 409 });
  expect(till.rail.settle).not.toHaveBeenCalled();
  expect(await till.files('answered/')).toHaveLength(1);
  expect(await till.send('other:1')).toMatchObject({ status: 402, reason: 'expired' });
  // The chain does not answer: nothing is known, and nothing is remembered.
  known = new Error('no node');
  expect(await till.send('lost:2')).toMatchObject({ status: 503, said: 'settlement_unknown' });
  known = undefined;
  expect(await till.send('lost:2', 'another')).toMatchObject({ status: 402, reason: 'already_used' });
  expect(await till.send('lost:2')).toMatchObject({ status: 402, reason: 'already_used' });
  expect(await till.files('open/')).toEqual([]);
  expect(till.worked).toHaveBeenCalledTimes(1);
});

test('AG-263: while too many payments of before a restore are looked up, one is put off, and nothing of it is remembered', async () => {
  let isFull = true;
  const lost: Lost = { mayBe: () => true, recall: () => (isFull ? undefined : Promise.resolve(undefined)) };
  const { send, files } = await start({ take: async () => paid, open: async () => 'already_used', lost });
  const busy = { status: 503, said: 'payment_unavailable', reason: 'recalls_busy' };
  expect(await send('one:1')).toMatchObject(busy);
  expect(await send('one:1', 'another')).toMatchObject(busy);
  isFull = false;
  expect(await send('one:1', 'another')).toMatchObject({ status: 402, reason: 'already_used' });
  expect(await files('open/')).toEqual([]);
});
