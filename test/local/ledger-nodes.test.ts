import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { numberToHex, toFunctionSelector } from 'viem';
import { describe, expect, onTestFinished, test } from 'vitest';
import { localChainId } from '../../lab/world/fork.ts';
import { refuse } from '../../packages/chain/test/rpc-proxy.ts';
import { carol, alice as seller } from './accounts.ts';
import { chain, complete, data, escrow, folder, ledger, node, sold, withSales } from './sales.ts';

// AG-150: nodes that do not show everything, and the command.

withSales();

const refuses = (...methods: string[]) => {
  node.tell = ({ method }, answer) => {
    if (methods.includes(method)) refuse(answer, -32_601, 'not supported');
  };
};

test('AG-150: a node that refuses logs hides no job, and what it does not show is named', async () => {
  const { id } = await complete();
  const { id: owed } = await sold();
  refuses('eth_getLogs');
  const found = await ledger();
  expect(found.differences).toBe(1);
  expect(found.lines[1]).toMatch(new RegExp(`^job ${id}: completed; budget 3 Local Dollar; delivered as 0x`));
  // Without the log it is not known when the job was funded: it counts as owed.
  expect(found.lines[2]).toBe(`paid_not_delivered: job ${owed}: funded; budget 3 Local Dollar`);
  expect(found.unread).toEqual([expect.stringMatching(/^the logs that show what jobs paid \(.+\)$/)]);
});

test('AG-150: a job that the node does not give is named', async () => {
  await complete();
  node.tell = ({ params }, answer) => {
    const [call] = params as [{ data?: string } | undefined];
    // Pretends that there is one more job.
    if (call?.data === toFunctionSelector('jobCounter()')) answer.result = numberToHex(2, { size: 32 });
  };
  expect(await ledger()).toMatchObject({ differences: 0, unread: ['job 2'] });
});

describe('AG-150: the command', { tags: 'long' }, () => {
  test('needs no agent, exits with 0 only if all is equal and read, and names what it could not read', async () => {
    const record = mkdtempSync(join(tmpdir(), 'ledger-record-'));
    onTestFinished(() => rmSync(record, { recursive: true }));
    const own = ['revocations', 'venusMarket', 'loanGuard', 'venusPriceSource', 'chainlinkPriceSource'].concat(
      ...['planRegistry', 'swapExecutor'],
    );
    const addresses = Object.fromEntries(own.map((name) => [name, escrow.commerce]));
    writeFileSync(
      join(record, `${localChainId}.json`),
      JSON.stringify({ chainId: localChainId, ...addresses, escrow }),
    );
    const run = (...args: string[]) =>
      promisify(execFile)(
        process.execPath,
        [
          ...['cli/main.ts', 'show', 'payments', '--rpc', node.url],
          ...['--deployments', record, '--data', data, '--seller', seller, ...args],
        ],
        { cwd: fileURLToPath(new URL('../../', import.meta.url)), env: { PATH: process.env.PATH } },
      ).then(
        ({ stdout }) => ({ code: 0, said: stdout }),
        ({ code, stdout, stderr }) => ({ code, said: `${stdout}${stderr}` }),
      );
    const { id, file } = await complete();
    const whole = await run();
    expect(whole.said).toContain(`job ${id}: completed; `);
    const later = ['--jobs-from', `${(await chain.getBlockNumber()) + 1n}`];
    expect(await run(...later)).toMatchObject({ code: 1, said: expect.stringContaining('delivered_not_paid: job ') });
    expect(whole).toMatchObject({ code: 0, said: expect.stringMatching(/The chain and the answers agree\.\n$/) });
    rmSync(file);
    expect(await run()).toMatchObject({ code: 1, said: expect.stringContaining('deliverable_missing: job ') });
    expect(await run('--jobs-from', 'x')).toEqual({
      code: 2,
      said: '--jobs-from takes a whole number from 0, not "x".\n',
    });
    expect(await run('--seller', carol)).toMatchObject({ code: 0 });
    refuses('eth_getLogs', 'eth_getBlockReceipts');
    const refused = await run();
    expect(refused).toMatchObject({ code: 1, said: expect.stringContaining(`deliverable_missing: job ${id}: `) });
    expect(refused.said).toContain('not read: payments for answers (');
    expect(refused.said).toContain('not read: the logs that show what jobs paid (');
    expect(refused.said).not.toContain('equal');
    node.tell = () => {};
    expect(await run('--deployments', folder)).toMatchObject({
      code: 1,
      said: expect.stringContaining('not read: jobs ('),
    });
  });
});
