import { privateKeyToAccount } from 'viem/accounts';
import { authorise, base64, type Offer } from '../../../test/e2e/signed-payment.ts';
import { carol } from '../../../test/local/accounts.ts';
import { erc20Abi } from '../../world/abis.ts';
import { treasurer } from '../../world/replica.ts';
import type { Ask } from '../recorder.ts';
import type { World } from '../world.ts';

const order = { asset: 'BTCB', side: 'buy', amount_usd: '100', owner: carol };
const accept = { accept: 'application/json, text/event-stream' };

/** An agent with paid verdicts: every way to ask for one without paying. */
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

const question = { path: '/x402', body: { prompt: 'Is BTCB fairly priced to buy for 100 USD?' } };
/** Anvil's third account. Its key is public. */
const payer = privateKeyToAccount('0x5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a');

/** One payment: what it buys, the same request again, and what it does not buy. */
export async function recordPaid({ chain, contracts, clock }: World, ask: Ask): Promise<void> {
  const { address: token } = contracts.escrow.token;
  const args = [payer.address, 10n ** 18n] as const;
  await chain.send(treasurer, token, { abi: erc20Abi, functionName: 'transfer', args });
  const { headers } = await ask('The terms of a question', question);
  const { accepts } = JSON.parse(Buffer.from(String(headers['payment-required']), 'base64').toString());
  const { payload } = await authorise(payer, {
    offer: (accepts as Offer[]).find(({ asset }) => asset === token) as Offer,
    changes: { validAfter: 0n, validBefore: BigInt(clock.now() + 300), nonce: `0x${'01'.repeat(32)}` },
  });
  const paying = { 'payment-signature': base64(payload) };
  await ask('A paid question', { ...question, headers: paying });
  await ask('The same payment again', { ...question, headers: paying });
  await ask('The same payment for another question', {
    ...{ path: '/verdict?asset=ETH&amount_usd=100', headers: paying },
  });
}
