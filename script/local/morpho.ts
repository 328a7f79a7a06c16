import { compiledSources, paths, solcOf } from './published-sources.ts';

/**
 * Morpho Blue, for the tests of test/fork alone: no part of the replica. Licensed under BUSL-1.1: downloaded for tests
 * only, and not part of this project. The default number of runs and no IR make its compilation five times as fast.
 */
const morphoBlue = {
  spec: '@morpho-org/morpho-blue@1.0.0',
  sha512: 'MKtzYMRE65B1hVJYAPtml3ecHPY2e/SL3JRvM7XWjtbnWQX6U/C3beSdxr7v+rHaVJ0ri/dUPxvNfWtr0NZdGw==',
  files: paths(
    'src/Morpho.sol',
    'src/interfaces/IERC20.sol',
    'src/interfaces/IIrm.sol',
    'src/interfaces/IMorpho.sol',
    'src/interfaces/IMorphoCallbacks.sol',
    'src/interfaces/IOracle.sol',
    'src/libraries/ConstantsLib.sol',
    'src/libraries/ErrorsLib.sol',
    'src/libraries/EventsLib.sol',
    'src/libraries/MarketParamsLib.sol',
    'src/libraries/MathLib.sol',
    'src/libraries/SafeTransferLib.sol',
    'src/libraries/SharesMathLib.sol',
    'src/libraries/UtilsLib.sol',
    'src/mocks/IrmMock.sol',
  ),
  compiler: solcOf(
    '0.8.19',
    'yqurS3wzC4LdEvmMobODXqprV4MYJcVtinuxgrp61ac8K2zz40vXA0eSAskSHPgv8dQo7Nux39i3QBsHx4pqyA==',
  ),
  settings: { evmVersion: 'paris' },
  optimizerRuns: 200,
  contracts: { Morpho: 'src/Morpho.sol', IrmMock: 'src/mocks/IrmMock.sol' },
};

/** Returns the path of the compiled contracts, which test/base/MorphoBase.sol reads. */
export const morphoArtifacts = (): Promise<string> => compiledSources('morpho', morphoBlue);
