import {
  type Abi,
  type Address,
  encodeFunctionData,
  type Hex,
  parseEther,
  toFunctionSelector,
  zeroAddress,
} from 'viem';
import { comptrollerAbi, erc20Abi, vBnbAbi, vTokenAbi } from './abis.ts';
import { decimalsOf, tokens, venus, wholeTokens } from './addresses.ts';
import { type Artifact, type Deployment, loadPackage } from './artifacts.ts';
import type { Chain } from './chain.ts';
import { compile } from './compile.ts';
import { type Compilation, compiledOf } from './compiled.ts';
import { deployOracle, type Permit } from './oracle.ts';
import { venusGovernance, venusOracle, venusProtocol } from './packages.ts';

type Artifacts = ReturnType<typeof loadPackage<typeof venusProtocol>>;

const { timelock } = venus;

export const maximillion: Compilation<Artifact> = {
  name: 'maximillion',
  sources: ['lab/world/ReplicaMaximillion.sol', 'lab/tools/compile.mjs'],
  build: () => compile(new URL('ReplicaMaximillion.sol', import.meta.url)),
};

const corePool = 0n;
const one = parseEther('1');
const unlimited = 10n ** 30n;
/** Roughly BNB Chain's blocks per day. It only sets how often reserves leave a market. */
const reduceReservesBlocks = 28_800n;

/** Risk parameters and initial liquidity are the replica's own, comparable to BNB Chain's; whole tokens. */
const markets = [
  { symbol: 'vUSDT', token: 'USDT', rates: 'StablecoinRates', collateral: '0.8', threshold: '0.8', supply: '10000000' },
  {
    symbol: 'vUSDC',
    token: 'USDC',
    rates: 'StablecoinRates',
    collateral: '0.825',
    threshold: '0.825',
    supply: '10000000',
  },
  { symbol: 'vBTC', token: 'BTCB', rates: 'VolatileRates', collateral: '0.8', threshold: '0.8', supply: '1000' },
  { symbol: 'vETH', token: 'ETH', rates: 'VolatileRates', collateral: '0.8', threshold: '0.8', supply: '10000' },
  { symbol: 'vWBNB', token: 'WBNB', rates: 'VolatileRates', collateral: '0.8', threshold: '0.8', supply: '10000' },
  { symbol: 'vBNB', token: null, rates: 'VolatileRates', collateral: '0.78', threshold: '0.8', supply: '10000' },
] as const;

/**
 * Builds the core pool: governance → prices → the comptroller, which judges accounts → VAI, debt without a market → the
 * markets → the liquidator, and the contract that repays a whole BNB debt → the lender's first deposits.
 */
export async function deployVenus(chain: Chain, lender: Address): Promise<void> {
  const artifacts = loadPackage(venusProtocol);
  const permit = await deployGovernance(chain);
  const oracle = await deployOracle(chain, permit);
  await deployComptroller(chain, artifacts, permit, oracle);
  await deployVai(chain, artifacts, permit);
  await deployMarkets(chain, artifacts, permit);
  await deployLiquidator(chain, artifacts);
  await chain.place(venus.maximillion, await compiledOf(maximillion), [], timelock);
  await supplyLiquidity(chain, lender);
}

/** Governance is a single account here, the timelock. Unlike on BNB Chain, it holds every permission itself. */
async function deployGovernance(chain: Chain): Promise<Permit> {
  const { AccessControlManager } = loadPackage(venusGovernance);
  await chain.setBalance({ address: timelock, value: parseEther('1000') });
  await chain.place(venus.accessControl, AccessControlManager, [], timelock);
  const give = governed(chain, venus.accessControl, AccessControlManager.abi);
  return async (...signatures) => {
    // The zero address means every contract.
    for (const signature of signatures) await give('giveCallPermission', zeroAddress, signature, timelock);
  };
}

/** The timelock's calls to a contract. */
const governed =
  (chain: Chain, to: Address, abi: Abi) =>
  async (functionName: string, ...args: readonly unknown[]): Promise<void> => {
    await chain.send(timelock, to, { abi, functionName, args });
  };

type Oracle = Awaited<ReturnType<typeof deployOracle>>;

