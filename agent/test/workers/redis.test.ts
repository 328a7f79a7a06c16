import { once } from 'node:events';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { hasRedis, type RedisServer, startRedis } from '../../../test/e2e/redis-server.ts';
import { freePort } from '../../../test/local/free-port.ts';
import { maxMemberBytes, maxOthers } from '../../src/workers/members.ts';
import { beatOf, connectRedis } from '../../src/workers/redis.ts';
import { keepLog } from '../loops/world.ts';

// AG-83: what a stranger can do who writes to a real Redis.

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
});
