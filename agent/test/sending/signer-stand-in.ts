import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Hex, hexToBigInt, hexToNumber, isAddressEqual, type PrivateKeyAccount } from 'viem';
import { onTestFinished } from 'vitest';

/** What the stand-in was asked. */
export interface Asked {
  readonly method: string;
  readonly params: readonly unknown[];
}

type Reply = { readonly result: unknown } | { readonly error: { readonly code: number; readonly message: string } };

/**
 * Web3Signer's JSON-RPC in its eth1 mode, with keys in memory, over a loopback server. It reads its requests as strictly as
 * Web3Signer does. A test may answer in its place.
 */
export async function startSigner(accounts: readonly PrivateKeyAccount[], chainId: number) {
  const asked: Asked[] = [];
  let answer: ((request: Asked, honest: Reply) => Promise<Reply | 'garbage'>) | undefined;
  const server = createServer(async (request, response) => {
    const { id, method, params } = JSON.parse(await textOf(request));
    asked.push({ method, params });
    const honest = await replyTo(accounts, chainId, { method, params });
    const reply = answer === undefined ? honest : await answer({ method, params }, honest);
    response.setHeader('content-type', 'application/json');
    response.end(reply === 'garbage' ? '<html>' : JSON.stringify({ jsonrpc: '2.0', id, ...reply }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    /** From now on, `by` answers for the signer. */
    become(by: NonNullable<typeof answer>) {
      answer = by;
    },
  };
}

const refused = (code: number, message: string): Reply => ({ error: { code, message } });

async function replyTo(
  accounts: readonly PrivateKeyAccount[],
  chainId: number,
  { method, params }: Asked,
): Promise<Reply> {
  if (method === 'eth_accounts') return { result: accounts.map(({ address }) => address.toLowerCase()) };
  const account = (by: unknown) => accounts.find(({ address }) => isAddressEqual(address, by as Hex));
  if (method === 'eth_signTransaction') {
    const [{ from, to, gas, gasPrice, value, nonce, data }] = params as [Record<string, Hex>];
    const signer = account(from);
    if (signer === undefined) return refused(-32_000, 'Signing from is not an unlocked account');
    if (!to || !gas || !gasPrice || !value || !nonce || !data || params.length !== 1)
      return refused(-32_602, 'Invalid params');
    // Signs for the chain it was started for, whatever the request says.
    const result = await signer.signTransaction({
      ...{ type: 'legacy', chainId, to, data, nonce: hexToNumber(nonce) },
      ...{ gas: hexToBigInt(gas), gasPrice: hexToBigInt(gasPrice), value: hexToBigInt(value) },
    });
    return { result };
  }
  const [by, data] = params as [Hex, Hex];
  const signer = account(by);
  if (signer === undefined) return refused(-32_000, 'Signing from is not an unlocked account');
  if (method === 'eth_sign') return { result: await signer.signMessage({ message: { raw: data } }) };
  if (method === 'eth_signTypedData') return { result: await signer.signTypedData(JSON.parse(data)) };
  return refused(-32_601, 'Method not found');
}

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}
