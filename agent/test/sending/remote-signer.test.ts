import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { verdictTypes } from '@bowline/core/domain/ticket';
import {
  type Hex,
  parseSignature,
  parseTransaction,
  recoverMessageAddress,
  recoverTypedDataAddress,
  type Signature,
  serializeSignature,
  serializeTransaction,
  zeroHash,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, it, onTestFinished } from 'vitest';
import { connectRemoteSigner } from '../../src/sending/remote-signer.ts';
import { type Asked, startSigner } from './signer-stand-in.ts';

const chainId = 56;
const own = privateKeyToAccount(`0x${'a1'.repeat(32)}`);
const other = privateKeyToAccount(`0x${'b2'.repeat(32)}`);
const to = '0x1111111111111111111111111111111111111111';
const transaction = {
  type: 'legacy',
  chainId,
  to,
  data: '0xabcd',
  nonce: 0,
  gas: 300_000n,
  gasPrice: 50_000_000n,
  value: 0n,
} as const;
const typed = {
  domain: { name: 'Bowline PlanRegistry', version: '1', chainId, verifyingContract: to },
  types: verdictTypes,
  primaryType: 'Verdict',
  message: {
    tokenIn: to,
    tokenOut: to,
    verdict: 3,
    maxPriceWad: 2n ** 200n,
    maxAmountIn: 7n,
    issuedAt: 1n,
    expiresAt: 121n,
    evidenceHash: zeroHash,
  },
} as const;

/** More patient than a rescue, because the machine may be busy. */
const started = async () => {
  const signer = await startSigner([own, other], chainId);
  const remote = connectRemoteSigner(signer.url, 20_000);
  return { ...signer, remote, account: remote.account(own.address) };
};

const reasonOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    (value) => ({ value }),
    (error) => error.reason,
  );

const ways = [
  ['eth_signTransaction', (account: typeof own) => account.signTransaction(transaction)],
  ['eth_signTypedData', (account: typeof own) => account.signTypedData(typed)],
  ['eth_sign', (account: typeof own) => account.signMessage({ message: 'offer' })],
] as const;

