import { type ComponentProps, type ReactNode, Suspense } from 'react';
import { ErrorBoundary } from '../parts/error-boundary.tsx';
import { lazyPart } from '../parts/lazy-part.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { guardWords } from '../words/en/guard.ts';

// What comes after the loan itself: its code is loaded when it is first shown.
export const loadForms = () => import('./forms.ts');
const { Part: PayForm } = lazyPart(async () => (await loadForms()).PayForm);
const { Part: SetGuard } = lazyPart(async () => (await loadForms()).SetGuard);
const { Part: New } = lazyPart(async () => (await loadForms()).NewGuard);
const { Part: Fund } = lazyPart(async () => (await loadForms()).FundLoan);
const { Part: Offer } = lazyPart(async () => (await loadForms()).ConsentOffer);
const { Part: Close } = lazyPart(async () => (await loadForms()).CloseLoan);
const { Part: RescuesOf } = lazyPart(async () => (await loadForms()).Rescues);
const { Part: AllOf } = lazyPart(async () => (await loadForms()).AllRescues);

/** Placeholder while a form's code loads; a part below others needs none. */
const within = (part: ReactNode, meanwhile?: ReactNode) => (
  <ErrorBoundary what={guardWords.theLoan}>
    <Suspense fallback={meanwhile}>{part}</Suspense>
  </ErrorBoundary>
);
const Loading = () => <Skeleton label={guardWords.loadingForm} />;

export const PayPart = (props: ComponentProps<typeof PayForm>) => within(<PayForm {...props} />, <Loading />);
export const GuardPart = (props: ComponentProps<typeof SetGuard>) => within(<SetGuard {...props} />, <Loading />);
export const ClosePart = (props: ComponentProps<typeof Close>) => within(<Close {...props} />, <Loading />);
export const FundPart = (props: ComponentProps<typeof Fund>) => within(<Fund {...props} />, <Loading />);
export const OfferPart = (props: ComponentProps<typeof Offer>) => within(<Offer {...props} />, <Loading />);
export const NewGuard = (props: ComponentProps<typeof New>) => within(<New {...props} />, <Loading />);
export const AllRescues = (props: ComponentProps<typeof AllOf>) => within(<AllOf {...props} />);
export const Rescues = (props: ComponentProps<typeof RescuesOf>) => within(<RescuesOf {...props} />);
