import { checkNames } from '@bowline/core/texts/checks';
import { rulesVersion } from '@bowline/core/verdict/rules';
import { expect, test } from 'vitest';
import { sentences } from '../../src/ask/reply/sentences.ts';
import { pricedTools } from '../../src/tools/priced.ts';
import type { Self } from '../../src/tools/self.ts';
import { serves } from '../api/deployment.ts';
import { ask, world } from './world.ts';

async function told(changes: Partial<Self> = {}) {
  const known = await world.self?.();
  if (known === undefined) throw new Error('The world has no agent.');
  return ask('about', {}, { ...world, self: async () => ({ ...known, ...changes }) });
}

test('it names every check with its question, and the rules they are of', async () => {
  const { checks, rules } = await told();
  expect((checks as { check: string }[]).map(({ check }) => check)).toEqual(Object.keys(checkNames));
  for (const { question } of checks as { question: string }[]) expect(question).toMatch(/\?$/);
  expect(rules).toBe(rulesVersion);
});

test('it says what is charged, by which rail, and for what', async () => {
  expect(await told()).toMatchObject({
    charges: { price_usd: 0, tools: [], job: null },
    contract_fees: 'none',
    custody: 'none',
  });
  const tokens = [{ asset: `0x${'a'.repeat(40)}`, amount: '50000', method: 'eip3009' as const }];
  const [{ asset, amount }] = tokens as [(typeof tokens)[number]];
  const payment = { rail: 'x402' as const, network: 'eip155:56', asset, amount, pay_to: asset, tokens };
  const jobPrice = { amount: '0.5', token: 'Local Dollar' };
  const price = { price_usd: 0.05, payment };
  const { charges } = await told({ price, priced: pricedTools, jobPrice });
  expect(charges).toEqual({ ...price, tools: ['check_asset', 'draft_swap'], job: jobPrice });
});

test('it says whom it serves by which contracts and within which limits, from the one statement of that', async () => {
  const { planRegistry, swapExecutor, loanGuard, plans } = serves;
  const said = await told();
  expect(said).toMatchObject({ chain_id: serves.chainId, ready: true, not_ok: [] });
  expect(said.serves).toMatchObject({
    plans: {
      ...{ registry: planRegistry, executor: swapExecutor, ticket_signers: plans?.verdictSigners },
      ...{ reason: null, last_round: '2027-01-15T07:55:00.000Z', min_run_usd: '5', min_period_seconds: '3600' },
    },
    guards: { contracts: [loanGuard], max_trigger_health: '2', owner: null },
    jobs: null,
  });
  const none = { ...serves, plans: null, guards: null, quotes: null };
  const nothing = await told({ serves: async () => none });
  expect(nothing.serves).toEqual({ plans: null, guards: null, jobs: null, quotes: null });
});

test('it says what is not well, and why, and nothing of what is', async () => {
  const well = { ok: true, needed: true, detail: 'block 7' };
  const ill = { ok: false, needed: false, reason: 'market_unavailable' as const, detail: 'It does not answer.' };
  const readiness = async () => ({ ready: true, dependencies: { head: well, exchange: ill } });
  const { ready, not_ok } = await told({ readiness });
  const { ok: _, ...shown } = ill;
  expect([ready, not_ok]).toEqual([true, [{ name: 'exchange', ...shown }]]);
});

test('in words, it states what it has in fields', async () => {
  const sentence = sentences.get('about');
  const price = { price_usd: 0.05 };
  const ill = { ok: false, needed: true, reason: 'market_unavailable' as const, detail: 'It does not answer.' };
  const readiness = async () => ({ ready: false, dependencies: { exchange: ill } });
  const call = { tool: 'about', input: {} };
  expect(sentence?.(await told(), call)).toMatch(
    /^Bowline 0\.1\.0 on chain 31337 works\. It serves plans, loan guards\. Answers are free; /,
  );
  const said = sentence?.(await told({ price, priced: pricedTools, readiness }), call);
  expect(said).toContain(
    'does not work as it should. Not working: exchange (the exchange is not responding (market_unavailable)).',
  );
  expect(said).toContain('check_asset and draft_swap cost 0.05 USD each, other tools nothing');
});

test('where there is no agent, it says nothing', async () => {
  const { self: _, ...without } = world;
  await expect(ask('about', {}, without)).rejects.toThrow('internal');
});
