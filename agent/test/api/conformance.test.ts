import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { RequestHandler } from 'express';
import { expect, test, vi } from 'vitest';
import { createApp } from '../../src/api/http.ts';
import { createMcpRouter } from '../../src/api/mcp.ts';
import { callTool } from '../../src/tools/call.ts';
import { tools } from '../../src/tools/index.ts';
import { world } from '../tools/world.ts';
import { createFixtures } from './conformance/fixtures.ts';
import { runSuite } from './conformance/suite.ts';
import { limitsOf } from './limits.ts';
import { keepLog } from './log.ts';
import { serve } from './serve.ts';

// The protocol's conformance suite, run against the app with its default limits. The clock stands still, so that no
// limit's count decays.

const unused = (): never => {
  throw new Error('not asked here');
};

async function start(mcp: RequestHandler) {
  const limits = limitsOf({ nowMs: () => 0 });
  const a2a = { card: unused, rpc: unused };
  const allowedHosts = ['127.0.0.1', 'localhost'];
  const app = createApp({ answer: unused, limits, mcp, a2a, allowedHosts, log: keepLog() });
  const statuses: number[] = [];
  const url = await serve((request, response) => {
    response.once('finish', () => statuses.push(response.statusCode));
    app(request, response);
  });
  return { url: `${url}/mcp`, statuses };
}

const startAgent = () =>
  start(createMcpRouter({ tools, call: callTool(tools, world, vi.fn()), version: '0.1.0', log: keepLog() }));

const required = ['--requirements', '2026-07-28'];
const baseline = fileURLToPath(new URL('conformance/baseline.yml', import.meta.url));

test('AG-220: the agent’s server fails nothing but its baseline, and meets no limit', async () => {
  const { url, statuses } = await startAgent();
  const { code, printed } = await runSuite(url, ...required, '--expected-failures', baseline);
  expect(code, printed).toBe(0);
  expect(printed).toContain('✓ http-header-validation: 14 passed, 0 failed');
  expect(statuses.length).toBeGreaterThan(100);
  expect(statuses).not.toContain(429);
});

test('AG-220: each failure of the baseline has its reason', () => {
  const listed = readFileSync(baseline, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('  -'));
  expect(listed.length).toBeGreaterThan(0);
  for (const line of listed) expect(line).toMatch(/^ {2}- [a-z0-9-]+:[a-z0-9-]+ # .{10,}$/);
});

// Ten of the 50 scenarios test an extension, tasks, that is not served here; three more are not required yet.
test('the suite’s own tools on the same wiring pass all that is required', { tags: ['long'] }, async () => {
  const { url, statuses } = await start(createFixtures());
  const { code, printed } = await runSuite(url, ...required);
  expect(code, printed).toBe(0);
  expect(statuses).not.toContain(429);
  const passed = [...printed.matchAll(/✓ ([a-z0-9-]+): [1-9]\d* passed, 0 failed/g)].map(([, name]) => name ?? '');
  const failed = [...printed.matchAll(/✗ ([a-z0-9-]+): /g)].map(([, name]) => name ?? '');
  expect(failed.filter((name) => !name.startsWith('tasks-'))).toEqual([]);
  expect(passed).toHaveLength(40);
});
