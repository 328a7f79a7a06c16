import type { Chain } from '../../lab/world/chain.ts';

/** Less than half a minute, after which the page treats the chain as stuck. */
const EVERY_MS = 8_000;

/**
 * Mines a block now and then on a chain that otherwise makes blocks only for transactions. The page says that it knows
 * nothing about a chain that stands still.
 * @returns stops it.
 */
export function keepAlive(chain: Chain, everyMs = EVERY_MS): () => Promise<void> {
  let last: Promise<unknown> = Promise.resolve();
  // A test that has turned mining off makes its own blocks.
  const beat = async () => (await chain.getAutomine()) && chain.mine({ blocks: 1 });
  const timer = setInterval(() => {
    last = beat().catch(() => undefined);
  }, everyMs);
  return async () => {
    clearInterval(timer);
    await last;
  };
}
