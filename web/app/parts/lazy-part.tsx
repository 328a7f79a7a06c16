import { type ComponentType, lazy } from 'react';

/** Says that a part's code did not load, and retries. */
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

/** A part of the page whose code is loaded when it is first shown. After a failure it can be loaded again: React would keep the failure forever. */
export function lazyPart<Props extends object>(find: () => Promise<ComponentType<Props>>): LazyPart<Props> {
  let loaded: ComponentType<Props> | undefined;
  /** What is shown must stay the same component, or its state would be lost. */
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
    // Code that is there already is shown at once: React keeps what is lazy hidden for a third of a second.
    shown ??= loaded ?? lazy(fetched as () => Promise<{ default: ComponentType<Props> }>);
    const Shown = shown;
    return <Shown {...props} />;
  }
  return { Part, load };
}

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
