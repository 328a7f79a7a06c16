import { once } from 'node:events';
import { createServer } from 'node:net';

/** A server's name and port, and the option that changes the port. */
export interface Place {
  readonly name: string;
  readonly port: number;
  readonly option: string;
}

/** @throws one line with the port, its purpose and the remedy if the port is not available. */
export async function requireFree(places: readonly Place[]): Promise<void> {
  for (const [at, { name, port, option }] of places.entries()) {
    const other = places.slice(0, at).find((each) => each.port === port);
    if (other !== undefined) {
      throw new Error(
        `Port ${port} is set for both ${other.name} and ${name}. Choose another for ${name} with ${option}.`,
      );
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
  `This user may not listen on port ${port}. Choose one above 1023 with ${option}.`;

/** The one-line error for a port that is already in use. */
export function taken(name: string, port: number, option: string, command = 'npm start'): string {
  const next = port < 65_535 ? port + 1 : port - 1;
  return (
    `Port ${port}, which ${name} needs, is in use. Stop the process that listens there (lsof -i :${port} names it), ` +
    `or choose another port: ${command} -- ${option} ${next}`
  );
}

/** @throws one line if `text`, given for `option`, is not a port. */
export function portNumber(option: string, text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
  throw new Error(`${option} takes a number from 1 to 65535, not "${text}"`);
}

/** A port that is free now, and may be another's a moment later. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}
