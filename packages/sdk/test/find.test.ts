import { BaseError, ContractFunctionRevertedError } from 'viem';
import { expect, it } from 'vitest';
import { deployment as record } from '../../../agent/test/api/deployment.ts';
import { isThe } from '../deployment.ts';
import { connectAgent, deploymentOf, findAgent } from '../index.ts';

// AG-271: against a fake registry, agent and stranger. test/local/examples.test.ts finds the real ones.

const registry = '0x5FbDB2315678afecb367f032d93F642f64180aa3';
const owner = '0x1111111111111111111111111111111111111111';
const agentUrl = 'https://agent.example/bowline';
const fileUrl = `${agentUrl}/.well-known/agent-registration.json`;
const statement = `${agentUrl}/.well-known/bowline.json`;

const entry = { agentId: 7, agentRegistry: `eip155:31337:${registry}` };
const file = {
  name: 'Bowline',
  active: true,
  services: [
    { name: 'MCP', endpoint: `${agentUrl}/mcp` },
    { name: 'bowline', endpoint: statement },
  ],
  registrations: [entry],
};

interface Said {
  readonly uri?: string;
  readonly file?: unknown;
  readonly record?: unknown;
  readonly chainId?: number;
}

function find({ uri = fileUrl, chainId = 31_337, ...said }: Said = {}) {
  const served = new Map<string, unknown>([
    [fileUrl, said.file ?? file],
    [statement, said.record ?? record],
  ]);
  const fetch = async (input: unknown) => {
    const body = served.get(String(input));
    return body === undefined ? new Response('', { status: 404 }) : Response.json(body);
  };
  const readContract = async ({ functionName }: { functionName: string }) => (functionName === 'ownerOf' ? owner : uri);
  return findAgent({ readContract, getChainId: async () => chainId } as never, registry, 7n, fetch as never);
}

it('AG-271: an entry leads to the agent, at an address with a path, too, and to its contracts', async () => {
  const found = await find();
  expect(found).toMatchObject({ url: agentUrl, name: 'Bowline', owner, deployment: { chainId: 31_337 } });
  expect(found.deployment).toEqual(deploymentOf(31_337, record));
  expect(found.services.map(({ name }) => name)).toEqual(['MCP', 'bowline']);
  // Registries write IDs as text, and addresses in any case.
  const loud = { agentId: '7', agentRegistry: entry.agentRegistry.toLowerCase() };
  expect(await find({ file: { ...file, registrations: [loud] } })).toMatchObject({ url: agentUrl });
});

it.each<[string, Said]>([
  ['other_registration', { file: { ...file, registrations: [{ ...entry, agentId: 8 }] } }],
  ['other_registration', { file: { ...file, registrations: [] } }],
  ['other_registration', { chainId: 56 }],
  ['not_active', { file: { ...file, active: false } }],
  ['other_deployment', { record: { ...record, chainId: 56 } }],
  ['unreachable', { file: { ...file, services: [] } }],
  ['unreachable', { file: { hello: 'world' } }],
  ['unreachable', { record: { ...record, planRegistry: '0x12' } }],
  ['unreachable', { uri: 'https://gone.example/' }],
])('AG-271: %s, and no agent, when %j', async (code, said) => {
  await expect(find(said)).rejects.toMatchObject({ name: 'AgentError', code });
});

it('AG-271: an entry that is not there is `not_registered`; a node that fails is the node’s error', async () => {
  const abi = [{ type: 'function', name: 'ownerOf', inputs: [], outputs: [], stateMutability: 'view' }] as const;
  const absent = new BaseError('reverted', {
    cause: new ContractFunctionRevertedError({ abi, functionName: 'ownerOf' }),
  });
  const failing = (cause: Error) =>
    findAgent({ readContract: () => Promise.reject(cause), getChainId: async () => 31_337 } as never, registry, 7n);
  await expect(failing(absent)).rejects.toMatchObject({ code: 'not_registered' });
  const down = new Error('ECONNREFUSED');
  await expect(failing(down)).rejects.toBe(down);
});

it('AG-271: of a deployment that is known, no other contract or signer is taken', () => {
  const known = deploymentOf(31_337, record);
  const other = '0x2222222222222222222222222222222222222222';
  expect(isThe(known, known)).toBe(true);
  const { quoteDesk: _, ...withoutDesk } = record;
  expect(isThe(known, deploymentOf(31_337, { ...withoutDesk, verdictSigners: [] }))).toBe(true);
  expect(isThe(known, deploymentOf(31_337, { ...record, planRegistry: other }))).toBe(false);
  expect(isThe(known, deploymentOf(31_337, { ...record, verdictSigners: [...record.verdictSigners, other] }))).toBe(
    false,
  );
});

/** An agent that answers this over A2A. */
const saying = (data: unknown, asked: unknown[] = []) =>
  connectAgent('https://agent.example', (async (url: URL, init: RequestInit) => {
    asked.push([String(url), JSON.parse(String(init.body)).params.message.parts[0].data]);
    return Response.json({ jsonrpc: '2.0', id: 1, result: { message: { parts: [{ data }] } } });
  }) as never);

it('an offer is asked for and given as it was signed; none is an error with the agent’s words', async () => {
  const offer = {
    request: { task_description: 'Is BTCB fair?' },
    response: { accepted: true, terms: { price: '50', currency: owner, deliverables: 'a report' } },
    negotiation_hash: '0x12',
    provider_sig: '0x34',
    chain_id: 31_337,
    verifying_contract: registry,
  };
  const asked: unknown[] = [];
  expect(await saying(offer, asked).offer('Is BTCB fair?', owner)).toEqual(offer);
  expect(asked).toEqual([
    [
      'https://agent.example/a2a',
      expect.objectContaining({ skill: 'negotiate', task_description: 'Is BTCB fair?', client: owner }),
    ],
  ]);
  const refused = { response: { accepted: false, reason_code: '0x04', reason: 'Only verdicts are sold.' } };
  await expect(saying(refused).offer('A poem.')).rejects.toMatchObject({
    code: 'no_offer',
    message: 'Only verdicts are sold.',
  });
  await expect(saying({ hint: 'what?' }).offer('?')).rejects.toMatchObject({ code: 'unreachable' });
});

it('a notice is accepted, or an error with the agent’s reason', async () => {
  const asked: unknown[] = [];
  await saying({ status: 'accepted', job_id: '5' }, asked).notifyFunded(5n);
  expect(asked).toEqual([['https://agent.example/a2a', { skill: 'notify_funded', job_id: '5' }]]);
  for (const [reply, code, message] of [
    [{ status: 'rejected', job_id: '5', reason: 'job_unknown' }, 'job_refused', 'job_unknown'],
    [{ status: 'rejected', error: 'invalid job_id' }, 'job_refused', 'invalid job_id'],
    [
      { status: 'retry', error: 'The node is silent.', code: 'chain_unavailable' },
      'chain_unavailable',
      'The node is silent.',
    ],
    [{ error: 'unknown skill: "notify_funded"' }, 'job_refused', 'unknown skill: "notify_funded"'],
  ] as const) {
    await expect(saying(reply).notifyFunded(5n)).rejects.toMatchObject({ code, message });
  }
});
