import { carol } from '../../../test/local/accounts.ts';
import type { Ask } from '../recorder.ts';

const price = { path: '/x402', body: { prompt: 'What is the price of ETH?' } };
const order = { asset: 'BTCB', side: 'buy', amount_usd: '100', owner: carol, acknowledge_caution: true };

/** An agent whose every source is silent or old. */
export async function recordSilentSources(ask: Ask): Promise<void> {
  await ask('NO_DATA: a verdict', { path: '/verdict?asset=BTCB&amount_usd=100' });
  await ask('NO_DATA: a question', { path: '/x402', body: { prompt: 'Is BTCB fairly priced right now?' } });
  await ask('NO_DATA: a draft', { path: '/swap-draft', body: order });
}

/** An agent that answers one question a minute. */
export async function recordLimit(ask: Ask): Promise<void> {
  await ask('Limit: the first question', price);
  await ask('Limit: the second question', price);
}

/** An agent whose node has gone. */
export async function recordWithoutChain(ask: Ask): Promise<void> {
  await ask('No chain: a verdict', { path: '/verdict?asset=ETH&amount_usd=77' });
  await ask('No chain: a question', { path: '/x402', body: { prompt: 'When will plan 1 run next?' } });
  await ask('No chain: a draft', { path: '/swap-draft', body: { ...order, amount_usd: '77' } });
  await ask('No chain: what needs none', { path: '/ping' });
}
