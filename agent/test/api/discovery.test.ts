import express from 'express';
import { expect, test } from 'vitest';
import { deploymentOf } from '../../../packages/sdk/index.ts';
import { createDiscovery, type DiscoveryParts } from '../../src/api/http/discovery.ts';
import { endpoints } from '../../src/api/http/endpoints.ts';
import { tools } from '../../src/tools/index.ts';
import { deployment, serves } from './deployment.ts';
import { serve } from './serve.ts';

async function start(changes: Partial<DiscoveryParts> = {}) {
  const parts = {
    version: '0.1.0',
    publicUrl: 'https://agent.example.org',
    tools,
    hasDesk: true,
    deployment,
    serves: async () => serves,
  };
  const url = await serve(express().use(createDiscovery({ ...parts, ...changes })));
  const read = async (path: string) => {
    const response = await fetch(url + path);
    return { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
  };
  const readJson = async (path: string) => JSON.parse((await read(path)).text);
  return { read, readJson };
}

test('llms.txt tells a model where everything is, what it costs and every tool', async () => {
  const { read } = await start({ price: { price_usd: 0.05 } });
  const { type, text } = await read('/llms.txt');
  expect(type).toMatch(/^text\/plain/);
  expect(text).toMatch(/^# Bowline\n\n> /);
  expect(text).toContain('language model understands costs 0.05 USD');
  for (const path of ['/mcp', '/a2a', '/x402', '/openapi.json', '/server.json', '/.well-known/agent-card.json']) {
    expect(text).toContain(`https://agent.example.org${path}`);
  }
  for (const { name, description } of tools) expect(text).toContain(`- ${name}: ${description}`);
});

test('server.json is an entry of the MCP registry, named by the domain', async () => {
  const { readJson } = await start();
  const entry = await readJson('/server.json');
  expect(entry).toEqual({
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    name: 'org.example.agent/bowline',
    title: 'Bowline',
    description: expect.any(String),
    version: '0.1.0',
    remotes: [{ type: 'streamable-http', url: 'https://agent.example.org/mcp' }],
  });
  expect(entry.description.length).toBeLessThanOrEqual(100);
  const { readJson: readLocal } = await start({ publicUrl: 'http://127.0.0.1:4020' });
  expect((await readLocal('/server.json')).name).toBe('127.0.0.1/bowline');
  const { readJson: readSix } = await start({ publicUrl: 'http://[::1]:4020' });
  expect((await readSix('/server.json')).name).toMatch(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
});

test('/.well-known/mcp.json names the same server and where it is', async () => {
  const { readJson } = await start();
  expect(await readJson('/.well-known/mcp.json')).toMatchObject({
    name: 'org.example.agent/bowline',
    remotes: [{ type: 'streamable-http', url: 'https://agent.example.org/mcp' }],
    serverInfo: { name: 'bowline', version: '0.1.0' },
    transport: { type: 'streamable-http', endpoint: '/mcp' },
    capabilities: { tools: {}, resources: {}, prompts: {} },
  });
});

test('/.well-known/x402 lists what is paid for, and nothing while all is free', async () => {
  const { readJson } = await start({ price: { price_usd: 0.05 } });
  expect(await readJson('/.well-known/x402')).toMatchObject({
    version: 1,
    resources: ['/x402', '/verdict', '/swap-draft', '/desk-quote'].map((path) => `https://agent.example.org${path}`),
    instructions: expect.stringContaining('0.05 USD'),
  });
  const { readJson: readWithoutDesk } = await start({ price: { price_usd: 0.05 }, hasDesk: false });
  expect((await readWithoutDesk('/.well-known/x402')).resources).toEqual(
    ['/x402', '/verdict', '/swap-draft'].map((path) => `https://agent.example.org${path}`),
  );
  const { readJson: readFree } = await start();
  expect(await readFree('/.well-known/x402')).toMatchObject({ version: 1, resources: [] });
});

// AG-270
test('/.well-known/bowline.json is the record of the deployment, as integrators read it', async () => {
  const { readJson } = await start();
  const record = await readJson('/.well-known/bowline.json');
  expect(endpoints.deployment.answer.parse(record)).toEqual({ ...deployment, serves });
  const { contracts, verdictSigners, escrow } = deploymentOf(31337, record);
  expect(contracts).toMatchObject({ planRegistry: deployment.planRegistry, loanGuard: deployment.loanGuard });
  expect([verdictSigners, escrow]).toEqual([deployment.verdictSigners, deployment.escrow]);
});
