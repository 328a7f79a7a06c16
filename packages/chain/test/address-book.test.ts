import { pathToFileURL } from 'node:url';
import EntryPoint08 from '@account-abstraction/contracts-08/artifacts/EntryPoint.json' with { type: 'json' };
import AccountFactory08 from '@account-abstraction/contracts-08/artifacts/SimpleAccountFactory.json' with {
  type: 'json',
};
import { isTraded } from '@bowline/core/domain/assets';
import { type AddressBook, withAccountFactory } from '@bowline/core/registry/address-book';
import { readAddressBook } from '@bowline/http/address-book';
import { type Address, type Hex, keccak256 } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { feeds, pancake, tokens, venus } from '../../../lab/world/addresses.ts';
import type { Artifact } from '../../../lab/world/artifacts.ts';
import { localChainId } from '../../../lab/world/fork.ts';
import { poolAddress } from '../../../lab/world/pancake.ts';
import { alice, carol } from '../../../test/local/accounts.ts';
import { connectChain } from '../chain-client.ts';
import { checkAddressBook, checkChain, entryPointCode, otherMaker } from '../check-address-book.ts';
import { type DeployedChain, startDeployedChain, withRecord } from './deployed-chain.ts';

let deployed: DeployedChain;
beforeAll(async () => {
  deployed = await startDeployedChain({ maker: alice });
});
afterAll(() => deployed?.stop());

describe('the book of BNB Chain', () => {
  it('has the addresses that the replica was built with', () => {
    const { book } = deployed;
    expect(book.venus).toMatchObject({ comptroller: venus.comptroller, vaiController: venus.vaiController });
    expect(book.venus).toMatchObject({ vBnb: venus.markets.vBNB, vUsdt: venus.markets.vUSDT });
    const { hubs, ...ofPancake } = book.pancake;
    expect(pancake).toMatchObject(ofPancake);
    expect(hubs).toEqual([tokens.WBNB, tokens.USDT, tokens.USDC]);
    for (const { symbol, address, feed, pool } of book.assets.filter(isTraded)) {
      const known = symbol as keyof typeof feeds;
      expect([address, feed]).toEqual([tokens[known], feeds[known]]);
      const quote = tokens[pool.quote as keyof typeof tokens];
      expect(pool.address).toBe(poolAddress(address, quote, pool.feeMillionths ?? 0));
    }
  });
});

describe('readAddressBook', () => {
  it('says that nothing is deployed', () => {
    const folder = pathToFileURL('/nowhere/');
    expect(() => readAddressBook(1, folder)).toThrow(
      '/nowhere/1.json is missing. Deploy the contracts (npx bowline deploy), or set DEPLOYMENTS_DIR to the folder of their record.',
    );
  });

  it('says what is malformed', () => {
    const { own } = deployed.book;
    const read = (record: unknown) => () => withRecord(record, (folder) => readAddressBook(localChainId, folder));
    expect(read({ chainId: 56, ...own })).toThrow(`/${localChainId}.json is a record of chain 56.`);
    const mistyped = own.loanGuard.replace(/[a-f]/, 'F').replace(/[A-F](?=[^A-F]*$)/, (digit) => digit.toLowerCase());
    expect(read({ chainId: localChainId, ...own, loanGuard: mistyped })).toThrow(
      'loanGuard: is not a checksummed address',
    );
  });
});

/** npm's account factory of 0.8: its accounts obey an EntryPoint that a stranger can call in the middle of a run. */
async function placed08(): Promise<Address> {
  const [entryPoint, factory] = [
    '0x0000000000000000000000000000000000433708',
    '0x0000000000000000000000000000000000433709',
  ] as const;
  await deployed.chain.place(entryPoint, EntryPoint08 as unknown as Artifact, [], carol);
  await deployed.chain.place(factory, AccountFactory08 as unknown as Artifact, [entryPoint], carol);
  return factory;
}

