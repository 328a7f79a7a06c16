// The parts that a loan's section loads after the loan itself, as one file.
export { AllRescues } from './all-rescues.tsx';
export { CloseLoan } from './close-loan.tsx';
export { ConsentOffer } from './consent-offer.tsx';
export { FundLoan } from './fund-loan.tsx';
export { NewGuard } from './new-guard.tsx';
export { PayForm } from './pay-form.tsx';
export { Rescues } from './rescues.tsx';
export { SetGuard } from './set-guard.tsx';
export { SpareApprovals } from './spare-approvals.tsx';
