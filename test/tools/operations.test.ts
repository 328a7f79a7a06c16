import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';

// Checks that the lines of docs/operations.md that this machine cannot run fit together.

const page = readFileSync('docs/operations.md', 'utf8');
const containerfile = readFileSync('ops/Containerfile', 'utf8');

/** The commands of the page's blocks that contain `word`, one per line. */
const commandsWith = (word: string) =>
  [...page.matchAll(/```(?:text|sh)\n([^`]*)```/g)]
    .map(([, block = '']) => block.replaceAll(/\\\n\s*/g, ''))
    .filter((block) => block.includes(word))
    .flatMap((block) => block.trim().split('\n'));

test('the page reaches the agent’s container, and a browser on the host the page', () => {
  const lines = commandsWith('podman run');
  const [agent = '', web = ''] = ['agent', 'web'].map((name) => lines.find((line) => line.includes(`--name ${name} `)));
  const network = /^podman network create (\w+)$/.exec(
    lines.find((line) => line.includes('network create')) ?? '',
  )?.[1];
  for (const line of [agent, web]) expect(line).toContain(`--network ${network} `);
  // The page asks the agent by a name that the agent accepts.
  expect(web).toContain('-e AGENT_URL=http://agent:4020 ');
  expect(agent).toContain('-e ALLOWED_HOSTS=agent,');
  const exposed = /^EXPOSE (.*)$/m.exec(containerfile)?.[1]?.split(' ');
  for (const [line, port] of [
    [agent, '4020'],
    [web, '3000'],
  ] as const) {
    expect(line).toContain(`-p 127.0.0.1:${port}:${port} `);
    expect(exposed).toContain(port);
  }
});

const unitOf = (name: string) => readFileSync(`ops/${name}.service`, 'utf8');
const units = ['bowline', 'bowline-web'];

test('DP-101: agent and page start again whenever they end, and neither takes all memory', () => {
  for (const unit of units.map(unitOf)) {
    for (const line of [/^Restart=always$/m, /^MemoryMax=\d+G$/m, /^OOMPolicy=kill$/m, /^StartLimitIntervalSec=0$/m])
      expect(unit).toMatch(line);
  }
  const runs = commandsWith('podman run').filter((line) => line.startsWith('podman run'));
  expect(runs).toHaveLength(2);
  for (const line of runs) {
    for (const option of ['--restart always ', '--health-on-failure kill ', '--memory '])
      expect(line).toContain(option);
    expect(line).not.toContain('--health-cmd none');
  }
});

test('DP-101: the page may do no more than the agent', () => {
  const [agent, page] = units.map(unitOf).map((unit) => unit.slice(unit.indexOf('CapabilityBoundingSet=')));
  expect(page).toBe(agent);
  expect(unitOf('bowline-web')).not.toMatch(/KEY|Credential|StateDirectory/);
});

test('DP-101: systemd accepts both units', () => {
  const folder = mkdtempSync(join(tmpdir(), 'bowline-units-'));
  // Uses this machine's node, because systemd-analyze checks that the commands exist.
  const files = units.map((name) => {
    const file = join(folder, `${name}.service`);
    writeFileSync(file, unitOf(name).replaceAll('/usr/bin/node', process.execPath));
    return file;
  });
  const { error, status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', ...files], {
    encoding: 'utf8',
  });
  if (error !== undefined) return console.warn('systemd-analyze is not installed');
  expect([status, stderr]).toEqual([0, '']);
});
