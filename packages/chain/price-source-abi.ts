import { parseAbi } from 'viem';

/** contracts/interfaces/IPriceSource.sol */
export const priceSourceAbi = parseAbi([
  'function prices(address tokenIn, address tokenOut) view returns (uint256 priceInWad, uint256 priceOutWad)',
]);
