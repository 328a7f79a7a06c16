import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { connectChain } from '@bowline/chain/chain-client';
import type { Finding } from '@bowline/chain/preflight';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { agentFindings } from '../../cli/check/agent.ts';
import { chainClockFinding, exchangeClockFinding } from '../../cli/check/clocks.ts';
import { bytecodeFinding, recordFinding, registryFinding } from '../../cli/check/contracts.ts';
import { deploymentFindings } from '../../cli/check/findings.ts';
import { diskFinding, nodeFinding } from '../../cli/check/machine.ts';
import { portFindings } from '../../cli/check/ports.ts';
import { localChainId } from '../../lab/world/fork.ts';
import { type DeployedChain, startDeployedChain } from '../../packages/chain/test/deployed-chain.ts';
import { listen } from './commands.ts';
import { freePort } from './free-port.ts';

/** What a person is told of a wrong line is never left out. */
function wrong(finding: Finding | undefined, found: RegExp): void {
  expect(finding).toMatchObject({ ok: false, found: expect.stringMatching(found) });
  expect(finding?.without).toMatch(/\.$/);
  expect(finding?.remedy).toMatch(/\w/);
  // That is what has found it.
  expect(finding?.remedy).not.toContain('bowline check');
}

// DP-26
describe('of the machine', () => {
  test('an old Node and a full disk are wrong', async () => {
    wrong(nodeFinding('20.20.2'), /^Node 20\.20\.2 is older than Node 24/);
    expect(nodeFinding(process.versions.node)).toMatchObject({ ok: true });
    expect(await diskFinding()).toMatchObject({ ok: true, found: expect.stringContaining('GiB are free') });
    // A file system without room, on every Linux.
    if (process.platform === 'linux')
      wrong(await diskFinding(pathToFileURL('/proc/self/')), /GiB are free|may not write/);
  });

  test.skipIf(process.platform !== 'linux')(
    'DP-62: of the folders that the settings name, the wrong one is named, there already or not',
    async () => {
      const here = new URL('../../', import.meta.url);
      for (const folder of ['/proc/self/', '/proc/self/evidence/']) {
        const found = await diskFinding(here, pathToFileURL(folder), here);
        wrong(found, /GiB are free|may not write/);
        expect(found.remedy).toMatch(/\/proc\//);
      }
    },
  );

  test('a port is right if it is free or our own part answers there, and wrong if somebody else does', async () => {
    const stranger = await listen();
    const page = await serve((_, send) => send('<html><title>Bowline</title></html>'));
    const { port } = stranger.address() as { port: number };
    onTestFinished(() => void stranger.close());
    stranger.on('connection', (socket) => socket.end('SSH-2.0\r\n'));
    const [free, other] = [await freePort(), await freePort()];
    const ports = { chain: port, exchange: free, bundler: other, agent: portOf(page), page: portOf(page) };
    const { findings, states } = await portFindings(ports);
    expect(states).toEqual({ chain: 'taken', exchange: 'free', bundler: 'free', agent: 'taken', page: 'ours' });
    const [chain] = findings;
    wrong(chain, /not by the chain/);
    expect(chain?.remedy).toContain(`-- --rpc-port ${port + 1}`);
    expect(findings.map(({ ok }) => ok)).toEqual([false, true, true, false, true]);
  });
});

// DP-27
test('a clock that differs from the chain or from the exchange is wrong', async () => {
  expect(chainClockFinding(1_000.4, 999n)).toMatchObject({ ok: true });
  wrong(chainClockFinding(1_000, 1_005n), /5\.0 s behind the newest block/);
  wrong(chainClockFinding(1_000, 900n), /100\.0 s ahead of the newest block/);
  const exchange = await serve((path, send) =>
    send(JSON.stringify(path === '/api/v3/time' ? { serverTime: 50_000 } : {})),
  );
  expect(await exchangeClockFinding(exchange, () => 50.5)).toMatchObject({ ok: true });
  // What the answer took is not the clock's fault.
  const slow = [49, 55];
  expect(await exchangeClockFinding(exchange, () => slow.shift() ?? 55)).toMatchObject({ ok: true });
  wrong(await exchangeClockFinding(exchange, () => 47), /3\.0 s behind the exchange/);
  wrong(await exchangeClockFinding(exchange, () => 53), /3\.0 s ahead of the exchange/);
  wrong(await exchangeClockFinding(`http://127.0.0.1:${await freePort()}`, () => 50), /does not tell its time/);
});

// DP-28
test('an agent that is not ready is quoted, and each payer has a line', async () => {
  const dependencies = {
    chain: { ok: true, detail: 'block 7', needed: true },
    executor: { ok: false, detail: 'No good round for 90 s.', needed: true },
    wallet: { ok: true, detail: '0xADD14c5b7e9bDB92cCf252651be206C7bf18D823 holds 2 BNB', needed: false },
    keeper: { ok: false, detail: `0x${'70'.repeat(20)} holds 0 BNB, too little to pay for gas.`, needed: false },
  };
  const agent = await serve((_, send) => send(JSON.stringify({ status: 'NOT_READY', dependencies })));
  const [state, executor, ...gas] = await agentFindings(agent);
  wrong(state, /^NOT_READY\.$/);
  wrong(executor, /^No good round for 90 s\.$/);
  expect(gas.map(({ check, ok }) => [check, ok])).toEqual([
    ['gas.wallet', true],
    ['gas.keeper', false],
  ]);
  expect(gas[1]?.remedy).toContain(`Send BNB to 0x${'70'.repeat(20)}`);
});

describe('of the contracts', () => {
  let deployed: DeployedChain;
  let folder: string;
  beforeAll(async () => {
    deployed = await startDeployedChain();
    folder = relative('.', mkdtempSync(join(tmpdir(), 'bowline-check-')));
    writeRecord({ chainId: localChainId, ...deployed.book.own });
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true });
    await deployed?.stop();
  });
  const writeRecord = (record: object) => writeFileSync(join(folder, `${localChainId}.json`), JSON.stringify(record));
  const check = (...options: string[]) => {
    const args = ['cli/main.ts', 'check', '--exchange', 'off', '--pyth', 'off', ...options];
    return promisify(execFile)(process.execPath, args).then(
      ({ stdout }) => ({ code: 0, out: stdout }),
      ({ code, stdout, stderr }) => ({ code, out: stdout + stderr }),
    );
  };

  // DP-28
  test('a record that is missing, and an address without its code, are wrong', async () => {
    expect(recordFinding(localChainId, folder)).toMatchObject({ ok: true });
    wrong(recordFinding(localChainId, `${folder}/nowhere`), /^There is no .*nowhere\/31337\.json\.$/);
    const client = connectChain(deployed.url, false);
    expect(await registryFinding(client, deployed.book, localChainId)).toMatchObject({ ok: true });
    const clean = await deployed.chain.snapshot();
    await deployed.chain.setCode({ address: deployed.book.own.loanGuard, bytecode: '0x' });
    wrong(
      await registryFinding(client, deployed.book, localChainId),
      /no code at the address of: deployment\.loanGuard/,
    );
    await deployed.chain.revert({ id: clean });
  });

  // DP-68
  test('a payer with less than one rescue takes is wrong, by its own name, and nothing is said of others', async () => {
    const client = connectChain(deployed.url, false);
    const poor = '0x0000000000000000000000000000000000ca4e10';
    const look = async () => {
      const found = await deploymentFindings(client, deployed.book, [poor]);
      return found.find(({ found }) => found.toLowerCase().startsWith(poor));
    };
    const elsewhere = { ...deployed.book, own: { ...deployed.book.own, swapExecutor: poor } as const };
    wrong((await deploymentFindings(client, elsewhere, []))[0], /^SwapExecutor does not answer at its recorded/);
    wrong(await look(), /holds 0 BNB: one call may take 0\.\d+ BNB of gas/);
    const needed = 5_000_000n * (await client.getGasPrice());
    const clean = await deployed.chain.snapshot();
    await deployed.chain.setBalance({ address: poor, value: needed - 1n });
    wrong(await look(), /one call may take/);
    expect((await look())?.remedy).toMatch(/^Send BNB to 0x/);
    await deployed.chain.setBalance({ address: poor, value: needed });
    expect(await look()).toMatchObject({ ok: true });
    await deployed.chain.revert({ id: clean });
    const options = ['--rpc', deployed.url, '--deployments', folder, '--agent-port', String(await freePort())];
    const unnamed = /- {6}gas +Of the payers only the operator was looked at: --payers/;
    expect((await check(...options)).out).toMatch(unnamed);
    const named = await check(...options, '--payers', poor);
    expect(named.out).not.toMatch(unnamed);
    expect(named.out).toMatch(/WRONG {2}balance\.payer +0x0+ca4e10 holds 0 BNB/i);
    expect(named.code).toBe(1);
  });

  // DP-29
  test('with the node down, RPC_URL is named, what needs no node is looked at, and the exit code is 1', async () => {
    const port = await freePort();
    const { code, out } = await check('--rpc', `http://127.0.0.1:${port}/a-key`, '--deployments', folder);
    expect(code).toBe(1);
    expect(out).toMatch(/WRONG {2}RPC_URL +The node does not answer\./);
    expect(out).toMatch(/RPC_URL: Start the local chain \(npm start\), or set RPC_URL/);
    expect(out).toMatch(/ok {5}node +Node \d+/);
    expect(out).toMatch(/ok {5}record +/);
    expect(out).toMatch(/- {6}bytecode +Not looked at: it needs the node\./);
    expect(out).not.toContain('a-key');
  });

  // DP-26, DP-29
  test('with everything up, nothing is wrong', { tags: 'long' }, async () => {
    const ports = await Promise.all(
      ['rpc', 'market', 'bundler', 'agent', 'web'].map(async (name) => [name, await freePort()]),
    );
    const options = ports.flatMap(([name, port]) => [`--${name}-port`, String(port)]);
    const good = await check('--rpc', deployed.url, '--deployments', folder, ...options);
    expect(good.out).toMatch(/ok {5}bytecode +All 7 contracts/);
    expect(good.out).toContain('Nothing is wrong.');
    expect(good.code).toBe(0);
    const clean = await deployed.chain.snapshot();
    await deployed.chain.setCode({ address: deployed.book.own.loanGuard, bytecode: '0x60' });
    wrong(
      await bytecodeFinding(deployed.url, localChainId, folder),
      /Other than this checkout: LoanGuard 0x\w{40} \(has 1 bytes of code/,
    );
    await deployed.chain.revert({ id: clean });
    const { planRegistry: _, ...less } = deployed.book.own;
    writeRecord({ chainId: localChainId, ...less });
    const bad = await check('--rpc', deployed.url, '--deployments', folder, ...options);
    expect(bad.code).toBe(1);
    expect(bad.out).toMatch(/WRONG {2}record +.*planRegistry/);
  });
});

/** A server on loopback that answers every GET. */
async function serve(answer: (path: string, send: (text: string) => void) => void): Promise<string> {
  const server = createServer((request, response) => answer(request.url ?? '', (text) => void response.end(text)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close().closeAllConnections());
  return `http://127.0.0.1:${(server.address() as { port: number }).port}`;
}

const portOf = (url: string): number => Number(new URL(url).port);
