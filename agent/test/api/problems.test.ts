import { problemCodes, problems } from '@bowline/http/problems';
import { expect, test } from 'vitest';
import { createDiscovery } from '../../src/api/http/discovery.ts';
import { endpoints, problem } from '../../src/api/http/endpoints.ts';
import { createApp } from '../../src/api/http.ts';
import { tools } from '../../src/tools/index.ts';
import { deployment, serves } from './deployment.ts';
import { limitsOf } from './limits.ts';
import { keepLog } from './log.ts';
import { serve } from './serve.ts';

const publicUrl = 'https://agent.example.org/bowline';

const start = () => {
  const unused = () => Promise.reject(new Error('not asked'));
  const none = () => undefined;
  return serve(
    createApp({
      answer: unused,
      limits: limitsOf(undefined),
      mcp: none,
      a2a: { card: none, rpc: none },
      routes: [
        createDiscovery({
          version: '1',
          publicUrl,
          tools,
          hasDesk: true,
          deployment,
          serves: async () => serves,
        }),
      ],
      publicUrl,
      allowedHosts: ['127.0.0.1'],
      log: keepLog(),
    }),
  );
};

// DP-69
test('the type of a problem leads to what its code means, at the public address', async () => {
  const url = await start();
  const requests = [
    ['not_found', '/nowhere', {}],
    ['invalid_json', '/x402', { method: 'POST', body: '{', headers: { 'content-type': 'application/json' } }],
    ['method_not_allowed', '/x402', { method: 'DELETE' }],
    // Refused before anything else is looked at.
    ['host_not_allowed', '/ping', { headers: { origin: 'https://page.example' } }],
  ] as const;
  for (const [code, path, init] of requests) {
    const { type } = problem.parse(await (await fetch(url + path, init)).json());
    expect(type).toBe(`${publicUrl}/docs/problems.html#${code}`);
    const place = new URL(type);
    const page = await fetch(url + place.pathname.slice(new URL(publicUrl).pathname.length));
    expect(page.headers.get('content-type')).toMatch(/^text\/html/);
    expect(await page.text()).toContain(`<h2 id="${place.hash.slice(1)}">`);
  }
});

// DP-69
test('every code has its meaning and its remedy there', async () => {
  const text = await (await fetch((await start()) + endpoints.problems.path)).text();
  expect([...text.matchAll(/<h2 id="(\w+)">/g)].map(([, id]) => id)).toEqual(problemCodes);
  expect([...text.matchAll(/What to do: \S/g)]).toHaveLength(problemCodes.length);
  for (const { meaning, remedy } of Object.values(problems)) {
    expect([meaning, remedy]).toEqual([expect.stringMatching(/^\S.*\.$/), expect.stringMatching(/^\S.*\.$/)]);
  }
  // Codes are rendered as <code>: no backtick is left, and nothing else that a browser would parse as a tag.
  expect(text.replaceAll(/<\/?(html|meta|title|h1|h2|p|code|!doctype)\b[^>]*>/g, '')).not.toMatch(/[<`]/);
});