// AG-10
describe('checkAddressBook', () => {
  const check = (book: AddressBook, chainId = localChainId) =>
    checkAddressBook(connectChain(deployed.url), book, chainId);

  it('passes on the chain that the book is of', async () => {
    await check(deployed.book);
  });

  it('names another chain', async () => {
    await expect(checkChain(connectChain(deployed.url), 56)).rejects.toThrow(
      `The node at RPC_URL serves chain ${localChainId}, not chain 56.`,
    );
  });

  it('says what to start where there is no node', async () => {
    const nowhere = connectChain('http://127.0.0.1:9');
    await expect(checkChain(nowhere, 56)).rejects.toThrow(
      /^No node answers at RPC_URL\. Set RPC_URL to a node that can be reached from here\.$/,
    );
    await expect(checkChain(nowhere, localChainId)).rejects.toMatchObject({
      reason: 'node_unreachable',
      remedy: expect.stringContaining('npm start starts one'),
    });
  });

  it('names what has no code', async () => {
    const { book } = deployed;
    const nowhere = '0x000000000000000000000000000000000000dEaD';
    const own = { ...book.own, loanGuard: nowhere } as const;
    const [first, ...others] = book.assets;
    if (first === undefined) throw new Error('no assets');
    const assets = [{ ...first, feed: nowhere } as const, ...others];
    await expect(check({ ...book, own, assets })).rejects.toThrow(
      `no code at the address of: deployment.loanGuard (${nowhere}), BTCB.feed (${nowhere}).`,
    );
  });

  it('names a lending protocol that has no code', async () => {
    const { book } = deployed;
    const nowhere = '0x000000000000000000000000000000000000dEaD';
    const [venusEntry, ...others] = book.lending;
    expect(others.map(({ family }) => family)).toContain('Lista');
    const lending = [venusEntry, ...others.map((each) => ({ ...each, core: nowhere }) as const)] as const;
    await expect(check({ ...book, lending })).rejects.toThrow(`no code at the address of: lending.Lista (${nowhere}).`);
  });

  it('names what is not as the book has it', async () => {
    const { book } = deployed;
    const assets = book.assets.map((asset) => {
      if (asset.symbol === 'BTCB') return { ...asset, decimals: 8, feedDecimals: 18 };
      if (asset.symbol === 'ETH' && isTraded(asset))
        return { ...asset, pool: { ...asset.pool, quote: 'USDC', feeMillionths: 2500 } };
      return asset;
    });
    await expect(check({ ...book, assets })).rejects.toThrow(
      'decimals of BTCB, decimals of the feed of BTCB, tokens of the pool of ETH, fee of the pool of ETH.',
    );
  });

  it('compares the EntryPoint by the hash that was recorded from the chain, and by none otherwise', async () => {
    const { book, chain } = deployed;
    const { entryPoint } = book.accountAbstraction;
    const hash = keccak256((await chain.getCode({ address: entryPoint })) ?? '0x');
    const recorded = (entryPointCodeHash: Hex): AddressBook => ({
      ...book,
      accountAbstraction: { ...book.accountAbstraction, entryPointCodeHash },
    });
    const client = connectChain(deployed.url);
    expect(await entryPointCode(client, book)).toEqual({ hash });
    await check(recorded(hash));
    expect(await entryPointCode(client, recorded(hash))).toEqual({ hash, isRecorded: true });
    await expect(check(recorded(keccak256('0x')))).rejects.toThrow(
      `differs from the address book: code of accountAbstraction.entryPoint (${hash}).`,
    );
  });

  it.each([
    ['of EntryPoint 0.8', placed08],
    ['that makes nothing', async () => deployed.book.own.planRegistry],
  ])('refuses a factory %s', async (_, factory) => {
    await expect(check(withAccountFactory(deployed.book, await factory()))).rejects.toThrow(
      'differs from the address book: EntryPoint of the accounts of ACCOUNT_FACTORY.',
    );
  });

  it('says that no node answers, without its address', async () => {
    const nobody = connectChain('http://127.0.0.1:9/key');
    await expect(checkAddressBook(nobody, deployed.book, localChainId)).rejects.toThrow(
      /^The chain does not answer\.$/,
    );
  });
});

// DP-20
it('lets only the maker sign for the desk', async () => {
  const client = connectChain(deployed.url);
  expect(await otherMaker(client, deployed.book, alice)).toBeUndefined();
  expect(await otherMaker(client, deployed.book, carol)).toBe(alice);
  const { quoteDesk: _, ...own } = deployed.book.own;
  expect(await otherMaker(client, { ...deployed.book, own }, carol)).toBeUndefined();
});
