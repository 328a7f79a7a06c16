import { loading, part } from './sale-part.tsx';

// The parts below the loan itself. Their code is loaded when they are first shown.

export const loadForms = () => import('./forms.ts');

export const PayPart = part(async () => (await loadForms()).PayForm, loading);
export const GuardPart = part(async () => (await loadForms()).SetGuard, loading);
export const NewGuard = part(async () => (await loadForms()).NewGuard, loading);
export const ClosePart = part(async () => (await loadForms()).CloseLoan, loading);
export const FundPart = part(async () => (await loadForms()).FundLoan, loading);
export const OfferPart = part(async () => (await loadForms()).ConsentOffer, loading);
export const SparePart = part(async () => (await loadForms()).SpareApprovals);
export const AllRescues = part(async () => (await loadForms()).AllRescues);
export const Rescues = part(async () => (await loadForms()).Rescues);
