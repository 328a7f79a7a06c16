import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

// Asks over several connections, each of them again as soon as it has its whole answer. It writes and reads
// sockets by itself: node's own client costs more than the servers that are measured.

export interface Asked {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Absent: GET. */
  readonly body?: string;
}

export interface Load {
  run(milliseconds: number): Promise<Ran>;
  close(): void;
}

interface Ran {
  readonly tookMs: number;
  /** Milliseconds of each answer. */
  readonly times: readonly number[];
  /** Answers that were no 200. */
  readonly bad: number;
}

/**
 * @param asked one thing, or what makes the next one.
 * @throws if the first answer is not 200, or is an error of JSON-RPC or of a tool.
 */
export async function createLoad(port: number, asked: Asked | (() => Asked), connections: number): Promise<Load> {
  const same = typeof asked === 'function' ? undefined : requestOf(port, asked);
  const next = typeof asked === 'function' ? () => requestOf(port, asked()) : () => same as Buffer;
  const isGood = (answer: string | undefined) => answer?.startsWith('HTTP/1.1 200');
  const lines = await Promise.all(Array.from({ length: connections }, () => open(port)));
  const first = await lines[0]?.ask(next());
  if (!isGood(first) || /"isError":true|"error":/.test(first ?? '')) throw new Error(first?.slice(0, 1_000));
  return {
    async run(milliseconds) {
      const began = performance.now();
      const times: number[] = [];
      let bad = 0;
      const again = async ({ ask }: Line) => {
        for (let from = performance.now(); from - began < milliseconds; from = performance.now()) {
          if (!isGood(await ask(next()))) bad += 1;
          times.push(performance.now() - from);
        }
      };
      await Promise.all(lines.map(again));
      return { tookMs: performance.now() - began, times, bad };
    },
    close: () => {
      for (const { close } of lines) close();
    },
  };
}

function requestOf(port: number, { path, headers, body }: Asked): Buffer {
  const sent = body === undefined ? headers : { ...headers, 'Content-Length': String(Buffer.byteLength(body)) };
  const lines = Object.entries({ Host: `127.0.0.1:${port}`, ...sent }).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`${body === undefined ? 'GET' : 'POST'} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body ?? ''}`);
}

interface Line {
  /** The whole answer, headers and all. */
  ask(bytes: Buffer): Promise<string>;
  close(): void;
}

async function open(port: number): Promise<Line> {
  const socket: Socket = connect(port, '127.0.0.1').setNoDelay(true);
  await once(socket, 'connect');
  let text = '';
  let settle: { resolve(text: string): void; reject(error: Error): void } | undefined;
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    text += chunk;
    if (!isWhole(text)) return;
    settle?.resolve(text);
    text = '';
  });
  socket.on('error', (error) => settle?.reject(error));
  socket.on('close', () => settle?.reject(new Error('the server closed the connection')));
  return {
    ask: (bytes) =>
      new Promise((resolve, reject) => {
        settle = { resolve, reject };
        socket.write(bytes);
      }),
    close: () => void socket.destroy(),
  };
}

function isWhole(text: string): boolean {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return false;
  const length = /\r\ncontent-length: (\d+)/i.exec(text.slice(0, end + 2))?.[1];
  return length === undefined ? text.endsWith('0\r\n\r\n') : text.length >= end + 4 + Number(length);
}
