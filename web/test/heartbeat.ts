import type { Chain } from '../../lab/world/chain.ts';

/** Less than half a minute, after which the page takes the chain for stuck. */
const EVERY_MS = 8_000;

/**
 * Lets a chain on which only transactions make blocks make one now and then as well, as every chain does: the page says
 * that nothing is known of one that stands still.
 * @returns ends it.
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
