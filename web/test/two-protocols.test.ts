import { coverageOf } from '@bowline/core/domain/guard-cover';
import { sameAddress } from '@bowline/core/domain/same-address';
import { QueryClient } from '@tanstack/react-query';
import { type Address, createPublicClient, http, parseEther } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { borrow, introduce, setGuard, stranger } from '../../agent/test/loans.ts';
import { erc20Abi } from '../../lab/world/abis.ts';
import { tokens } from '../../lab/world/addresses.ts';
import { borrowInMoolah, moolahMarketOf } from '../../lab/world/moolah.ts';
import { type DeployedChain, startDeployedChain } from '../../packages/chain/test/deployed-chain.ts';
import { startRpcProxy } from '../../packages/chain/test/rpc-proxy.ts';
import { give } from '../../test/local/accounts.ts';
import type { Settings } from '../app/api/settings.ts';
import { type Guarded, readGuarded } from '../app/chain/read-guarded.ts';
import { approvalsQuery } from '../app/stop/read-approvals.ts';

// One borrower with a loan in each protocol, as the page reads them. Real chain and contracts, no browser.

const borrower: Address = stranger(0);
const market = moolahMarketOf('ETH');

let world: DeployedChain;
let settings: Settings;

beforeAll(async () => {
  world = await startDeployedChain();
  const { chain, book } = world;
  await introduce(chain, borrower);
  await borrow(chain, borrower, '28000', { ETH: '10' });
  const deposit = await give(chain, borrower, 'ETH', '5');
  await chain.sendTogether(borrower, borrowInMoolah(market, borrower, deposit, parseEther('14200')));
  await setGuard(world, borrower);
  await setGuard(world, borrower, { adapter: book.own.moolahMarket, market: market.id });
  settings = {
    contracts: { loanGuard: book.own.loanGuard, priceSource: book.own.chainlinkPriceSource },
    ...{ lending: book.lending, assets: [] },
  } as unknown as Settings;
}, 180_000);
afterAll(() => world?.stop());

const read = (url: string, before?: Guarded) =>
  readGuarded(createPublicClient({ transport: http(url), cacheTime: 0 }), settings, borrower, before);

test('each loan has its own guard, and neither passes for the other', async () => {
  const { loans, guards, time, others } = await read(world.url);
  expect(loans.map(({ error }) => error)).toEqual(loans.map(() => undefined));
  const [venus, ...isolated] = loans.map(({ data }) => data);
  const owed = isolated.filter((loan) => loan?.healthWad !== undefined);
  expect(owed.map((loan) => loan?.protocol.name)).toEqual(['Lista ETH/USDT']);
  const [lista] = owed;
  expect(Number(venus?.healthWad) / 1e18).toBeCloseTo(32 / 28, 4);
  expect(Number(lista?.healthWad) / 1e18).toBeCloseTo(16 / 14.2, 4);
  // Neither loan is in a protocol that the page does not know.
  expect(others).toEqual([]);

  const [ofVenus, ofLista] = guards.data?.guards.toSorted((a, b) => Number(a.id - b.id)) ?? [];
  if (ofVenus === undefined || ofLista === undefined || time === undefined) throw guards.error;
  expect(coverageOf(ofVenus, venus, time)).toMatchObject({ state: 'full' });
  expect(coverageOf(ofLista, lista, time)).toMatchObject({ state: 'full' });
  for (const [guard, loan] of [
    [ofVenus, lista],
    [ofLista, venus],
    [ofLista, isolated.find((each) => each?.protocol.name === 'Lista BTCB/USDT')],
  ] as const) {
    expect(coverageOf(guard, loan, time)).toEqual({ state: 'unable', why: 'unknown' });
  }
});

test('all loans and guards are one eth_call, once the first reading has shown what there is', async () => {
  const proxy = await startRpcProxy(world.url);
  try {
    const first = await read(proxy.url);
    const asked = proxy.methods.length;
    const again = await read(proxy.url, first);
    expect(proxy.methods.slice(asked)).toEqual(['eth_call']);
    expect(again.loans.map(({ data }) => data?.protocol.name)).toEqual(settings.lending.map(({ name }) => name));
  } finally {
    await proxy.stop();
  }
});

test('what several markets of one contract may take is one approval, to be taken back once', async () => {
  const { chain, book } = world;
  const { core } = settings.lending.find(({ name }) => name === 'Lista ETH/USDT') as Settings['lending'][number];
  const abi = erc20Abi;
  await chain.send(borrower, tokens.USDT, { abi, functionName: 'approve', args: [core, 12n] });
  const token = { symbol: 'USDT', address: tokens.USDT, decimals: 18 };
  const shown = {
    ...settings,
    assets: [token],
    contracts: { ...settings.contracts, ...book.own },
  } as unknown as Settings;
  const client = createPublicClient({ transport: http(world.url), cacheTime: 0 });
  const queries = new QueryClient();
  const { left } = await queries.fetchQuery(approvalsQuery(queries, client, shown, borrower));
  expect(left.filter(({ spender }) => sameAddress(spender, core))).toMatchObject([{ amount: 12n, symbol: 'USDT' }]);
});
