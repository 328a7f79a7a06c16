import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { expect, onTestFinished, test } from 'vitest';
import { messageOf, type WebhookRequest } from '../../src/notify/message.ts';
import { createRegister, type RegisterDeps } from '../../src/notify/register.ts';
import { openRegistrations, type Webhook } from '../../src/notify/registrations.ts';

// AG-76.

const place = { chainId: 31_337, planRegistry: '0x4444444444444444444444444444444444444444' } as const;
const day = 86_400n;
const url = 'https://hook.example/in';
const newAccount = () => privateKeyToAccount(generatePrivateKey());

async function start(changes: Partial<RegisterDeps> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'notices-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'inside', 'notices.json');
  const file = pathToFileURL(path);
  const time = { now: 1_800_000_000n };
  const clock = () => time.now;
  const welcomed: Webhook[] = [];
  async function open() {
    const registrations = await openRegistrations(file, clock);
    const register = createRegister({
      ...place,
      registrations,
      clock,
      resolve: async () => ['8.8.8.8'],
      isAllowed: (address) => address === '8.8.8.8',
      allowLoopback: false,
      isSignedByWallet: async () => false,
      hasPermissions: async () => true,
      onRegistered: (webhook) => void welcomed.push(webhook),
      ...changes,
    });
    return { registrations, register };
  }
  const { registrations, register } = await open();
  const account = newAccount();
  const request = (more: Partial<WebhookRequest> = {}): WebhookRequest => ({
    action: 'register',
    owner: account.address,
    url,
    updatedAt: time.now,
    expiresAt: time.now + 100n * day,
    ...more,
  });
  const send = async (more: Partial<WebhookRequest> = {}, signer = account, to = register) => {
    const asked = request({ owner: signer.address, ...more });
    return to(asked, await signer.signMessage({ message: messageOf(asked, place) }));
  };
  return { path, file, time, open, registrations, register, account, request, send, welcomed };
}

// docs/owners.md has the same text, for those who sign it.
test('the message is the text that an account signs', () => {
  const owner = '0x90F79bf6EB2c4f870365E785982E1f101E93b906';
  const times = { updatedAt: 1_800_000_000n, expiresAt: 1_808_640_000n };
  const text = messageOf({ action: 'register', owner, url, ...times }, place);
  expect(text).toBe(`Bowline notices

Send notices about my plans and loan guards to https://hook.example/in

Account: 0x90f79bf6eb2c4f870365e785982e1f101e93b906
Chain: 31337
Registry: 0x4444444444444444444444444444444444444444
Signed at: 2027-01-15T08:00:00Z
Until: 2027-04-25T08:00:00Z`);
  expect(messageOf({ action: 'remove', owner, url, ...times }, place)).toContain(`Send no more notices to ${url}\n`);
});

test('an account registers a webhook by its signature, and the next process knows it', async () => {
  const { send, account, path, open, registrations, welcomed } = await start();
  const registered = await send();
  expect(registered).toMatchObject({ url, secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/) });
  expect(welcomed).toEqual([registered]);
  expect(registrations.of(account.address)).toEqual([registered]);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  const { registrations: later } = await open();
  expect(later.of(account.address.toLowerCase() as `0x${string}`)).toEqual([registered]);
  expect(later.owners()).toEqual([account.address.toLowerCase()]);
  expect(later.isCurrent(registered as Webhook)).toBe(true);
});

