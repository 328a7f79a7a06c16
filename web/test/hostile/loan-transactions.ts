import {
  type Address,
  decodeFunctionData,
  isAddressEqual,
  pad,
  parseAbi,
  parseEther,
  parseUnits,
  zeroAddress,
} from 'viem';
import { collateralGuardAbi } from '../../../abis/index.ts';
import { noRoute } from '../../../packages/chain/guard.ts';
import { type Honest, LOAN_ACTS, type LoanAct } from './place.ts';
import type { Call } from './wallet.ts';

// What acts on a loan may request, decided independently of the page's code. Whatever a node says about markets and
// tokens, approvals go to contracts of the registry, amounts are as typed, and guards have the terms that are shown.

const abi = parseAbi([
  'function approve(address spender, uint256 amount) returns (bool)',
  'function repayBorrow(uint256 amount) returns (uint256)',
  'function mint(uint256 amount) returns (uint256)',
]);
const UNWIND = 2n ** 64n - 1n;
/** Fees of a pool between both tokens, in hundredths of a bip (PancakeSwap v3). */
const FEES: readonly number[] = [100, 500, 2_500, 10_000];
/** A closing guard expires within the hour, by a clock that may be slightly fast. */
const MOST_SECONDS = 3_700n;
/** The same of a guard that another account pays for, and of that account's consent. */
const YEAR_SECONDS = 365n * 86_400n + 100n;
const DAY_SECONDS = 86_400n + 100n;
/** Whether the wallet was asked to sign a consent, and not to send anything. */
const isConsent = ({ to }: Call): boolean => String(to) === 'eth_signTypedData_v4';

interface Asked {
  readonly honest: Honest;
  readonly owner: Address;
  readonly neighbour: Address;
  readonly latest: bigint;
  readonly sent: readonly Call[];
  readonly complain: (what: string) => void;
}

export function judgeLoanTransaction(round: Asked, act: LoanAct): void {
  for (const call of round.sent) {
    const wrong = act === 'Pay for its rescues' ? wrongWithPaying(call, round) : wrongWith(call, act, round);
    if (wrong !== undefined) round.complain(`for “${act}” the wallet was asked for ${wrong}: ${JSON.stringify(call)}`);
  }
}

const isIn = (all: readonly Address[], one: Address) => all.some((each) => isAddressEqual(each, one));

/** A payer approves what it typed to the guards' contract, and consents to terms that take no more than that. */
function wrongWithPaying(call: Call, { honest, owner, neighbour, latest, sent }: Asked): string | undefined {
  const { contracts, lending, assets, chainId } = honest.config;
  const approved = (each: Call): bigint => decodeFunctionData({ abi, data: each.data }).args[1] ?? 0n;
  try {
    if (!isConsent(call)) {
      const { functionName, args } = decodeFunctionData({ abi, data: call.data });
      const isTyped = functionName === 'approve' && isAmount(args[1], 'Pay for its rescues');
      const tokens = assets.map(({ address }) => address);
      return isTyped && isIn(tokens, call.to) && isIn([contracts.loanGuard], args[0]) ? undefined : 'another approval';
    }
    const [account, text] = JSON.parse(call.data) as [Address, string];
    const { domain, primaryType, message } = JSON.parse(text);
    const { terms } = message;
    const most = sent.filter((each) => !isConsent(each)).reduce((all, each) => all + approved(each), 0n);
    const markets = lending.flatMap(({ payable = [] }) => payable).map((market) => pad(market).toLowerCase());
    const isAsShown =
      primaryType === 'Consent' &&
      isIn([contracts.loanGuard], domain.verifyingContract) &&
      BigInt(domain.chainId) === BigInt(chainId) &&
      [account, terms.funder].every((each) => isIn([owner], each)) &&
      isIn([neighbour], terms.borrower) &&
      [terms.keeper, terms.priceSource].every((each) => each === zeroAddress) &&
      lending.some(({ adapter }) => isAddressEqual(adapter, terms.adapter)) &&
      markets.includes(terms.market.toLowerCase()) &&
      BigInt(terms.triggerHealthWad) === parseEther('1.1') &&
      BigInt(terms.targetHealthWad) === parseEther('1.25') &&
      [terms.capPerRescue, terms.capPerDay, terms.minRepay].every((amount) => BigInt(amount) <= most) &&
      BigInt(terms.expiresAt) <= latest + YEAR_SECONDS &&
      BigInt(message.deadline) <= latest + DAY_SECONDS;
    return isAsShown ? undefined : 'other terms';
  } catch {
    return 'what cannot be read';
  }
}

function wrongWith(call: Call, act: LoanAct, { honest, owner, latest }: Asked): string | undefined {
  const { contracts, lending, assets } = honest.config;
  const markets = lending.flatMap(({ payable = [] }) => payable);
  const tokens = assets.map(({ address }) => address);
  if (BigInt(call.value ?? 0) !== 0n) return 'BNB';
  try {
    if (act === 'Close now' && contracts.collateralGuard && isAddressEqual(call.to, contracts.collateralGuard)) {
      const { functionName, args } = decodeFunctionData({ abi: collateralGuardAbi, data: call.data });
      if (functionName !== 'register') return 'another function of the guard';
      const [terms] = args;
      const padded = markets.map((market) => pad(market).toLowerCase());
      const isAsShown =
        isIn([terms.borrower], owner) &&
        isIn([terms.funder], owner) &&
        terms.keeper === zeroAddress &&
        isIn([contracts.priceSource], terms.priceSource) &&
        lending.some(
          ({ collateralAdapter }) => collateralAdapter && isAddressEqual(collateralAdapter, terms.adapter),
        ) &&
        [terms.debtMarket, terms.collateralMarket].every((market) => padded.includes(market.toLowerCase())) &&
        terms.triggerHealthWad === parseEther('2') &&
        terms.targetHealthWad === UNWIND &&
        terms.maxCostBps === 200 &&
        terms.capPerDay === 2n * terms.capPerRescue &&
        terms.minRepay <= terms.capPerRescue &&
        FEES.includes(terms.route.firstFee) &&
        JSON.stringify({ ...terms.route, firstFee: 0 }) === JSON.stringify(noRoute) &&
        BigInt(terms.expiresAt) <= latest + MOST_SECONDS;
      return isAsShown ? undefined : 'other terms';
    }
    const { functionName, args } = decodeFunctionData({ abi, data: call.data });
    if (functionName === 'approve') {
      const [spender, amount] = args;
      if (act === 'Close now') {
        return isIn(markets, call.to) && contracts.collateralGuard && isAddressEqual(spender, contracts.collateralGuard)
          ? undefined
          : 'another approval';
      }
      const isTyped = isAmount(amount, act);
      return isIn(tokens, call.to) && isIn(markets, spender) && isTyped ? undefined : 'another approval';
    }
    const isOfAct = functionName === (act === 'Repay' ? 'repayBorrow' : 'mint');
    return act !== 'Close now' && isOfAct && isIn(markets, call.to) && isAmount(args[0], act)
      ? undefined
      : 'another call';
  } catch {
    return 'what cannot be read';
  }
}

/** Whether this is the typed amount, for any number of decimals that a node may claim for the token. */
const isAmount = (amount: bigint, act: LoanAct): boolean =>
  Array.from({ length: 40 }, (_, decimals) => decimals).some(
    (decimals) => amount === parseUnits(LOAN_ACTS[act], decimals),
  );
