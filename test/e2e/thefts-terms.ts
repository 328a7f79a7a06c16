import { numberToHex, parseSignature, serializeSignature } from 'viem';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { expect } from 'vitest';
import { tokens } from '../../lab/world/addresses.ts';
import { type Heist, refused, stranger, varied } from './heist.ts';
import { price, type Shop } from './shop.ts';
import { authorise, forged, newNonce, nowSeconds, permit, type Signed } from './signed-payment.ts';

// Payments that differ from what is asked for: other terms, or another signer.

/** The same payer's correct payment is answered afterwards: only the wrong term was in its way. */
async function rightAfterAll(heist: Heist, payer: PrivateKeyAccount, isPermit: boolean): Promise<void> {
  const { authorised, permitted } = heist.shop.offers;
  expect(heist.shop.asked(payer.address)).toBe(0);
  const { payload } = await (isPermit ? permit(payer, { offer: permitted }) : authorise(payer, { offer: authorised }));
  const told = await heist.ask(heist.door(), heist.question(), { payment: payload });
  expect(told.isAnswered, told.text).toBe(true);
}

type Offers = Shop['offers'];
/** The reason of the refusal, and what is signed. */
type Wrong<Sign extends typeof authorise | typeof permit> = (
  offers: Offers,
) => readonly [reason: string, signing: Parameters<Sign>[1]];

const terms: Readonly<Record<string, Wrong<typeof authorise>>> = {
  'to another': ({ authorised: offer }) => ['other_payee', { offer, changes: { to: stranger } }],
  'one wei less': ({ authorised: offer }) => ['other_amount', { offer, changes: { value: price - 1n } }],
  'for another chain': ({ authorised: offer }) => ['bad_signature', { offer, domain: { chainId: 56 } }],
  'for another token': ({ authorised: offer }) => [
    'bad_signature',
    { offer, domain: { verifyingContract: tokens.USDT } },
  ],
  expired: ({ authorised: offer }) => ['expired', { offer, changes: { validBefore: nowSeconds() - 1n } }],
  'not valid yet': ({ authorised: offer }) => [
    'not_valid_yet',
    { offer, changes: { validAfter: nowSeconds() + 120n } },
  ],
  'for ever': ({ authorised: offer }) => ['valid_too_long', { offer, changes: { validBefore: 2n ** 256n - 1n } }],
  'of nothing': ({ authorised: offer }) => ['other_amount', { offer, changes: { value: 0n } }],
  'under an offer on another chain': ({ authorised: offer }) => [
    'other_terms',
    { offer: { ...offer, network: 'eip155:56' }, domain: { chainId: 31_337 } },
  ],
  'under an offer in another token': ({ authorised: offer }) => [
    'other_terms',
    { offer: { ...offer, asset: stranger } },
  ],
  'under an offer to another': ({ authorised: offer }) => ['other_terms', { offer: { ...offer, payTo: stranger } }],
  'under an offer for less': ({ authorised: offer }) => ['other_terms', { offer: { ...offer, amount: '1' } }],
  'as a permit': ({ authorised: offer }) => [
    'other_terms',
    { offer: { ...offer, extra: { ...offer.extra, assetTransferMethod: 'permit2-exact' } } },
  ],
  'about to expire': ({ authorised: offer }) => ['expired', { offer, changes: { validBefore: nowSeconds() + 5n } }],
};

export const otherTerms = varied(terms, async (heist, wrong) => {
  const [reason, signing] = wrong(heist.shop.offers);
  const payer = heist.payer();
  const { payload } = await authorise(payer, signing);
  refused(await heist.ask(heist.door(), heist.question(), { payment: payload }), reason);
  await rightAfterAll(heist, payer, false);
  return { bought: 1 };
});

const permits: Readonly<Record<string, Wrong<typeof permit>>> = {
  "for another's spending": ({ permitted: offer }) => [
    'facilitator_refuses',
    { offer, changes: { spender: stranger } },
  ],
  'to another': ({ permitted: offer }) => ['other_payee', { offer, changes: { to: stranger } }],
  'of another token': ({ permitted: offer }) => ['other_token', { offer, changes: { token: tokens.USDC } }],
  'of a half': ({ permitted: offer }) => ['other_amount', { offer, changes: { value: price / 2n } }],
  expired: ({ permitted: offer }) => ['expired', { offer, changes: { validBefore: nowSeconds() - 1n } }],
  'for another chain': ({ permitted: offer }) => ['facilitator_refuses', { offer, domain: { chainId: 56 } }],
  "for another's Permit2": ({ permitted: offer, authorised }) => [
    'facilitator_refuses',
    { offer, domain: { verifyingContract: authorised.asset } },
  ],
};

export const otherPermit = varied(permits, async (heist, wrong) => {
  const [reason, signing] = wrong(heist.shop.offers);
  const payer = heist.permitPayer();
  const { payload } = await permit(payer, signing);
  refused(await heist.ask(heist.door(), heist.question(), { payment: payload }), reason);
  await rightAfterAll(heist, payer, true);
  return { bought: 1 };
});

interface Forging {
  readonly offer: Offers['authorised'];
  /** The victim's own. */
  readonly own: Signed;
  readonly thief: PrivateKeyAccount;
}

function mirrored({ signature }: Signed) {
  const { r, s, yParity } = parseSignature(signature);
  const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
  return serializeSignature({ r, s: numberToHex(order - BigInt(s), { size: 32 }), yParity: 1 - yParity });
}

const fakes: Readonly<Record<string, (forging: Forging) => Signed | Promise<Signed>>> = {
  'another nonce': ({ offer, own }) => forged(offer, own, { nonce: newNonce() }),
  'signed by the thief': ({ offer, own, thief }) => authorise(thief, { offer, changes: { from: own.terms.from } }),
  'from the thief': ({ offer, own, thief }) => forged(offer, own, { from: thief.address }),
  'the mirrored signature': ({ offer, own }) => forged(offer, own, {}, mirrored(own)),
  'a longer signature': ({ offer, own }) => forged(offer, own, {}, `${own.signature}00`),
  'a later end': ({ offer, own }) => forged(offer, own, { validBefore: own.terms.validBefore + 60n }),
  'from the token': ({ offer, own }) => forged(offer, own, { from: offer.asset }),
};

export const forgery = varied(fakes, async (heist, forge) => {
  const { authorised: offer } = heist.shop.offers;
  const victim = heist.payer();
  const thief = privateKeyToAccount(generatePrivateKey());
  const { payload } = await forge({ offer, own: await authorise(victim, { offer }), thief });
  refused(await heist.ask(heist.door(), heist.question(), { payment: payload }), 'bad_signature');
  await rightAfterAll(heist, victim, false);
  return { bought: 1 };
});
