import { fileURLToPath } from 'node:url';

/** Functions as `file#name@offset`, the file relative to the project's folder. */
export type Ran = ReadonlySet<string>;

export const fileOf = (ran: string): string => ran.slice(0, ran.indexOf('#'));

/** What runs in another process, counted by V8. */
export interface Coverage {
  /** The project's functions that were called since the last take. */
  take(): Promise<Ran>;
  close(): void;
}

/** V8's own shape (`Profiler.ScriptCoverage`), as far as it is read. */
export interface ScriptCoverage {
  readonly url: string;
  readonly functions: readonly {
    readonly functionName: string;
    readonly ranges: readonly { readonly startOffset: number; readonly count: number }[];
  }[];
}

/**
 * Starts to count in a process whose inspector listens on this port.
 * @param root URL of the project's folder.
 */
export async function openCoverage(port: number, root: string): Promise<Coverage> {
  const targets = (await (await fetch(`http://127.0.0.1:${port}/json`)).json()) as { webSocketDebuggerUrl: string }[];
  const [target] = targets;
  if (target === undefined) throw new Error(`Nothing can be inspected on port ${port}.`);
  const inspector = await connectTo(target.webSocketDebuggerUrl);
  await inspector.call('Profiler.enable');
  await inspector.call('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  return {
    async take() {
      const { result } = (await inspector.call('Profiler.takePreciseCoverage')) as { result: ScriptCoverage[] };
      return ranIn(result, root);
    },
    close: inspector.close,
  };
}

/** Leaves out libraries, and the code of a module itself: that a file was loaded does not say that it was used. */
export function ranIn(scripts: readonly ScriptCoverage[], root: string): Ran {
  const own = scripts.filter(({ url }) => url.startsWith(root) && !url.includes('/node_modules/'));
  return new Set(
    own.flatMap(({ url, functions }) => {
      const file = fileURLToPath(url).slice(fileURLToPath(root).length);
      const called = functions.filter(({ functionName, ranges: [range] }) => {
        return range !== undefined && range.count > 0 && !(functionName === '' && range.startOffset === 0);
      });
      return called.map(({ functionName, ranges }) => `${file}#${functionName}@${ranges[0]?.startOffset}`);
    }),
  );
}

/** The inspector's protocol: numbered calls, and answers with the same numbers. */
async function connectTo(url: string) {
  const socket = new WebSocket(url);
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  const fail = () => {
    for (const { reject } of waiting.values()) reject(new Error('The inspected process has gone.'));
    waiting.clear();
  };
  socket.onmessage = ({ data }) => {
    const { id, result, error } = JSON.parse(String(data)) as {
      id?: number;
      result?: unknown;
      error?: { message: string };
    };
    const call = id === undefined ? undefined : waiting.get(id);
    if (id === undefined || call === undefined) return;
    waiting.delete(id);
    if (error === undefined) call.resolve(result);
    else call.reject(new Error(error.message));
  };
  socket.onclose = fail;
  await new Promise((resolve, reject) => {
    socket.onopen = resolve;
    socket.onerror = () => reject(new Error(`Nothing answers at ${url}.`));
  });
  let lastId = 0;
  return {
    call(method: string, params: object = {}): Promise<unknown> {
      const id = ++lastId;
      const call = Promise.withResolvers<unknown>();
      waiting.set(id, call);
      socket.send(JSON.stringify({ id, method, params }));
      return call.promise;
    },
    close: () => socket.close(),
  };
}
