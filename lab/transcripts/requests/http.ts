import { bob, carol } from '../../../test/local/accounts.ts';
import type { Ask } from '../recorder.ts';

const order = { asset: 'BTCB', side: 'buy', amount_usd: '100', owner: carol };
const post = (path: string, body: unknown) => ({ path, body });
const prompt = (text: unknown) => post('/x402', { prompt: text });

/** Everything that the agent says about itself. */
export async function recordDiscovery(ask: Ask): Promise<void> {
  await ask('Liveness', { path: '/ping' });
  await ask('Readiness', { path: '/ready' });
  await ask('Names of metrics', { path: '/metrics' });
  await ask('Terms of a free answer', { path: '/x402' });
  await ask('Agent card of A2A 0.3', { path: '/.well-known/agent-card.json' });
  await ask('Agent card of A2A 1.0', { path: '/.well-known/agent-card.json', headers: { 'a2a-version': '1.0' } });
  await ask('Discovery by a page of another origin', {
    path: '/.well-known/agent-card.json',
    headers: { origin: 'https://example.com' },
  });
  await ask('Keys that sign the card', { path: '/.well-known/jwks.json' });
  await ask('Registration of ERC-8004', { path: '/.well-known/agent-registration.json' });
  await ask('The deployment', { path: '/.well-known/bowline.json' });
  await ask('What is paid for', { path: '/.well-known/x402' });
  await ask('Where vulnerabilities are reported', { path: '/.well-known/security.txt' });
  await ask('Server card of MCP', { path: '/.well-known/mcp.json' });
  await ask('Entry of the MCP registry', { path: '/server.json' });
  await ask('In words, for models', { path: '/llms.txt' });
}

export async function recordOpenApi(ask: Ask): Promise<void> {
  await ask('OpenAPI', { path: '/openapi.json' });
}

/** Questions in words. */
export async function recordQuestions(ask: Ask): Promise<void> {
  await ask('A question about a price', prompt('Is BTCB fairly priced right now?'));
  await ask('A size and a side', prompt('Is it a good time to sell 2 ETH?'));
  await ask('A price alone', prompt('What is the price of WBNB?'));
  await ask('A history', prompt('How did ETH do over the last day?'));
  await ask('What is listed', prompt('Which assets do you know?'));
  await ask('A quote', prompt('How much BTCB do I get for 1,000 USDT?'));
  await ask('An owner’s plans', prompt(`List the plans of ${carol}`));
  await ask('The outlook of a plan', prompt('When will plan 1 run next?'));
  await ask('The records of a plan', prompt('What has plan 2 done?'));
  await ask('A loan', prompt(`How healthy is the loan of ${carol}?`));
  await ask('A rescue', prompt('Would guard 1 rescue its loan now?'));
  await ask('In Chinese', prompt('BTCB 现在的价格合理吗?'));
  await ask('A trade too large for its pool', prompt('Is BTCB fairly priced to buy for 5,000,000 USD?'));
  await ask('An unknown asset', prompt('Is DOGE fairly priced?'));
  await ask('A question that is not understood', prompt('Write me a poem about the sea'));
  await ask('A missing plan', prompt('When will plan 99 run next?'));
  await ask('An address with a letter in the wrong case', prompt(`List the plans of ${mistyped(carol)}`));
  await ask('An empty prompt', prompt(''));
  await ask('No prompt', post('/x402', {}));
  await ask('A prompt that is no text', prompt(5));
  await ask('A prompt that is too long', prompt('x'.repeat(4_001)));
  await ask('A body that is too large', post('/x402', { prompt: 'x'.repeat(70_000) }));
  await ask('A body that is not JSON', post('/x402', '{"prompt": '));
  await ask('A body of another type', { ...post('/x402', 'prompt=1'), headers: { 'content-type': 'text/plain' } });
  await ask('Another method', { method: 'DELETE', path: '/x402' });
}

/** Verdicts, drafts and records as JSON. */
export async function recordEndpoints(ask: Ask): Promise<void> {
  const { json: go } = await ask('A verdict that is GO', { path: '/verdict?asset=BTCB&side=buy&amount_usd=1000' });
  const { evidence_hash: hash } = go.ticket;
  await ask('Its evidence', { path: `/evidence/${hash}` });
  await ask('Its evidence, by the bytes on chain', { method: 'HEAD', path: `/evidence/${hash.slice(0, 40)}` });
  await ask('Evidence of nothing', { path: `/evidence/0x${'00'.repeat(32)}` });
  await ask('Evidence without a hash', { path: '/evidence/x' });
  await ask('A verdict that is NO_GO', { path: '/verdict?asset=BTCB&side=buy&amount_usd=5000000' });
  await ask('A verdict on an unknown asset', { path: '/verdict?asset=DOGE' });
  await ask('A verdict on an unknown side', { path: '/verdict?asset=BTCB&side=hold' });
  await ask('A verdict on a negative amount', { path: '/verdict?asset=BTCB&amount_usd=-1' });
  await ask('A verdict on two amounts', { path: '/verdict?asset=BTCB&amount_usd=1&amount_asset=1' });
  await ask('A verdict on nothing', { path: '/verdict' });
  await ask('A verdict by another method', post('/verdict', {}));
  await ask('A draft', post('/swap-draft', order));
  await ask('A draft that the owner cannot pay', post('/swap-draft', { ...order, owner: unfunded }));
  await ask('A draft on NO_GO', post('/swap-draft', { ...order, amount_usd: '5000000', acknowledge_caution: true }));
  await ask('A draft for no address', post('/swap-draft', { ...order, owner: 'me' }));
  await ask('A draft for an address in the wrong case', post('/swap-draft', { ...order, owner: mistyped(carol) }));
  await ask('A draft with too much slippage', post('/swap-draft', { ...order, max_slippage_bps: 501 }));
  await ask('A draft with an unknown field', post('/swap-draft', { ...order, receiver: bob }));
  await ask('A draft that is not JSON', post('/swap-draft', '{'));
  await ask('A quote of the desk', post('/desk-quote', order));
  await ask('A quote to sell to the desk', post('/desk-quote', { ...order, side: 'sell' }));
  await ask('The outlook of a plan as JSON', { path: '/plans/1/outlook' });
  await ask('The outlook of a deferred plan', { path: '/plans/2/outlook' });
  await ask('The outlook of a missing plan', { path: '/plans/99/outlook' });
  await ask('The outlook of no plan', { path: '/plans/x/outlook' });
  await ask('A webhook without a valid signature', post('/webhooks', webhook));
  await ask('A webhook of a stranger', post('/webhooks', { ...webhook, owner: unfunded }));
  await ask('A webhook without fields', post('/webhooks', {}));
  await ask('A missing deliverable', { path: `/deliverables/0x${'00'.repeat(32)}` });
  await ask('The response of a missing job', { path: '/job/999/response' });
  await ask('A missing path', { path: '/nothing' });
  await ask('A host that is not allowed', { path: '/ping', headers: { host: 'example.com' } });
}

/** Anvil's eighth account. */
const unfunded = '0x14dC79964da2C08b23698B3D3cc7Ca32193d9955';

const webhook = {
  action: 'register',
  owner: carol,
  url: 'https://example.com/hook',
  updated_at: 1_893_600_000,
  expires_at: 1_893_700_000,
  signature: `0x${'12'.repeat(65)}`,
};

/** An address whose checksum is wrong: its last letter has the other case. */
export const mistyped = (address: string): string =>
  address.replace(/[a-fA-F](?=[^a-fA-F]*$)/, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );
