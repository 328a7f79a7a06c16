import { withoutInvented } from '@bowline/core/registry/address-book';
import { connectChain } from '../agent/src/chain/chain-client.ts';
import { type Finding, preflight } from '../agent/src/chain/preflight.ts';
import { onlyOptions } from './local/options.ts';
import { deploymentFindings, sourceFindings } from './preflight/findings.ts';
import { addressesIn, bookOf, chainIdOf } from './preflight/record.ts';
import { reportOf } from './preflight/report.ts';

// `npm run preflight -- --rpc URL`: checks everything that the agent needs of a node, of the contracts of others and of
// its price sources, before it is started there. Names what is missing, what will not work without it, and the remedy.
// Only reads. Exits 1 if anything is missing.

const clock = () => BigInt(Math.floor(Date.now() / 1000));
const timers = { now: () => performance.now() };

try {
  const options = onlyOptions('npm run preflight', {
    rpc: 'http://127.0.0.1:8545',
    chain: '',
    deployments: 'script/deployments',
    exchange: '',
    pyth: '',
    payers: '',
  });
  const urls = options.rpc.split(',');
  let missing = 0;
  for (const url of urls) {
    const { host } = new URL(url);
    const connect = (inBatches: boolean) => connectChain(url, inBatches);
    const chainId = chainIdOf(
      options.chain,
      await connect(false)
        .getChainId()
        .catch(() => undefined),
    );
    const recorded = bookOf(chainId, options.deployments);
    const book = await withoutInvented(recorded, connect(false)).catch(() => recorded);
    const findings: Finding[] = await preflight({ connect, chainId, clock, timers }, book);
    if (findings.length > 1)
      findings.push(...(await deploymentFindings(connect(false), book, addressesIn(options.payers))));
    // The last of several nodes: sources are the same for all of them.
    if (url === urls.at(-1)) findings.push(...(await sourceFindings(options, book.assets, chainId)));
    missing += findings.filter(({ ok }) => !ok).length;
    process.stdout.write(`${reportOf(`Node ${host}, chain ${chainId}`, findings)}\n`);
  }
  process.exitCode = missing > 0 ? 1 : 0;
} catch (error) {
  process.stderr.write(`${(error as Error).message.split('\n')[0]}\n`);
  process.exitCode = 2;
}
