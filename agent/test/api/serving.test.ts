import type { Address } from '@bowline/core/domain/units';
import { addressBookOf } from '@bowline/core/registry/address-book';
import { serving } from '@bowline/core/serving';
import express from 'express';
import { isAddress } from 'viem';
import { expect, onTestFinished, test } from 'vitest';
import { createDiscovery } from '../../src/api/http/discovery.ts';
import { servingOf } from '../../src/process/serving.ts';
import { tools } from '../../src/tools/index.ts';
import { startWatchedAgent } from '../process/watched-agent.ts';
import { deployment } from './deployment.ts';
import { serve } from './serve.ts';

// What an agent states about its own work: its real loops, looks and readiness in virtual time, queried over HTTP.

const book = addressBookOf(31_337, { name: 'a record', content: deployment }, isAddress);
const addressOf = (symbol: string) => book.assets.find((asset) => asset.symbol === symbol)?.address as Address;
const signer = deployment.verdictSigners[0] as Address;
const ether = 10n ** 18n;
const policies = {
  servingPolicy: {
    tokens: ['USDT', 'BTCB'],
    minimumRunUsdWad: 5n * ether,
    minimumPeriodSeconds: 3_600n,
    gasPerOwnerPerDay: 1_000_000n,
  },
  guardServingPolicy: {
    maxTriggerHealthWad: 2n * ether,
    minimumRepayUsdWad: 6n * ether,
  },
};

async function start(changes: Parameters<typeof startWatchedAgent>[0] = {}, { desk }: { desk?: Address } = {}) {
  const agent = await startWatchedAgent(changes);
  onTestFinished(() => agent.stop());
  await agent.pass(20);
  const { watched, dependencies, clock } = agent;
  const config = {
    chainId: 31_337 as const,
    servingPolicy: policies.servingPolicy,
    guardServingPolicy: policies.guardServingPolicy,
  };
  const serves = () => servingOf(config, book, { watched, dependencies, tickets: [{ address: signer }], desk, clock });
  const parts = {
    version: '0.1.0',
    publicUrl: 'https://agent.example.org',
    tools,
    hasDesk: false,
    deployment,
  };
  const url = await serve(express().use(createDiscovery({ ...parts, serves })));
  const read = async () => {
    const response = await fetch(`${url}/.well-known/bowline.json`);
    const record = (await response.json()) as { readonly serves: unknown };
    return { headers: response.headers, serves: serving.parse(record.serves) };
  };
  return { agent, read };
}

test('AG-270: the agent states its chain, contracts, newest block, and each part with its last round and its terms', async () => {
  const { agent, read } = await start({}, { desk: deployment.quoteDesk as Address });
  const { headers, serves } = await read();
  // A cached copy would be out of date.
  expect(headers.get('cache-control')).toBe('no-store');
  const at = agent.clock();
  expect(serves).toEqual({
    ...{ chainId: 31_337, planRegistry: deployment.planRegistry, swapExecutor: deployment.swapExecutor },
    ...{ loanGuard: deployment.loanGuard, at: String(at) },
    block: { number: expect.stringMatching(/^\d+$/), timestamp: expect.stringMatching(/^\d+$/) },
    plans: {
      ...{ reason: null, everySeconds: 900, lastRoundAt: String(at - 20n) },
      ...{ verdictSigners: [signer], owner: null, minPeriodSeconds: '3600', minRunUsdWad: String(5n * ether) },
      tokens: expect.arrayContaining([addressOf('USDT'), addressOf('BTCB')]),
    },
    guards: {
      ...{ reason: null, everySeconds: 5, lastRoundAt: String(at) },
      ...{ maxTriggerHealthWad: String(2n * ether), owner: null, minRepayUsdWad: String(6n * ether) },
      tokens: expect.arrayContaining([addressOf('USDT'), addressOf('ETH')]),
    },
    quotes: { desk: deployment.quoteDesk },
    selling: { reason: null, everySeconds: 60, lastRoundAt: String(at - 20n) },
  });
  expect(serves.plans?.tokens).toHaveLength(2);
  // The block's timestamp shows a reader that the statement is current.
  expect(at - BigInt(serves.block?.timestamp ?? 0)).toBeLessThan(10n);
  await agent.pass(300);
  const later = (await read()).serves;
  expect(later.plans).toMatchObject({ reason: null, lastRoundAt: String(at - 20n) });
  expect(later.guards?.lastRoundAt).toBe(later.at);
});

test('AG-270: a stopped agent states that neither plans nor guards are served, until the stop ends', async () => {
  const { agent, read } = await start();
  agent.world.isStopped = true;
  const { plans, guards, selling } = (await read()).serves;
  expect([plans?.reason, guards?.reason, selling?.reason]).toEqual(['stop_file', 'stop_file', 'stop_file']);
  agent.world.isStopped = false;
  expect((await read()).serves).toMatchObject({ plans: { reason: null }, guards: { reason: null } });
});

test('AG-270: what does not run is null', async () => {
  const { read } = await start({ isNoOperator: true });
  const { plans, guards, quotes } = (await read()).serves;
  expect([plans, quotes]).toEqual([null, null]);
  expect(guards).toMatchObject({ reason: null });
});

test.each<
  [
    what: string,
    spoil: (world: { isUp: boolean; isMining: boolean; wei: bigint; isGasDayUsed: boolean }) => void,
    seconds: number,
    reasons: object,
  ]
>([
  // AG-67
  ['the gas of runs is used up', (world) => (world.isGasDayUsed = true), 0, { plans: 'gas_day_used', guards: null }],
  [
    'the node does not answer',
    (world) => (world.isUp = false),
    20,
    { plans: 'chain_unavailable', guards: 'chain_unavailable' },
  ],
  ['no block comes', (world) => (world.isMining = false), 20, { plans: 'head_silent', guards: 'head_silent' }],
  ['nobody can pay', (world) => (world.wei = 0n), 20, { plans: 'rescue_unpayable', guards: 'rescue_unpayable' }],
])('AG-270: what cannot act says why: %s', async (_, spoil, seconds, reasons) => {
  const { agent, read } = await start();
  spoil(agent.world);
  await agent.pass(seconds);
  const { plans, guards } = (await read()).serves;
  expect({ plans: plans?.reason, guards: guards?.reason }).toEqual(reasons);
});

test('AG-270: a loop that hangs and a rescue that waits are said of the part that they concern', async () => {
  const hangs = await start({ executor: () => new Promise(() => {}) });
  const first = (await hangs.read()).serves;
  // Its first round has not ended.
  expect([first.plans?.lastRoundAt, first.guards?.reason]).toEqual([null, null]);
  await hangs.agent.pass(960);
  const { plans, guards } = (await hangs.read()).serves;
  expect([plans?.reason, guards?.reason]).toEqual(['loop_late', null]);
  const waits = await start();
  waits.agent.waiting.add(3n);
  await waits.agent.pass(15);
  const waiting = (await waits.read()).serves;
  expect([waiting.plans?.reason, waiting.guards?.reason]).toEqual([null, 'rescue_waiting']);
});