/** Unitroller (storage and address) → Diamond (dispatch by selector) → five facets (the logic). */
async function deployComptroller(chain: Chain, artifacts: Artifacts, permit: Permit, oracle: Oracle): Promise<void> {
  const { Unitroller, Diamond, MarketFacet, PolicyFacet, RewardFacet, SetterFacet, FlashLoanFacet } = artifacts;
  const facets = [MarketFacet, PolicyFacet, RewardFacet, SetterFacet, FlashLoanFacet];
  await chain.place(venus.comptroller, Unitroller, [], timelock);
  for (const logic of [Diamond, ...facets, artifacts.ComptrollerLens]) {
    await chain.place(logic.address, logic, logic.args, timelock);
  }
  await adopt(chain, venus.comptroller, Unitroller.abi, Diamond);
  await governed(chain, venus.comptroller, Diamond.abi)('diamondCut', facetCuts(Diamond, facets));

  const set = governed(chain, venus.comptroller, SetterFacet.abi);
  await set('_setAccessControl', venus.accessControl);
  await permit('setDeviationBoundedOracle(address)');
  await set('_setComptrollerLens', artifacts.ComptrollerLens.address);
  await set('_setPriceOracle', oracle.resilient);
  // Without it every borrow reverts: borrowing uses the bounded price, liquidation the plain one.
  await set('setDeviationBoundedOracle', oracle.deviationBounded);
  await set('_setCloseFactor', one / 2n);
  await set('_setXVSToken', tokens.XVS);
}

/** This old kind of proxy takes an implementation in two steps: the proxy names it, and the implementation accepts. */
async function adopt(chain: Chain, proxy: Address, proxyAbi: Abi, logic: Deployment): Promise<void> {
  await governed(chain, proxy, proxyAbi)('_setPendingImplementation', logic.address);
  await governed(chain, logic.address, logic.abi)('_become', proxy);
}

/** Each selector goes to the first facet that has it: facets repeat the getters of their shared storage. */
function facetCuts(diamond: Deployment, facets: readonly Deployment[]) {
  const selectors = ({ abi }: Deployment): Hex[] =>
    abi.filter((item) => item.type === 'function').map((item) => toFunctionSelector(item));
  const taken = new Set(selectors(diamond));
  const add = 0;
  return facets.map((facet) => {
    const own = selectors(facet).filter((selector) => !taken.has(selector));
    for (const selector of own) taken.add(selector);
    return { facetAddress: facet.address, action: add, functionSelectors: own };
  });
}

/** VAI is minted against collateral by its controller: debt that no market shows. */
async function deployVai(chain: Chain, artifacts: Artifacts, permit: Permit): Promise<void> {
  const { VAI, VAIUnitroller, VAIController, SetterFacet } = artifacts;
  const bnbChainId = 56n;
  await chain.place(tokens.VAI, VAI, [bnbChainId], timelock);
  await chain.place(venus.vaiController, VAIUnitroller, [], timelock);
  await chain.place(VAIController.address, VAIController, VAIController.args, timelock);
  await adopt(chain, venus.vaiController, VAIUnitroller.abi, VAIController);

  await permit('setBaseRate(uint256)', 'setMintCap(uint256)');
  const set = governed(chain, venus.vaiController, VAIController.abi);
  await set('initialize');
  await set('_setComptroller', venus.comptroller);
  await set('setVAIToken', tokens.VAI);
  await set('setAccessControl', venus.accessControl);
  await set('setMintCap', parseEther('10000000'));
  await set('setReceiver', venus.treasury);
  // VAI debt must grow between blocks; otherwise no test would notice code that forgets to accrue it. A yearly rate.
  await set('setBaseRate', parseEther('0.03'));

  const comptroller = governed(chain, venus.comptroller, SetterFacet.abi);
  await comptroller('_setVAIController', venus.vaiController);
  const wholeBorrowingPower = 10_000n;
  await comptroller('_setVAIMintRate', wholeBorrowingPower);
  await governed(chain, tokens.VAI, VAI.abi)('rely', venus.vaiController);
}

