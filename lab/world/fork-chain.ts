import { startLocalChain } from './fork.ts';
import { morphoArtifacts } from './morpho.ts';

// For tools that stand alone: a local chain until the input ends, which it does with the tool. Prints where it is, and where
// Morpho's artifacts are.

const morpho = await morphoArtifacts();
const { url, stop } = await startLocalChain();
// A signal to the tool's group would end this process before its chain.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
process.stdin.resume().once('end', stop);
process.stdout.write(`${JSON.stringify({ url, morpho })}\n`);
