import { carol } from '../../../test/local/accounts.ts';
import type { Ask } from '../recorder.ts';

const order = { asset: 'BTCB', side: 'buy', amount_usd: '100', owner: carol };
const accept = { accept: 'application/json, text/event-stream' };

/** An agent whose verdicts cost: every way to ask for one without paying. */
export async function recordPriced(ask: Ask): Promise<void> {
  const rpc = (heading: string, path: string, method: string, params: object) =>
    ask(heading, { path, headers: path === '/mcp' ? accept : {}, body: { jsonrpc: '2.0', id: 1, method, params } });
  const say = (heading: string, text: string) =>
    rpc(heading, '/a2a', 'message/send', {
      message: { kind: 'message', role: 'user', messageId: '1', parts: [{ kind: 'text', text }] },
    });

  await ask('Terms', { path: '/x402' });
  await ask('What is paid for', { path: '/.well-known/x402' });
  await ask('An unpaid question', { path: '/x402', body: { prompt: 'Is BTCB fairly priced right now?' } });
  await ask('A free question', { path: '/x402', body: { prompt: 'What is the price of ETH?' } });
  await ask('An empty prompt', { path: '/x402', body: { prompt: '' } });
  await ask('A payment that cannot be read', {
    path: '/x402',
    headers: { 'payment-signature': 'bm90IGEgcGF5bWVudA==' },
    body: { prompt: 'Is BTCB fairly priced right now?' },
  });
  await ask('An unpaid verdict', { path: '/verdict?asset=BTCB&amount_usd=100' });
  await ask('A verdict on an unknown asset', { path: '/verdict?asset=DOGE' });
  await ask('An unpaid draft', { path: '/swap-draft', body: order });
  await ask('A draft for no address', { path: '/swap-draft', body: { ...order, owner: 'me' } });
  await ask('An unpaid quote of the desk', { path: '/desk-quote', body: order });
  await rpc('An unpaid tool', '/mcp', 'tools/call', { name: 'check_asset', arguments: { asset: 'BTCB' } });
  await rpc('A free tool', '/mcp', 'tools/call', { name: 'get_price', arguments: { asset: 'BTCB' } });
  await say('An unpaid message', 'Is BTCB fairly priced to buy for 100 USD?');
  await say('A free message', 'What is the price of ETH?');
}