/** Six markets: five for one token each, through one delegate, and vBNB, which has its own contract. */
async function deployMarkets(chain: Chain, artifacts: Artifacts, permit: Permit): Promise<void> {
  const { MarketFacet, SetterFacet, StablecoinRates, VolatileRates, VBep20Delegate, VBep20Delegator, VBNB } = artifacts;
  // Markets send their reserves there and then call it. A single STOP instruction accepts every call.
  await chain.setCode({ address: venus.protocolShareReserve, bytecode: '0x00' });
  for (const logic of [StablecoinRates, VolatileRates, VBep20Delegate]) {
    await chain.place(logic.address, logic, logic.args, timelock);
  }
  await permit(
    '_supportMarket(address)',
    'setCollateralFactor(address,uint256,uint256)',
    'setLiquidationIncentive(address,uint256)',
    'setIsBorrowAllowed(uint96,address,bool)',
    '_setMarketBorrowCaps(address[],uint256[])',
    '_setMarketSupplyCaps(address[],uint256[])',
    '_setReserveFactor(uint256)',
    'setReduceReservesBlockDelta(uint256)',
    'createPool(string)',
    'addPoolMarkets(uint96[],address[])',
    'setCollateralFactor(uint96,address,uint256,uint256)',
  );

  const { comptroller } = venus;
  const set = governed(chain, comptroller, SetterFacet.abi);
  for (const { symbol, token, rates, collateral, threshold } of markets) {
    const market = venus.markets[symbol];
    const rateModel = artifacts[rates].address;
    const name = `Venus ${symbol.slice(1)}`;
    if (token === null) {
      const firstExchangeRate = 2n * 10n ** 26n;
      await chain.place(market, VBNB, [comptroller, rateModel, firstExchangeRate, name, symbol, 8, timelock], timelock);
    } else {
      const firstExchangeRate = 10n ** BigInt(10 + decimalsOf(token));
      const terms = [tokens[token], comptroller, rateModel, firstExchangeRate, name, symbol, 8, timelock];
      await chain.place(market, VBep20Delegator, [...terms, VBep20Delegate.address, '0x'], timelock);
    }
    const onMarket = governed(chain, market, VBep20Delegate.abi);
    await onMarket('setAccessControlManager', venus.accessControl);
    await onMarket('setProtocolShareReserve', venus.protocolShareReserve);
    await onMarket('setReduceReservesBlockDelta', reduceReservesBlocks);
    await onMarket('_setReserveFactor', one / 10n);
    await governed(chain, comptroller, MarketFacet.abi)('_supportMarket', market);
    const onComptroller = governed(chain, comptroller, comptrollerAbi);
    await onComptroller('setCollateralFactor', market, parseEther(collateral), parseEther(threshold));
    await onComptroller('setLiquidationIncentive', market, parseEther('1.1'));
    // A listed market does not lend in a pool until borrowing is allowed there.
    await set('setIsBorrowAllowed', corePool, market, true);
  }
  // A cap of zero means nothing is allowed, not that there is no limit.
  const all = Object.values(venus.markets);
  for (const caps of ['_setMarketBorrowCaps', '_setMarketSupplyCaps']) {
    await set(
      caps,
      all,
      all.map(() => unlimited),
    );
  }
}

/** The only account that the comptroller lets liquidate; anyone may call it. */
async function deployLiquidator(chain: Chain, { Liquidator, SetterFacet }: Artifacts): Promise<void> {
  // This proxy uses the oracle's artifact: both are the same OptimizedTransparentUpgradeableProxy.
  const { DefaultProxyAdmin, ResilientOracleProxy } = loadPackage(venusOracle);
  await chain.place(Liquidator.address, Liquidator, Liquidator.args, timelock);
  const treasuryShare = one / 20n;
  const initialise = encodeFunctionData({
    abi: Liquidator.abi,
    functionName: 'initialize',
    args: [treasuryShare, venus.accessControl, venus.protocolShareReserve],
  });
  await chain.place(
    venus.liquidator,
    ResilientOracleProxy,
    [Liquidator.address, DefaultProxyAdmin.address, initialise],
    timelock,
  );
  await governed(chain, venus.comptroller, SetterFacet.abi)('_setLiquidatorContract', venus.liquidator);
}

/** One lender supplies every market, so that there is liquidity to borrow. */
async function supplyLiquidity(chain: Chain, lender: Address): Promise<void> {
  for (const { symbol, token, supply } of markets) {
    const market = venus.markets[symbol];
    const amount = wholeTokens(token ?? 'WBNB', supply);
    if (token === null) {
      await chain.send(lender, market, { abi: vBnbAbi, functionName: 'mint' }, amount);
    } else {
      await chain.send(lender, tokens[token], { abi: erc20Abi, functionName: 'approve', args: [market, amount] });
      await chain.send(lender, market, { abi: vTokenAbi, functionName: 'mint', args: [amount] });
    }
    const cash = await chain.readContract({ address: market, abi: vTokenAbi, functionName: 'getCash' });
    if (cash !== amount) throw new Error(`${symbol} holds ${cash} after a deposit of ${amount}`);
  }
}
