import { carol } from '../../../test/local/accounts.ts';
import type { Ask } from '../recorder.ts';

const order = { asset: 'BTCB', amount_usd: '100', owner: carol };

/** The JSON of the page's server. */
export async function recordPage(ask: Ask): Promise<void> {
  const buy = (heading: string, body: unknown) => ask(heading, { path: '/api/buy', body });
  await ask('Settings of the page', { path: '/config.json' });
  await ask('Prices', { path: '/api/quote' });
  await ask('A year of an unknown asset', { path: '/api/quote/DOGE' });
  await buy('An order', order);
  await buy('An order on NO_GO', { ...order, amount_usd: '5000000', acknowledge_caution: true });
  await buy('An order of an unknown asset', { ...order, asset: 'DOGE' });
  await buy('An order for no address', { ...order, owner: 'me' });
  await buy('An order of two amounts', { ...order, amount_asset: '1' });
  await buy('An order without fields', {});
  await ask('A question', { path: '/api/agent', body: { prompt: 'What is the price of ETH?' } });
  await ask('An empty question', { path: '/api/agent', body: { prompt: '' } });
  await ask('A body that is not JSON', { path: '/api/agent', body: '{' });
  await ask('A body of another type', { path: '/api/agent', headers: { 'content-type': 'text/plain' }, body: 'hello' });
  await ask('Evidence of nothing', { path: `/api/evidence/0x${'00'.repeat(32)}` });
  await ask('Evidence without a hash', { path: '/api/evidence/x' });
  await ask('Another method', { path: '/api/buy' });
  await ask('A missing path', { path: '/api/nothing' });
}
