import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Guard } from '@bowline/core/domain/permissions';
import { timers } from '@bowline/http/clock';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { hasRedis, type RedisServer, startRedis } from '../../../test/e2e/redis-server.ts';
import { freePort } from '../../../test/local/free-port.ts';
import { maxMemberBytes, maxOthers } from '../../src/workers/members.ts';
import { beatOf, connectRedis } from '../../src/workers/redis.ts';
import { openWorkers } from '../../src/workers/workers.ts';
import { keepLog } from '../loops/world.ts';

// AG-82: what a stranger who writes to a real Redis can do.

const key = 'bowline:test';
let server: RedisServer;

describe.skipIf(!hasRedis())('a Redis with a stranger in it', { tags: 'long' }, () => {
  beforeAll(async () => {
    server = await startRedis(await freePort(), 'word');
  });
  afterAll(() => server?.kill());
  beforeEach(() => server.client.flushall());

  test('a beat is answered with live workers, and short ones, whatever stands under its key', async () => {
    const redis = connectRedis(server.url, keepLog());
    await once(redis, 'ready');
    const beat = beatOf(redis, key);
    try {
      expect(await beat('a')).toEqual(['a']);
      expect(await beat(undefined)).toEqual(['a']);
      await server.client.set(key, 'a text');
      expect(await beat('b')).toEqual(['b']);
      const [now] = await server.client.time();
      await server.client.zadd(key, Number(now) + 100, 'of the future', Number(now) - 6, 'gone');
      await server.client.zadd(key, Number(now), 'x'.repeat(maxMemberBytes + 1));
      expect(await beat('b')).toEqual(['b']);
      for (let at = 0; at < 2_000; at++) server.client.zadd(key, Number(now), `stranger ${at}`);
      const answer = (await beat('b')) as string[];
      expect(answer).toHaveLength(maxOthers + 1);
    } finally {
      redis.disconnect();
    }
  });

  test('workers know each other while Redis is emptied, and read everything while it stands still or is gone', async () => {
    const opened = [1, 2, 3].map((at) => {
      const redis = connectRedis(server.url, keepLog());
      const address = `0x${`${at}`.repeat(40)}`;
      const workers = openWorkers({
        ...{ beat: beatOf(redis, key), id: address, keeper: address, runs: false, timers, log: keepLog() },
        ...{ isActive: () => true, isReading: () => true },
      });
      return { workers, redis };
    });
    const known = () => opened.map(({ workers }) => workers.count());
    const guards = Array.from({ length: 30 }, (_, at) => ({ id: BigInt(at + 1) }) as Guard);
    /** The different numbers of workers that read a guard. */
    const readers = () => [
      ...new Set(guards.map((guard) => opened.filter(({ workers }) => workers.reads(guard)).length)),
    ];
    try {
      await expect.poll(known, { timeout: 5_000 }).toEqual([3, 3, 3]);
      expect(readers()).toEqual([2]);
      await server.client.flushall();
      await sleep(7_000);
      expect([known(), readers()]).toEqual([[3, 3, 3], [2]]);
      server.signal('SIGSTOP');
      await expect.poll(readers, { timeout: 9_000 }).toEqual([3]);
      expect(known()).toEqual([3, 3, 3]);
      server.signal('SIGCONT');
      await expect.poll(readers, { timeout: 9_000 }).toEqual([2]);
      expect(known()).toEqual([3, 3, 3]);
      await server.kill();
      await expect.poll(readers, { timeout: 9_000 }).toEqual([3]);
      expect(known()).toEqual([3, 3, 3]);
    } finally {
      for (const { workers, redis } of opened) {
        workers.stop();
        redis.disconnect();
      }
    }
  }, 60_000);
});
