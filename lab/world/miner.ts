import type { Chain } from './chain.ts';

/**
 * Makes a chain without automatic mining mine one block per `seconds` of wall time. The returned function stops it and
 * resolves once no block is in progress. Ends by itself when the chain does.
 */
export function mineEvery(url: string, seconds: number): () => Promise<void> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'evm_mine', params: [] });
  const request = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
  let timer: NodeJS.Timeout;
  let stopped = false;
  let mining = Promise.resolve();
  let due = performance.now();

  const plan = () => {
    // Counts from the last due time, so that blocks keep their pace. Blocks missed while busy are not made up for.
    const now = performance.now();
    due = Math.max(due + seconds * 1000, now);
    timer = setTimeout(() => {
      mining = mine();
    }, due - now);
  };
  const mine = async () => {
    const answered = await fetch(url, request).then(
      () => true,
      () => false,
    );
    if (answered && !stopped) plan();
  };
  plan();
  return () => {
    stopped = true;
    clearTimeout(timer);
    return mining;
  };
}

/** Mines each transaction of this work at once, even on a chain with a block time, so that nothing waits. */
export async function minedAtOnce<Outcome>(chain: Chain, work: () => Promise<Outcome>): Promise<Outcome> {
  if (await chain.getAutomine()) return work();
  await chain.setAutomine(true);
  try {
    return await work();
  } finally {
    await chain.setAutomine(false);
  }
}
