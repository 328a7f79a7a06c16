import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';

/** The test's own Redis: on loopback, and nothing of it outlives its process. */
export interface RedisServer {
  readonly url: string;
  readonly client: Redis;
  signal(name: 'SIGSTOP' | 'SIGCONT'): void;
  /** SIGKILL. */
  kill(): Promise<void>;
}

const program = 'redis-server';

/** Returns false with a warning if it is not installed. `REQUIRE_REDIS=1` runs the tests anyway, and they fail. */
export function hasRedis(): boolean {
  if (spawnSync(program, ['--version']).error === undefined || process.env.REQUIRE_REDIS === '1') return true;
  console.warn('redis-server is not installed (apt-get install redis-server): several workers are not tested');
  return false;
}

export async function startRedis(port: number, password: string): Promise<RedisServer> {
  const options = ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  const child = spawn(program, [...options, '--requirepass', password], { stdio: 'ignore' });
  const ended = once(child, 'exit');
  const end = () => child.kill('SIGKILL');
  process.once('exit', end);
  const url = `redis://:${password}@127.0.0.1:${port}`;
  const client = new Redis(url, { maxRetriesPerRequest: null, retryStrategy: () => 50 });
  client.on('error', () => {});
  await Promise.race([client.ping(), ended, sleep(20_000)]);
  return {
    url,
    client,
    signal: (name) => void child.kill(name),
    async kill() {
      client.disconnect();
      process.removeListener('exit', end);
      end();
      await ended;
    },
  };
}
