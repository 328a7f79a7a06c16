import { said } from '../language.ts';
// What Verify says, and the findings on a ticket or evidence in every section, in English.

export const verifyWords = said('verifyWords', {
  title: 'Verify a ticket',
  lead: 'A ticket is a verdict signed by Bowline’s agent. This browser checks who signed it, what it allows, and whether it follows from its evidence. Nothing is sent to a server.',
  badLink: 'This link has no readable ticket',
  field: 'Ticket, or the answer that contains it, as JSON',
  file: 'Or a file',
  tooLarge: 'This file is too large',
  tooLargeMore: 'A ticket with its evidence is under 1 MB. The file was not read.',
  verify: 'Verify',
  verifying: 'Verifying',
  noTicket: 'This is not a ticket',
  noTicketMore: 'Paste the JSON of a ticket, or the whole answer of check_asset or GET /verdict.',
  notChecked: 'The ticket was not checked',
  browserClock: 'Expiry is judged by this browser’s clock',

  signedBy: 'Signed by',
  signedByNobody: 'no one: the signature matches no key',
  paysWith: 'Pays with',
  receives: 'Receives',
  maxPerTrade: 'At most per trade',
  nothing: 'nothing: it is for a record only',
  baseUnits: (base: bigint) => `${base} base units`,
  highestPrice: 'Maximum price',
  lowestPrice: 'Minimum price',
  noPrice: 'none: it is for a record only',
  per: (price: string, pay: string, buy: string) => `${price} ${pay} per ${buy}`,
  perBase: (base: bigint) => `${base} base units per 1e18`,
  issued: 'Issued',
  expired: 'Expired',
  doNotAct: 'Do not act on this ticket',
  genuineUntold: 'Signed by this deployment, expiry unknown',
  untold: 'The chain’s node is not responding or behind, so this page cannot tell whether the ticket has expired.',
  genuineExpired: 'Genuine, but expired',
  goodAndFollows: 'Signed by this deployment, in force, and follows from its evidence',
  good: 'Signed by this deployment, and in force',
  signatureOnly: 'Evidence not available: only the signature vouches for the verdict.',
  looser: 'Judged by looser limits than this project’s',
  looserMore:
    'Its signer accepted what the usual limits reject. The verdict follows only from the limits in its evidence.',
  looserThan: (own: bigint, usual: bigint) => `${own}, usually ${usual}`,
  says: 'Contents',
  saysWord: (verdict: string) => `says ${verdict}`,
  notValid: (verdict: string) => `not valid: says ${verdict}`,
  was: (verdict: string) => `was ${verdict}`,
  checkedAt: (time: string) => `Checked at ${time}.`,
  pasteAll: 'Evidence not available. Paste the whole answer to re-evaluate it.',
  judgedAgain: 'Re-evaluated from its evidence',
  unknownRules: 'The evidence cannot be judged by the rules this page knows.',
  follow: (follow: number, all: number) => `${follow} of ${all} statements confirmed`,
  unchecked: (statements: number) => `, ${statements} could not be checked`,
  differ: (statements: number) => `, ${statements} differ`,
  end: '.',
  whyUnchecked: (what: string, why: string) => `${what}: ${why}`,
  differs: 'differs',
  stated: (value: string) => `stated ${value}`,
  found: (value: string) => `found ${value}`,
  makeLink: 'Create link',
  problem: (title: string, more: string) => `${title}. ${more}`,
  link: 'Link. Nothing after the # is sent to a server.',
});

/** Why evidence or a ticket was not judged. */
export const judgeWords = said('judgeWords', {
  unread: 'It cannot be read.',
  not_loaded: 'The part of this page that judges evidence could not be loaded. The page’s server may be down.',
  too_slow: 'Judging it took longer than 20 seconds and was stopped.',
});

/** Each problem of a ticket, as a title and what it means. */
export const problemWords = said('problemWords', {
  other_deployment: {
    title: 'It is for another deployment',
    more: 'It names a different chain or registry than this page. The registry here refuses it.',
  },
  other_trade: { title: 'It is for another trade', more: 'Its tokens do not match the trade.' },
  too_small: { title: 'It is for a smaller amount', more: 'Its maximum amount is below the trade’s.' },
  bad_signature: {
    title: 'The signature is not from the signer it names',
    more: 'A field was changed after it was signed, or the signature is someone else’s.',
  },
  other_signer: {
    title: 'It is not signed by this deployment',
    more: 'The deployment’s record does not name the signer. Anyone can sign a ticket of their own.',
  },
  not_valid_yet: { title: 'It is not valid yet', more: 'It was issued after the chain’s latest block.' },
  expired: {
    title: 'It has expired',
    more: 'The registry no longer accepts it. What it said then can still be checked.',
  },
  other_evidence: {
    title: 'The evidence is not what was signed',
    more: 'Its hash differs from the signed one.',
  },
  unsupported_rules: {
    title: 'Its rules version is not supported',
    more: 'The evidence names a version of the rules that this page does not have, so nothing was re-evaluated.',
  },
  does_not_follow: {
    title: 'It does not follow from its evidence',
    more: 'Re-evaluated, the evidence gives a different result.',
  },
});
