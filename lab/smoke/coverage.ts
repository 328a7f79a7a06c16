import { fileURLToPath } from 'node:url';

/** Functions as `file#name@offset`, the file relative to the project's folder. */
export type Ran = ReadonlySet<string>;

export const fileOf = (ran: string): string => ran.slice(0, ran.indexOf('#'));

/** Code that runs in another process, counted by V8. */
export interface Coverage {
  /** The project's functions that were called since the last take. */
  take(): Promise<Ran>;
}

/** V8's own shape (`Profiler.ScriptCoverage`), reduced to what is read. */
export interface ScriptCoverage {
  readonly url: string;
  readonly functions: readonly {
    readonly functionName: string;
    readonly ranges: readonly { readonly startOffset: number; readonly count: number }[];
  }[];
}

/** Source of a program that runs `main`, counts its calls, and serves the counts since the last request on this port. */
export const counting = (main: string, port: number): string => `
import { createServer } from 'node:http';
import { Session } from 'node:inspector/promises';

const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
const take = async () => JSON.stringify((await session.post('Profiler.takePreciseCoverage')).result);
createServer(async (_request, response) => response.end(await take())).listen(${port}, '127.0.0.1').unref();
await import(${JSON.stringify(main)});
`;

/**
 * Reads such a program.
 * @param root URL of the project's folder.
 */
export const coverageOf = (port: number, root: string): Coverage => ({
  take: async () => ranIn((await (await fetch(`http://127.0.0.1:${port}`)).json()) as ScriptCoverage[], root),
});

/** Leaves out libraries, the counter itself, and module top levels: that a file was loaded does not prove that it was used. */
export function ranIn(scripts: readonly ScriptCoverage[], root: string): Ran {
  const own = scripts.filter(({ url }) => url.startsWith(root) && !/\/(node_modules|\.cache)\//.test(url));
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
