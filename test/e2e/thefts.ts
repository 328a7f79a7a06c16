import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { x402ExactPermit2ProxyABI, x402ExactPermit2ProxyAddress } from '@x402/evm';
import {
  type Address,
  encodeFunctionData,
  type Hex,
  numberToHex,
  parseAbi,
  parseSignature,
  serializeSignature,
} from 'viem';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { expect } from 'vitest';
import { permit2 } from '../../agent/src/payments/permit2-check.ts';
import { erc20Abi } from '../../script/local/abis.ts';
import { tokens } from '../../script/local/addresses.ts';
import { compile } from '../../script/local/compile.ts';
import { kept } from '../../script/local/kept.ts';
import { treasurer } from '../../script/local/replica.ts';
import type { Question } from './doors.ts';
import { encodings, type Heist, pick, refused, type Theft } from './heist.ts';
import { price, type Shop } from './shop.ts';
import {
  authorise,
  base64,
  cancelCall,
  forged,
  newNonce,
  nowSeconds,
  type Payload,
  permit,
  type Signed,
  transferCall,
} from './signed-payment.ts';
import { withoutPaying } from './thefts-unpaid.ts';

// Ways to an answer that is not paid for. Each shows that it came as far as it meant to: a theft that fails for another reason than
// its own shows nothing.

/** Anvil's fourth account sends the thieves' transactions. */
const stranger: Address = '0x90F79bf6EB2c4f870365E785982E1f101E93b906';

/** The facilitator's answer that names a transaction. */
const settled = ({ shop }: Heist, transaction: string, payer: Address) => ({
  success: true,
  transaction,
  network: shop.offers.authorised.network,
  payer,
});

/** A payment that pays: by authorisation or by permit. */
async function rightly(heist: Heist, nth: number) {
  const { shop } = heist;
  const isPermit = nth % 2 === 1;
  const payer = isPermit ? heist.permitPayer() : heist.payer();
  const offer = isPermit ? shop.offers.permitted : shop.offers.authorised;
  const signed = await (isPermit ? permit : authorise)(payer, { offer });
  return { payer, offer, isPermit, ...signed };
}

const replayed: Theft = async (heist, nth) => {
  const { payload } = await rightly(heist, nth);
  const [door, question] = [heist.door(), heist.question()];
  const first = await heist.ask(door, question, { payment: payload });
  expect(first.isAnswered, first.text).toBe(true);
  const again = pick(encodings(payload), heist.random.below(8));
  // It is the same payment: for its own question it gets its own answer.
  const copy = await heist.ask(door, question, { payment: again });
  if (copy.isAnswered) expect(copy.answer).toBe(first.answer);
  else refused(copy, 'unreadable');
  for (const payment of [payload, again]) {
    const told = await heist.ask(heist.door(), heist.question(), { payment });
    refused(told, ...(copy.isAnswered || payment === payload ? ['payment_used_for_another_prompt'] : ['unreadable']));
  }
  return { bought: 1 };
};

const copiedInFlight: Theft = async (heist, nth) => {
  const { payer, payload } = await rightly(heist, nth);
  const stolen = Promise.withResolvers<void>();
  heist.shop.settles(payer.address, async (_body, settle) => {
    await stolen.promise;
    return settle();
  });
  const victim = heist.ask(heist.door(), heist.question(), { payment: payload });
  await expect.poll(() => heist.shop.asked(payer.address)).toBe(1);
  const told = await heist.ask(heist.door(), heist.question(), { payment: base64(payload, 3) });
  stolen.resolve();
  refused(told, 'payment_used_for_another_prompt');
  expect((await victim).isAnswered).toBe(true);
  return { bought: 1 };
};

/** What the standard's contract of Permit2 is asked to do. */
function permitCall({ terms, signature }: Signed, token: Address): Hex {
  const { from, to, value, validAfter, validBefore, nonce } = terms;
  const call = { permitted: { token, amount: value }, nonce: BigInt(nonce), deadline: validBefore };
  const args = [call, from, { to, validAfter }, signature] as const;
  return encodeFunctionData({ abi: x402ExactPermit2ProxyABI, functionName: 'settle', args });
}

