import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';

/** A line to a node that delays everything sent to it. */
export async function startSlowLine(nodeUrl: string, delayMs: number) {
  const { hostname, port } = new URL(nodeUrl);
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    near.setNoDelay(true).on('data', (bytes) => setTimeout(() => far.write(bytes), delayMs));
    far.setNoDelay(true).pipe(near);
    near.on('error', () => far.destroy()).on('close', () => far.destroy());
    far.on('error', () => near.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      server.close();
    },
  };
}
