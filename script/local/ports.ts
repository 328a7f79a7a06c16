import { once } from 'node:events';
import { createServer } from 'node:net';

/** What listens where, and the option that moves it. */
export interface Place {
  readonly name: string;
  readonly port: number;
  readonly option: string;
}

/** @throws one line with the port and what to do, when something listens there already. */
export async function requireFree(places: readonly Place[]): Promise<void> {
  for (const { name, port, option } of places) {
    const probe = createServer().listen(port, '127.0.0.1');
    try {
      await once(probe, 'listening');
    } catch {
      throw new Error(
        `Port ${port}, which ${name} needs, is taken: stop what runs there, or choose another: npm start -- ${option} ${port + 1}`,
      );
    }
    probe.close();
    await once(probe, 'close');
  }
}

/** @throws one line when `text`, given for `option`, is no port. */
export function portNumber(option: string, text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
  throw new Error(`${option} takes a number from 1 to 65535, not "${text}"`);
}