const fromCalldata: Theft = async (heist, nth) => {
  const signed = await rightly(heist, nth);
  const { chain, asked, paidBy } = heist.shop;
  const { address } = signed.payer;
  if (signed.isPermit)
    await chain.sendRaw(stranger, x402ExactPermit2ProxyAddress, permitCall(signed, signed.offer.asset));
  else await chain.sendRaw(stranger, signed.offer.asset, transferCall(signed));
  expect(await paidBy(address)).toBe(1);
  for (const payment of [signed.payload, base64(signed.payload, 2)]) {
    refused(await heist.ask(heist.door(), heist.question(), { payment }), 'already_used');
  }
  expect(asked(address)).toBe(0);
  return { bought: 0, gifts: 1 };
};

/** Afterwards the same payer's right payment is answered: nothing but the wrong term was in its way. */
async function rightAfterAll(heist: Heist, payer: PrivateKeyAccount, isPermit: boolean): Promise<void> {
  const { authorised, permitted } = heist.shop.offers;
  expect(heist.shop.asked(payer.address)).toBe(0);
  const { payload } = await (isPermit ? permit(payer, { offer: permitted }) : authorise(payer, { offer: authorised }));
  const told = await heist.ask(heist.door(), heist.question(), { payment: payload });
  expect(told.isAnswered, told.text).toBe(true);
}

const otherTerms: Theft = async (heist, nth) => {
  const { shop } = heist;
  const { authorised: offer, permitted } = shop.offers;
  const payer = heist.payer();
  const now = nowSeconds();
  const wrong: readonly [reason: string, Parameters<typeof authorise>[1]][] = [
    ['other_payee', { offer, changes: { to: stranger } }],
    ['other_amount', { offer, changes: { value: price - 1n } }],
    ['bad_signature', { offer, domain: { chainId: 56 } }],
    ['bad_signature', { offer, domain: { verifyingContract: tokens.USDT } }],
    ['expired', { offer, changes: { validBefore: now - 1n } }],
    ['not_valid_yet', { offer, changes: { validAfter: now + 120n } }],
    ['valid_too_long', { offer, changes: { validBefore: 2n ** 256n - 1n } }],
    ['other_amount', { offer, changes: { value: 0n } }],
    ['other_terms', { offer: { ...offer, network: 'eip155:56' }, domain: { chainId: 31_337 } }],
    ['other_terms', { offer: { ...offer, asset: stranger } }],
    ['other_terms', { offer: { ...offer, payTo: stranger } }],
    ['other_terms', { offer: { ...offer, amount: '1' } }],
    ['unreadable', { offer: { ...permitted } }],
    ['expired', { offer, changes: { validBefore: now + 5n } }],
  ];
  const [reason, signing] = pick(wrong, nth);
  const { payload } = await authorise(payer, signing);
  refused(await heist.ask(heist.door(), heist.question(), { payment: payload }), reason);
  await rightAfterAll(heist, payer, false);
  return { bought: 1 };
};

const otherPermit: Theft = async (heist, nth) => {
  const { permitted: offer, authorised } = heist.shop.offers;
  const payer = heist.permitPayer();
  const now = nowSeconds();
  const wrong: readonly [reason: string, Parameters<typeof permit>[1]][] = [
    ['other_spender', { offer, changes: { spender: stranger } }],
    ['other_payee', { offer, changes: { to: stranger } }],
    ['other_token', { offer, changes: { token: tokens.USDC } }],
    ['other_amount', { offer, changes: { value: price / 2n } }],
    ['expired', { offer, changes: { validBefore: now - 1n } }],
    ['bad_signature', { offer, domain: { chainId: 56 } }],
    ['bad_signature', { offer, domain: { verifyingContract: authorised.asset } }],
  ];
  const [reason, signing] = pick(wrong, nth);
  const { payload } = await permit(payer, signing);
  refused(await heist.ask(heist.door(), heist.question(), { payment: payload }), reason);
  await rightAfterAll(heist, payer, true);
  return { bought: 1 };
};

