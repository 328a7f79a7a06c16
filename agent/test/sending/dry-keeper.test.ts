import { HttpRequestError, toFunctionSelector } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { expect, test } from 'vitest';
import { openDryKeeper } from '../../src/sending/dry-keeper.ts';
import { createBroadcast } from '../../src/sending/nodes.ts';
import { startFakeNode } from './fake-node.ts';

// AG-356
test('a dry run tells a node that does not answer from a call that cannot be encoded', async () => {
  const node = startFakeNode(56);
  const { client, heads, clock, timers } = node;
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  const to = `0x${'c0'.repeat(20)}` as const;
  const keeper = await openDryKeeper({
    ...{ client, heads, clock, timers, log, broadcast: createBroadcast([client], log), chainId: 56 },
    book: { own: { loanGuard: to, swapExecutor: to }, accountAbstraction: { entryPoint: to } } as never,
    gasBounds: { maxGasPriceWei: 1n, rescueMaxGasPriceWei: 1n, maxDayWei: 1n },
    rescuers: [privateKeyToAccount(generatePrivateKey())],
  });
  const send = (address: `0x${string}`) =>
    keeper.sender.send({ to: address, data: toFunctionSelector('act()'), value: 0n, gas: 100_000n, label: 'act' });
  node.meddle = () => Promise.reject(new HttpRequestError({ url: 'http://127.0.0.1:9' }));
  expect(await send(to)).toEqual({ outcome: 'not_sent' });
  await expect(send('0x12')).rejects.toMatchObject({ cause: { name: 'InvalidAddressError' } });
});
