//////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////
// CollateralGuard
//////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////

export const collateralGuardAbi = [
  {
    type: 'constructor',
    inputs: [
      {
        name: 'revocations_',
        internalType: 'contract IRevocations',
        type: 'address',
      },
      {
        name: 'rules_',
        internalType: 'contract ICollateralTerms',
        type: 'address',
      },
    ],
    stateMutability: 'nonpayable',
  },
  {
    type: 'function',
    inputs: [],
    name: 'GAS_PER_RESCUE',
    outputs: [{ name: '', internalType: 'uint256', type: 'uint256' }],
    stateMutability: 'view',
  },
  {
    type: 'function',
    inputs: [{ name: 'guardId', internalType: 'uint256', type: 'uint256' }],
    name: 'cancel',
    outputs: [],
    stateMutability: 'nonpayable',
  },
  {
    type: 'function',
    inputs: [{ name: 'nonce', internalType: 'uint256', type: 'uint256' }],
    name: 'cancelNonce',
    outputs: [],
    stateMutability: 'nonpayable',
  },
  {
    type: 'function',
    inputs: [
      {
        name: 'consent',
        internalType: 'struct ICollateralGuard.Consent',
        type: 'tuple',
        components: [
          {
            name: 'terms',
            internalType: 'struct ICollateralGuard.Terms',
            type: 'tuple',
            components: [
              { name: 'borrower', internalType: 'address', type: 'address' },
              { name: 'funder', internalType: 'address', type: 'address' },
              { name: 'adapter', internalType: 'address', type: 'address' },
              { name: 'debtMarket', internalType: 'bytes32', type: 'bytes32' },
              {
                name: 'collateralMarket',
                internalType: 'bytes32',
                type: 'bytes32',
              },
              { name: 'keeper', internalType: 'address', type: 'address' },
              { name: 'priceSource', internalType: 'address', type: 'address' },
              {
                name: 'triggerHealthWad',
                internalType: 'uint64',
                type: 'uint64',
              },
              {
                name: 'targetHealthWad',
                internalType: 'uint64',
                type: 'uint64',
              },
              { name: 'maxCostBps', internalType: 'uint16', type: 'uint16' },
              {
                name: 'capPerRescue',
                internalType: 'uint128',
                type: 'uint128',
              },
              { name: 'capPerDay', internalType: 'uint128', type: 'uint128' },
              { name: 'minRepay', internalType: 'uint128', type: 'uint128' },
              {
                name: 'cooldownSeconds',
                internalType: 'uint32',
                type: 'uint32',
              },
              { name: 'expiresAt', internalType: 'uint40', type: 'uint40' },
              {
                name: 'route',
                internalType: 'struct ICollateralGuard.Route',
                type: 'tuple',
                components: [
                  { name: 'firstFee', internalType: 'uint24', type: 'uint24' },
                  {
                    name: 'firstToken',
                    internalType: 'address',
                    type: 'address',
                  },
                  { name: 'secondFee', internalType: 'uint24', type: 'uint24' },
                  {
                    name: 'secondToken',
                    internalType: 'address',
                    type: 'address',
                  },
                  { name: 'thirdFee', internalType: 'uint24', type: 'uint24' },
                ],
              },
            ],
          },
          { name: 'nonce', internalType: 'uint256', type: 'uint256' },
          { name: 'deadline', internalType: 'uint256', type: 'uint256' },
          { name: 'borrowerEpoch', internalType: 'uint64', type: 'uint64' },
          { name: 'funderEpoch', internalType: 'uint64', type: 'uint64' },
        ],
      },
    ],
    name: 'digestOf',
    outputs: [{ name: '', internalType: 'bytes32', type: 'bytes32' }],
    stateMutability: 'view',
  },
  {
    type: 'function',
    inputs: [],
    name: 'eip712Domain',
    outputs: [
      { name: 'fields', internalType: 'bytes1', type: 'bytes1' },
      { name: 'name', internalType: 'string', type: 'string' },
      { name: 'version', internalType: 'string', type: 'string' },
      { name: 'chainId', internalType: 'uint256', type: 'uint256' },
      { name: 'verifyingContract', internalType: 'address', type: 'address' },
      { name: 'salt', internalType: 'bytes32', type: 'bytes32' },
      { name: 'extensions', internalType: 'uint256[]', type: 'uint256[]' },
    ],
    stateMutability: 'view',
  },
  {
    type: 'function',
    inputs: [
      { name: 'count', internalType: 'uint256', type: 'uint256' },
      { name: 'gasPerRescue', internalType: 'uint256', type: 'uint256' },
    ],
    name: 'gasLimitOf',
    outputs: [{ name: '', internalType: 'uint256', type: 'uint256' }],
    stateMutability: 'pure',
  },
  {
    type: 'function',
    inputs: [{ name: 'guardId', internalType: 'uint256', type: 'uint256' }],
    name: 'guard',
    outputs: [
      {
        name: '',
        internalType: 'struct ICollateralGuard.Guard',
        type: 'tuple',
        components: [
          {
            name: 'terms',
            internalType: 'struct ICollateralGuard.Terms',
            type: 'tuple',
            components: [
              { name: 'borrower', internalType: 'address', type: 'address' },
              { name: 'funder', internalType: 'address', type: 'address' },
              { name: 'adapter', internalType: 'address', type: 'address' },
              { name: 'debtMarket', internalType: 'bytes32', type: 'bytes32' },
              {
                name: 'collateralMarket',
                internalType: 'bytes32',
                type: 'bytes32',
              },
              { name: 'keeper', internalType: 'address', type: 'address' },
              { name: 'priceSource', internalType: 'address', type: 'address' },
              {
                name: 'triggerHealthWad',
                internalType: 'uint64',
                type: 'uint64',
              },
              {
                name: 'targetHealthWad',
                internalType: 'uint64',
                type: 'uint64',
              },
              { name: 'maxCostBps', internalType: 'uint16', type: 'uint16' },
              {
                name: 'capPerRescue',
                internalType: 'uint128',
                type: 'uint128',
              },
              { name: 'capPerDay', internalType: 'uint128', type: 'uint128' },
              { name: 'minRepay', internalType: 'uint128', type: 'uint128' },
              {
                name: 'cooldownSeconds',
                internalType: 'uint32',
                type: 'uint32',
              },
              { name: 'expiresAt', internalType: 'uint40', type: 'uint40' },
              {
                name: 'route',
                internalType: 'struct ICollateralGuard.Route',
                type: 'tuple',
                components: [
                  { name: 'firstFee', internalType: 'uint24', type: 'uint24' },
                  {
                    name: 'firstToken',
                    internalType: 'address',
                    type: 'address',
                  },
                  { name: 'secondFee', internalType: 'uint24', type: 'uint24' },
                  {
                    name: 'secondToken',
                    internalType: 'address',
                    type: 'address',
                  },
                  { name: 'thirdFee', internalType: 'uint24', type: 'uint24' },
                ],
              },
            ],
          },
          { name: 'repayToken', internalType: 'address', type: 'address' },
          { name: 'collateralToken', internalType: 'address', type: 'address' },
          {
            name: 'state',
            internalType: 'struct ICollateralGuard.State',
            type: 'tuple',
            components: [
              {
                name: 'status',
                internalType: 'enum ILoanGuard.Status',
                type: 'uint8',
              },
              { name: 'lastRescueAt', internalType: 'uint40', type: 'uint40' },
              { name: 'coolingSince', internalType: 'uint40', type: 'uint40' },
              { name: 'isBySource', internalType: 'bool', type: 'bool' },
              { name: 'day', internalType: 'uint32', type: 'uint32' },
              { name: 'takenInDay', internalType: 'uint128', type: 'uint128' },
              { name: 'rescues', internalType: 'uint32', type: 'uint32' },
            ],
          },
          { name: 'isRevoked', internalType: 'bool', type: 'bool' },
        ],
      },
    ],
    stateMutability: 'view',
  },
  {
    type: 'function',
    inputs: [],
    name: 'guardCount',
    outputs: [{ name: '', internalType: 'uint256', type: 'uint256' }],
    stateMutability: 'view',
  },
  {
    type: 'function',
    inputs: [
      { name: 'signer', internalType: 'address', type: 'address' },
      { name: 'nonce', internalType: 'uint256', type: 'uint256' },
    ],
    name: 'isNonceUsedUp',
    outputs: [{ name: '', internalType: 'bool', type: 'bool' }],
    stateMutability: 'view',
  },
  {
    type: 'function',
    inputs: [
      { name: 'amount0Delta', internalType: 'int256', type: 'int256' },
      { name: 'amount1Delta', internalType: 'int256', type: 'int256' },
      { name: 'data', internalType: 'bytes', type: 'bytes' },
    ],
    name: 'pancakeV3SwapCallback',
    outputs: [],
    stateMutability: 'nonpayable',
  },
  {
    type: 'function',
    inputs: [
      {
        name: 'terms',
        internalType: 'struct ICollateralGuard.Terms',
        type: 'tuple',
        components: [
          { name: 'borrower', internalType: 'address', type: 'address' },
          { name: 'funder', internalType: 'address', type: 'address' },
          { name: 'adapter', internalType: 'address', type: 'address' },
          { name: 'debtMarket', internalType: 'bytes32', type: 'bytes32' },
          {
            name: 'collateralMarket',
            internalType: 'bytes32',
            type: 'bytes32',
          },
          { name: 'keeper', internalType: 'address', type: 'address' },
          { name: 'priceSource', internalType: 'address', type: 'address' },
          { name: 'triggerHealthWad', internalType: 'uint64', type: 'uint64' },
          { name: 'targetHealthWad', internalType: 'uint64', type: 'uint64' },
          { name: 'maxCostBps', internalType: 'uint16', type: 'uint16' },
          { name: 'capPerRescue', internalType: 'uint128', type: 'uint128' },
          { name: 'capPerDay', internalType: 'uint128', type: 'uint128' },
          { name: 'minRepay', internalType: 'uint128', type: 'uint128' },
          { name: 'cooldownSeconds', internalType: 'uint32', type: 'uint32' },
          { name: 'expiresAt', internalType: 'uint40', type: 'uint40' },
          {
            name: 'route',
            internalType: 'struct ICollateralGuard.Route',
            type: 'tuple',
            components: [
              { name: 'firstFee', internalType: 'uint24', type: 'uint24' },
              { name: 'firstToken', internalType: 'address', type: 'address' },
              { name: 'secondFee', internalType: 'uint24', type: 'uint24' },
              { name: 'secondToken', internalType: 'address', type: 'address' },
              { name: 'thirdFee', internalType: 'uint24', type: 'uint24' },
            ],
          },
        ],
      },
    ],
    name: 'register',
    outputs: [{ name: 'guardId', internalType: 'uint256', type: 'uint256' }],
    stateMutability: 'nonpayable',
  },
  {
    type: 'function',
    inputs: [
      {
        name: 'consent',
        internalType: 'struct ICollateralGuard.Consent',
        type: 'tuple',
        components: [
          {
            name: 'terms',
            internalType: 'struct ICollateralGuard.Terms',
            type: 'tuple',
            components: [
              { name: 'borrower', internalType: 'address', type: 'address' },
              { name: 'funder', internalType: 'address', type: 'address' },
              { name: 'adapter', internalType: 'address', type: 'address' },
              { name: 'debtMarket', internalType: 'bytes32', type: 'bytes32' },
              {
                name: 'collateralMarket',
                internalType: 'bytes32',
                type: 'bytes32',
              },
              { name: 'keeper', internalType: 'address', type: 'address' },
              { name: 'priceSource', internalType: 'address', type: 'address' },
              {
                name: 'triggerHealthWad',
                internalType: 'uint64',
                type: 'uint64',
              },
              {
                name: 'targetHealthWad',
                internalType: 'uint64',
                type: 'uint64',
              },
              { name: 'maxCostBps', internalType: 'uint16', type: 'uint16' },
              {
                name: 'capPerRescue',
                internalType: 'uint128',
                type: 'uint128',
              },
              { name: 'capPerDay', internalType: 'uint128', type: 'uint128' },
              { name: 'minRepay', internalType: 'uint128', type: 'uint128' },
              {
                name: 'cooldownSeconds',
                internalType: 'uint32',
                type: 'uint32',
              },
              { name: 'expiresAt', internalType: 'uint40', type: 'uint40' },
              {
                name: 'route',
                internalType: 'struct ICollateralGuard.Route',
                type: 'tuple',
                components: [
                  { name: 'firstFee', internalType: 'uint24', type: 'uint24' },
                  {
                    name: 'firstToken',
                    internalType: 'address',
                    type: 'address',
                  },
                  { name: 'secondFee', internalType: 'uint24', type: 'uint24' },
                  {
                    name: 'secondToken',
                    internalType: 'address',
                    type: 'address',
                  },
                  { name: 'thirdFee', internalType: 'uint24', type: 'uint24' },
                ],
              },
            ],
          },
          { name: 'nonce', internalType: 'uint256', type: 'uint256' },
          { name: 'deadline', internalType: 'uint256', type: 'uint256' },
          { name: 'borrowerEpoch', internalType: 'uint64', type: 'uint64' },
          { name: 'funderEpoch', internalType: 'uint64', type: 'uint64' },
        ],
      },
      { name: 'signature', internalType: 'bytes', type: 'bytes' },
    ],
    name: 'registerFunded',
    outputs: [{ name: 'guardId', internalType: 'uint256', type: 'uint256' }],
    stateMutability: 'nonpayable',
  },
  {
    type: 'function',
    inputs: [
      { name: 'guardId', internalType: 'uint256', type: 'uint256' },
      {
        name: 'route',
        internalType: 'struct ICollateralGuard.Route',
        type: 'tuple',
        components: [
          { name: 'firstFee', internalType: 'uint24', type: 'uint24' },
          { name: 'firstToken', internalType: 'address', type: 'address' },
          { name: 'secondFee', internalType: 'uint24', type: 'uint24' },
          { name: 'secondToken', internalType: 'address', type: 'address' },
          { name: 'thirdFee', internalType: 'uint24', type: 'uint24' },
        ],
      },
    ],
    name: 'rescue',
    outputs: [{ name: 'repaid', internalType: 'uint256', type: 'uint256' }],
    stateMutability: 'nonpayable',
  },
  {
    type: 'function',
    inputs: [
      { name: 'guardId', internalType: 'uint256', type: 'uint256' },
      {
        name: 'route',
        internalType: 'struct ICollateralGuard.Route',
        type: 'tuple',
        components: [
          { name: 'firstFee', internalType: 'uint24', type: 'uint24' },
          { name: 'firstToken', internalType: 'address', type: 'address' },
          { name: 'secondFee', internalType: 'uint24', type: 'uint24' },
          { name: 'secondToken', internalType: 'address', type: 'address' },
          { name: 'thirdFee', internalType: 'uint24', type: 'uint24' },
        ],
      },
      { name: 'caller', internalType: 'address', type: 'address' },
    ],
    name: 'rescueFor',
    outputs: [{ name: 'repaid', internalType: 'uint256', type: 'uint256' }],
    stateMutability: 'nonpayable',
  },
  {
    type: 'function',
    inputs: [
      { name: 'guardIds', internalType: 'uint256[]', type: 'uint256[]' },
      {
        name: 'routes',
        internalType: 'struct ICollateralGuard.Route[]',
        type: 'tuple[]',
        components: [
          { name: 'firstFee', internalType: 'uint24', type: 'uint24' },
          { name: 'firstToken', internalType: 'address', type: 'address' },
          { name: 'secondFee', internalType: 'uint24', type: 'uint24' },
          { name: 'secondToken', internalType: 'address', type: 'address' },
          { name: 'thirdFee', internalType: 'uint24', type: 'uint24' },
        ],
      },
      { name: 'gasPerRescue', internalType: 'uint256', type: 'uint256' },
    ],
    name: 'rescueMany',
    outputs: [
      {
        name: 'results',
        internalType: 'struct ILoanGuard.Result[]',
        type: 'tuple[]',
        components: [
          { name: 'isRescued', internalType: 'bool', type: 'bool' },
          { name: 'repaid', internalType: 'uint256', type: 'uint256' },
          { name: 'failure', internalType: 'bytes', type: 'bytes' },
        ],
      },
    ],
    stateMutability: 'nonpayable',
  },
  {
    type: 'function',
    inputs: [
      { name: 'guardId', internalType: 'uint256', type: 'uint256' },
      { name: 'from', internalType: 'uint256', type: 'uint256' },
      { name: 'to', internalType: 'uint256', type: 'uint256' },
    ],
    name: 'rescues',
    outputs: [
      {
        name: 'page',
        internalType: 'struct ICollateralGuard.Rescue[]',
        type: 'tuple[]',
        components: [
          {
            name: 'repayment',
            internalType: 'struct ILoanGuard.Rescue',
            type: 'tuple',
            components: [
              { name: 'repaid', internalType: 'uint128', type: 'uint128' },
              { name: 'time', internalType: 'uint40', type: 'uint40' },
              {
                name: 'outcome',
                internalType: 'enum ILoanGuard.Outcome',
                type: 'uint8',
              },
              {
                name: 'healthBeforeWad',
                internalType: 'uint128',
                type: 'uint128',
              },
              {
                name: 'healthAfterWad',
                internalType: 'uint128',
                type: 'uint128',
              },
            ],
          },
          { name: 'receipts', internalType: 'uint128', type: 'uint128' },
          { name: 'sold', internalType: 'uint128', type: 'uint128' },
        ],
      },
    ],
    stateMutability: 'view',
  },
  {
    type: 'function',
    inputs: [],
    name: 'revocations',
    outputs: [
      { name: '', internalType: 'contract IRevocations', type: 'address' },
    ],
    stateMutability: 'view',
  },
  {
    type: 'function',
    inputs: [],
    name: 'rules',
    outputs: [
      { name: '', internalType: 'contract ICollateralTerms', type: 'address' },
    ],
    stateMutability: 'view',
  },
  { type: 'event', anonymous: false, inputs: [], name: 'EIP712DomainChanged' },
  {
    type: 'event',
    anonymous: false,
    inputs: [
      {
        name: 'guardId',
        internalType: 'uint256',
        type: 'uint256',
        indexed: true,
      },
    ],
    name: 'GuardCancelled',
  },
  {
    type: 'event',
    anonymous: false,
    inputs: [
      {
        name: 'guardId',
        internalType: 'uint256',
        type: 'uint256',
        indexed: true,
      },
      {
        name: 'borrower',
        internalType: 'address',
        type: 'address',
        indexed: true,
      },
      {
        name: 'funder',
        internalType: 'address',
        type: 'address',
        indexed: true,
      },
      {
        name: 'terms',
        internalType: 'struct ICollateralGuard.Terms',
        type: 'tuple',
        components: [
          { name: 'borrower', internalType: 'address', type: 'address' },
          { name: 'funder', internalType: 'address', type: 'address' },
          { name: 'adapter', internalType: 'address', type: 'address' },
          { name: 'debtMarket', internalType: 'bytes32', type: 'bytes32' },
          {
            name: 'collateralMarket',
            internalType: 'bytes32',
            type: 'bytes32',
          },
          { name: 'keeper', internalType: 'address', type: 'address' },
          { name: 'priceSource', internalType: 'address', type: 'address' },
          { name: 'triggerHealthWad', internalType: 'uint64', type: 'uint64' },
          { name: 'targetHealthWad', internalType: 'uint64', type: 'uint64' },
          { name: 'maxCostBps', internalType: 'uint16', type: 'uint16' },
          { name: 'capPerRescue', internalType: 'uint128', type: 'uint128' },
          { name: 'capPerDay', internalType: 'uint128', type: 'uint128' },
          { name: 'minRepay', internalType: 'uint128', type: 'uint128' },
          { name: 'cooldownSeconds', internalType: 'uint32', type: 'uint32' },
          { name: 'expiresAt', internalType: 'uint40', type: 'uint40' },
          {
            name: 'route',
            internalType: 'struct ICollateralGuard.Route',
            type: 'tuple',
            components: [
              { name: 'firstFee', internalType: 'uint24', type: 'uint24' },
              { name: 'firstToken', internalType: 'address', type: 'address' },
              { name: 'secondFee', internalType: 'uint24', type: 'uint24' },
              { name: 'secondToken', internalType: 'address', type: 'address' },
              { name: 'thirdFee', internalType: 'uint24', type: 'uint24' },
            ],
          },
        ],
        indexed: false,
      },
      {
        name: 'repayToken',
        internalType: 'address',
        type: 'address',
        indexed: false,
      },
      {
        name: 'collateralToken',
        internalType: 'address',
        type: 'address',
        indexed: false,
      },
      {
        name: 'borrowerEpoch',
        internalType: 'uint64',
        type: 'uint64',
        indexed: false,
      },
      {
        name: 'funderEpoch',
        internalType: 'uint64',
        type: 'uint64',
        indexed: false,
      },
    ],
    name: 'GuardRegistered',
  },
  {
    type: 'event',
    anonymous: false,
    inputs: [
      {
        name: 'guardId',
        internalType: 'uint256',
        type: 'uint256',
        indexed: true,
      },
      {
        name: 'borrower',
        internalType: 'address',
        type: 'address',
        indexed: true,
      },
      {
        name: 'rescue',
        internalType: 'struct ICollateralGuard.Rescue',
        type: 'tuple',
        components: [
          {
            name: 'repayment',
            internalType: 'struct ILoanGuard.Rescue',
            type: 'tuple',
            components: [
              { name: 'repaid', internalType: 'uint128', type: 'uint128' },
              { name: 'time', internalType: 'uint40', type: 'uint40' },
              {
                name: 'outcome',
                internalType: 'enum ILoanGuard.Outcome',
                type: 'uint8',
              },
              {
                name: 'healthBeforeWad',
                internalType: 'uint128',
                type: 'uint128',
              },
              {
                name: 'healthAfterWad',
                internalType: 'uint128',
                type: 'uint128',
              },
            ],
          },
          { name: 'receipts', internalType: 'uint128', type: 'uint128' },
          { name: 'sold', internalType: 'uint128', type: 'uint128' },
        ],
        indexed: false,
      },
      {
        name: 'sourceHealthWad',
        internalType: 'uint256',
        type: 'uint256',
        indexed: false,
      },
      {
        name: 'isCutShort',
        internalType: 'bool',
        type: 'bool',
        indexed: false,
      },
    ],
    name: 'LoanRescued',
  },
  {
    type: 'event',
    anonymous: false,
    inputs: [
      {
        name: 'signer',
        internalType: 'address',
        type: 'address',
        indexed: true,
      },
      {
        name: 'nonce',
        internalType: 'uint256',
        type: 'uint256',
        indexed: false,
      },
    ],
    name: 'NonceCancelled',
  },
  {
    type: 'event',
    anonymous: false,
    inputs: [
      {
        name: 'guardId',
        internalType: 'uint256',
        type: 'uint256',
        indexed: true,
      },
      { name: 'failure', internalType: 'bytes', type: 'bytes', indexed: false },
    ],
    name: 'RescueFailed',
  },
  {
    type: 'error',
    inputs: [
      { name: 'allowance', internalType: 'uint256', type: 'uint256' },
      { name: 'minRepay', internalType: 'uint256', type: 'uint256' },
    ],
    name: 'AllowanceTooLow',
  },
  {
    type: 'error',
    inputs: [
      { name: 'balance', internalType: 'uint256', type: 'uint256' },
      { name: 'minRepay', internalType: 'uint256', type: 'uint256' },
    ],
    name: 'BalanceTooLow',
  },
  {
    type: 'error',
    inputs: [
      { name: 'amount', internalType: 'uint256', type: 'uint256' },
      { name: 'minRepay', internalType: 'uint256', type: 'uint256' },
    ],
    name: 'CashTooLow',
  },
  {
    type: 'error',
    inputs: [
      { name: 'agreed', internalType: 'address', type: 'address' },
      { name: 'collateralToken', internalType: 'address', type: 'address' },
    ],
    name: 'CollateralTokenChanged',
  },
  {
    type: 'error',
    inputs: [
      { name: 'until', internalType: 'uint256', type: 'uint256' },
      { name: 'time', internalType: 'uint256', type: 'uint256' },
    ],
    name: 'CoolingDown',
  },
  {
    type: 'error',
    inputs: [
      { name: 'maxCostBps', internalType: 'uint256', type: 'uint256' },
      { name: 'limitBps', internalType: 'uint256', type: 'uint256' },
    ],
    name: 'CostRefused',
  },
  {
    type: 'error',
    inputs: [
      { name: 'leftToday', internalType: 'uint256', type: 'uint256' },
      { name: 'minRepay', internalType: 'uint256', type: 'uint256' },
    ],
    name: 'DayCapUsedUp',
  },
  {
    type: 'error',
    inputs: [
      { name: 'deadline', internalType: 'uint256', type: 'uint256' },
      { name: 'time', internalType: 'uint256', type: 'uint256' },
    ],
    name: 'DeadlinePassed',
  },
  {
    type: 'error',
    inputs: [
      { name: 'paid', internalType: 'uint256', type: 'uint256' },
      { name: 'debtFell', internalType: 'uint256', type: 'uint256' },
    ],
    name: 'DebtFellWrong',
  },
  {
    type: 'error',
    inputs: [
      { name: 'signed', internalType: 'uint64', type: 'uint64' },
      { name: 'epoch', internalType: 'uint64', type: 'uint64' },
    ],
    name: 'EpochPassed',
  },
  {
    type: 'error',
    inputs: [{ name: 'funder', internalType: 'address', type: 'address' }],
    name: 'FunderRefused',
  },
  {
    type: 'error',
    inputs: [
      { name: 'gasLeft', internalType: 'uint256', type: 'uint256' },
      { name: 'needed', internalType: 'uint256', type: 'uint256' },
    ],
    name: 'GasTooLow',
  },
  {
    type: 'error',
    inputs: [
      { name: 'expiresAt', internalType: 'uint256', type: 'uint256' },
      { name: 'time', internalType: 'uint256', type: 'uint256' },
    ],
    name: 'GuardExpired',
  },
  {
    type: 'error',
    inputs: [
      { name: 'status', internalType: 'enum ILoanGuard.Status', type: 'uint8' },
    ],
    name: 'GuardNotActive',
  },
  {
    type: 'error',
    inputs: [{ name: 'guardId', internalType: 'uint256', type: 'uint256' }],
    name: 'GuardRevoked',
  },
  {
    type: 'error',
    inputs: [{ name: 'guardId', internalType: 'uint256', type: 'uint256' }],
    name: 'GuardUnknown',
  },
  { type: 'error', inputs: [], name: 'GuardsMissing' },
  {
    type: 'error',
    inputs: [
      { name: 'healthWad', internalType: 'uint256', type: 'uint256' },
      { name: 'targetHealthWad', internalType: 'uint256', type: 'uint256' },
    ],
    name: 'HealthAtTarget',
  },
  {
    type: 'error',
    inputs: [
      { name: 'healthWad', internalType: 'uint256', type: 'uint256' },
      { name: 'triggerHealthWad', internalType: 'uint256', type: 'uint256' },
    ],
    name: 'HealthNotBelowTrigger',
  },
  {
    type: 'error',
    inputs: [
      { name: 'healthWad', internalType: 'uint256', type: 'uint256' },
      { name: 'neededWad', internalType: 'uint256', type: 'uint256' },
    ],
    name: 'HealthNotRestored',
  },
  { type: 'error', inputs: [], name: 'InvalidShortString' },
  {
    type: 'error',
    inputs: [{ name: 'borrower', internalType: 'address', type: 'address' }],
    name: 'NoCollateral',
  },
  {
    type: 'error',
    inputs: [{ name: 'borrower', internalType: 'address', type: 'address' }],
    name: 'NoDebt',
  },
  {
    type: 'error',
    inputs: [
      { name: 'signer', internalType: 'address', type: 'address' },
      { name: 'nonce', internalType: 'uint256', type: 'uint256' },
    ],
    name: 'NonceUsedUp',
  },
  {
    type: 'error',
    inputs: [
      { name: 'caller', internalType: 'address', type: 'address' },
      { name: 'borrower', internalType: 'address', type: 'address' },
    ],
    name: 'NotBorrower',
  },
  {
    type: 'error',
    inputs: [
      { name: 'caller', internalType: 'address', type: 'address' },
      { name: 'keeper', internalType: 'address', type: 'address' },
    ],
    name: 'NotKeeper',
  },
  {
    type: 'error',
    inputs: [
      { name: 'caller', internalType: 'address', type: 'address' },
      { name: 'borrower', internalType: 'address', type: 'address' },
      { name: 'funder', internalType: 'address', type: 'address' },
    ],
    name: 'NotPartner',
  },
  {
    type: 'error',
    inputs: [{ name: 'caller', internalType: 'address', type: 'address' }],
    name: 'NotPool',
  },
  {
    type: 'error',
    inputs: [{ name: 'caller', internalType: 'address', type: 'address' }],
    name: 'NotSelf',
  },
  {
    type: 'error',
    inputs: [{ name: 'pool', internalType: 'address', type: 'address' }],
    name: 'PoolMissing',
  },
  {
    type: 'error',
    inputs: [
      { name: 'pool', internalType: 'address', type: 'address' },
      { name: 'paid', internalType: 'uint256', type: 'uint256' },
      { name: 'owed', internalType: 'uint256', type: 'uint256' },
    ],
    name: 'PoolRanDry',
  },
  {
    type: 'error',
    inputs: [
      { name: 'pool', internalType: 'address', type: 'address' },
      { name: 'sqrtPriceX96', internalType: 'uint256', type: 'uint256' },
      { name: 'limitX96', internalType: 'uint256', type: 'uint256' },
    ],
    name: 'PoolTooDear',
  },
  {
    type: 'error',
    inputs: [
      { name: 'gasLeft', internalType: 'uint256', type: 'uint256' },
      { name: 'needed', internalType: 'uint256', type: 'uint256' },
    ],
    name: 'PriceGasTooLow',
  },
  {
    type: 'error',
    inputs: [
      { name: 'source', internalType: 'address', type: 'address' },
      { name: 'reason', internalType: 'bytes', type: 'bytes' },
    ],
    name: 'PriceSourceFailed',
  },
  {
    type: 'error',
    inputs: [
      { name: 'expected', internalType: 'uint256', type: 'uint256' },
      { name: 'payerFell', internalType: 'uint256', type: 'uint256' },
      { name: 'receiverRose', internalType: 'uint256', type: 'uint256' },
    ],
    name: 'PullInexact',
  },
  { type: 'error', inputs: [], name: 'ReentrancyGuardReentrantCall' },
  {
    type: 'error',
    inputs: [
      { name: 'amount', internalType: 'uint256', type: 'uint256' },
      { name: 'minRepay', internalType: 'uint256', type: 'uint256' },
    ],
    name: 'RepayBelowMinimum',
  },
  {
    type: 'error',
    inputs: [
      { name: 'agreed', internalType: 'address', type: 'address' },
      { name: 'repayToken', internalType: 'address', type: 'address' },
    ],
    name: 'RepayTokenChanged',
  },
  {
    type: 'error',
    inputs: [{ name: 'revocations', internalType: 'address', type: 'address' }],
    name: 'RevocationsRefused',
  },
  { type: 'error', inputs: [], name: 'RouteRefused' },
  {
    type: 'error',
    inputs: [{ name: 'value', internalType: 'int256', type: 'int256' }],
    name: 'SafeCastOverflowedIntToUint',
  },
  {
    type: 'error',
    inputs: [
      { name: 'bits', internalType: 'uint8', type: 'uint8' },
      { name: 'value', internalType: 'uint256', type: 'uint256' },
    ],
    name: 'SafeCastOverflowedUintDowncast',
  },
  {
    type: 'error',
    inputs: [{ name: 'value', internalType: 'uint256', type: 'uint256' }],
    name: 'SafeCastOverflowedUintToInt',
  },
  {
    type: 'error',
    inputs: [
      { name: 'worth', internalType: 'uint256', type: 'uint256' },
      { name: 'repaid', internalType: 'uint256', type: 'uint256' },
      { name: 'maxCostBps', internalType: 'uint256', type: 'uint256' },
    ],
    name: 'SaleTooDear',
  },
  {
    type: 'error',
    inputs: [
      { name: 'healthWad', internalType: 'uint256', type: 'uint256' },
      { name: 'lossWad', internalType: 'uint256', type: 'uint256' },
    ],
    name: 'SaleWouldHarm',
  },
  {
    type: 'error',
    inputs: [{ name: 'signer', internalType: 'address', type: 'address' }],
    name: 'SignatureRefused',
  },
  {
    type: 'error',
    inputs: [
      { name: 'priceSource', internalType: 'address', type: 'address' },
      { name: 'reason', internalType: 'bytes4', type: 'bytes4' },
    ],
    name: 'SourceUnreadable',
  },
  {
    type: 'error',
    inputs: [{ name: 'str', internalType: 'string', type: 'string' }],
    name: 'StringTooLong',
  },
  {
    type: 'error',
    inputs: [
      { name: 'targetHealthWad', internalType: 'uint256', type: 'uint256' },
      { name: 'minWad', internalType: 'uint256', type: 'uint256' },
    ],
    name: 'TargetBelowPower',
  },
] as const

