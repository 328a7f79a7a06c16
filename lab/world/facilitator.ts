import { x402Facilitator } from '@x402/core/facilitator';
import type { PaymentPayload, PaymentRequirements } from '@x402/core/types';
import { toFacilitatorEvmSigner } from '@x402/evm';
import { ExactEvmScheme } from '@x402/evm/exact/facilitator';
import express from 'express';
import { createWalletClient, type Hex, http, publicActions } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { connect } from './chain.ts';
import { localChainId } from './fork.ts';
import { serve } from './serve.ts';

/** Anvil's ninth account, which pays the gas of other accounts' payments. Its key is public. */
const facilitatorKey: Hex = '0xdbda1821b80551c9d65939329250298aa3472ba22feea921c0cf5d620ea67b97';

/** Starts an x402 v2 facilitator on loopback that settles on the local chain. `port` 0 lets the system choose. */
export async function serveFacilitator(rpcUrl: string, port: number): Promise<{ url: string; stop(): Promise<void> }> {
  const chain = connect(rpcUrl);
  const account = privateKeyToAccount(facilitatorKey);
  const wallet = createWalletClient({ account, transport: http(rpcUrl) }).extend(publicActions);
  const signer = toFacilitatorEvmSigner({
    address: account.address,
    readContract: (call) => wallet.readContract(call as Parameters<typeof wallet.readContract>[0]),
    verifyTypedData: (call) => wallet.verifyTypedData(call as Parameters<typeof wallet.verifyTypedData>[0]),
    writeContract: (call) =>
      wallet.writeContract({ ...call, chain: null } as Parameters<typeof wallet.writeContract>[0]),
    sendTransaction: (call) => wallet.sendTransaction({ ...call, chain: null }),
    waitForTransactionReceipt: ({ hash }) => chain.receiptOf(hash),
    getCode: (call) => wallet.getCode(call),
  });
  const facilitator = new x402Facilitator().register(`eip155:${localChainId}`, new ExactEvmScheme(signer));

  const app = express();
  app.use(express.json({ limit: '64kb' }));
  type Body = { paymentPayload: PaymentPayload; paymentRequirements: PaymentRequirements };
  app.get('/supported', (_request, response) => void response.json(facilitator.getSupported()));
  app.post('/verify', async ({ body }, response) => {
    const { paymentPayload, paymentRequirements } = body as Body;
    response.json(await facilitator.verify(paymentPayload, paymentRequirements));
  });
  app.post('/settle', async ({ body }, response) => {
    const { paymentPayload, paymentRequirements } = body as Body;
    response.json(await facilitator.settle(paymentPayload, paymentRequirements));
  });
  return serve(app, port);
}
