const FIRST_MS = 5_000;
const LAST_MS = 30_000;

/**
 * Tries to load until it succeeds: when the browser says that it is online again, and from time to time, as it may not
 * know.
 * @param then called once it has succeeded.
 * @param firstMs time until the first attempt.
 * @returns ends it.
 */
export function untilLoaded(load: () => Promise<unknown>, then: () => void, firstMs = FIRST_MS): () => void {
  const ended = new AbortController();
  let timer = setTimeout(attempt, firstMs);
  let pauseMs = FIRST_MS;
  async function attempt(): Promise<void> {
    clearTimeout(timer);
    try {
      await load();
    } catch {
      if (!ended.signal.aborted) timer = setTimeout(attempt, pauseMs);
      pauseMs = Math.min(2 * pauseMs, LAST_MS);
      return;
    }
    if (ended.signal.aborted) return;
    end();
    then();
  }
  function end(): void {
    clearTimeout(timer);
    ended.abort();
  }
  addEventListener('online', () => void attempt(), { signal: ended.signal });
  return end;
}
