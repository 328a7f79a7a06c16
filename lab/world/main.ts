import { localChainId, startLocalChain } from './fork.ts';
import { onlyOptions } from './options.ts';
import { portNumber, taken } from './ports.ts';
import { treasurer } from './replica.ts';

// `npm run lab -- chain`: runs the local BSC until Ctrl-C.

const upstreamUrl = process.env.BSC_RPC_URL || undefined;
try {
  await run(portNumber('--port', onlyOptions('npm run lab -- chain', { port: '8545' }).port));
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}

async function run(port: number): Promise<void> {
  const chain = await startLocalChain({ port, upstreamUrl }).catch((error: Error) => {
    if (!error.message.includes('Address already in use')) throw error;
    throw new Error(taken('the chain', port, '--port', 'npm run lab -- chain'));
  });
  // Installed only now: earlier there is nothing to clean up, and an interrupt may simply end this process and its
  // anvils.
  const interrupted = new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve());
  });
  try {
    process.stdout.write(described(chain.url));
    const cause = await Promise.race([interrupted, chain.ended.then(() => 'ended')]);
    if (cause === 'ended') throw new Error('The chain stopped unexpectedly.');
  } finally {
    await chain.stop();
  }
}

/** For a person who has just started it. The node signs for anvil's accounts. */
function described(url: string): string {
  return `
The local BSC is running. Ctrl-C stops it.

  RPC       ${url}
  chain id  ${localChainId}, forked from ${upstreamUrl ? 'the chain at BSC_RPC_URL' : 'a replica of BNB Chain'}
  account   ${treasurer}, with BNB${upstreamUrl ? '' : ' and a billion of most tokens'}

Addresses of tokens, markets and pools are in lab/world/addresses.ts.
`;
}