//////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////
// CollateralTerms
//////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////

export const collateralTermsAbi = [
  {
    type: 'constructor',
    inputs: [
      { name: 'poolDeployer_', internalType: 'address', type: 'address' },
      { name: 'adapters', internalType: 'address[]', type: 'address[]' },
      { name: 'priceSources', internalType: 'address[]', type: 'address[]' },
    ],
    stateMutability: 'nonpayable',
  },
  {
    type: 'function',
    inputs: [{ name: 'adapter', internalType: 'address', type: 'address' }],
    name: 'isAdapter',
    outputs: [{ name: '', internalType: 'bool', type: 'bool' }],
    stateMutability: 'view',
  },
  {
    type: 'function',
    inputs: [{ name: 'source', internalType: 'address', type: 'address' }],
    name: 'isPriceSource',
    outputs: [{ name: '', internalType: 'bool', type: 'bool' }],
    stateMutability: 'view',
  },
  {
    type: 'function',
    inputs: [],
    name: 'poolDeployer',
    outputs: [{ name: '', internalType: 'address', type: 'address' }],
    stateMutability: 'view',
  },
  {
    type: 'function',
    inputs: [
      {
        name: 'terms',
        internalType: 'struct ICollateralGuard.Terms',
        type: 'tuple',
        components: [
          { name: 'borrower', internalType: 'address', type: 'address' },
          { name: 'funder', internalType: 'address', type: 'address' },
          { name: 'adapter', internalType: 'address', type: 'address' },
          { name: 'debtMarket', internalType: 'bytes32', type: 'bytes32' },
          {
            name: 'collateralMarket',
            internalType: 'bytes32',
            type: 'bytes32',
          },
          { name: 'keeper', internalType: 'address', type: 'address' },
          { name: 'priceSource', internalType: 'address', type: 'address' },
          { name: 'triggerHealthWad', internalType: 'uint64', type: 'uint64' },
          { name: 'targetHealthWad', internalType: 'uint64', type: 'uint64' },
          { name: 'maxCostBps', internalType: 'uint16', type: 'uint16' },
          { name: 'capPerRescue', internalType: 'uint128', type: 'uint128' },
          { name: 'capPerDay', internalType: 'uint128', type: 'uint128' },
          { name: 'minRepay', internalType: 'uint128', type: 'uint128' },
          { name: 'cooldownSeconds', internalType: 'uint32', type: 'uint32' },
          { name: 'expiresAt', internalType: 'uint40', type: 'uint40' },
          {
            name: 'route',
            internalType: 'struct ICollateralGuard.Route',
            type: 'tuple',
            components: [
              { name: 'firstFee', internalType: 'uint24', type: 'uint24' },
              { name: 'firstToken', internalType: 'address', type: 'address' },
              { name: 'secondFee', internalType: 'uint24', type: 'uint24' },
              { name: 'secondToken', internalType: 'address', type: 'address' },
              { name: 'thirdFee', internalType: 'uint24', type: 'uint24' },
            ],
          },
        ],
      },
    ],
    name: 'requireSound',
    outputs: [
      { name: 'repayToken', internalType: 'address', type: 'address' },
      { name: 'collateralToken', internalType: 'address', type: 'address' },
    ],
    stateMutability: 'view',
  },
  {
    type: 'error',
    inputs: [{ name: 'adapter', internalType: 'address', type: 'address' }],
    name: 'AdapterRefused',
  },
  {
    type: 'error',
    inputs: [
      { name: 'maxCostBps', internalType: 'uint256', type: 'uint256' },
      { name: 'limitBps', internalType: 'uint256', type: 'uint256' },
    ],
    name: 'CostRefused',
  },
  {
    type: 'error',
    inputs: [
      { name: 'expiresAt', internalType: 'uint256', type: 'uint256' },
      { name: 'time', internalType: 'uint256', type: 'uint256' },
    ],
    name: 'ExpiryRefused',
  },
  {
    type: 'error',
    inputs: [
      { name: 'minRepay', internalType: 'uint256', type: 'uint256' },
      { name: 'capPerRescue', internalType: 'uint256', type: 'uint256' },
      { name: 'capPerDay', internalType: 'uint256', type: 'uint256' },
    ],
    name: 'MinRepayRefused',
  },
  {
    type: 'error',
    inputs: [{ name: 'pool', internalType: 'address', type: 'address' }],
    name: 'PoolMissing',
  },
  {
    type: 'error',
    inputs: [{ name: 'priceSource', internalType: 'address', type: 'address' }],
    name: 'PriceSourceRefused',
  },
  { type: 'error', inputs: [], name: 'RouteRefused' },
  {
    type: 'error',
    inputs: [
      { name: 'targetHealthWad', internalType: 'uint256', type: 'uint256' },
      { name: 'minWad', internalType: 'uint256', type: 'uint256' },
    ],
    name: 'TargetBelowPower',
  },
  {
    type: 'error',
    inputs: [
      { name: 'targetHealthWad', internalType: 'uint256', type: 'uint256' },
      { name: 'minWad', internalType: 'uint256', type: 'uint256' },
      { name: 'maxWad', internalType: 'uint256', type: 'uint256' },
    ],
    name: 'TargetRefused',
  },
  {
    type: 'error',
    inputs: [
      { name: 'triggerHealthWad', internalType: 'uint256', type: 'uint256' },
      { name: 'minWad', internalType: 'uint256', type: 'uint256' },
    ],
    name: 'TriggerRefused',
  },
] as const

