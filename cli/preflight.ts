import { connectChain } from '../agent/src/chain/chain-client.ts';
import { type Finding, preflight } from '../agent/src/chain/preflight.ts';
import { hostOf } from './host.ts';
import { onlyOptions } from './options.ts';
import { deploymentFindings, sourceFindings } from './preflight/findings.ts';
import { addressesIn, bookOf, chainIdOf } from './preflight/record.ts';
import { reportOf } from './preflight/report.ts';

// `npm run preflight`: checks everything that the agent needs of a node, of the contracts of others and of
// its price sources, before it is started there. Names what is missing, what will not work without it, and the remedy.
// Node, chain, record and sources are those of the agent's settings, unless options name others. Only reads. Exits 1 if anything
// is missing.

const clock = () => BigInt(Math.floor(Date.now() / 1000));
const timers = { now: () => performance.now() };

try {
  const host = hostOf();
  const options = onlyOptions('npm run preflight', {
    rpc: '',
    chain: host.chain,
    deployments: host.deployments,
    exchange: host.setting('MARKET_DATA_URL'),
    pyth: host.setting('PYTH_URL'),
    payers: '',
  });
  const urls = options.rpc === '' ? host.rpcUrls() : options.rpc.split(',');
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
    const book = bookOf(chainId, options.deployments);
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
