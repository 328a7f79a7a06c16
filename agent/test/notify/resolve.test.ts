import { createSocket } from 'node:dgram';
import { lookup } from 'node:dns/promises';
import { expect, onTestFinished, test } from 'vitest';
import { addressesOf, createResolve } from '../../src/notify/resolve.ts';

// Against a name server on loopback.

const types = { 1: 'A', 28: 'AAAA' } as const;
type Type = (typeof types)[keyof typeof types];

/** Answers with the bytes of each address that `answer` gives; undefined: never. */
async function nameServer(answer: (name: string, type: Type) => readonly (readonly number[])[] | undefined) {
  const socket = createSocket('udp4');
  socket.on('message', (message, { port, address }) => {
    let at = 12;
    const labels: string[] = [];
    for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
      labels.push(message.toString('latin1', at + 1, at + 1 + length));
      at += 1 + length;
    }
    const type = message.readUInt16BE(at + 1) as keyof typeof types;
    const found = answer(labels.join('.').toLowerCase(), types[type]);
    if (found === undefined) return;
    const question = message.subarray(12, at + 5);
    const header = Buffer.from(message.subarray(0, 12));
    // A response with recursion; as many answers, nothing else.
    header.writeUInt16BE(0x8180, 2);
    for (const [offset, count] of [1, found.length, 0, 0].entries()) header.writeUInt16BE(count, 4 + 2 * offset);
    const answers = found.map((bytes) =>
      Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, bytes.length, ...bytes]),
    );
    socket.send(Buffer.concat([header, question, ...answers]), port, address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise<void>((resolve) => socket.close(() => resolve())));
  return { servers: [`127.0.0.1:${socket.address().port}`] };
}

test('a name has the addresses that its name server gives, of either family', async () => {
  const v6 = [0x20, 1, ...Array<number>(13).fill(0), 9];
  const resolve = createResolve(
    await nameServer((name, type) => {
      if (name === 'nowhere.example') return [];
      if (type === 'AAAA') return name === 'four.example' ? [] : [v6];
      return name === 'six.example'
        ? []
        : [
            [8, 8, 8, 8],
            [8, 8, 4, 4],
          ];
    }),
  );
  expect(await resolve('both.example')).toEqual(['8.8.8.8', '8.8.4.4', '2001::9']);
  expect(await resolve('four.example')).toEqual(['8.8.8.8', '8.8.4.4']);
  expect(await resolve('six.example')).toEqual(['2001::9']);
  await expect(resolve('nowhere.example')).rejects.toThrow();
});

test('names whose name server never answers end by themselves, four at a time, and hold up nobody’s connection', async () => {
  const asked = new Set<string>();
  const ended = new Set<string>();
  let most = 0;
  const { servers } = await nameServer((name) => {
    asked.add(name);
    most = Math.max(most, asked.size - ended.size);
    return undefined;
  });
  const resolve = createResolve({ servers, serverMs: 60_000, lookupMs: 300 });
  const names = Array.from({ length: 10 }, (_, at) => `hangs${at}.example`);
  const all = names.map((name) =>
    resolve(name).catch((error) => {
      ended.add(name);
      return error.code;
    }),
  );
  await expect.poll(() => asked.size).toBeGreaterThanOrEqual(4);
  // The lookup that connections to nodes use.
  expect(await lookup('localhost')).toHaveProperty('address');
  expect(new Set(await Promise.all(all))).toEqual(new Set(['ECANCELLED']));
  expect([asked.size, most]).toEqual([10, 4]);
  // The resolver's own limit ends it, too.
  await expect(createResolve({ servers, serverMs: 100 })('hangs.example')).rejects.toThrow('ETIMEOUT');
});

test('this machine’s name and addresses need no name server', async () => {
  const resolve = createResolve(await nameServer(() => undefined));
  const of = (url: string) => addressesOf(new URL(url), resolve);
  expect(await of('http://localhost:8080/in')).toEqual(['127.0.0.1', '::1']);
  expect(await of('https://127.0.0.1/')).toEqual(['127.0.0.1']);
  expect(await of('https://[2001:db8::1]/')).toEqual(['2001:db8::1']);
  expect(await addressesOf(new URL('https://no.example/'), () => Promise.reject(new Error('ENOTFOUND')))).toEqual([]);
});
