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
import {
  chain,
  complete,
  data,
  deliver,
  equal,
  escrow,
  folder,
  ledger,
  node,
  pass,
  settle,
  sold,
  windowSeconds,
  withSales,
} from './sales.ts';

// AG-251, AG-252, AG-264: nodes that do not show everything, and the command.

withSales();

const refuses = (...methods: string[]) => {
  node.tell = ({ method }, answer) => {
    if (methods.includes(method)) refuse(answer, -32_601, 'not supported');
  };
};

test('AG-251: a node that refuses logs and receipts hides no job, and what it does not show is named', async () => {
  const { id } = await complete();
  refuses('eth_getLogs', 'eth_getBlockReceipts');
  const found = await ledger();
  expect(found.differences).toBe(0);
  expect(found.lines[1]).toMatch(new RegExp(`^job ${id}: completed; budget 3 Local Dollar; delivered as 0x`));
  expect(found.unread).toEqual([
    expect.stringMatching(/^the logs of blocks 0 to \d+, which show what jobs paid \(.+\)$/),
    `what job ${id} paid, which is completed (payment_unread)`,
  ]);
  // Without the log it is not known when the job was funded: it counts as owed.
  const { id: owed } = await sold();
  expect((await ledger()).lines.join('\n')).toContain(`paid_not_delivered: job ${owed}: funded`);
});

test('AG-251: a node that does not say whether a job is approved is named', async () => {
  const sale = await sold();
  await deliver(sale);
  node.tell = ({ params }, answer) => {
    const [call] = params as [{ to?: string } | undefined];
    if (call?.to?.toLowerCase() === escrow.policy.toLowerCase() && JSON.stringify(call).includes('e57deb39'))
      refuse(answer, -32_000, 'missing trie node');
  };
  expect(await ledger()).toMatchObject({ unread: [expect.stringMatching(`^whether job ${sale.id} is approved`)] });
});

test('AG-251: a job that the node does not give is named', async () => {
  await complete();
  node.tell = ({ params }, answer) => {
    const [call] = params as [{ data?: string } | undefined];
    // As if there were one more.
    if (call?.data === toFunctionSelector('jobCounter()')) answer.result = numberToHex(2, { size: 32 });
  };
  expect(await ledger()).toMatchObject({ differences: 0, unread: ['job 2'] });
});

describe('AG-264: what a job paid is found at a node that refuses logs', () => {
  const proved = async (id: bigint) => {
    const found = await ledger();
    expect(found).toMatchObject(equal);
    expect(found.lines[1]).toMatch(new RegExp(`^job ${id}: completed; .*; paid 3 Local Dollar by transaction 0x`));
    expect(found.lines).toContain('1 completed, of 3 Local Dollar: 1 transfers have paid 3 Local Dollar.');
  };

  test('in the receipts of the block in which the kernel shows it as completed', async () => {
    const sale = await sold();
    await deliver(sale);
    await pass(windowSeconds);
    await chain.mine({ blocks: 300 });
    await settle(sale.id);
    await chain.mine({ blocks: 300 });
    refuses('eth_getLogs');
    const blocksRead = () => node.methods.filter((method) => method === 'eth_getBlockReceipts').length;
    const before = blocksRead();
    await proved(sale.id);
    expect(blocksRead() - before).toBeLessThanOrEqual(8);
  });

  test('and without old states, soon after the end of the dispute window', async () => {
    const { id } = await complete();
    await chain.mine({ blocks: 300 });
    const newest = await chain.getBlockNumber();
    node.tell = ({ method, params }, answer) => {
      if (method === 'eth_getLogs') refuse(answer, -32_601, 'not supported');
      const block = params.at(1);
      const isOld = typeof block === 'string' && block.startsWith('0x') && BigInt(block) < newest;
      if (method === 'eth_call' && isOld) refuse(answer, -32_000, 'missing trie node');
    };
    await proved(id);
  });

  test('unless no transfer pays it: then it stays unread, since what a node does not show proves nothing', async () => {
    const { id } = await complete();
    node.tell = ({ method }, answer) => {
      if (method === 'eth_getLogs') refuse(answer, -32_601, 'not supported');
      if (method !== 'eth_getTransactionReceipt' || !answer.result) return;
      const receipt = answer.result as { logs: { address: string }[] };
      receipt.logs = receipt.logs.filter(({ address }) => address !== escrow.token.address.toLowerCase());
    };
    const found = await ledger();
    expect(found.differences).toBe(0);
    expect(found.unread).toContain(`what job ${id} paid, which is completed (payment_unread)`);
  });
});

describe('AG-252: the command', { tags: 'long' }, () => {
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
          ...['cli/main.ts', 'show', 'payments', '--agent', 'http://127.0.0.1:9', '--rpc', node.url],
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
    expect(whole).toMatchObject({ code: 0, said: expect.stringMatching(/The chain and the answers are equal\.\n$/) });
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
    expect(refused.said).toContain('not read: the logs of blocks ');
    expect(refused.said).not.toContain('equal');
    node.tell = () => {};
    expect(await run('--deployments', folder)).toMatchObject({
      code: 1,
      said: expect.stringContaining('not read: jobs ('),
    });
  });
});
