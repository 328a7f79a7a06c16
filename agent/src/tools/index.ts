import { about } from './about.ts';
import { checkAsset } from './check-asset.ts';
import { draftCollateralGuard, draftGuard, draftPlan, draftRevoke } from './draft-permission.ts';
import { draftSwap } from './draft-swap.ts';
import { getHistory } from './get-history.ts';
import { getPrice } from './get-price.ts';
import { listAssets } from './list-assets.ts';
import { listPlans } from './list-plans.ts';
import { listRuns } from './list-runs.ts';
import { loanHealth } from './loan-health.ts';
import { planOutlook } from './plan-outlook.ts';
import { previewRescue } from './preview-rescue.ts';
import { quoteSwap } from './quote-swap.ts';
import type { Tool } from './tool.ts';
import { whatIf } from './what-if.ts';

/** All tools. Every API serves all of them. */
export const tools = [
  listAssets,
  getPrice,
  getHistory,
  checkAsset,
  quoteSwap,
  draftSwap,
  draftPlan,
  draftGuard,
  draftCollateralGuard,
  draftRevoke,
  listPlans,
  listRuns,
  planOutlook,
  loanHealth,
  whatIf,
  previewRescue,
  about,
] as const satisfies readonly Tool[];
