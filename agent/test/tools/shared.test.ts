import { fairProposal, NOW, pushedPool } from '@bowline/core/test/verdict/proposals';
import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, test } from 'vitest';
import { createTicketSigner } from '../../src/process/ticket-signer.ts';
import { callTool } from '../../src/tools/call.ts';
import { tools } from '../../src/tools/index.ts';
import { createIssued, createSharedAnswers } from '../../src/tools/shared.ts';
import { unavailable, world } from './world.ts';

// AG-6

/** Readings that end when they are told to. */
function crowd() {
  const time = { ms: 0, newest: 100n as bigint | undefined };
  const open: { question: string; end: (block: bigint) => Promise<void>; fail: () => Promise<void> }[] = [];
  const shared = createSharedAnswers({ newestBlock: () => time.newest, now: () => time.ms });
  const settled = () => new Promise<void>((resolve) => setImmediate(resolve));
  const ask = (question = 'a') => {
    const answer = shared.of(question, () => {
      const { promise, resolve, reject } = Promise.withResolvers<{ block: bigint; answer: string }>();
      const number = open.length;
      open.push({
        question,
        end: async (block) => {
          resolve({ block, answer: `reading ${number} of block ${block}` });
          await settled();
        },
        fail: async () => {
          reject(new Error(`reading ${number} failed`));
          await settled();
        },
      });
      return promise;
    });
    answer.catch(() => {});
    return answer;
  };
  return { time, open, ask };
}

test('those who ask the same at the same block cost one reading', async () => {
  const { open, ask } = crowd();
  const together = [ask(), ask(), ask()];
  await open[0]?.end(100n);
  const answers = [...(await Promise.all(together)), await ask()];
  expect(open).toHaveLength(1);
  expect(new Set(answers)).toEqual(new Set(['reading 0 of block 100']));
});

test('another question has a reading of its own', async () => {
  const { open, ask } = crowd();
  const [one, other] = [ask('a'), ask('b')];
  await open[0]?.end(100n);
  await open[1]?.end(100n);
  expect([await one, await other]).toEqual(['reading 0 of block 100', 'reading 1 of block 100']);
});

describe('nobody gets a block that is older than the newest known', () => {
  test('when a newer one is told after a reading has ended', async () => {
    const { time, open, ask } = crowd();
    const first = ask();
    await open[0]?.end(100n);
    time.newest = 101n;
    const second = ask();
    expect(open).toHaveLength(2);
    await open[1]?.end(101n);
    expect([await first, await second]).toEqual(['reading 0 of block 100', 'reading 1 of block 101']);
  });

  test('when a newer one is told while a reading is under way', async () => {
    const { time, open, ask } = crowd();
    const first = ask();
    time.newest = 101n;
    const second = ask();
    expect(open).toHaveLength(2);
    await open[1]?.end(101n);
    // The older one ends last; only those who waited for it get it.
    await open[0]?.end(100n);
    expect([await first, await second, await ask()]).toEqual([
      'reading 0 of block 100',
      'reading 1 of block 101',
      'reading 1 of block 101',
    ]);
  });

  test('but one of the block that was told since is shared', async () => {
    const { time, open, ask } = crowd();
    const first = ask();
    await open[0]?.end(101n);
    time.newest = 101n;
    expect(await ask()).toBe(await first);
    expect(open).toHaveLength(1);
  });

  test('and a node that lags gives those who joined a reading one more of their own, all of them the same', async () => {
    const { open, ask } = crowd();
    const [first, ...joined] = [ask(), ask(), ask(), ask()];
    await open[0]?.end(99n);
    expect(await first).toBe('reading 0 of block 99');
    expect(open).toHaveLength(2);
    // It still lags: a lone caller would get nothing better.
    await open[1]?.end(99n);
    expect(await Promise.all(joined)).toEqual(Array.from({ length: 3 }, () => 'reading 1 of block 99'));
    expect(open).toHaveLength(2);
  });

  test('on a chain that was reset, too', async () => {
    const { time, open, ask } = crowd();
    const joined = [ask(), ask()];
    time.newest = 5n;
    await open[0]?.end(99n);
    const after = ask();
    await open.at(-1)?.end(5n);
    await Promise.all([...joined, after]);
    time.ms += 450;
    const last = ask();
    await open.at(-1)?.end(6n);
    expect(await last).toContain('block 6');
  });
});

describe('a block’s time is the most', () => {
  test('that an answer is given again for, whatever is told of blocks', async () => {
    for (const newest of [undefined, 100n]) {
      const { time, open, ask } = crowd();
      time.newest = newest;
      const first = ask();
      time.ms += 300;
      // A node that names a future block does not extend how long an answer is kept.
      await open[0]?.end(1_000_000n);
      time.ms += 149;
      expect(await ask()).toBe(await first);
      time.ms += 1;
      const second = ask();
      expect(open).toHaveLength(2);
      await open[1]?.end(1_000_000n);
      expect(await second).toContain('reading 1');
    }
  });

  test('that others wait for a reading that hangs', async () => {
    const { time, open, ask } = crowd();
    const first = ask();
    time.ms += 450;
    const second = ask();
    await open[1]?.end(100n);
    expect(await second).toContain('reading 1');
    await open[0]?.end(100n);
    expect(await first).toContain('reading 0');
    expect(await ask()).toContain('reading 1');
  });
});

