import { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { httpPromises, limitPromise } from '../../script/mission/http.ts';
import { pagePromises } from '../../script/mission/page.ts';
import { Absent, type World } from '../../script/mission/promise.ts';
import { protocolPromises } from '../../script/mission/protocols.ts';
import { verdictPromises } from '../../script/mission/verdict.ts';
import { run, until } from './commands.ts';
import { freePort } from './free-port.ts';

async function worldOf(status: number, body: string): Promise<World> {
  const server = createServer(
    (_, response) => void response.writeHead(status, { 'content-type': 'application/json' }).end(body),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close().closeAllConnections());
  const url = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
  return {
    ...{ chainId: 31_337, agentUrl: url, webUrl: url, rpcUrl: url, recordFile: 'nowhere', patienceMs: 0 },
    record: { quoteDesk: `0x${'1'.repeat(40)}` } as World['record'],
    sleep: async () => {},
    now: () => 0,
  };
}

const fromOutside = [...httpPromises, ...verdictPromises, ...protocolPromises, ...pagePromises, limitPromise];

// DP-38: a promise that anybody keeps proves nothing.
test.each([
  [200, '{}'],
  [200, ''],
  [500, '{"code":"internal"}'],
  [404, '{"code":"not_found"}'],
])('no promise is kept by a server that answers %s %s to everything', async (status, body) => {
  const world = await worldOf(status, body);
  const results = await Promise.all(
    fromOutside.map(({ that, keep }) =>
      keep(world).then(
        (found) => `${that}: kept (${found})`,
        (error: unknown) => (error instanceof Absent ? `${that}: absent` : undefined),
      ),
    ),
  );
  expect(results.filter((result) => result !== undefined)).toEqual([]);
});

// DP-38 to DP-40, on a whole stack with the agent itself.
test('every promise is kept by npm start, and the tour shows what it says', {
  tags: 'long',
  timeout: 900_000,
}, async () => {
  const [rpc, market, bundler, web, agent] = await Promise.all([1, 2, 3, 4, 5].map(() => freePort()));
  const deployments = `.cache/deployments/mission-test-${rpc}`;
  const ports = { rpc, market, bundler, web, agent };
  const listen = Object.entries(ports).flatMap(([name, port]) => [`--${name}-port`, String(port)]);
  const { child, printed, exit } = run('start.ts', [...listen, '--deployments', deployments]);
  await until(() => printed.out.includes('Ready after'));
  const at = (port: number | undefined) => `http://127.0.0.1:${port}`;
  const options = ['--agent', at(agent), '--web', at(web), '--rpc', at(rpc), '--deployments', deployments];
  const mission = run('../mission.ts', options);
  expect(await mission.exit).toBe(0);
  expect(mission.printed.out).toMatch(/^(\d+) promises kept, 0 broken\.$/m);
  // The minute of the last promise's questions is over by the tour's first.
  const tour = run('tour.ts', [...listen, '--deployments', deployments]);
  expect(await tour.exit).toBe(0);
  expect(tour.printed.out).toMatch(/All 40 were rescued/);
  child.kill('SIGINT');
  expect(await exit).toBe(0);
  const broken = run('../mission.ts', options);
  expect(await broken.exit).toBe(1);
  expect(broken.printed.out).toMatch(/WRONG {3}GET \/ping says HEALTHY/);
});
