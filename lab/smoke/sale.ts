import { buy } from '../world/sale.ts';
import { must } from './requests.ts';
import type { Stack } from './stack.ts';

/** A whole sale, as another agent buys: offer, escrow, notice, a delivery with the hash that is on chain, payment. */
export async function sellJob({ world, contracts: { escrow } }: Stack): Promise<string> {
  const { rpcUrl, agentUrl } = world;
  const task = 'Is BTCB fairly priced to buy for 5,000 USD?';
  const { id, url, content } = await buy({ rpcUrl, agentUrl, escrow, task, report: () => {} });
  must(content.includes('BTCB'), `delivers something else at ${url}`);
  return `job ${id}`;
}