describe('a reading that fails', () => {
  test('fails for those who waited for it and for nobody after them', async () => {
    const { open, ask } = crowd();
    const waiting = [ask(), ask()];
    const outcomes = Promise.allSettled(waiting);
    await open[0]?.fail();
    expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    const after = ask();
    expect(open).toHaveLength(2);
    await open[1]?.end(100n);
    expect(await after).toBe('reading 1 of block 100');
  });

  test('late, takes no newer one with it', async () => {
    const { time, open, ask } = crowd();
    void ask();
    time.newest = 101n;
    void ask();
    await open[1]?.end(101n);
    await open[0]?.fail();
    expect(await ask()).toBe('reading 1 of block 101');
    expect(open).toHaveLength(2);
  });

  test('at once, is not kept either', async () => {
    const shared = createSharedAnswers({ newestBlock: () => 1n, now: () => 0 });
    const fails = () => {
      throw new Error('at once');
    };
    await expect(shared.of('a', fails)).rejects.toThrow('at once');
    expect(await shared.of('a', async () => ({ block: 1n, answer: 'read' }))).toBe('read');
  });
});

test('a crowd that asks for a thousand sizes displaces answers and loses nobody’s', async () => {
  const { open, ask } = crowd();
  const first = ask('first');
  const others = Array.from({ length: 1_000 }, (_, at) => ask(`size ${at}`));
  // Displaced while under way: it is read again for others, and still answers those who waited.
  void ask('first');
  expect(open).toHaveLength(1_002);
  for (const reading of open) await reading.end(100n);
  expect(await first).toBe('reading 0 of block 100');
  expect(await others[0]).toBe('reading 1 of block 100');
  // Only the newest thousand are known.
  expect(await ask('size 999')).toBe('reading 1000 of block 100');
  expect(open).toHaveLength(1_002);
  void ask('size 0');
  expect(open).toHaveLength(1_003);
}, 20_000);

describe('a verdict', () => {
  const account = privateKeyToAccount(`0x${'5'.repeat(64)}`);
  const signing = {
    ...world,
    tickets: createTicketSigner(account, 31_337, '0x5555555555555555555555555555555555555555'),
  };

  /** The agent's own door to a world that can be changed, which counts what it asks of the chain. */
  function door(withSharing = true) {
    const at = { reads: 0, fails: false, number: 1_000n, chain: fairProposal().chain, newest: 1_000n };
    const context = {
      ...signing,
      issued: createIssued(),
      ...(withSharing && { shared: createSharedAnswers({ newestBlock: () => at.newest, now: () => 0 }) }),
      chain: {
        ...signing.chain,
        facts: async () => {
          at.reads += 1;
          const { number, chain } = at;
          await new Promise((resolve) => setImmediate(resolve));
          return at.fails ? unavailable() : { ...chain, block: { ...chain.block, number } };
        },
      },
    };
    const call = callTool(tools, context, (error) => {
      throw error;
    });
    return { at, ask: (input: object = {}) => call('check_asset', { asset: 'BTCB', ...input }) };
  }

  test('is read once for all who ask at a block, however they put it, and is what a lone asker gets', async () => {
    const { at, ask } = door();
    const forms = [{}, { asset: 'bitcoin' }, { side: 'buy' }, { amount_usd: 1_000 }, { amount_usd: '1000.00' }];
    const answers = await Promise.all(forms.map(ask));
    expect(at.reads).toBe(1);
    const alone = await door(false).ask();
    for (const answer of [...answers, await ask()]) expect(JSON.stringify(answer)).toBe(JSON.stringify(alone));
    expect(at.reads).toBe(1);
  });

  test('of another side, size or asset is another', async () => {
    const { at, ask } = door();
    await Promise.all([ask(), ask({ side: 'sell' }), ask({ amount_usd: '1000.01' }), ask({ amount_asset: '0.01' })]);
    expect(at.reads).toBe(4);
  });

  test('cannot be changed by one asker for the next', async () => {
    const { ask } = door();
    const [first, before] = [await ask(), JSON.stringify(await ask())];
    if (!first.ok) throw new Error(first.message);
    const { value } = first;
    for (const poison of [
      () => Object.assign(value, { verdict: 'NO_GO' }),
      () => Object.assign(value.ticket ?? {}, { max_price_wad: '0' }),
      () => Object.assign(value.ticket?.domain ?? {}, { chain_id: 1 }),
      () => Object.assign(value.findings[0] ?? {}, { outcome: 'no_go' }),
      () => Object.assign(value.findings[0]?.ages ?? {}, { chainlink: '0' }),
      () => value.findings.pop(),
      () => value.references.splice(0),
    ]) {
      expect(poison).toThrow(TypeError);
    }
    expect(JSON.stringify(await ask())).toBe(before);
  });

  test('AG-6: has the earlier ticket while that is good, and is read at each block', async () => {
    const { at, ask } = door();
    const first = await ask();
    at.newest = 1_001n;
    at.number = 1_001n;
    expect(await ask()).toEqual(first);
    expect(at.reads).toBe(2);
    at.newest = 1_002n;
    at.number = 1_002n;
    at.chain = { ...at.chain, ...pushedPool(500n), block: { ...at.chain.block, timestamp: NOW } };
    const moved = await ask();
    expect(moved.ok && moved.value.verdict).toBe('NO_GO');
    expect(at.reads).toBe(3);
  });

  test('that could not be read is read again for whoever asks next', async () => {
    const { at, ask } = door();
    at.fails = true;
    const failed = await Promise.all([ask(), ask()]);
    expect(failed.map((each) => each.ok || each.code)).toEqual(['chain_unavailable', 'chain_unavailable']);
    at.fails = false;
    expect((await ask()).ok).toBe(true);
    expect(at.reads).toBe(2);
  });
});
