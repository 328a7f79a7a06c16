import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createA2a } from '../../src/api/a2a.ts';
import { createApp } from '../../src/api/http.ts';
import { createMcpRouter } from '../../src/api/mcp.ts';
import { createAnswer } from '../../src/ask/answer.ts';
import { callTool } from '../../src/tools/call.ts';
import { tools } from '../../src/tools/index.ts';
import { world } from '../tools/world.ts';
import { limitsOf } from './limits.ts';
import { keepLog } from './log.ts';
import { serve } from './serve.ts';

test('one app: the same question has the same answer by every API, each within its own limit', async () => {
  const call = callTool(tools, world, vi.fn());
  const log = keepLog();
  const url = await serve(
    createApp({
      answer: createAnswer({ tools, call, assets: world.assets, timeoutMs: 5_000, log }),
      mcp: createMcpRouter({ tools, call, version: '0.1.0', log }),
      limits: limitsOf(),
      a2a: createA2a({ tools, call, version: '0.1.0', publicUrl: 'http://127.0.0.1', log }),
      allowedHosts: ['127.0.0.1'],
      log,
    }),
  );
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`)));
  onTestFinished(() => client.close());

  const asked = Array.from({ length: 30 }, async () => {
    const response = await fetch(`${url}/x402`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"prompt":"Is BTCB fairly priced right now?"}',
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  });
  const called = Array.from({ length: 30 }, () =>
    client.callTool({ name: 'check_asset', arguments: { asset: 'BTCB' } }),
  );

  const answers = (await Promise.all(asked)).filter(({ status }) => status === 200);
  expect(answers).toHaveLength(20);
  for (const { structuredContent } of await Promise.all(called)) {
    const { verdict, deviation_bps } = structuredContent as Record<string, string>;
    expect(verdict).toBe('GO');
    expect(deviation_bps).toBe('0');
  }
  for (const { body } of answers) {
    expect(body).toEqual({
      result: expect.stringMatching(/^Verdict: GO for buying 1,000 USD of BTCB .* a deviation of 0 %\./),
      facts: expect.stringMatching(/^Verdict: GO for buying 1,000 USD of BTCB /),
      comment: null,
      comment_left_out: null,
      tools: ['check_asset'],
      tickets: [],
      choices: [],
      answered_by: 'embedded',
    });
  }
});
