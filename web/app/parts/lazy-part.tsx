import { type ComponentType, lazy } from 'react';

/** A part's code did not load. `load` retries. */
export class NotLoaded extends Error {
  readonly load: () => Promise<void>;

  constructor(cause: unknown, load: () => Promise<void>) {
    super('not_loaded', { cause });
    this.load = load;
  }
}

export interface LazyPart<Props> {
  readonly Part: ComponentType<Props>;
  /** Preloads its code, or retries after a failure. */
  readonly load: () => Promise<void>;
}

/** A part of the page whose code loads when first shown. A failed load can be retried; React would keep the failure. */
export function lazyPart<Props extends object>(find: () => Promise<ComponentType<Props>>): LazyPart<Props> {
  let loaded: ComponentType<Props> | undefined;
  /** The rendered component must stay the same, or its state would be lost. */
  let shown: ComponentType<Props> | undefined;
  let hasFailed = false;
  async function load(): Promise<void> {
    loaded = await find();
    if (hasFailed) shown = undefined;
    hasFailed = false;
  }
  async function fetched() {
    try {
      loaded = await find();
      return { default: loaded };
    } catch (error) {
      hasFailed = true;
      throw new NotLoaded(error, load);
    }
  }
  // biome-ignore lint/correctness/noComponentHookFactories: it makes one for each part, once.
  function Part(props: Props) {
    // Code that is already loaded is shown at once; React would hide a lazy component for a third of a second.
    shown ??= loaded ?? lazy(fetched as () => Promise<{ default: ComponentType<Props> }>);
    const Shown = shown;
    return <Shown {...props} />;
  }
  return { Part, load };
}

const FIRST_MS = 5_000;
const LAST_MS = 30_000;

/**
 * Retries until the load succeeds: when the browser reports that it is back online, and with a back-off, because the
 * browser may not know.
 * @param then called once the load has succeeded.
 * @param firstMs time until the first attempt.
 * @returns a function that stops it.
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
