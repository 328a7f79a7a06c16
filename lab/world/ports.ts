import { once } from 'node:events';
import { createServer } from 'node:net';
import { numberOption } from '../../cli/values.ts';

/** The one-line error for a port that is already in use. */
export function taken(name: string, port: number, option: string, command = 'npm start'): string {
  const next = port < 65_535 ? port + 1 : port - 1;
  return (
    `Port ${port}, which ${name} needs, is in use. Stop the process that listens there (lsof -i :${port} names it), ` +
    `or choose another port: ${command} -- ${option} ${next}`
  );
}

/** @throws one line if `text`, given for `option`, is not a port. */
export const portNumber = (option: string, text: string): number => Number(numberOption(option, text, 1n, 65_535n));

/** A server's name and port, and the option that changes the port. */
interface Place {
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
    await listenOn(port).catch((error: NodeJS.ErrnoException) => {
      throw new Error(error.code === 'EACCES' ? forbidden(port, option) : taken(name, port, option));
    });
  }
}

const forbidden = (port: number, option: string) =>
  `This user may not listen on port ${port}. Choose one above 1023 with ${option}.`;

/** A port that is free now, but may be taken a moment later. */
export const freePort = (): Promise<number> => listenOn(0);

/** Listens for a moment. @returns the port that the system gave. */
async function listenOn(wanted: number): Promise<number> {
  const server = createServer().listen(wanted, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}
