import type { TicketProblem } from '@bowline/core/replay/ticket-check';

/** Each problem, as a title and what it means. */
export const problemWords: Readonly<Record<TicketProblem, readonly [title: string, meaning: string]>> = {
  other_deployment: [
    'It is for another deployment',
    'It names another chain or another registry than this page’s. The registry here refuses it.',
  ],
  other_trade: ['It is for another trade', 'Its tokens are not those of the trade.'],
  too_small: ['It is for less', 'Its maximum amount is below the trade’s.'],
  bad_signature: [
    'The signature is not by the signer it names',
    'A field was changed after it was signed, or the signature is somebody else’s.',
  ],
  other_signer: [
    'It is not signed by this deployment',
    'The deployment’s record does not name the signer. Anybody can sign a ticket of their own.',
  ],
  not_valid_yet: ['It is not valid yet', 'It was issued after the chain’s newest block.'],
  expired: ['It has expired', 'The registry no longer accepts it. What it said then can still be checked.'],
  other_evidence: ['The evidence is not the one it was signed for', 'Its hash differs from the signed one.'],
  does_not_follow: ['It does not follow from its evidence', 'Judged again, the evidence gives something else.'],
};