// DP-18
describe('a key at a remote signer', () => {
  it('signs what the key itself would sign, and is asked for that alone', async () => {
    const { account, asked } = await started();
    const { signTransaction, signTypedData, signMessage } = account;
    expect(account.address).toBe(own.address);
    expect(await signTransaction(transaction)).toBe(await own.signTransaction(transaction));
    expect(await signTransaction({ ...transaction, nonce: 7, value: 5n, data: '0x' })).toBe(
      await own.signTransaction({ ...transaction, nonce: 7, value: 5n, data: '0x' }),
    );
    expect(await signTypedData(typed)).toBe(await own.signTypedData(typed));
    for (const message of ['0xabcd', 'offer ✓', { raw: '0xabcd' }, { raw: new Uint8Array([1, 2]) }] as const)
      expect(await signMessage({ message })).toBe(await own.signMessage({ message }));
    expect(asked.map(({ method }) => method)).toEqual([
      ...['eth_signTransaction', 'eth_signTransaction', 'eth_signTypedData'],
      ...['eth_sign', 'eth_sign', 'eth_sign', 'eth_sign'],
    ]);
    expect(asked[0]?.params).toEqual([
      {
        ...{ from: own.address, to, data: '0xabcd', nonce: '0x0', chainId: '0x38' },
        ...{ gas: '0x493e0', gasPrice: '0x2faf080', value: '0x0' },
      },
    ]);
    const [by, text] = (asked[2]?.params ?? []) as [Hex, string];
    expect(by).toBe(own.address);
    expect(JSON.parse(text)).toMatchObject({
      primaryType: 'Verdict',
      types: {
        EIP712Domain: [{ name: 'name' }, { name: 'version' }, { name: 'chainId' }, { name: 'verifyingContract' }],
      },
      message: { maxPriceWad: (2n ** 200n).toString() },
    });
    expect(asked[3]?.params).toEqual([own.address, '0x307861626364']);
  });

  it('is taken with either spelling of the parity', async () => {
    const { account, become } = await started();
    become(async (_, honest) => {
      const { r, s, yParity } = parseSignature((honest as { result: Hex }).result) as Signature & { yParity: number };
      return { result: `${r}${s.slice(2)}0${yParity}` };
    });
    expect(await account.signTypedData(typed)).toBe(await own.signTypedData(typed));
  });

  it('must be one that the signer holds', async () => {
    const { remote, asked } = await started();
    await remote.check([own.address, other.address]);
    const stranger = privateKeyToAccount(`0x${'c3'.repeat(32)}`).address;
    await expect(remote.check([own.address, stranger])).rejects.toThrow(
      `The remote signer holds no such key (signer_key_missing, key of ${stranger}).`,
    );
    expect(asked.map(({ method }) => method)).toEqual(['eth_accounts', 'eth_accounts']);
    expect(await reasonOf(remote.account(stranger).signTypedData(typed))).toBe('signer_refused');
  });

  // The signer is compromised, or somebody sits in between.
  describe('is believed nothing', () => {
    it.each([
      ['to', { to: own.address }],
      ['data', { data: '0xabce' }],
      ['value', { value: 1n }],
      ['nonce', { nonce: 1 }],
      ['gas', { gas: 300_001n }],
      ['gas price', { gasPrice: 50_000_001n }],
      ['chain', { chainId: 97 }],
    ] as const)('a transaction with another %s', async (_, change) => {
      const { account, become } = await started();
      become(async () => ({ result: await own.signTransaction({ ...transaction, ...change }) }));
      expect(await reasonOf(account.signTransaction(transaction))).toBe('signer_altered');
    });

    it('a transaction that could be sent on any chain', async () => {
      const { account, become } = await started();
      const { chainId: _, ...anywhere } = transaction;
      become(async () => ({ result: await own.signTransaction(anywhere) }));
      expect(await reasonOf(account.signTransaction(transaction))).toBe('signer_altered');
    });

    it.each(ways)('%s by another key', async (_, sign) => {
      const { account, become } = await started();
      become(async () => ({ result: await sign(other) }));
      expect(await reasonOf(sign(account as typeof own))).toBe('signer_wrong_signature');
    });

    it('a transaction under a signature of another one', async () => {
      const { account, become } = await started();
      const { r, s, v } = parseTransaction(await own.signTransaction({ ...transaction, nonce: 1 })) as Signature;
      const forged = serializeTransaction(transaction, { r, s, v: v as bigint });
      become(async () => ({ result: forged }));
      expect(await reasonOf(account.signTransaction(transaction))).toBe('signer_wrong_signature');
    });

    it('another message', async () => {
      const { account, become } = await started();
      const message = { ...typed.message, maxAmountIn: 8n };
      become(async () => ({ result: await own.signTypedData({ ...typed, message }) }));
      expect(await reasonOf(account.signTypedData(typed))).toBe('signer_wrong_signature');
    });

    it('the twin of a signature, which contracts refuse', async () => {
      const { account, become } = await started();
      const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
      become(async (_, honest) => {
        const { r, s, yParity } = parseSignature((honest as { result: Hex }).result) as Signature & { yParity: number };
        const twin = `0x${(order - BigInt(s)).toString(16).padStart(64, '0')}` as const;
        return { result: serializeSignature({ r, s: twin, yParity: 1 - yParity }) };
      });
      expect(await reasonOf(account.signTypedData(typed))).toBe('signer_malformed');
    });

    it.each([null, 7, '', '0x', '0xhidden', `0x${'00'.repeat(65)}`, { raw: '0x' }, `0x${'ff'.repeat(64)}1b`])(
      'what is no signature: %j',
      async (result) => {
        const { account, become } = await started();
        become(async () => ({ result }));
        for (const [, sign] of ways)
          expect(['signer_malformed', 'signer_wrong_signature']).toContain(await reasonOf(sign(account as typeof own)));
      },
    );
  });

  it('is refused, unreachable or late by name, which are three things', async () => {
    const { url, account, become } = await started();
    become(async () => ({ error: { code: -32_000, message: 'hidden' } }));
    for (const [, sign] of ways) expect(await reasonOf(sign(account as typeof own))).toBe('signer_refused');
    become(async () => 'garbage');
    for (const [, sign] of ways) expect(await reasonOf(sign(account as typeof own))).toBe('signer_unreachable');
    become(() => new Promise(() => {}));
    const hasty = connectRemoteSigner(url, 50);
    for (const [, sign] of ways)
      expect(await reasonOf(sign(hasty.account(own.address) as typeof own))).toBe('signer_timeout');
    await expect(hasty.check([own.address])).rejects.toThrow('has not answered in time (signer_timeout');
    const nobody = connectRemoteSigner('http://127.0.0.1:9').account(own.address);
    expect(await reasonOf(nobody.signTypedData(typed))).toBe('signer_unreachable');
  });

  it('is asked once more, on a new connection, where one ends without a whole answer', async () => {
    const { url } = await started();
    type Reset = 'never' | 'before the answer' | 'in the answer';
    let reset: Reset = 'never';
    let isDead = false;
    const connections: number[] = [];
    // Between agent and signer: cuts a connection at its request of that number.
    const proxy = createServer((inner) => {
      const at = connections.push(0) - 1;
      const outer = connect(Number(new URL(url).port), '127.0.0.1');
      for (const [one, other] of [
        [inner, outer],
        [outer, inner],
      ] as const) {
        one.on('error', () => other.destroy());
        one.on('close', () => other.destroy());
      }
      inner.on('data', (bytes) => {
        connections[at] = (connections[at] ?? 0) + 1;
        if (reset === 'never') return void outer.write(bytes);
        const isAnswering = reset === 'in the answer';
        if (!isDead) reset = 'never';
        if (isAnswering) inner.write('HTTP/1.1 200 OK\r\n', () => inner.resetAndDestroy());
        else inner.resetAndDestroy();
      });
      outer.on('data', (bytes) => inner.write(bytes));
    });
    proxy.listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    onTestFinished(() => void proxy.close());
    const account = connectRemoteSigner(`http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, 20_000).account(
      own.address,
    );
    const signature = await account.signTypedData(typed);
    expect(connections).toHaveLength(1);
    reset = 'before the answer';
    expect(await account.signTypedData(typed)).toBe(signature);
    expect(connections).toHaveLength(2);
    reset = 'in the answer';
    expect(await account.signTypedData(typed)).toBe(signature);
    expect(connections).toHaveLength(3);
    // Two failures are enough to know.
    isDead = true;
    reset = 'before the answer';
    expect(await reasonOf(account.signTypedData(typed))).toBe('signer_unreachable');
    expect(connections).toHaveLength(4);
  });

  it('the second time is within the time of the first', async () => {
    let asked = 0;
    const server = createServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => {
        asked += 1;
        if (asked === 1) setTimeout(() => socket.resetAndDestroy(), 700);
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const account = connectRemoteSigner(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, 1_000).account(
      own.address,
    );
    const begun = performance.now();
    expect(await reasonOf(account.signTypedData(typed))).toBe('signer_timeout');
    expect(asked).toBe(2);
    expect(performance.now() - begun).toBeLessThan(1_500);
  });

  it('signs only complete legacy transactions', async () => {
    const { account, asked } = await started();
    const { nonce: _, ...partial } = transaction;
    await expect(account.signTransaction(partial as typeof transaction)).rejects.toThrow('complete legacy');
    await expect(account.signTransaction({ type: 'eip1559', chainId, nonce: 1 })).rejects.toThrow('complete legacy');
    expect(asked).toEqual([] satisfies Asked[]);
  });

  it('signs what the contracts and buyers recover', async () => {
    const { account } = await started();
    const signature = await account.signTypedData(typed);
    expect(await recoverTypedDataAddress({ ...typed, signature })).toBe(own.address);
    const said = await account.signMessage({ message: 'offer' });
    expect(await recoverMessageAddress({ message: 'offer', signature: said })).toBe(own.address);
  });
});
