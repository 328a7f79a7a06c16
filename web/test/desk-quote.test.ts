import { encodeFunctionData, getContractError, RpcRequestError } from 'viem';
import { expect, test } from 'vitest';
import { quoteDeskAbi } from '../../abis/index.ts';
import { readQuoteMarket } from '../desk-quote.ts';

// AG-356
test('an internal error of the node is no word of the desk about its quote', async () => {
  const someone = `0x${'11'.repeat(20)}` as const;
  const quote = { buyer: someone, tokenIn: someone, amountIn: 1n, tokenOut: someone, amountOut: 1n };
  const args = [{ ...quote, nonce: 1n, expiresAt: 1n }, '0x'] as const;
  const redeem = { abi: quoteDeskAbi, functionName: 'redeem', args } as const;
  const error = { code: -32_603, message: 'database is locked' };
  const failed = getContractError(new RpcRequestError({ body: {}, error, url: 'http://127.0.0.1:9' }), redeem);
  // All else stays unanswered.
  const waiting = new Promise<never>(() => {});
  const client = new Proxy(
    {},
    { get: (_, name) => async () => (name === 'simulateContract' ? throwing(failed) : waiting) },
  );
  const token = { address: someone, feed: someone };
  const swap = { owner: someone, pay: token, receive: token, amountIn: 1n, route: [] };
  const trade = { ...swap, calls: [{ kind: 'redeem', to: someone, data: encodeFunctionData(redeem) }] };
  const market = readQuoteMarket(client as never, { contracts: {} } as never, trade as never);
  await expect(market).rejects.toBe(failed);
});

function throwing(error: Error): never {
  throw error;
}