test('a request counts once, in order, and for this chain and registry alone', async () => {
  let asked = 0;
  const hasPermissions = async () => {
    asked += 1;
    return true;
  };
  const { send, register, request, account, time, open, registrations } = await start({ hasPermissions });
  const [first, later] = [{ updatedAt: time.now - 10n }, { updatedAt: time.now - 5n }];
  await send(first);
  expect(await send(first)).toEqual({ refused: 'not_newer' });
  expect(await send({ ...later, action: 'remove' })).toBe('removed');
  expect(registrations.of(account.address)).toEqual([]);
  // Replayed, to this process and to the next. The chain is not asked again.
  expect(await send(first)).toEqual({ refused: 'not_newer' });
  expect(asked).toBe(1);
  const { register: next } = await open();
  expect(await send(first, account, next)).toEqual({ refused: 'not_newer' });
  for (const [elsewhere, what] of [
    [{ ...place, chainId: 56 }, request()],
    [{ ...place, planRegistry: '0x5555555555555555555555555555555555555555' }, request()],
    [place, request({ url: `${url}2` })],
    [place, request({ action: 'remove' })],
    [place, request({ expiresAt: time.now + 101n * day })],
    [place, request({ updatedAt: time.now - 1n })],
  ] as const) {
    const signature = await account.signMessage({ message: messageOf(what, elsewhere) });
    expect(await register(request(), signature)).toEqual({ refused: 'signature_refused' });
  }
});

test('a replayed request stays refused for as long as it could be accepted', async () => {
  const { send, time, account } = await start();
  const first = { updatedAt: time.now };
  await send(first);
  await send({ updatedAt: time.now + 1n, action: 'remove' });
  for (let hours = 0; hours < 30; hours++) {
    time.now += 3_600n;
    // Somebody else's request rewrites the file without expired entries.
    await send({}, newAccount());
    expect(await send({ ...first, expiresAt: 1_800_000_000n + 100n * day }, account)).toMatchObject({
      refused: hours < 23 ? 'not_newer' : 'signed_at_refused',
    });
  }
});

test.each<[string, Partial<WebhookRequest>, string]>([
  ['http', { url: 'http://hook.example/in' }, 'url_refused'],
  ['a line of its own in the message', { url: 'https://hook.example/in\nAccount: 0x' }, 'url_refused'],
  ['signed more than a day ago', { updatedAt: 1_800_000_000n - day }, 'signed_at_refused'],
  ['signed in the future', { updatedAt: 1_800_000_301n }, 'signed_at_refused'],
  ['over already', { expiresAt: 1_800_000_000n }, 'expiry_refused'],
  ['without end', { expiresAt: 1_800_000_000n + 401n * day }, 'expiry_refused'],
])('refused: %s', async (_, more, refused) => {
  const { send, path } = await start();
  expect(await send(more)).toEqual({ refused });
  await expect(stat(path)).rejects.toThrow('ENOENT');
});

test("refused: another's signature, an account without permissions, a host that is not public or does not exist", async () => {
  const { send, register, request } = await start();
  const stranger = newAccount();
  const signature = await stranger.signMessage({ message: messageOf(request(), place) });
  expect(await register(request(), signature)).toEqual({ refused: 'signature_refused' });
  expect(await register(request(), '0x')).toEqual({ refused: 'signature_refused' });
  expect(await send()).toHaveProperty('secret');
  const without = await start({ hasPermissions: async () => false });
  expect(await without.send()).toEqual({ refused: 'owner_unknown' });
  expect(await without.send({ action: 'remove' })).toEqual({ refused: 'owner_unknown' });
  const inside = await start({ resolve: async () => ['8.8.8.8', '10.0.0.1'] });
  expect(await inside.send()).toEqual({ refused: 'address_not_public' });
  const nowhere = await start({ resolve: () => Promise.reject(new Error('ENOTFOUND')) });
  expect(await nowhere.send()).toEqual({ refused: 'host_unknown' });
});

test('a contract wallet registers by its own word, over the same message', async () => {
  const asked: unknown[] = [];
  const { send, account } = await start({
    isSignedByWallet: async (owner, digest, signature) => {
      asked.push([owner, digest.length, signature]);
      return true;
    },
  });
  const wallet = { ...account, address: '0x7777777777777777777777777777777777777777' } as const;
  expect(await send({}, wallet as never)).toHaveProperty('secret');
  expect(asked).toEqual([[wallet.address, 66, expect.stringMatching(/^0x/)]]);
});

