import { compiled, type Package } from './artifacts.ts';

const contract = (path: string) =>
  compiled(`artifacts/contracts/${path}.sol/${path.slice(path.lastIndexOf('/') + 1)}.json`);

/**
 * Aave v3.0, for the tests of test/fork alone: no part of the replica. They link and deploy it (test/base/AaveBase.sol).
 * Licensed under BUSL-1.1: downloaded for tests only, and not part of this project.
 */
export const aaveCore = {
  spec: '@aave/core-v3@1.19.3',
  sha512: 'Xr7+VcoU5b4mPwM4IUCnskw3lciwrnL4Xloyad8GOddYeixnri2lZYobNmErm1LwE50vqjI0O+9QGNKY2TDkeQ==',
  files: {
    BorrowLogic: contract('protocol/libraries/logic/BorrowLogic'),
    BridgeLogic: contract('protocol/libraries/logic/BridgeLogic'),
    ConfiguratorLogic: contract('protocol/libraries/logic/ConfiguratorLogic'),
    EModeLogic: contract('protocol/libraries/logic/EModeLogic'),
    FlashLoanLogic: contract('protocol/libraries/logic/FlashLoanLogic'),
    LiquidationLogic: contract('protocol/libraries/logic/LiquidationLogic'),
    PoolLogic: contract('protocol/libraries/logic/PoolLogic'),
    SupplyLogic: contract('protocol/libraries/logic/SupplyLogic'),
    ACLManager: contract('protocol/configuration/ACLManager'),
    PoolAddressesProvider: contract('protocol/configuration/PoolAddressesProvider'),
    DefaultReserveInterestRateStrategy: contract('protocol/pool/DefaultReserveInterestRateStrategy'),
    Pool: contract('protocol/pool/Pool'),
    PoolConfigurator: contract('protocol/pool/PoolConfigurator'),
    AToken: contract('protocol/tokenization/AToken'),
    StableDebtToken: contract('protocol/tokenization/StableDebtToken'),
    VariableDebtToken: contract('protocol/tokenization/VariableDebtToken'),
    AaveOracle: contract('misc/AaveOracle'),
    AaveProtocolDataProvider: contract('misc/AaveProtocolDataProvider'),
  },
} as const satisfies Package;