const forgery: Theft = async (heist, nth) => {
  const { authorised: offer } = heist.shop.offers;
  const victim = heist.payer();
  const thief = privateKeyToAccount(generatePrivateKey());
  const own = await authorise(victim, { offer });
  const { r, s, yParity } = parseSignature(own.signature);
  const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
  const mirrored = serializeSignature({ r, s: numberToHex(order - BigInt(s), { size: 32 }), yParity: 1 - yParity });
  const fakes = [
    forged(offer, own, { nonce: newNonce() }),
    await authorise(thief, { offer, changes: { from: victim.address } }),
    forged(offer, own, { from: thief.address }),
    forged(offer, own, {}, mirrored),
    forged(offer, own, {}, `${own.signature}00`),
    forged(offer, own, { validBefore: own.terms.validBefore + 60n }),
    forged(offer, own, { from: offer.asset }),
  ];
  const { payload } = pick(fakes, nth);
  refused(await heist.ask(heist.door(), heist.question(), { payment: payload }), 'bad_signature');
  await rightAfterAll(heist, victim, false);
  return { bought: 1 };
};

/** Sends one payment with so many questions at once: one of them is answered. */
async function atOnce(heist: Heist, payload: Payload, many: number): Promise<void> {
  const asked = Array.from({ length: many }, (_, at) => ({ door: heist.door(), question: heist.question(), at }));
  const told = await Promise.all(
    asked.map(({ door, question, at }) => heist.askUntilKnown(door, question, { payment: base64(payload, at) })),
  );
  expect(told.filter(({ isAnswered }) => isAnswered)).toHaveLength(1);
  for (const each of told) if (!each.isAnswered) refused(each, 'payment_used_for_another_prompt');
}

const atTwoDoors: Theft = async (heist, nth) => {
  const { payload, payer } = await rightly(heist, nth);
  await atOnce(heist, payload, 2);
  expect(heist.shop.asked(payer.address)).toBe(1);
  return { bought: 1 };
};

const inParallel: Theft = async (heist, nth) => {
  const { payload, payer } = await rightly(heist, nth);
  // The door is chosen once more among those at which the first copy may arrive after the last.
  heist.shop.settles(payer.address, async (_body, settle) => {
    await sleep(heist.random.below(400));
    return settle();
  });
  await atOnce(heist, payload, 9);
  return { bought: 1 };
};

const permit2Abi = parseAbi([
  'function invalidateUnorderedNonces(uint256 word, uint256 mask)',
  'function permitTransferFrom(((address token, uint256 amount) permitted, uint256 nonce, uint256 deadline) permit, (address to, uint256 requestedAmount) details, address owner, bytes signature)',
]);

/** The payer makes the payment void when the facilitator has it, which then claims this or that. */
const cancelledUnderWay: Theft = async (heist, nth) => {
  const { payer, payload, offer, isPermit, terms } = await rightly(heist, nth);
  const { chain } = heist.shop;
  const invented = numberToHex(nth + 1, { size: 32 });
  let cancellation = '';
  heist.shop.settles(payer.address, async () => {
    if (cancellation === '') {
      const args = [BigInt(terms.nonce) >> 8n, 1n << (BigInt(terms.nonce) & 255n)] as const;
      const { transactionHash } = isPermit
        ? await chain.send(payer.address, permit2, { abi: permit2Abi, functionName: 'invalidateUnorderedNonces', args })
        : await chain.sendRaw(stranger, offer.asset, await cancelCall(payer, terms.nonce, offer));
      cancellation = transactionHash;
    }
    const claim = settled(heist, pick([cancellation, '', invented], nth >> 1), payer.address);
    return { ...claim, success: claim.transaction !== '' };
  });
  const [door, question] = [heist.door(), heist.question()];
  // Permit2 logs no nonce: while a transaction that was named is awaited, it may be the payment (AG-235).
  const isAwaited = isPermit && pick([false, false, true], nth >> 1);
  const [ask, word] = isAwaited ? [heist.ask, 'settlement_unknown'] : [heist.askUntilKnown, 'cancelled'];
  refused(await ask(door, question, { payment: payload }), word);
  expect(cancellation).not.toBe('');
  refused(await ask(door, question, { payment: base64(payload, 1) }), word);
  return { bought: 0 };
};

