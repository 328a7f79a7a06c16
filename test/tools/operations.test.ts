import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

// The lines of docs/operations.md that this machine has nothing to run with: that they fit together.

const page = readFileSync('docs/operations.md', 'utf8');
const containerfile = readFileSync('ops/Containerfile', 'utf8');

/** The commands of a block of the page, one a line. */
const commandsWith = (word: string) =>
  [...page.matchAll(/```(?:text|sh)\n([^`]*)```/g)]
    .map(([, block = '']) => block.replaceAll(/\\\n\s*/g, ''))
    .filter((block) => block.includes(word))
    .flatMap((block) => block.trim().split('\n'));

test('DP-84: the page reaches the agent’s container, and a browser on the host the page', () => {
  const lines = commandsWith('podman run');
  const [agent = '', web = ''] = ['agent', 'web'].map((name) => lines.find((line) => line.includes(`--name ${name} `)));
  const network = /^podman network create (\w+)$/.exec(
    lines.find((line) => line.includes('network create')) ?? '',
  )?.[1];
  for (const line of [agent, web]) expect(line).toContain(`--network ${network} `);
  // The name by which the page asks the agent is one that the agent answers to.
  expect(web).toContain('-e AGENT_URL=http://agent:4020 ');
  expect(agent).toContain('-e ALLOWED_HOSTS=agent ');
  const exposed = /^EXPOSE (.*)$/m.exec(containerfile)?.[1]?.split(' ');
  for (const [line, port] of [
    [agent, '4020'],
    [web, '3000'],
  ] as const) {
    expect(line).toContain(`-p 127.0.0.1:${port}:${port} `);
    expect(exposed).toContain(port);
  }
});
