import { fileURLToPath } from 'node:url';
import { parseEther } from 'viem';
import { accountAbstraction } from './addresses.ts';
import { connect } from './chain.ts';
import { type ChildPlan, startChild } from './start/child.ts';
import { machineSettings } from './start/environment.ts';

/** Anvil's eleventh account, which submits other accounts' operations. Its key is public. */
export const account = {
  address: '0xBcd4042DE499D14e55001CcbB24a551F3b954096',
  key: '0xf214f2b2cd398c806f84e317254e0f0b801d0643303237d97a22a48e01628897',
} as const;

export type Bundler = Awaited<ReturnType<typeof startBundler>>;

/** Starts Pimlico's Alto, an ERC-4337 bundler, as a separate process on the local chain. */
export async function startBundler(
  rpcUrl: string,
  port: number,
  { onLine = () => {}, onEnd }: Partial<Pick<ChildPlan, 'onLine' | 'onEnd'>> = {},
) {
  await connect(rpcUrl).setBalance({ address: account.address, value: parseEther('100') });
  const url = `http://127.0.0.1:${port}`;
  const settings = {
    'rpc-url': rpcUrl,
    port,
    entrypoints: accountAbstraction.entryPoint,
    'executor-private-keys': account.key,
    'utility-private-key': account.key,
    'refilling-wallets': false,
    // Safe mode protects the bundler from costly operations, but needs debug_traceCall, which anvil implements only in
    // part.
    'safe-mode': false,
    'block-time': 100,
    'enforce-unique-senders-per-bundle': false,
    'log-level': 'error',
  };
  const child = await startChild({
    name: 'bundler',
    command: [
      process.execPath,
      fileURLToPath(new URL('../../node_modules/@pimlico/alto/esm/cli/alto.js', import.meta.url)),
      'run',
      ...Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]),
    ],
    env: machineSettings(process.env),
    ready: `${url}/health`,
    onLine,
    onEnd,
  });
  return { url, ...child };
}