/** The permit's nonce is spent on another permit, and the facilitator names that transaction. */
const spentElsewhere: Theft = async (heist, nth) => {
  const { shop } = heist;
  const { chain } = shop;
  if (nth % 2 === 0) {
    // By authorisation: the nonce pays a stranger.
    const [payer, offer] = [heist.payer(), shop.offers.authorised];
    const { payload, terms } = await authorise(payer, { offer });
    const elsewhere = await authorise(payer, { offer, changes: { nonce: terms.nonce, to: stranger } });
    shop.settles(payer.address, async () => {
      const { transactionHash } = await chain.sendRaw(stranger, offer.asset, transferCall(elsewhere));
      return settled(heist, transactionHash, payer.address);
    });
    refused(await heist.askUntilKnown(heist.door(), heist.question(), { payment: payload }), 'used_elsewhere');
    expect([await shop.held(payer.address), shop.asked(payer.address)]).toEqual([price, 1]);
    return { bought: 0 };
  }
  const [payer, offer] = [heist.permitPayer(), shop.offers.permitted];
  const { payload, terms } = await permit(payer, { offer });
  const permitted = { token: offer.asset, amount: 1n };
  const [nonce, deadline] = [BigInt(terms.nonce), terms.validBefore];
  const signature = await payer.signTypedData({
    domain: { name: 'Permit2', chainId: 31_337, verifyingContract: permit2 },
    types: {
      PermitTransferFrom: [
        { name: 'permitted', type: 'TokenPermissions' },
        { name: 'spender', type: 'address' },
        { name: 'nonce', type: 'uint256' },
        { name: 'deadline', type: 'uint256' },
      ],
      TokenPermissions: [
        { name: 'token', type: 'address' },
        { name: 'amount', type: 'uint256' },
      ],
    },
    primaryType: 'PermitTransferFrom',
    message: { permitted, spender: stranger, nonce, deadline },
  });
  shop.settles(payer.address, async () => {
    const { transactionHash } = await chain.send(stranger, permit2, {
      abi: permit2Abi,
      functionName: 'permitTransferFrom',
      args: [{ permitted, nonce, deadline }, { to: stranger, requestedAmount: 1n }, payer.address, signature],
    });
    return settled(heist, transactionHash, payer.address);
  });
  const [door, question] = [heist.door(), heist.question()];
  refused(await heist.ask(door, question, { payment: payload }), 'settlement_unknown');
  // One unit has gone elsewhere. That is no outcome before the permit's end (AG-233).
  expect(await shop.held(payer.address, offer.asset)).toBe(2n * price - 1n);
  refused(await heist.ask(door, question, { payment: base64(payload, 1) }), 'settlement_unknown');
  return { bought: 0 };
};

