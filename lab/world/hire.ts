import { readFileSync } from 'node:fs';
import { localChainId } from './fork.ts';
import { readLine } from './options.ts';
import { portNumber } from './ports.ts';
import { buy } from './sale.ts';
import type { Contracts } from './start/contracts.ts';

// `npm run lab -- hire`: buys a verdict report from the agent of a running `npm start`, as another agent would, and pays for
// it.

try {
  const defaults = { 'rpc-port': '8545', 'agent-port': '4020', deployments: 'script/deployments' };
  const { options, words } = readLine('npm run lab -- hire', defaults);
  const port = (name: 'rpc-port' | 'agent-port') => portNumber(`--${name}`, options[name]);
  const record = new URL(`../../${options.deployments}/${localChainId}.json`, import.meta.url);
  const { escrow } = JSON.parse(readFileSync(record, 'utf8')) as Contracts;
  const { content } = await buy({
    rpcUrl: `http://127.0.0.1:${port('rpc-port')}`,
    agentUrl: `http://127.0.0.1:${port('agent-port')}`,
    escrow,
    task: words.join(' ') || 'Is BTCB fairly priced to buy for 5,000 USD?',
    report: (step) => process.stdout.write(`${step}\n`),
  });
  process.stdout.write(`\n${content}\n`);
} catch (error) {
  const { message } = error as Error;
  process.stderr.write(`${message.split('\n')[0]}\nIs npm start running?\n`);
  process.exitCode = 1;
}
