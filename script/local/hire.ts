import { readFileSync } from 'node:fs';
import { localChainId } from './fork.ts';
import { buy } from './sale.ts';
import type { Contracts } from './start/contracts.ts';

// `npm run hire`: another agent buys a verdict report from the one that `npm start` runs, and pays for it.

const task = process.argv.slice(2).join(' ') || 'Is BTCB fairly priced to buy for 5,000 USD?';

try {
  const record = new URL(`../../script/deployments/${localChainId}.json`, import.meta.url);
  const { escrow } = JSON.parse(readFileSync(record, 'utf8')) as Contracts;
  const { content } = await buy({
    rpcUrl: 'http://127.0.0.1:8545',
    agentUrl: 'http://127.0.0.1:4020',
    escrow,
    task,
    report: (step) => process.stdout.write(`${step}\n`),
  });
  process.stdout.write(`\n${content}\n`);
} catch (error) {
  const { message } = error as Error;
  process.stderr.write(`${message.split('\n')[0]}\nIs npm start running?\n`);
  process.exitCode = 1;
}