const lyingFacilitator: Theft = async (heist, nth) => {
  const { shop } = heist;
  const { payer, payload, offer, isPermit } = await rightly(heist, nth);
  // Somebody else's payment, a gift of the payer himself, and transactions that there are not.
  const other = heist.payer();
  const lies: readonly (() => Promise<string>)[] = [
    async () => {
      const theirs = await authorise(other, { offer: shop.offers.authorised });
      return (await shop.chain.sendRaw(stranger, shop.offers.authorised.asset, transferCall(theirs))).transactionHash;
    },
    async () => numberToHex(nth + 1, { size: 32 }),
    async () => '',
    async () => 'paid',
  ];
  const lie = await pick(lies, nth >> 1)();
  const gifts = await shop.paidBy(other.address);
  shop.settles(payer.address, async () => settled(heist, lie, payer.address));
  const [door, question] = [heist.door(), heist.question()];
  refused(await heist.ask(door, question, { payment: payload }), 'settlement_unknown');
  expect([shop.asked(payer.address), await shop.held(payer.address, offer.asset)]).toEqual([1, 2n * price]);
  shop.settles(payer.address, (_body, settle) => settle());
  const told = await heist.askUntilKnown(door, question, { payment: payload });
  expect(told.isAnswered, `${told.text} by ${isPermit ? 'permit' : 'authorisation'}`).toBe(true);
  return { bought: 1, gifts };
};

const walletAbi = parseAbi([
  'function turn(uint8 mood)',
  'function approve(address token, address spender, uint256 amount)',
]);
const moods = { key: 0, anybody: 1, nobody: 2, askedOnly: 3 } as const;

async function newWallet({ chain }: Shop, key: PrivateKeyAccount): Promise<Address> {
  const source = 'test/mocks/ContractPayer.sol';
  const path = await kept('contract-payer', [source, 'script/local/compile.ts'], '', async () =>
    JSON.stringify(await compile(new URL(`../../${source}`, import.meta.url))),
  );
  const { address } = privateKeyToAccount(generatePrivateKey());
  await chain.place(address, JSON.parse(readFileSync(path, 'utf8')), [key.address], treasurer);
  return address;
}

/** A contract wallet that says yes to the check and no to the settlement, or that is anybody's. */
const fickleWallet: Theft = async (heist, nth) => {
  const { shop } = heist;
  const { chain } = shop;
  const isPermit = nth % 2 === 1;
  const offer = isPermit ? shop.offers.permitted : shop.offers.authorised;
  const key = privateKeyToAccount(generatePrivateKey());
  const wallet = await newWallet(shop, key);
  heist.joins(wallet);
  const funds = { abi: erc20Abi, functionName: 'transfer', args: [wallet, price] } as const;
  await chain.send(treasurer, offer.asset, funds);
  const approval = { abi: walletAbi, functionName: 'approve', args: [offer.asset, permit2, price] } as const;
  if (isPermit) await chain.send(stranger, wallet, approval);
  const turn = (mood: keyof typeof moods) =>
    chain.send(stranger, wallet, { abi: walletAbi, functionName: 'turn', args: [moods[mood]] });
  const sign = (by: PrivateKeyAccount, nonce: Hex) =>
    (isPermit ? permit : authorise)(by, { offer, changes: { from: wallet, nonce } });
  const nonce = newNonce();
  const [door, question] = [heist.door(), heist.question()];
  const mood = pick(['nobody', 'askedOnly', 'anybody'] as const, nth >> 1);
  if (mood === 'anybody') {
    await turn(mood);
    const [first, second] = [await sign(key, nonce), await sign(privateKeyToAccount(generatePrivateKey()), nonce)];
    expect((await heist.askUntilKnown(door, question, { payment: first.payload })).isAnswered).toBe(true);
    const told = await heist.ask(heist.door(), heist.question(), { payment: second.payload });
    refused(told, 'payment_used_for_another_prompt');
    return { bought: 1 };
  }
  if (mood === 'askedOnly') await turn(mood);
  shop.settles(wallet, async (_body, settle) => {
    if (mood === 'nobody') await turn(mood);
    return settle();
  });
  const { payload } = await sign(key, nonce);
  refused(await heist.ask(door, question, { payment: payload }), 'facilitator_refuses', 'settlement_unknown');
  // Its check was passed.
  expect([shop.asked(wallet), await shop.held(wallet, offer.asset)]).toEqual([1, price]);
  refused(await heist.ask(heist.door(), heist.question(), { payment: payload }), 'payment_used_for_another_prompt');
  return { bought: 0 };
};

