export {
  collateralGuardAbi,
  loanGuardAbi,
  planRegistryAbi,
  quoteDeskAbi,
  revocationsAbi,
  swapExecutorAbi,
} from '../../abis/index.ts';
