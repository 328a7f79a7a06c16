import type { Log } from '@bowline/core/domain/log';
import { Redis } from 'ioredis';
import { goneMs, maxMemberBytes, maxOthers } from './members.ts';

/** Milliseconds for one command. */
const answerMs = 1_000;
const reconnectMs = 1_000;

/** A connection that never gives up. Its commands fail at once while it is down. */
export function connectRedis(url: string, log: Log): Redis {
  const redis = new Redis(url, {
    ...{ connectTimeout: answerMs, commandTimeout: answerMs, retryStrategy: () => reconnectMs },
    ...{ maxRetriesPerRequest: 0, enableOfflineQueue: false },
  });
  // Without a listener, an error would end the process. The beat logs once that Redis is silent.
  redis.on('error', (error) => log.debug('redis.failed', { cause: error.name }));
  return redis;
}

// Times are Redis's own. A key of another type, or a time in the future, can only come from a stranger.
const script = `
local now = tonumber(redis.call('TIME')[1])
if redis.call('TYPE', KEYS[1]).ok ~= 'zset' then redis.call('DEL', KEYS[1]) end
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - ${goneMs / 1000})
redis.call('ZREMRANGEBYSCORE', KEYS[1], now + 1, '+inf')
if ARGV[1] ~= '' then
  redis.call('ZADD', KEYS[1], now, ARGV[1])
  redis.call('EXPIRE', KEYS[1], 60)
end
local short = {}
for _, member in ipairs(redis.call('ZRANGE', KEYS[1], 0, ${4 * maxOthers})) do
  if #member <= ${maxMemberBytes} and #short <= ${maxOthers} then short[#short + 1] = member end
end
return short`;

/** One beat: stores what this worker says about itself, if anything, and returns what the live ones say, at most 64. */
export const beatOf =
  (redis: Redis, key: string) =>
  (own: string | undefined): Promise<unknown> =>
    redis.eval(script, 1, key, own ?? '');
