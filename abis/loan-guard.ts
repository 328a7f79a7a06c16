//////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////
// LoanGuard
//////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////

export const loanGuardAbi = [
  {
    type: 'constructor',
    inputs: [
      {
        name: 'revocations_',
        internalType: 'contract IRevocations',
        type: 'address',
      },
      { name: 'adapters', internalType: 'address[]', type: 'address[]' },
      { name: 'priceSources', internalType: 'address[]', type: 'address[]' },
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
        internalType: 'struct ILoanGuard.Consent',
        type: 'tuple',
        components: [
          {
            name: 'terms',
            internalType: 'struct ILoanGuard.Terms',
            type: 'tuple',
            components: [
              { name: 'borrower', internalType: 'address', type: 'address' },
              { name: 'funder', internalType: 'address', type: 'address' },
              { name: 'adapter', internalType: 'address', type: 'address' },
              { name: 'market', internalType: 'bytes32', type: 'bytes32' },
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
        internalType: 'struct ILoanGuard.Guard',
        type: 'tuple',
        components: [
          {
            name: 'terms',
            internalType: 'struct ILoanGuard.Terms',
            type: 'tuple',
            components: [
              { name: 'borrower', internalType: 'address', type: 'address' },
              { name: 'funder', internalType: 'address', type: 'address' },
              { name: 'adapter', internalType: 'address', type: 'address' },
              { name: 'market', internalType: 'bytes32', type: 'bytes32' },
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
            ],
          },
          { name: 'repayToken', internalType: 'address', type: 'address' },
          {
            name: 'state',
            internalType: 'struct ILoanGuard.State',
            type: 'tuple',
            components: [
              {
                name: 'status',
                internalType: 'enum ILoanGuard.Status',
                type: 'uint8',
              },
              { name: 'lastRescueAt', internalType: 'uint40', type: 'uint40' },
              { name: 'day', internalType: 'uint32', type: 'uint32' },
              { name: 'takenInDay', internalType: 'uint128', type: 'uint128' },
              { name: 'rescues', internalType: 'uint32', type: 'uint32' },
              { name: 'isBySource', internalType: 'bool', type: 'bool' },
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
    inputs: [{ name: 'adapter', internalType: 'address', type: 'address' }],
    name: 'isAdapter',
    outputs: [{ name: '', internalType: 'bool', type: 'bool' }],
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
    inputs: [{ name: 'source', internalType: 'address', type: 'address' }],
    name: 'isPriceSource',
    outputs: [{ name: '', internalType: 'bool', type: 'bool' }],
    stateMutability: 'view',
  },
  {
    type: 'function',
    inputs: [
      {
        name: 'terms',
        internalType: 'struct ILoanGuard.Terms',
        type: 'tuple',
        components: [
          { name: 'borrower', internalType: 'address', type: 'address' },
          { name: 'funder', internalType: 'address', type: 'address' },
          { name: 'adapter', internalType: 'address', type: 'address' },
          { name: 'market', internalType: 'bytes32', type: 'bytes32' },
          { name: 'keeper', internalType: 'address', type: 'address' },
          { name: 'priceSource', internalType: 'address', type: 'address' },
          { name: 'triggerHealthWad', internalType: 'uint64', type: 'uint64' },
          { name: 'targetHealthWad', internalType: 'uint64', type: 'uint64' },
          { name: 'capPerRescue', internalType: 'uint128', type: 'uint128' },
          { name: 'capPerDay', internalType: 'uint128', type: 'uint128' },
          { name: 'minRepay', internalType: 'uint128', type: 'uint128' },
          { name: 'cooldownSeconds', internalType: 'uint32', type: 'uint32' },
          { name: 'expiresAt', internalType: 'uint40', type: 'uint40' },
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
        internalType: 'struct ILoanGuard.Consent',
        type: 'tuple',
        components: [
          {
            name: 'terms',
            internalType: 'struct ILoanGuard.Terms',
            type: 'tuple',
            components: [
              { name: 'borrower', internalType: 'address', type: 'address' },
              { name: 'funder', internalType: 'address', type: 'address' },
              { name: 'adapter', internalType: 'address', type: 'address' },
              { name: 'market', internalType: 'bytes32', type: 'bytes32' },
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
    inputs: [{ name: 'guardId', internalType: 'uint256', type: 'uint256' }],
    name: 'rescue',
    outputs: [{ name: 'repaid', internalType: 'uint256', type: 'uint256' }],
    stateMutability: 'nonpayable',
  },
  {
    type: 'function',
    inputs: [
      { name: 'guardId', internalType: 'uint256', type: 'uint256' },
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
        internalType: 'struct ILoanGuard.Rescue[]',
        type: 'tuple[]',
        components: [
          { name: 'repaid', internalType: 'uint128', type: 'uint128' },
          { name: 'time', internalType: 'uint40', type: 'uint40' },
          {
            name: 'outcome',
            internalType: 'enum ILoanGuard.Outcome',
            type: 'uint8',
          },
          { name: 'healthBeforeWad', internalType: 'uint128', type: 'uint128' },
          { name: 'healthAfterWad', internalType: 'uint128', type: 'uint128' },
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
        internalType: 'struct ILoanGuard.Terms',
        type: 'tuple',
        components: [
          { name: 'borrower', internalType: 'address', type: 'address' },
          { name: 'funder', internalType: 'address', type: 'address' },
          { name: 'adapter', internalType: 'address', type: 'address' },
          { name: 'market', internalType: 'bytes32', type: 'bytes32' },
          { name: 'keeper', internalType: 'address', type: 'address' },
          { name: 'priceSource', internalType: 'address', type: 'address' },
          { name: 'triggerHealthWad', internalType: 'uint64', type: 'uint64' },
          { name: 'targetHealthWad', internalType: 'uint64', type: 'uint64' },
          { name: 'capPerRescue', internalType: 'uint128', type: 'uint128' },
          { name: 'capPerDay', internalType: 'uint128', type: 'uint128' },
          { name: 'minRepay', internalType: 'uint128', type: 'uint128' },
          { name: 'cooldownSeconds', internalType: 'uint32', type: 'uint32' },
          { name: 'expiresAt', internalType: 'uint40', type: 'uint40' },
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
        name: 'repaid',
        internalType: 'uint256',
        type: 'uint256',
        indexed: false,
      },
      {
        name: 'healthBeforeWad',
        internalType: 'uint256',
        type: 'uint256',
        indexed: false,
      },
      {
        name: 'healthAfterWad',
        internalType: 'uint256',
        type: 'uint256',
        indexed: false,
      },
      {
        name: 'outcome',
        internalType: 'enum ILoanGuard.Outcome',
        type: 'uint8',
        indexed: false,
      },
      {
        name: 'sourceHealthWad',
        internalType: 'uint256',
        type: 'uint256',
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
    inputs: [{ name: 'adapter', internalType: 'address', type: 'address' }],
    name: 'AdapterRefused',
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
      { name: 'until', internalType: 'uint256', type: 'uint256' },
      { name: 'time', internalType: 'uint256', type: 'uint256' },
    ],
    name: 'CoolingDown',
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
    inputs: [
      { name: 'expiresAt', internalType: 'uint256', type: 'uint256' },
      { name: 'time', internalType: 'uint256', type: 'uint256' },
    ],
    name: 'ExpiryRefused',
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
  { type: 'error', inputs: [], name: 'InvalidShortString' },
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
    name: 'NotSelf',
  },
  {
    type: 'error',
    inputs: [{ name: 'priceSource', internalType: 'address', type: 'address' }],
    name: 'PriceSourceRefused',
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
      { name: 'remainder', internalType: 'uint256', type: 'uint256' },
      { name: 'minDebt', internalType: 'uint256', type: 'uint256' },
    ],
    name: 'RemainderRefused',
  },
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
    inputs: [{ name: 'token', internalType: 'address', type: 'address' }],
    name: 'SafeERC20FailedOperation',
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