const anothersKey: Theft = async (heist, nth) => {
  const { payer, payload, offer, isPermit } = await rightly(heist, nth);
  const [door, question, idempotencyKey] = [heist.door(), heist.question(), `order ${newNonce()}`];
  expect((await heist.ask(door, question, { payment: payload, idempotencyKey })).isAnswered).toBe(true);
  const sign = (by: PrivateKeyAccount, from: Address) =>
    (isPermit ? permit : authorise)(by, { offer, changes: { from } });
  const thief = privateKeyToAccount(generatePrivateKey());
  const tries: readonly [word: string, question: Question, payment: Payload | undefined][] = [
    [isPermit ? 'not_approved' : 'token_refuses', question, (await sign(thief, thief.address)).payload],
    ['bad_signature', question, (await sign(thief, payer.address)).payload],
    ['payment_required', question, undefined],
    ['idempotency_key_reused', heist.question(), (await sign(payer, payer.address)).payload],
  ];
  for (const [word, asked, payment] of tries) {
    refused(await heist.ask(heist.door(door.kind), asked, { payment, idempotencyKey }), word);
  }
  // The key is known: for its payer a second payment is not taken, at another door neither.
  const again = { payment: (await sign(payer, payer.address)).payload, idempotencyKey };
  expect((await heist.ask(heist.door(door.kind), question, again)).isAnswered).toBe(true);
  return { bought: 1 };
};

const declinedFirst: Theft = async (heist, nth) => {
  const { payer, payload, offer } = await rightly(heist, nth);
  const { network } = offer;
  heist.shop.settles(payer.address, async () => ({ success: false, errorReason: 'no', transaction: '', network }));
  const [door, question] = [heist.door(), heist.question()];
  refused(await heist.ask(door, question, { payment: payload }), 'facilitator_refuses');
  heist.shop.settles(payer.address, (_body, settle) => settle());
  const other = await heist.ask(heist.door(), heist.question(), { payment: payload });
  refused(other, 'payment_used_for_another_prompt');
  expect((await heist.askUntilKnown(door, question, { payment: payload })).isAnswered).toBe(true);
  return { bought: 1 };
};

/** Two payments with funds for one: the payer has spent one answer elsewhere first. */
const fundsForOne: Theft = async (heist, nth) => {
  const { shop } = heist;
  const { payer, offer, isPermit, ...first } = await rightly(heist, nth);
  const second = await (isPermit ? permit : authorise)(payer, { offer });
  await chainTransfer(shop, payer.address, offer.asset);
  const [one, two] = [
    { door: heist.door(), question: heist.question(), payment: first.payload },
    { door: heist.door(), question: heist.question(), payment: second.payload },
  ];
  const told = await Promise.all(
    [one, two].map(({ door, question, payment }) => heist.askUntilKnown(door, question, { payment })),
  );
  expect(told.filter(({ isAnswered }) => isAnswered)).toHaveLength(1);
  for (const each of told) if (!each.isAnswered) refused(each, 'token_refuses', 'facilitator_refuses');
  return { bought: 1 };
};

async function chainTransfer({ chain }: Shop, from: Address, token: Address): Promise<void> {
  await chain.impersonateAccount({ address: from });
  await chain.setBalance({ address: from, value: 10n ** 18n });
  await chain.send(from, token, { abi: erc20Abi, functionName: 'transfer', args: [stranger, price] });
}

export const thefts: Readonly<Record<string, Theft>> = {
  replayed,
  copiedInFlight,
  fromCalldata,
  otherTerms,
  otherPermit,
  forgery,
  atTwoDoors,
  inParallel,
  cancelledUnderWay,
  spentElsewhere,
  lyingFacilitator,
  fickleWallet,
  anothersKey,
  declinedFirst,
  fundsForOne,
  withoutPaying,
};
