import { type ComponentType, type ReactNode, Suspense } from 'react';
import { ErrorBoundary } from '../parts/error-boundary.tsx';
import { lazyPart } from '../parts/lazy-part.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { guardWords } from '../words/en/guard.ts';

// What comes after the loan itself: its code is loaded when it is first shown.

export const loadForms = () => import('./forms.ts');

/** @param meanwhile stands there while the code loads; a part below others needs nothing. */
function part<Props extends object>(load: () => Promise<ComponentType<Props>>, meanwhile?: ReactNode) {
  const { Part } = lazyPart(load);
  return (props: Props) => (
    <ErrorBoundary what={guardWords.theLoan}>
      <Suspense fallback={meanwhile}>
        <Part {...props} />
      </Suspense>
    </ErrorBoundary>
  );
}

const Loading = () => <Skeleton label={guardWords.loadingForm} />;
const loading = <Loading />;

export const PayPart = part(async () => (await loadForms()).PayForm, loading);
export const GuardPart = part(async () => (await loadForms()).SetGuard, loading);
export const NewGuard = part(async () => (await loadForms()).NewGuard, loading);
export const ClosePart = part(async () => (await loadForms()).CloseLoan, loading);
export const FundPart = part(async () => (await loadForms()).FundLoan, loading);
export const OfferPart = part(async () => (await loadForms()).ConsentOffer, loading);
/** Few guards sell collateral. */
export const SalePart = part(async () => (await import('./set-sale.tsx')).SetSale, loading);
export const AllRescues = part(async () => (await loadForms()).AllRescues);
export const Rescues = part(async () => (await loadForms()).Rescues);
