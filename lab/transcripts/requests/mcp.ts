import { bob, carol } from '../../../test/local/accounts.ts';
import { venus } from '../../world/addresses.ts';
import type { Ask } from '../recorder.ts';
import { mistyped } from './http.ts';

const headers = { accept: 'application/json, text/event-stream' };
const version = '2026-07-28';
const client = { name: 'transcripts', version: '1' };

const guard = {
  borrower: carol,
  market: venus.markets.vUSDT,
  repay: 'USDT',
  trigger_health: '1.1',
  target_health: '1.3',
  cap_per_rescue: '100',
  cap_per_day: '100',
  min_repay: '10',
  budget: '500',
};

export async function recordMcp(ask: Ask): Promise<void> {
  const send = (heading: string, body: unknown, more: Readonly<Record<string, string>> = {}) =>
    ask(heading, { path: '/mcp', headers: { ...headers, ...more }, body });
  const call = (heading: string, method: string, params: object = {}) =>
    send(heading, { jsonrpc: '2.0', id: 1, method, params });
  const tool = (heading: string, name: string, given: object = {}) =>
    call(heading, 'tools/call', { name, arguments: given });
  const modern = (heading: string, method: string, params: object, name?: string) =>
    send(
      heading,
      { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: modernMeta } },
      { 'mcp-protocol-version': version, 'mcp-method': method, ...(name && { 'mcp-name': name }) },
    );

  const opening = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: client };
  await call('Opening, revision 2025-06-18', 'initialize', opening);
  await modern('Discovery, revision 2026-07-28', 'server/discover', {});
  await call('A ping', 'ping');
  await call('All tools', 'tools/list');
  await call('All prompts', 'prompts/list');
  await call('A prompt', 'prompts/get', { name: 'fair_price', arguments: { asset: 'BTCB' } });
  await call('All resources', 'resources/list');
  await call('All templates of resources', 'resources/templates/list');
  await call('A missing resource', 'resources/read', { uri: 'bowline://plans/99' });

  await tool('about', 'about');
  await tool('list_assets', 'list_assets');
  await tool('get_price', 'get_price', { asset: 'BTCB' });
  await tool('get_history', 'get_history', { asset: 'ETH', interval: '1h', count: 2 });
  await tool('check_asset', 'check_asset', { asset: 'WBNB', amount_usd: 1_000 });
  await modern('check_asset, revision 2026-07-28', 'tools/call', modernCheck, 'check_asset');
  await tool('quote_swap', 'quote_swap', { asset: 'BTCB', amount_usd: '1000' });
  await tool('draft_swap', 'draft_swap', { asset: 'BTCB', side: 'buy', amount_usd: 100, owner: carol });
  await tool('draft_plan', 'draft_plan', {
    ...{ owner: bob, pay: 'USDT', buy: 'BTCB', amount: '25', every: 'day', runs: 3 },
  });
  await tool('draft_guard', 'draft_guard', guard);
  await tool('draft_revoke of a plan', 'draft_revoke', { what: 'plan', id: '1' });
  await tool('draft_revoke of everything', 'draft_revoke', { what: 'all' });
  await tool('list_plans', 'list_plans');
  await tool('list_runs', 'list_runs', { plan: '1' });
  await tool('list_runs of a deferred plan', 'list_runs', { plan: 2 });
  await tool('plan_outlook', 'plan_outlook', { plan: '1' });
  await tool('loan_health', 'loan_health', { borrower: carol });
  await tool('preview_rescue', 'preview_rescue', { guard: '1' });

  await tool('An unknown tool', 'sell_everything');
  await tool('A tool without its input', 'check_asset');
  await tool('A tool with an unknown field', 'get_price', { asset: 'BTCB', currency: 'EUR' });
  await tool('A tool with two errors', 'draft_plan', { owner: 'me', pay: 'USDT', buy: 'BTCB', every: 'year', runs: 0 });
  await tool('An amount with separators', 'quote_swap', { asset: 'BTCB', amount_usd: '1,000' });
  await tool('An unknown asset', 'get_price', { asset: 'DOGE' });
  await tool('A missing plan', 'list_runs', { plan: '99' });
  await tool('A missing guard', 'preview_rescue', { guard: '99' });
  await tool('An address in lower case', 'list_plans', { owner: bob.toLowerCase() });
  await tool('An address with a letter in the wrong case', 'loan_health', { borrower: mistyped(carol) });
  await call('An unknown method', 'tools/nothing');
  await send('A body that is not JSON', '{"jsonrpc": ');
  await send('JSON that is no message', { hello: 1 });
  await send(
    'An unknown revision',
    { jsonrpc: '2.0', id: 1, method: 'ping' },
    { 'mcp-protocol-version': '1999-01-01' },
  );
  await ask('A client that takes no JSON', {
    path: '/mcp',
    headers: { accept: 'text/html' },
    body: { jsonrpc: '2.0', id: 1, method: 'ping' },
  });
  await ask('A stream without a session', { path: '/mcp', headers });
  await ask('An end without a session', { method: 'DELETE', path: '/mcp', headers });
}

const modernMeta = {
  'io.modelcontextprotocol/protocolVersion': version,
  'io.modelcontextprotocol/clientInfo': client,
  'io.modelcontextprotocol/clientCapabilities': {},
};
const modernCheck = { name: 'check_asset', arguments: { asset: 'WBNB', amount_usd: 1_000 } };