//////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////
// VenusCollateral
//////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////

export const venusCollateralAbi = [
  {
    type: 'constructor',
    inputs: [
      {
        name: 'comptroller_',
        internalType: 'contract IVenusComptroller',
        type: 'address',
      },
      { name: 'vBnb_', internalType: 'address', type: 'address' },
      { name: 'wbnb_', internalType: 'address', type: 'address' },
    ],
    stateMutability: 'nonpayable',
  },
  { type: 'receive', stateMutability: 'payable' },
  {
    type: 'function',
    inputs: [
      { name: 'borrower', internalType: 'address', type: 'address' },
      { name: 'market', internalType: 'bytes32', type: 'bytes32' },
    ],
    name: 'accrueAndRead',
    outputs: [
      {
        name: 'position',
        internalType: 'struct ILendingMarket.Position',
        type: 'tuple',
        components: [
          { name: 'repayToken', internalType: 'address', type: 'address' },
          { name: 'debtValue', internalType: 'uint256', type: 'uint256' },
          {
            name: 'weightedCollateralValue',
            internalType: 'uint256',
            type: 'uint256',
          },
          { name: 'marketDebt', internalType: 'uint256', type: 'uint256' },
          {
            name: 'repayTokenPriceWad',
            internalType: 'uint256',
            type: 'uint256',
          },
          { name: 'minDebt', internalType: 'uint256', type: 'uint256' },
          { name: 'isInexact', internalType: 'bool', type: 'bool' },
        ],
      },
    ],
    stateMutability: 'nonpayable',
  },
  {
    type: 'function',
    inputs: [
      { name: 'account', internalType: 'address', type: 'address' },
      { name: 'market', internalType: 'bytes32', type: 'bytes32' },
    ],
    name: 'accrueAndReadCollateral',
    outputs: [
      {
        name: 'collateral',
        internalType: 'struct ICollateralMarket.Collateral',
        type: 'tuple',
        components: [
          { name: 'token', internalType: 'address', type: 'address' },
          { name: 'receipt', internalType: 'address', type: 'address' },
          { name: 'receipts', internalType: 'uint256', type: 'uint256' },
          { name: 'rateWad', internalType: 'uint256', type: 'uint256' },
          { name: 'feeWad', internalType: 'uint256', type: 'uint256' },
          { name: 'priceWad', internalType: 'uint256', type: 'uint256' },
          { name: 'weightWad', internalType: 'uint256', type: 'uint256' },
          { name: 'cash', internalType: 'uint256', type: 'uint256' },
        ],
      },
    ],
    stateMutability: 'nonpayable',
  },
  {
    type: 'function',
    inputs: [{ name: 'market', internalType: 'bytes32', type: 'bytes32' }],
    name: 'collateralToken',
    outputs: [{ name: '', internalType: 'address', type: 'address' }],
    stateMutability: 'view',
  },
  {
    type: 'function',
    inputs: [],
    name: 'comptroller',
    outputs: [
      { name: '', internalType: 'contract IVenusComptroller', type: 'address' },
    ],
    stateMutability: 'view',
  },
  {
    type: 'function',
    inputs: [
      { name: 'account', internalType: 'address', type: 'address' },
      { name: 'market', internalType: 'bytes32', type: 'bytes32' },
    ],
    name: 'explainTransfer',
    outputs: [],
    stateMutability: 'view',
  },
  {
    type: 'function',
    inputs: [{ name: 'borrower', internalType: 'address', type: 'address' }],
    name: 'forcedMarkets',
    outputs: [{ name: 'forced', internalType: 'bytes32[]', type: 'bytes32[]' }],
    stateMutability: 'view',
  },
  {
    type: 'function',
    inputs: [
      { name: 'account', internalType: 'address', type: 'address' },
      { name: 'market', internalType: 'bytes32', type: 'bytes32' },
    ],
    name: 'limitsOf',
    outputs: [
      {
        name: 'limits',
        internalType: 'struct ICollateralMarket.Limits',
        type: 'tuple',
        components: [
          { name: 'weightWad', internalType: 'uint256', type: 'uint256' },
          { name: 'factorWad', internalType: 'uint256', type: 'uint256' },
          { name: 'incentiveWad', internalType: 'uint256', type: 'uint256' },
        ],
      },
    ],
    stateMutability: 'view',
  },
  {
    type: 'function',
    inputs: [{ name: '', internalType: 'bytes32', type: 'bytes32' }],
    name: 'numeraire',
    outputs: [{ name: '', internalType: 'address', type: 'address' }],
    stateMutability: 'pure',
  },
  {
    type: 'function',
    inputs: [
      { name: 'borrower', internalType: 'address', type: 'address' },
      { name: 'market', internalType: 'bytes32', type: 'bytes32' },
      { name: 'amount', internalType: 'uint256', type: 'uint256' },
      { name: 'leftoverTo', internalType: 'address', type: 'address' },
    ],
    name: 'repay',
    outputs: [],
    stateMutability: 'nonpayable',
  },
  {
    type: 'function',
    inputs: [{ name: 'market', internalType: 'bytes32', type: 'bytes32' }],
    name: 'repayToken',
    outputs: [{ name: '', internalType: 'address', type: 'address' }],
    stateMutability: 'view',
  },
  {
    type: 'function',
    inputs: [
      { name: 'borrower', internalType: 'address', type: 'address' },
      { name: 'market', internalType: 'bytes32', type: 'bytes32' },
    ],
    name: 'storedDebt',
    outputs: [{ name: '', internalType: 'uint256', type: 'uint256' }],
    stateMutability: 'view',
  },
  {
    type: 'function',
    inputs: [],
    name: 'vBnb',
    outputs: [{ name: '', internalType: 'address', type: 'address' }],
    stateMutability: 'view',
  },
  {
    type: 'function',
    inputs: [],
    name: 'wbnb',
    outputs: [{ name: '', internalType: 'address', type: 'address' }],
    stateMutability: 'view',
  },
  {
    type: 'function',
    inputs: [
      { name: 'source', internalType: 'address', type: 'address' },
      { name: 'borrower', internalType: 'address', type: 'address' },
      { name: '', internalType: 'bytes32', type: 'bytes32' },
    ],
    name: 'weightedCollateralBy',
    outputs: [{ name: 'value', internalType: 'uint256', type: 'uint256' }],
    stateMutability: 'view',
  },
  {
    type: 'function',
    inputs: [
      { name: 'market', internalType: 'bytes32', type: 'bytes32' },
      { name: 'receipts', internalType: 'uint256', type: 'uint256' },
      { name: 'amount', internalType: 'uint256', type: 'uint256' },
      { name: 'to', internalType: 'address', type: 'address' },
      { name: 'leftoverTo', internalType: 'address', type: 'address' },
    ],
    name: 'withdraw',
    outputs: [],
    stateMutability: 'nonpayable',
  },
  {
    type: 'error',
    inputs: [
      { name: 'borrower', internalType: 'address', type: 'address' },
      { name: 'code', internalType: 'uint256', type: 'uint256' },
    ],
    name: 'AccountUnreadable',
  },
  {
    type: 'error',
    inputs: [
      { name: 'account', internalType: 'address', type: 'address' },
      { name: 'market', internalType: 'bytes32', type: 'bytes32' },
    ],
    name: 'BorrowingPowerTooLow',
  },
  {
    type: 'error',
    inputs: [{ name: 'market', internalType: 'bytes32', type: 'bytes32' }],
    name: 'MarketBrokered',
  },
  {
    type: 'error',
    inputs: [{ name: 'market', internalType: 'bytes32', type: 'bytes32' }],
    name: 'MarketNotListed',
  },
  {
    type: 'error',
    inputs: [{ name: 'sender', internalType: 'address', type: 'address' }],
    name: 'NotWbnb',
  },
  {
    type: 'error',
    inputs: [
      { name: 'gasLeft', internalType: 'uint256', type: 'uint256' },
      { name: 'needed', internalType: 'uint256', type: 'uint256' },
    ],
    name: 'PriceGasTooLow',
  },
  {
    type: 'error',
    inputs: [{ name: 'market', internalType: 'bytes32', type: 'bytes32' }],
    name: 'PriceUnavailable',
  },
  { type: 'error', inputs: [], name: 'ReentrancyGuardReentrantCall' },
  {
    type: 'error',
    inputs: [{ name: 'market', internalType: 'bytes32', type: 'bytes32' }],
    name: 'RepayPaused',
  },
  {
    type: 'error',
    inputs: [
      { name: 'market', internalType: 'bytes32', type: 'bytes32' },
      { name: 'code', internalType: 'uint256', type: 'uint256' },
    ],
    name: 'RepayRejected',
  },
  {
    type: 'error',
    inputs: [{ name: 'token', internalType: 'address', type: 'address' }],
    name: 'SafeERC20FailedOperation',
  },
  {
    type: 'error',
    inputs: [
      { name: 'shortfall', internalType: 'uint256', type: 'uint256' },
      { name: 'debtValue', internalType: 'uint256', type: 'uint256' },
    ],
    name: 'ShortfallAboveDebt',
  },
  {
    type: 'error',
    inputs: [{ name: 'market', internalType: 'bytes32', type: 'bytes32' }],
    name: 'TransferPaused',
  },
  {
    type: 'error',
    inputs: [{ name: 'market', internalType: 'bytes32', type: 'bytes32' }],
    name: 'WithdrawalPaused',
  },
  {
    type: 'error',
    inputs: [
      { name: 'market', internalType: 'bytes32', type: 'bytes32' },
      { name: 'code', internalType: 'uint256', type: 'uint256' },
    ],
    name: 'WithdrawalRefused',
  },
  {
    type: 'error',
    inputs: [
      { name: 'market', internalType: 'bytes32', type: 'bytes32' },
      { name: 'received', internalType: 'uint256', type: 'uint256' },
      { name: 'amount', internalType: 'uint256', type: 'uint256' },
    ],
    name: 'WithdrawalShort',
  },
] as const
