import { once } from 'node:events';
import { createServer } from 'node:net';

/** What listens where, and the option that moves it. */
export interface Place {
  readonly name: string;
  readonly port: number;
  readonly option: string;
}

/** @throws one line with the port, what wanted it and what to do, when it cannot be listened on. */
export async function requireFree(places: readonly Place[]): Promise<void> {
  for (const [at, { name, port, option }] of places.entries()) {
    const other = places.slice(0, at).find((each) => each.port === port);
    if (other !== undefined) {
      throw new Error(`Port ${port} is meant for ${other.name} and for ${name}: give ${name} another with ${option}.`);
    }
    const server = createServer().listen(port, '127.0.0.1');
    try {
      await once(server, 'listening');
    } catch (error) {
      throw new Error(
        (error as NodeJS.ErrnoException).code === 'EACCES' ? forbidden(port, option) : taken(name, port, option),
      );
    }
    server.close();
    await once(server, 'close');
  }
}

const forbidden = (port: number, option: string) =>
  `This user may not listen on port ${port}: choose one above 1023 with ${option}.`;

/** One line for a port at which something listens already. */
export function taken(name: string, port: number, option: string, command = 'npm start'): string {
  const next = port < 65_535 ? port + 1 : port - 1;
  return (
    `Port ${port}, which ${name} needs, is taken: stop what listens there (lsof -i :${port} names it), ` +
    `or choose another: ${command} -- ${option} ${next}`
  );
}

/** @throws one line when `text`, given for `option`, is no port. */
export function portNumber(option: string, text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
  throw new Error(`${option} takes a number from 1 to 65535, not "${text}"`);
}