test('no contract of an account without plan and guard is called', async () => {
  let called = 0;
  const isSignedByWallet = async () => {
    called += 1;
    return true;
  };
  const wallet = { ...newAccount(), address: '0x7777777777777777777777777777777777777777' } as const;
  const stranger = await start({ isSignedByWallet, hasPermissions: async () => false });
  for (const action of ['register', 'remove'] as const) {
    expect(await stranger.send({ action }, wallet as never)).toEqual({ refused: 'owner_unknown' });
  }
  expect(called).toBe(0);
  const known = await start({ isSignedByWallet });
  expect(await known.send({}, wallet as never)).toHaveProperty('secret');
  expect(called).toBe(1);
});

test('three webhooks an account; a registered one is replaced, an ended one makes room', async () => {
  const { send, time, registrations, account } = await start();
  for (let at = 0n; at < 3n; at++)
    await send({ url: `${url}${at}`, updatedAt: time.now - 10n + at, expiresAt: time.now + 100n + at });
  expect(await send({ updatedAt: time.now - 5n })).toEqual({ refused: 'webhooks_used_up' });
  const [before] = registrations.of(account.address);
  expect(await send({ url: `${url}0`, updatedAt: time.now - 4n })).toHaveProperty('secret');
  expect(registrations.of(account.address)).toHaveLength(3);
  // It has a new secret now.
  expect(registrations.isCurrent(before as Webhook)).toBe(false);
  time.now += 101n;
  expect(registrations.of(account.address).map((webhook) => webhook.url)).toEqual([`${url}2`, `${url}0`]);
  expect(await send()).toHaveProperty('secret');
});

test('two requests at once: the later one counts, whichever is verified first', async () => {
  const waits: (() => void)[] = [];
  const { send, time, registrations, account } = await start({
    hasPermissions: () => new Promise((resolve) => waits.push(() => resolve(true))),
  });
  const older = send({ updatedAt: time.now - 2n });
  await expect.poll(() => waits.length).toBe(1);
  const newer = send({ updatedAt: time.now - 1n, url: `${url}2` });
  await expect.poll(() => waits.length).toBe(2);
  waits[1]?.();
  expect(await newer).toHaveProperty('secret');
  waits[0]?.();
  expect(await older).toEqual({ refused: 'not_newer' });
  expect(registrations.of(account.address).map((webhook) => webhook.url)).toEqual([`${url}2`]);
});

test('a file that is none of ours is left as it is; a disk that takes nothing changes nothing', async () => {
  const { path, file, send, registrations, account } = await start();
  await send();
  const whole = await readFile(path, 'utf8');
  await rm(join(path, '..'), { recursive: true });
  await writeFile(join(path, '..'), '');
  await expect(send({ updatedAt: 1_800_000_001n, url: `${url}2` })).rejects.toThrow();
  expect(registrations.of(account.address)).toHaveLength(1);
  await rm(join(path, '..'));
  await expect(openRegistrations(file, () => 0n)).resolves.toBeDefined();
  for (const bytes of ['', '{}', whole.slice(0, 50), whole.replace('"version":1', '"version":2')]) {
    const broken = pathToFileURL(`${path.replace('inside/', '')}`);
    await writeFile(broken, bytes);
    await expect(openRegistrations(broken, () => 0n)).rejects.toThrow();
    expect(await readFile(broken, 'utf8')).toBe(bytes);
  }
});

test('a chat is registered only by the address that the bot has told there', async () => {
  const chat = 'telegram:11:code';
  const chatOf = (address: string) => (address === chat ? '11' : undefined);
  const { send, registrations, account } = await start({ chatOf, resolve: async () => [] });
  expect(await send({ url: 'telegram:12:code' })).toEqual({ refused: 'chat_unknown' });
  expect(await send({ url: chat })).toMatchObject({ url: chat });
  // An address can be removed even when there is no such bot.
  expect(await send({ url: 'telegram:12:code', action: 'remove', updatedAt: 1_800_000_001n })).toBe('removed');
  expect(registrations.of(account.address)).toHaveLength(1);
  const { send: without } = await start();
  expect(await without({ url: chat })).toEqual({ refused: 'chat_unknown' });
});
