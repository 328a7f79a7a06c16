//////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////
// ChainlinkPriceSource
//////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////

export const chainlinkPriceSourceAbi = [
  {
    type: 'constructor',
    inputs: [
      {
        name: 'configs',
        internalType: 'struct ChainlinkPriceSource.FeedConfig[]',
        type: 'tuple[]',
        components: [
          { name: 'token', internalType: 'address', type: 'address' },
          {
            name: 'feed',
            internalType: 'contract IAggregatorV3',
            type: 'address',
          },
          { name: 'maxAgeSeconds', internalType: 'uint32', type: 'uint32' },
          { name: 'bandDecimals', internalType: 'uint8', type: 'uint8' },
          { name: 'bandMin', internalType: 'uint24', type: 'uint24' },
          { name: 'bandMax', internalType: 'uint24', type: 'uint24' },
        ],
      },
    ],
    stateMutability: 'nonpayable',
  },
  {
    type: 'function',
    inputs: [{ name: 'token', internalType: 'address', type: 'address' }],
    name: 'feedOf',
    outputs: [
      {
        name: 'aggregator',
        internalType: 'contract IAggregatorV3',
        type: 'address',
      },
      { name: 'maxAgeSeconds', internalType: 'uint32', type: 'uint32' },
      { name: 'exponent', internalType: 'uint8', type: 'uint8' },
      { name: 'bandExponent', internalType: 'uint8', type: 'uint8' },
      { name: 'bandMin', internalType: 'uint24', type: 'uint24' },
      { name: 'bandMax', internalType: 'uint24', type: 'uint24' },
    ],
    stateMutability: 'view',
  },
  {
    type: 'function',
    inputs: [
      { name: 'tokenIn', internalType: 'address', type: 'address' },
      { name: 'tokenOut', internalType: 'address', type: 'address' },
    ],
    name: 'prices',
    outputs: [
      { name: 'priceInWad', internalType: 'uint256', type: 'uint256' },
      { name: 'priceOutWad', internalType: 'uint256', type: 'uint256' },
    ],
    stateMutability: 'view',
  },
  {
    type: 'error',
    inputs: [
      { name: 'feed', internalType: 'address', type: 'address' },
      { name: 'updatedAt', internalType: 'uint256', type: 'uint256' },
      { name: 'time', internalType: 'uint256', type: 'uint256' },
    ],
    name: 'AnswerFromFuture',
  },
  {
    type: 'error',
    inputs: [
      { name: 'feed', internalType: 'address', type: 'address' },
      { name: 'answer', internalType: 'int256', type: 'int256' },
    ],
    name: 'AnswerNotPositive',
  },
  {
    type: 'error',
    inputs: [
      { name: 'feed', internalType: 'address', type: 'address' },
      { name: 'answer', internalType: 'uint256', type: 'uint256' },
      { name: 'bandMin', internalType: 'uint256', type: 'uint256' },
      { name: 'bandMax', internalType: 'uint256', type: 'uint256' },
    ],
    name: 'AnswerOutOfBand',
  },
  {
    type: 'error',
    inputs: [
      { name: 'feed', internalType: 'address', type: 'address' },
      { name: 'updatedAt', internalType: 'uint256', type: 'uint256' },
      { name: 'maxAgeSeconds', internalType: 'uint256', type: 'uint256' },
      { name: 'time', internalType: 'uint256', type: 'uint256' },
    ],
    name: 'AnswerStale',
  },
  {
    type: 'error',
    inputs: [
      { name: 'feed', internalType: 'address', type: 'address' },
      { name: 'minAnswer', internalType: 'int256', type: 'int256' },
      { name: 'maxAnswer', internalType: 'int256', type: 'int256' },
    ],
    name: 'BandBeyondAggregator',
  },
  {
    type: 'error',
    inputs: [
      { name: 'token', internalType: 'address', type: 'address' },
      { name: 'feed', internalType: 'address', type: 'address' },
    ],
    name: 'FeedRefused',
  },
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
    inputs: [{ name: 'token', internalType: 'address', type: 'address' }],
    name: 'TokenNotPriced',
  },
] as const

//////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////
// LendingMarket
//////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////

export const lendingMarketAbi = [
  {
    type: 'function',
    inputs: [
      { name: 'borrower', internalType: 'address', type: 'address' },
      { name: 'market', internalType: 'bytes32', type: 'bytes32' },
    ],
    name: 'accrueAndRead',
    outputs: [
      {
        name: '',
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
    inputs: [{ name: 'borrower', internalType: 'address', type: 'address' }],
    name: 'forcedMarkets',
    outputs: [{ name: '', internalType: 'bytes32[]', type: 'bytes32[]' }],
    stateMutability: 'view',
  },
  {
    type: 'function',
    inputs: [{ name: 'market', internalType: 'bytes32', type: 'bytes32' }],
    name: 'numeraire',
    outputs: [{ name: '', internalType: 'address', type: 'address' }],
    stateMutability: 'view',
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
    inputs: [
      { name: 'source', internalType: 'address', type: 'address' },
      { name: 'borrower', internalType: 'address', type: 'address' },
      { name: 'market', internalType: 'bytes32', type: 'bytes32' },
    ],
    name: 'weightedCollateralBy',
    outputs: [{ name: '', internalType: 'uint256', type: 'uint256' }],
    stateMutability: 'view',
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
    inputs: [{ name: 'market', internalType: 'bytes32', type: 'bytes32' }],
    name: 'PriceUnavailable',
  },
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
    inputs: [
      { name: 'shortfall', internalType: 'uint256', type: 'uint256' },
      { name: 'debtValue', internalType: 'uint256', type: 'uint256' },
    ],
    name: 'ShortfallAboveDebt',
  },
] as const

//////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////
// MarketLens
//////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////

export const marketLensAbi = [
  {
    type: 'function',
    inputs: [
      {
        name: 'trade',
        internalType: 'struct MarketLens.Trade',
        type: 'tuple',
        components: [
          {
            name: 'paid',
            internalType: 'struct MarketLens.Token',
            type: 'tuple',
            components: [
              { name: 'token', internalType: 'address', type: 'address' },
              { name: 'unit', internalType: 'uint256', type: 'uint256' },
              { name: 'feed', internalType: 'address', type: 'address' },
              { name: 'feedScale', internalType: 'uint256', type: 'uint256' },
            ],
          },
          {
            name: 'received',
            internalType: 'struct MarketLens.Token',
            type: 'tuple',
            components: [
              { name: 'token', internalType: 'address', type: 'address' },
              { name: 'unit', internalType: 'uint256', type: 'uint256' },
              { name: 'feed', internalType: 'address', type: 'address' },
              { name: 'feedScale', internalType: 'uint256', type: 'uint256' },
            ],
          },
          { name: 'isBuy', internalType: 'bool', type: 'bool' },
          {
            name: 'sizeIn',
            internalType: 'enum MarketLens.SizeIn',
            type: 'uint8',
          },
          { name: 'size', internalType: 'uint256', type: 'uint256' },
          {
            name: 'market',
            internalType: 'struct RouteSearch.Market',
            type: 'tuple',
            components: [
              { name: 'deployer', internalType: 'address', type: 'address' },
              { name: 'quoter', internalType: 'address', type: 'address' },
              { name: 'hubs', internalType: 'address[]', type: 'address[]' },
              { name: 'steadyTicks', internalType: 'uint256', type: 'uint256' },
              { name: 'impactBps', internalType: 'uint256', type: 'uint256' },
              {
                name: 'withdrawnBps',
                internalType: 'uint256',
                type: 'uint256',
              },
            ],
          },
          { name: 'router', internalType: 'address', type: 'address' },
          {
            name: 'oracles',
            internalType: 'struct MarketLens.Oracles',
            type: 'tuple',
            components: [
              { name: 'redStone', internalType: 'address', type: 'address' },
              { name: 'binance', internalType: 'address', type: 'address' },
            ],
          },
        ],
      },
      {
        name: 'snapshot',
        internalType: 'struct MarketLens.Snapshot',
        type: 'tuple',
        components: [
          { name: 'asked', internalType: 'bytes32', type: 'bytes32' },
          { name: 'number', internalType: 'uint256', type: 'uint256' },
          { name: 'timestamp', internalType: 'uint256', type: 'uint256' },
          { name: 'parentHash', internalType: 'bytes32', type: 'bytes32' },
          { name: 'round', internalType: 'bytes', type: 'bytes' },
          { name: 'quoteRound', internalType: 'bytes', type: 'bytes' },
          { name: 'roundBefore', internalType: 'bytes', type: 'bytes' },
          { name: 'roundsPast', internalType: 'bytes[2]', type: 'bytes[2]' },
          {
            name: 'heard',
            internalType: 'struct MarketLens.Heard',
            type: 'tuple',
            components: [
              {
                name: 'redStone',
                internalType: 'struct OperatorPrices.OperatorPrice',
                type: 'tuple',
                components: [
                  { name: 'isNone', internalType: 'bool', type: 'bool' },
                  { name: 'price', internalType: 'uint256', type: 'uint256' },
                  { name: 'answer', internalType: 'uint256', type: 'uint256' },
                  {
                    name: 'updatedAt',
                    internalType: 'uint256',
                    type: 'uint256',
                  },
                ],
              },
              {
                name: 'binance',
                internalType: 'struct OperatorPrices.OperatorPrice',
                type: 'tuple',
                components: [
                  { name: 'isNone', internalType: 'bool', type: 'bool' },
                  { name: 'price', internalType: 'uint256', type: 'uint256' },
                  { name: 'answer', internalType: 'uint256', type: 'uint256' },
                  {
                    name: 'updatedAt',
                    internalType: 'uint256',
                    type: 'uint256',
                  },
                ],
              },
            ],
          },
          {
            name: 'quoteHeard',
            internalType: 'struct MarketLens.Heard',
            type: 'tuple',
            components: [
              {
                name: 'redStone',
                internalType: 'struct OperatorPrices.OperatorPrice',
                type: 'tuple',
                components: [
                  { name: 'isNone', internalType: 'bool', type: 'bool' },
                  { name: 'price', internalType: 'uint256', type: 'uint256' },
                  { name: 'answer', internalType: 'uint256', type: 'uint256' },
                  {
                    name: 'updatedAt',
                    internalType: 'uint256',
                    type: 'uint256',
                  },
                ],
              },
              {
                name: 'binance',
                internalType: 'struct OperatorPrices.OperatorPrice',
                type: 'tuple',
                components: [
                  { name: 'isNone', internalType: 'bool', type: 'bool' },
                  { name: 'price', internalType: 'uint256', type: 'uint256' },
                  { name: 'answer', internalType: 'uint256', type: 'uint256' },
                  {
                    name: 'updatedAt',
                    internalType: 'uint256',
                    type: 'uint256',
                  },
                ],
              },
            ],
          },
          { name: 'answers', internalType: 'bytes[]', type: 'bytes[]' },
          { name: 'amountIn', internalType: 'uint256', type: 'uint256' },
          {
            name: 'route',
            internalType: 'struct MarketLens.Hop[]',
            type: 'tuple[]',
            components: [
              { name: 'pool', internalType: 'address', type: 'address' },
              { name: 'fee', internalType: 'uint24', type: 'uint24' },
              { name: 'tokenOut', internalType: 'address', type: 'address' },
              { name: 'slot0', internalType: 'bytes', type: 'bytes' },
              { name: 'observed', internalType: 'bytes', type: 'bytes' },
            ],
          },
          { name: 'amountOut', internalType: 'uint256', type: 'uint256' },
          { name: 'direct', internalType: 'uint256', type: 'uint256' },
          {
            name: 'outcome',
            internalType: 'enum MarketLens.Outcome',
            type: 'uint8',
          },
          { name: 'received', internalType: 'uint256', type: 'uint256' },
          { name: 'returned', internalType: 'uint256', type: 'uint256' },
          { name: 'smaller', internalType: 'uint256[]', type: 'uint256[]' },
        ],
      },
    ],
    name: 'amountInOf',
    outputs: [{ name: '', internalType: 'uint256', type: 'uint256' }],
    stateMutability: 'pure',
  },
  {
    type: 'function',
    inputs: [
      {
        name: 'reads',
        internalType: 'struct MarketLens.Read[]',
        type: 'tuple[]',
        components: [
          { name: 'source', internalType: 'address', type: 'address' },
          { name: 'question', internalType: 'bytes', type: 'bytes' },
        ],
      },
    ],
    name: 'ask',
    outputs: [
      { name: 'asked', internalType: 'bytes32', type: 'bytes32' },
      { name: 'answers', internalType: 'bytes[]', type: 'bytes[]' },
    ],
    stateMutability: 'view',
  },
  {
    type: 'function',
    inputs: [
      {
        name: 'trade',
        internalType: 'struct MarketLens.Trade',
        type: 'tuple',
        components: [
          {
            name: 'paid',
            internalType: 'struct MarketLens.Token',
            type: 'tuple',
            components: [
              { name: 'token', internalType: 'address', type: 'address' },
              { name: 'unit', internalType: 'uint256', type: 'uint256' },
              { name: 'feed', internalType: 'address', type: 'address' },
              { name: 'feedScale', internalType: 'uint256', type: 'uint256' },
            ],
          },
          {
            name: 'received',
            internalType: 'struct MarketLens.Token',
            type: 'tuple',
            components: [
              { name: 'token', internalType: 'address', type: 'address' },
              { name: 'unit', internalType: 'uint256', type: 'uint256' },
              { name: 'feed', internalType: 'address', type: 'address' },
              { name: 'feedScale', internalType: 'uint256', type: 'uint256' },
            ],
          },
          { name: 'isBuy', internalType: 'bool', type: 'bool' },
          {
            name: 'sizeIn',
            internalType: 'enum MarketLens.SizeIn',
            type: 'uint8',
          },
          { name: 'size', internalType: 'uint256', type: 'uint256' },
          {
            name: 'market',
            internalType: 'struct RouteSearch.Market',
            type: 'tuple',
            components: [
              { name: 'deployer', internalType: 'address', type: 'address' },
              { name: 'quoter', internalType: 'address', type: 'address' },
              { name: 'hubs', internalType: 'address[]', type: 'address[]' },
              { name: 'steadyTicks', internalType: 'uint256', type: 'uint256' },
              { name: 'impactBps', internalType: 'uint256', type: 'uint256' },
              {
                name: 'withdrawnBps',
                internalType: 'uint256',
                type: 'uint256',
              },
            ],
          },
          { name: 'router', internalType: 'address', type: 'address' },
          {
            name: 'oracles',
            internalType: 'struct MarketLens.Oracles',
            type: 'tuple',
            components: [
              { name: 'redStone', internalType: 'address', type: 'address' },
              { name: 'binance', internalType: 'address', type: 'address' },
            ],
          },
        ],
      },
      {
        name: 'reads',
        internalType: 'struct MarketLens.Read[]',
        type: 'tuple[]',
        components: [
          { name: 'source', internalType: 'address', type: 'address' },
          { name: 'question', internalType: 'bytes', type: 'bytes' },
        ],
      },
    ],
    name: 'read',
    outputs: [
      {
        name: 'snapshot',
        internalType: 'struct MarketLens.Snapshot',
        type: 'tuple',
        components: [
          { name: 'asked', internalType: 'bytes32', type: 'bytes32' },
          { name: 'number', internalType: 'uint256', type: 'uint256' },
          { name: 'timestamp', internalType: 'uint256', type: 'uint256' },
          { name: 'parentHash', internalType: 'bytes32', type: 'bytes32' },
          { name: 'round', internalType: 'bytes', type: 'bytes' },
          { name: 'quoteRound', internalType: 'bytes', type: 'bytes' },
          { name: 'roundBefore', internalType: 'bytes', type: 'bytes' },
          { name: 'roundsPast', internalType: 'bytes[2]', type: 'bytes[2]' },
          {
            name: 'heard',
            internalType: 'struct MarketLens.Heard',
            type: 'tuple',
            components: [
              {
                name: 'redStone',
                internalType: 'struct OperatorPrices.OperatorPrice',
                type: 'tuple',
                components: [
                  { name: 'isNone', internalType: 'bool', type: 'bool' },
                  { name: 'price', internalType: 'uint256', type: 'uint256' },
                  { name: 'answer', internalType: 'uint256', type: 'uint256' },
                  {
                    name: 'updatedAt',
                    internalType: 'uint256',
                    type: 'uint256',
                  },
                ],
              },
              {
                name: 'binance',
                internalType: 'struct OperatorPrices.OperatorPrice',
                type: 'tuple',
                components: [
                  { name: 'isNone', internalType: 'bool', type: 'bool' },
                  { name: 'price', internalType: 'uint256', type: 'uint256' },
                  { name: 'answer', internalType: 'uint256', type: 'uint256' },
                  {
                    name: 'updatedAt',
                    internalType: 'uint256',
                    type: 'uint256',
                  },
                ],
              },
            ],
          },
          {
            name: 'quoteHeard',
            internalType: 'struct MarketLens.Heard',
            type: 'tuple',
            components: [
              {
                name: 'redStone',
                internalType: 'struct OperatorPrices.OperatorPrice',
                type: 'tuple',
                components: [
                  { name: 'isNone', internalType: 'bool', type: 'bool' },
                  { name: 'price', internalType: 'uint256', type: 'uint256' },
                  { name: 'answer', internalType: 'uint256', type: 'uint256' },
                  {
                    name: 'updatedAt',
                    internalType: 'uint256',
                    type: 'uint256',
                  },
                ],
              },
              {
                name: 'binance',
                internalType: 'struct OperatorPrices.OperatorPrice',
                type: 'tuple',
                components: [
                  { name: 'isNone', internalType: 'bool', type: 'bool' },
                  { name: 'price', internalType: 'uint256', type: 'uint256' },
                  { name: 'answer', internalType: 'uint256', type: 'uint256' },
                  {
                    name: 'updatedAt',
                    internalType: 'uint256',
                    type: 'uint256',
                  },
                ],
              },
            ],
          },
          { name: 'answers', internalType: 'bytes[]', type: 'bytes[]' },
          { name: 'amountIn', internalType: 'uint256', type: 'uint256' },
          {
            name: 'route',
            internalType: 'struct MarketLens.Hop[]',
            type: 'tuple[]',
            components: [
              { name: 'pool', internalType: 'address', type: 'address' },
              { name: 'fee', internalType: 'uint24', type: 'uint24' },
              { name: 'tokenOut', internalType: 'address', type: 'address' },
              { name: 'slot0', internalType: 'bytes', type: 'bytes' },
              { name: 'observed', internalType: 'bytes', type: 'bytes' },
            ],
          },
          { name: 'amountOut', internalType: 'uint256', type: 'uint256' },
          { name: 'direct', internalType: 'uint256', type: 'uint256' },
          {
            name: 'outcome',
            internalType: 'enum MarketLens.Outcome',
            type: 'uint8',
          },
          { name: 'received', internalType: 'uint256', type: 'uint256' },
          { name: 'returned', internalType: 'uint256', type: 'uint256' },
          { name: 'smaller', internalType: 'uint256[]', type: 'uint256[]' },
        ],
      },
    ],
    stateMutability: 'nonpayable',
  },
  {
    type: 'function',
    inputs: [
      {
        name: 'trade',
        internalType: 'struct MarketLens.Trade',
        type: 'tuple',
        components: [
          {
            name: 'paid',
            internalType: 'struct MarketLens.Token',
            type: 'tuple',
            components: [
              { name: 'token', internalType: 'address', type: 'address' },
              { name: 'unit', internalType: 'uint256', type: 'uint256' },
              { name: 'feed', internalType: 'address', type: 'address' },
              { name: 'feedScale', internalType: 'uint256', type: 'uint256' },
            ],
          },
          {
            name: 'received',
            internalType: 'struct MarketLens.Token',
            type: 'tuple',
            components: [
              { name: 'token', internalType: 'address', type: 'address' },
              { name: 'unit', internalType: 'uint256', type: 'uint256' },
              { name: 'feed', internalType: 'address', type: 'address' },
              { name: 'feedScale', internalType: 'uint256', type: 'uint256' },
            ],
          },
          { name: 'isBuy', internalType: 'bool', type: 'bool' },
          {
            name: 'sizeIn',
            internalType: 'enum MarketLens.SizeIn',
            type: 'uint8',
          },
          { name: 'size', internalType: 'uint256', type: 'uint256' },
          {
            name: 'market',
            internalType: 'struct RouteSearch.Market',
            type: 'tuple',
            components: [
              { name: 'deployer', internalType: 'address', type: 'address' },
              { name: 'quoter', internalType: 'address', type: 'address' },
              { name: 'hubs', internalType: 'address[]', type: 'address[]' },
              { name: 'steadyTicks', internalType: 'uint256', type: 'uint256' },
              { name: 'impactBps', internalType: 'uint256', type: 'uint256' },
              {
                name: 'withdrawnBps',
                internalType: 'uint256',
                type: 'uint256',
              },
            ],
          },
          { name: 'router', internalType: 'address', type: 'address' },
          {
            name: 'oracles',
            internalType: 'struct MarketLens.Oracles',
            type: 'tuple',
            components: [
              { name: 'redStone', internalType: 'address', type: 'address' },
              { name: 'binance', internalType: 'address', type: 'address' },
            ],
          },
        ],
      },
      { name: 'amountIn', internalType: 'uint256', type: 'uint256' },
      { name: 'path', internalType: 'bytes', type: 'bytes' },
      { name: 'pathBack', internalType: 'bytes', type: 'bytes' },
    ],
    name: 'simulate',
    outputs: [],
    stateMutability: 'nonpayable',
  },
  {
    type: 'error',
    inputs: [
      {
        name: 'outcome',
        internalType: 'enum MarketLens.Outcome',
        type: 'uint8',
      },
      { name: 'received', internalType: 'uint256', type: 'uint256' },
      { name: 'returned', internalType: 'uint256', type: 'uint256' },
    ],
    name: 'Simulated',
  },
] as const

//////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////
// MoolahMarket
//////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////

export const moolahMarketAbi = [
  {
    type: 'constructor',
    inputs: [
      { name: 'moolah', internalType: 'contract IMoolah', type: 'address' },
    ],
    stateMutability: 'nonpayable',
  },
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
    inputs: [{ name: '', internalType: 'address', type: 'address' }],
    name: 'forcedMarkets',
    outputs: [{ name: '', internalType: 'bytes32[]', type: 'bytes32[]' }],
    stateMutability: 'pure',
  },
  {
    type: 'function',
    inputs: [],
    name: 'morpho',
    outputs: [{ name: '', internalType: 'contract IMorpho', type: 'address' }],
    stateMutability: 'view',
  },
  {
    type: 'function',
    inputs: [{ name: 'market', internalType: 'bytes32', type: 'bytes32' }],
    name: 'numeraire',
    outputs: [{ name: '', internalType: 'address', type: 'address' }],
    stateMutability: 'view',
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
    outputs: [{ name: 'debt', internalType: 'uint256', type: 'uint256' }],
    stateMutability: 'view',
  },
  {
    type: 'function',
    inputs: [
      { name: 'source', internalType: 'address', type: 'address' },
      { name: 'borrower', internalType: 'address', type: 'address' },
      { name: 'market', internalType: 'bytes32', type: 'bytes32' },
    ],
    name: 'weightedCollateralBy',
    outputs: [{ name: '', internalType: 'uint256', type: 'uint256' }],
    stateMutability: 'view',
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
] as const

//////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////
// PermissionsLens
//////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////

export const permissionsLensAbi = [
  {
    type: 'function',
    inputs: [
      {
        name: 'loanGuard',
        internalType: 'contract ILoanGuard',
        type: 'address',
      },
      { name: 'account', internalType: 'address', type: 'address' },
      { name: 'from', internalType: 'uint256', type: 'uint256' },
      { name: 'to', internalType: 'uint256', type: 'uint256' },
    ],
    name: 'guardsOf',
    outputs: [
      { name: 'ids', internalType: 'uint256[]', type: 'uint256[]' },
      { name: 'next', internalType: 'uint256', type: 'uint256' },
    ],
    stateMutability: 'view',
  },
  {
    type: 'function',
    inputs: [
      {
        name: 'registry',
        internalType: 'contract IPlanRegistry',
        type: 'address',
      },
      { name: 'owner', internalType: 'address', type: 'address' },
      { name: 'from', internalType: 'uint256', type: 'uint256' },
      { name: 'to', internalType: 'uint256', type: 'uint256' },
    ],
    name: 'plansOf',
    outputs: [
      { name: 'ids', internalType: 'uint256[]', type: 'uint256[]' },
      { name: 'next', internalType: 'uint256', type: 'uint256' },
    ],
    stateMutability: 'view',
  },
] as const

//////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////
// PlanRegistry
//////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////

export const planRegistryAbi = [
  {
    type: 'constructor',
    inputs: [
      {
        name: 'revocations_',
        internalType: 'contract IRevocations',
        type: 'address',
      },
      { name: 'loanGuard_', internalType: 'address', type: 'address' },
      { name: 'sources', internalType: 'address[]', type: 'address[]' },
    ],
    stateMutability: 'nonpayable',
  },
  {
    type: 'function',
    inputs: [],
    name: 'MAX_DEFERRALS_PER_SLOT',
    outputs: [{ name: '', internalType: 'uint256', type: 'uint256' }],
    stateMutability: 'view',
  },
  {
    type: 'function',
    inputs: [],
    name: 'MAX_TICKET_SECONDS',
    outputs: [{ name: '', internalType: 'uint256', type: 'uint256' }],
    stateMutability: 'view',
  },
  {
    type: 'function',
    inputs: [{ name: 'planId', internalType: 'uint256', type: 'uint256' }],
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
        name: 'terms',
        internalType: 'struct IPlanRegistry.Terms',
        type: 'tuple',
        components: [
          { name: 'owner', internalType: 'address', type: 'address' },
          { name: 'recipient', internalType: 'address', type: 'address' },
          { name: 'executor', internalType: 'address', type: 'address' },
          { name: 'verdictSigner', internalType: 'address', type: 'address' },
          { name: 'tokenIn', internalType: 'address', type: 'address' },
          { name: 'tokenOut', internalType: 'address', type: 'address' },
          { name: 'amountPerRun', internalType: 'uint104', type: 'uint104' },
          { name: 'startAt', internalType: 'uint40', type: 'uint40' },
          { name: 'periodSeconds', internalType: 'uint32', type: 'uint32' },
          { name: 'windowSeconds', internalType: 'uint32', type: 'uint32' },
          { name: 'maxRuns', internalType: 'uint32', type: 'uint32' },
          { name: 'expiresAt', internalType: 'uint40', type: 'uint40' },
          { name: 'priceSource', internalType: 'address', type: 'address' },
          { name: 'limitPriceWad', internalType: 'uint128', type: 'uint128' },
          { name: 'maxSlippageBps', internalType: 'uint16', type: 'uint16' },
          { name: 'farLimit', internalType: 'bool', type: 'bool' },
          { name: 'triggerPriceWad', internalType: 'uint128', type: 'uint128' },
        ],
      },
    ],
    name: 'create',
    outputs: [{ name: 'planId', internalType: 'uint256', type: 'uint256' }],
    stateMutability: 'nonpayable',
  },
  {
    type: 'function',
    inputs: [
      {
        name: 'creation',
        internalType: 'struct IPlanRegistry.Creation',
        type: 'tuple',
        components: [
          { name: 'owner', internalType: 'address', type: 'address' },
          {
            name: 'plans',
            internalType: 'struct IPlanRegistry.Terms[]',
            type: 'tuple[]',
            components: [
              { name: 'owner', internalType: 'address', type: 'address' },
              { name: 'recipient', internalType: 'address', type: 'address' },
              { name: 'executor', internalType: 'address', type: 'address' },
              {
                name: 'verdictSigner',
                internalType: 'address',
                type: 'address',
              },
              { name: 'tokenIn', internalType: 'address', type: 'address' },
              { name: 'tokenOut', internalType: 'address', type: 'address' },
              {
                name: 'amountPerRun',
                internalType: 'uint104',
                type: 'uint104',
              },
              { name: 'startAt', internalType: 'uint40', type: 'uint40' },
              { name: 'periodSeconds', internalType: 'uint32', type: 'uint32' },
              { name: 'windowSeconds', internalType: 'uint32', type: 'uint32' },
              { name: 'maxRuns', internalType: 'uint32', type: 'uint32' },
              { name: 'expiresAt', internalType: 'uint40', type: 'uint40' },
              { name: 'priceSource', internalType: 'address', type: 'address' },
              {
                name: 'limitPriceWad',
                internalType: 'uint128',
                type: 'uint128',
              },
              {
                name: 'maxSlippageBps',
                internalType: 'uint16',
                type: 'uint16',
              },
              { name: 'farLimit', internalType: 'bool', type: 'bool' },
              {
                name: 'triggerPriceWad',
                internalType: 'uint128',
                type: 'uint128',
              },
            ],
          },
          { name: 'nonce', internalType: 'uint256', type: 'uint256' },
          { name: 'deadline', internalType: 'uint256', type: 'uint256' },
          { name: 'epoch', internalType: 'uint64', type: 'uint64' },
        ],
      },
      { name: 'signature', internalType: 'bytes', type: 'bytes' },
    ],
    name: 'createBySignature',
    outputs: [
      { name: 'firstPlanId', internalType: 'uint256', type: 'uint256' },
    ],
    stateMutability: 'nonpayable',
  },
  {
    type: 'function',
    inputs: [
      {
        name: 'creation',
        internalType: 'struct IPlanRegistry.Creation',
        type: 'tuple',
        components: [
          { name: 'owner', internalType: 'address', type: 'address' },
          {
            name: 'plans',
            internalType: 'struct IPlanRegistry.Terms[]',
            type: 'tuple[]',
            components: [
              { name: 'owner', internalType: 'address', type: 'address' },
              { name: 'recipient', internalType: 'address', type: 'address' },
              { name: 'executor', internalType: 'address', type: 'address' },
              {
                name: 'verdictSigner',
                internalType: 'address',
                type: 'address',
              },
              { name: 'tokenIn', internalType: 'address', type: 'address' },
              { name: 'tokenOut', internalType: 'address', type: 'address' },
              {
                name: 'amountPerRun',
                internalType: 'uint104',
                type: 'uint104',
              },
              { name: 'startAt', internalType: 'uint40', type: 'uint40' },
              { name: 'periodSeconds', internalType: 'uint32', type: 'uint32' },
              { name: 'windowSeconds', internalType: 'uint32', type: 'uint32' },
              { name: 'maxRuns', internalType: 'uint32', type: 'uint32' },
              { name: 'expiresAt', internalType: 'uint40', type: 'uint40' },
              { name: 'priceSource', internalType: 'address', type: 'address' },
              {
                name: 'limitPriceWad',
                internalType: 'uint128',
                type: 'uint128',
              },
              {
                name: 'maxSlippageBps',
                internalType: 'uint16',
                type: 'uint16',
              },
              { name: 'farLimit', internalType: 'bool', type: 'bool' },
              {
                name: 'triggerPriceWad',
                internalType: 'uint128',
                type: 'uint128',
              },
            ],
          },
          { name: 'nonce', internalType: 'uint256', type: 'uint256' },
          { name: 'deadline', internalType: 'uint256', type: 'uint256' },
          { name: 'epoch', internalType: 'uint64', type: 'uint64' },
        ],
      },
    ],
    name: 'digestOf',
    outputs: [{ name: '', internalType: 'bytes32', type: 'bytes32' }],
    stateMutability: 'view',
  },
  {
    type: 'function',
    inputs: [
      {
        name: 'ticket',
        internalType: 'struct IPlanRegistry.Ticket',
        type: 'tuple',
        components: [
          { name: 'tokenIn', internalType: 'address', type: 'address' },
          { name: 'tokenOut', internalType: 'address', type: 'address' },
          { name: 'verdict', internalType: 'enum Verdict', type: 'uint8' },
          { name: 'maxPriceWad', internalType: 'uint256', type: 'uint256' },
          { name: 'maxAmountIn', internalType: 'uint256', type: 'uint256' },
          { name: 'issuedAt', internalType: 'uint64', type: 'uint64' },
          { name: 'expiresAt', internalType: 'uint64', type: 'uint64' },
          { name: 'evidenceHash', internalType: 'bytes32', type: 'bytes32' },
        ],
      },
    ],
    name: 'digestOf',
    outputs: [{ name: '', internalType: 'bytes32', type: 'bytes32' }],
    stateMutability: 'view',
  },
  {
    type: 'function',
    inputs: [
      { name: 'planId', internalType: 'uint256', type: 'uint256' },
      { name: 'expectedVersion', internalType: 'uint256', type: 'uint256' },
      { name: 'expectedRuns', internalType: 'uint256', type: 'uint256' },
      {
        name: 'terms',
        internalType: 'struct IPlanRegistry.Terms',
        type: 'tuple',
        components: [
          { name: 'owner', internalType: 'address', type: 'address' },
          { name: 'recipient', internalType: 'address', type: 'address' },
          { name: 'executor', internalType: 'address', type: 'address' },
          { name: 'verdictSigner', internalType: 'address', type: 'address' },
          { name: 'tokenIn', internalType: 'address', type: 'address' },
          { name: 'tokenOut', internalType: 'address', type: 'address' },
          { name: 'amountPerRun', internalType: 'uint104', type: 'uint104' },
          { name: 'startAt', internalType: 'uint40', type: 'uint40' },
          { name: 'periodSeconds', internalType: 'uint32', type: 'uint32' },
          { name: 'windowSeconds', internalType: 'uint32', type: 'uint32' },
          { name: 'maxRuns', internalType: 'uint32', type: 'uint32' },
          { name: 'expiresAt', internalType: 'uint40', type: 'uint40' },
          { name: 'priceSource', internalType: 'address', type: 'address' },
          { name: 'limitPriceWad', internalType: 'uint128', type: 'uint128' },
          { name: 'maxSlippageBps', internalType: 'uint16', type: 'uint16' },
          { name: 'farLimit', internalType: 'bool', type: 'bool' },
          { name: 'triggerPriceWad', internalType: 'uint128', type: 'uint128' },
        ],
      },
    ],
    name: 'edit',
    outputs: [],
    stateMutability: 'nonpayable',
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
    inputs: [],
    name: 'loanGuard',
    outputs: [{ name: '', internalType: 'address', type: 'address' }],
    stateMutability: 'view',
  },
  {
    type: 'function',
    inputs: [{ name: 'planId', internalType: 'uint256', type: 'uint256' }],
    name: 'pause',
    outputs: [],
    stateMutability: 'nonpayable',
  },
  {
    type: 'function',
    inputs: [{ name: 'payee', internalType: 'address', type: 'address' }],
    name: 'payTo',
    outputs: [],
    stateMutability: 'nonpayable',
  },
  {
    type: 'function',
    inputs: [{ name: 'planId', internalType: 'uint256', type: 'uint256' }],
    name: 'plan',
    outputs: [
      {
        name: '',
        internalType: 'struct IPlanRegistry.Plan',
        type: 'tuple',
        components: [
          {
            name: 'terms',
            internalType: 'struct IPlanRegistry.Terms',
            type: 'tuple',
            components: [
              { name: 'owner', internalType: 'address', type: 'address' },
              { name: 'recipient', internalType: 'address', type: 'address' },
              { name: 'executor', internalType: 'address', type: 'address' },
              {
                name: 'verdictSigner',
                internalType: 'address',
                type: 'address',
              },
              { name: 'tokenIn', internalType: 'address', type: 'address' },
              { name: 'tokenOut', internalType: 'address', type: 'address' },
              {
                name: 'amountPerRun',
                internalType: 'uint104',
                type: 'uint104',
              },
              { name: 'startAt', internalType: 'uint40', type: 'uint40' },
              { name: 'periodSeconds', internalType: 'uint32', type: 'uint32' },
              { name: 'windowSeconds', internalType: 'uint32', type: 'uint32' },
              { name: 'maxRuns', internalType: 'uint32', type: 'uint32' },
              { name: 'expiresAt', internalType: 'uint40', type: 'uint40' },
              { name: 'priceSource', internalType: 'address', type: 'address' },
              {
                name: 'limitPriceWad',
                internalType: 'uint128',
                type: 'uint128',
              },
              {
                name: 'maxSlippageBps',
                internalType: 'uint16',
                type: 'uint16',
              },
              { name: 'farLimit', internalType: 'bool', type: 'bool' },
              {
                name: 'triggerPriceWad',
                internalType: 'uint128',
                type: 'uint128',
              },
            ],
          },
          {
            name: 'state',
            internalType: 'struct IPlanRegistry.State',
            type: 'tuple',
            components: [
              {
                name: 'status',
                internalType: 'enum IPlanRegistry.Status',
                type: 'uint8',
              },
              { name: 'cursor', internalType: 'uint40', type: 'uint40' },
              { name: 'runs', internalType: 'uint32', type: 'uint32' },
              { name: 'records', internalType: 'uint32', type: 'uint32' },
              { name: 'deferrals', internalType: 'uint8', type: 'uint8' },
              { name: 'lastReason', internalType: 'uint16', type: 'uint16' },
              { name: 'version', internalType: 'uint16', type: 'uint16' },
              { name: 'epoch', internalType: 'uint64', type: 'uint64' },
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
    name: 'planCount',
    outputs: [{ name: '', internalType: 'uint256', type: 'uint256' }],
    stateMutability: 'view',
  },
  {
    type: 'function',
    inputs: [{ name: '', internalType: 'uint256', type: 'uint256' }],
    name: 'priceSources',
    outputs: [{ name: '', internalType: 'address', type: 'address' }],
    stateMutability: 'view',
  },
  {
    type: 'function',
    inputs: [
      { name: 'planId', internalType: 'uint256', type: 'uint256' },
      { name: 'expectedVersion', internalType: 'uint256', type: 'uint256' },
      {
        name: 'ticket',
        internalType: 'struct IPlanRegistry.Ticket',
        type: 'tuple',
        components: [
          { name: 'tokenIn', internalType: 'address', type: 'address' },
          { name: 'tokenOut', internalType: 'address', type: 'address' },
          { name: 'verdict', internalType: 'enum Verdict', type: 'uint8' },
          { name: 'maxPriceWad', internalType: 'uint256', type: 'uint256' },
          { name: 'maxAmountIn', internalType: 'uint256', type: 'uint256' },
          { name: 'issuedAt', internalType: 'uint64', type: 'uint64' },
          { name: 'expiresAt', internalType: 'uint64', type: 'uint64' },
          { name: 'evidenceHash', internalType: 'bytes32', type: 'bytes32' },
        ],
      },
      { name: 'signature', internalType: 'bytes', type: 'bytes' },
      { name: 'data', internalType: 'bytes', type: 'bytes' },
    ],
    name: 'pullFunds',
    outputs: [{ name: 'amountOut', internalType: 'uint256', type: 'uint256' }],
    stateMutability: 'nonpayable',
  },
  {
    type: 'function',
    inputs: [
      { name: 'planId', internalType: 'uint256', type: 'uint256' },
      { name: 'expectedVersion', internalType: 'uint256', type: 'uint256' },
      { name: 'reason', internalType: 'uint16', type: 'uint16' },
      {
        name: 'ticket',
        internalType: 'struct IPlanRegistry.Ticket',
        type: 'tuple',
        components: [
          { name: 'tokenIn', internalType: 'address', type: 'address' },
          { name: 'tokenOut', internalType: 'address', type: 'address' },
          { name: 'verdict', internalType: 'enum Verdict', type: 'uint8' },
          { name: 'maxPriceWad', internalType: 'uint256', type: 'uint256' },
          { name: 'maxAmountIn', internalType: 'uint256', type: 'uint256' },
          { name: 'issuedAt', internalType: 'uint64', type: 'uint64' },
          { name: 'expiresAt', internalType: 'uint64', type: 'uint64' },
          { name: 'evidenceHash', internalType: 'bytes32', type: 'bytes32' },
        ],
      },
      { name: 'signature', internalType: 'bytes', type: 'bytes' },
    ],
    name: 'recordDeferral',
    outputs: [],
    stateMutability: 'nonpayable',
  },
  {
    type: 'function',
    inputs: [{ name: 'planId', internalType: 'uint256', type: 'uint256' }],
    name: 'recordRun',
    outputs: [{ name: 'received', internalType: 'uint256', type: 'uint256' }],
    stateMutability: 'nonpayable',
  },
  {
    type: 'function',
    inputs: [
      { name: 'planId', internalType: 'uint256', type: 'uint256' },
      { name: 'expectedVersion', internalType: 'uint256', type: 'uint256' },
      { name: 'expectedRuns', internalType: 'uint256', type: 'uint256' },
    ],
    name: 'resume',
    outputs: [],
    stateMutability: 'nonpayable',
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
    inputs: [
      { name: 'planId', internalType: 'uint256', type: 'uint256' },
      { name: 'from', internalType: 'uint256', type: 'uint256' },
      { name: 'to', internalType: 'uint256', type: 'uint256' },
    ],
    name: 'runs',
    outputs: [
      {
        name: 'page',
        internalType: 'struct IPlanRegistry.Run[]',
        type: 'tuple[]',
        components: [
          { name: 'time', internalType: 'uint40', type: 'uint40' },
          {
            name: 'outcome',
            internalType: 'enum IPlanRegistry.Outcome',
            type: 'uint8',
          },
          { name: 'slotStart', internalType: 'uint40', type: 'uint40' },
          { name: 'version', internalType: 'uint16', type: 'uint16' },
          { name: 'reason', internalType: 'uint16', type: 'uint16' },
          { name: 'verdict', internalType: 'enum Verdict', type: 'uint8' },
          { name: 'isAttested', internalType: 'bool', type: 'bool' },
          { name: 'floor', internalType: 'uint104', type: 'uint104' },
          { name: 'amountIn', internalType: 'uint104', type: 'uint104' },
          { name: 'amountOut', internalType: 'uint104', type: 'uint104' },
          { name: 'evidencePrefix', internalType: 'bytes19', type: 'bytes19' },
        ],
      },
    ],
    stateMutability: 'view',
  },
  {
    type: 'function',
    inputs: [
      { name: 'planId', internalType: 'uint256', type: 'uint256' },
      { name: 'version', internalType: 'uint256', type: 'uint256' },
    ],
    name: 'termsOf',
    outputs: [
      {
        name: '',
        internalType: 'struct IPlanRegistry.Terms',
        type: 'tuple',
        components: [
          { name: 'owner', internalType: 'address', type: 'address' },
          { name: 'recipient', internalType: 'address', type: 'address' },
          { name: 'executor', internalType: 'address', type: 'address' },
          { name: 'verdictSigner', internalType: 'address', type: 'address' },
          { name: 'tokenIn', internalType: 'address', type: 'address' },
          { name: 'tokenOut', internalType: 'address', type: 'address' },
          { name: 'amountPerRun', internalType: 'uint104', type: 'uint104' },
          { name: 'startAt', internalType: 'uint40', type: 'uint40' },
          { name: 'periodSeconds', internalType: 'uint32', type: 'uint32' },
          { name: 'windowSeconds', internalType: 'uint32', type: 'uint32' },
          { name: 'maxRuns', internalType: 'uint32', type: 'uint32' },
          { name: 'expiresAt', internalType: 'uint40', type: 'uint40' },
          { name: 'priceSource', internalType: 'address', type: 'address' },
          { name: 'limitPriceWad', internalType: 'uint128', type: 'uint128' },
          { name: 'maxSlippageBps', internalType: 'uint16', type: 'uint16' },
          { name: 'farLimit', internalType: 'bool', type: 'bool' },
          { name: 'triggerPriceWad', internalType: 'uint128', type: 'uint128' },
        ],
      },
    ],
    stateMutability: 'view',
  },
  {
    type: 'event',
    anonymous: false,
    inputs: [
      {
        name: 'planId',
        internalType: 'uint256',
        type: 'uint256',
        indexed: true,
      },
      {
        name: 'record',
        internalType: 'uint256',
        type: 'uint256',
        indexed: true,
      },
      {
        name: 'reason',
        internalType: 'uint16',
        type: 'uint16',
        indexed: false,
      },
      {
        name: 'verdict',
        internalType: 'enum Verdict',
        type: 'uint8',
        indexed: false,
      },
      {
        name: 'evidenceHash',
        internalType: 'bytes32',
        type: 'bytes32',
        indexed: false,
      },
      {
        name: 'slotStart',
        internalType: 'uint256',
        type: 'uint256',
        indexed: false,
      },
      {
        name: 'isAttested',
        internalType: 'bool',
        type: 'bool',
        indexed: false,
      },
    ],
    name: 'DeferralRecorded',
  },
  { type: 'event', anonymous: false, inputs: [], name: 'EIP712DomainChanged' },
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
        name: 'planId',
        internalType: 'uint256',
        type: 'uint256',
        indexed: true,
      },
    ],
    name: 'PlanCancelled',
  },
  {
    type: 'event',
    anonymous: false,
    inputs: [
      {
        name: 'planId',
        internalType: 'uint256',
        type: 'uint256',
        indexed: true,
      },
      {
        name: 'owner',
        internalType: 'address',
        type: 'address',
        indexed: true,
      },
      {
        name: 'executor',
        internalType: 'address',
        type: 'address',
        indexed: true,
      },
      { name: 'epoch', internalType: 'uint64', type: 'uint64', indexed: false },
      {
        name: 'terms',
        internalType: 'struct IPlanRegistry.Terms',
        type: 'tuple',
        components: [
          { name: 'owner', internalType: 'address', type: 'address' },
          { name: 'recipient', internalType: 'address', type: 'address' },
          { name: 'executor', internalType: 'address', type: 'address' },
          { name: 'verdictSigner', internalType: 'address', type: 'address' },
          { name: 'tokenIn', internalType: 'address', type: 'address' },
          { name: 'tokenOut', internalType: 'address', type: 'address' },
          { name: 'amountPerRun', internalType: 'uint104', type: 'uint104' },
          { name: 'startAt', internalType: 'uint40', type: 'uint40' },
          { name: 'periodSeconds', internalType: 'uint32', type: 'uint32' },
          { name: 'windowSeconds', internalType: 'uint32', type: 'uint32' },
          { name: 'maxRuns', internalType: 'uint32', type: 'uint32' },
          { name: 'expiresAt', internalType: 'uint40', type: 'uint40' },
          { name: 'priceSource', internalType: 'address', type: 'address' },
          { name: 'limitPriceWad', internalType: 'uint128', type: 'uint128' },
          { name: 'maxSlippageBps', internalType: 'uint16', type: 'uint16' },
          { name: 'farLimit', internalType: 'bool', type: 'bool' },
          { name: 'triggerPriceWad', internalType: 'uint128', type: 'uint128' },
        ],
        indexed: false,
      },
    ],
    name: 'PlanCreated',
  },
  {
    type: 'event',
    anonymous: false,
    inputs: [
      {
        name: 'planId',
        internalType: 'uint256',
        type: 'uint256',
        indexed: true,
      },
      {
        name: 'version',
        internalType: 'uint256',
        type: 'uint256',
        indexed: false,
      },
      {
        name: 'terms',
        internalType: 'struct IPlanRegistry.Terms',
        type: 'tuple',
        components: [
          { name: 'owner', internalType: 'address', type: 'address' },
          { name: 'recipient', internalType: 'address', type: 'address' },
          { name: 'executor', internalType: 'address', type: 'address' },
          { name: 'verdictSigner', internalType: 'address', type: 'address' },
          { name: 'tokenIn', internalType: 'address', type: 'address' },
          { name: 'tokenOut', internalType: 'address', type: 'address' },
          { name: 'amountPerRun', internalType: 'uint104', type: 'uint104' },
          { name: 'startAt', internalType: 'uint40', type: 'uint40' },
          { name: 'periodSeconds', internalType: 'uint32', type: 'uint32' },
          { name: 'windowSeconds', internalType: 'uint32', type: 'uint32' },
          { name: 'maxRuns', internalType: 'uint32', type: 'uint32' },
          { name: 'expiresAt', internalType: 'uint40', type: 'uint40' },
          { name: 'priceSource', internalType: 'address', type: 'address' },
          { name: 'limitPriceWad', internalType: 'uint128', type: 'uint128' },
          { name: 'maxSlippageBps', internalType: 'uint16', type: 'uint16' },
          { name: 'farLimit', internalType: 'bool', type: 'bool' },
          { name: 'triggerPriceWad', internalType: 'uint128', type: 'uint128' },
        ],
        indexed: false,
      },
    ],
    name: 'PlanEdited',
  },
  {
    type: 'event',
    anonymous: false,
    inputs: [
      {
        name: 'planId',
        internalType: 'uint256',
        type: 'uint256',
        indexed: true,
      },
    ],
    name: 'PlanPaused',
  },
  {
    type: 'event',
    anonymous: false,
    inputs: [
      {
        name: 'planId',
        internalType: 'uint256',
        type: 'uint256',
        indexed: true,
      },
    ],
    name: 'PlanResumed',
  },
  {
    type: 'event',
    anonymous: false,
    inputs: [
      {
        name: 'planId',
        internalType: 'uint256',
        type: 'uint256',
        indexed: true,
      },
      {
        name: 'record',
        internalType: 'uint256',
        type: 'uint256',
        indexed: true,
      },
      {
        name: 'amountIn',
        internalType: 'uint256',
        type: 'uint256',
        indexed: false,
      },
      {
        name: 'amountOut',
        internalType: 'uint256',
        type: 'uint256',
        indexed: false,
      },
      {
        name: 'floor',
        internalType: 'uint256',
        type: 'uint256',
        indexed: false,
      },
      {
        name: 'slotStart',
        internalType: 'uint256',
        type: 'uint256',
        indexed: false,
      },
      {
        name: 'evidenceHash',
        internalType: 'bytes32',
        type: 'bytes32',
        indexed: false,
      },
    ],
    name: 'RunRecorded',
  },
  {
    type: 'error',
    inputs: [
      { name: 'amountPerRun', internalType: 'uint256', type: 'uint256' },
    ],
    name: 'AmountRefused',
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
    inputs: [{ name: 'deferrals', internalType: 'uint256', type: 'uint256' }],
    name: 'DeferralsUsedUp',
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
    inputs: [{ name: 'executor', internalType: 'address', type: 'address' }],
    name: 'ExecutorRefused',
  },
  {
    type: 'error',
    inputs: [
      { name: 'expiresAt', internalType: 'uint256', type: 'uint256' },
      { name: 'startAt', internalType: 'uint256', type: 'uint256' },
      { name: 'time', internalType: 'uint256', type: 'uint256' },
    ],
    name: 'ExpiryRefused',
  },
  {
    type: 'error',
    inputs: [
      { name: 'received', internalType: 'uint256', type: 'uint256' },
      { name: 'floor', internalType: 'uint256', type: 'uint256' },
    ],
    name: 'FloorNotMet',
  },
  { type: 'error', inputs: [], name: 'InvalidShortString' },
  {
    type: 'error',
    inputs: [
      { name: 'token', internalType: 'address', type: 'address' },
      { name: 'amount', internalType: 'uint256', type: 'uint256' },
    ],
    name: 'LeftBehind',
  },
  {
    type: 'error',
    inputs: [
      { name: 'limitPriceWad', internalType: 'uint256', type: 'uint256' },
      { name: 'maxPriceWad', internalType: 'uint256', type: 'uint256' },
    ],
    name: 'LimitTooFar',
  },
  {
    type: 'error',
    inputs: [
      { name: 'tokenIn', internalType: 'address', type: 'address' },
      { name: 'tokenOut', internalType: 'address', type: 'address' },
    ],
    name: 'LimitUnchecked',
  },
  {
    type: 'error',
    inputs: [{ name: 'loanGuard', internalType: 'address', type: 'address' }],
    name: 'LoanGuardRefused',
  },
  {
    type: 'error',
    inputs: [{ name: 'maxRuns', internalType: 'uint256', type: 'uint256' }],
    name: 'MaxRunsRefused',
  },
  {
    type: 'error',
    inputs: [{ name: 'planId', internalType: 'uint256', type: 'uint256' }],
    name: 'NoRunOpen',
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
      { name: 'executor', internalType: 'address', type: 'address' },
    ],
    name: 'NotExecutor',
  },
  {
    type: 'error',
    inputs: [
      { name: 'caller', internalType: 'address', type: 'address' },
      { name: 'owner', internalType: 'address', type: 'address' },
    ],
    name: 'NotOwner',
  },
  {
    type: 'error',
    inputs: [
      { name: 'owner', internalType: 'address', type: 'address' },
      { name: 'signer', internalType: 'address', type: 'address' },
    ],
    name: 'OwnerDiffers',
  },
  {
    type: 'error',
    inputs: [{ name: 'payee', internalType: 'address', type: 'address' }],
    name: 'PayeeRefused',
  },
  {
    type: 'error',
    inputs: [
      { name: 'periodSeconds', internalType: 'uint256', type: 'uint256' },
      { name: 'minSeconds', internalType: 'uint256', type: 'uint256' },
    ],
    name: 'PeriodRefused',
  },
  { type: 'error', inputs: [], name: 'PlanCancelledForGood' },
  {
    type: 'error',
    inputs: [
      { name: 'expiresAt', internalType: 'uint256', type: 'uint256' },
      { name: 'time', internalType: 'uint256', type: 'uint256' },
    ],
    name: 'PlanExpired',
  },
  {
    type: 'error',
    inputs: [
      {
        name: 'status',
        internalType: 'enum IPlanRegistry.Status',
        type: 'uint8',
      },
    ],
    name: 'PlanNotActive',
  },
  {
    type: 'error',
    inputs: [
      {
        name: 'status',
        internalType: 'enum IPlanRegistry.Status',
        type: 'uint8',
      },
    ],
    name: 'PlanNotPaused',
  },
  {
    type: 'error',
    inputs: [
      { name: 'startAt', internalType: 'uint256', type: 'uint256' },
      { name: 'time', internalType: 'uint256', type: 'uint256' },
    ],
    name: 'PlanNotStarted',
  },
  {
    type: 'error',
    inputs: [{ name: 'epoch', internalType: 'uint64', type: 'uint64' }],
    name: 'PlanRevoked',
  },
  {
    type: 'error',
    inputs: [{ name: 'planId', internalType: 'uint256', type: 'uint256' }],
    name: 'PlanUnknown',
  },
  { type: 'error', inputs: [], name: 'PlansMissing' },
  { type: 'error', inputs: [], name: 'PriceBoundMissing' },
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
      { name: 'priceInWad', internalType: 'uint256', type: 'uint256' },
      { name: 'priceOutWad', internalType: 'uint256', type: 'uint256' },
    ],
    name: 'PriceOutOfRange',
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
  { type: 'error', inputs: [], name: 'ReasonMissing' },
  {
    type: 'error',
    inputs: [{ name: 'reason', internalType: 'uint256', type: 'uint256' }],
    name: 'ReasonRepeated',
  },
  {
    type: 'error',
    inputs: [{ name: 'recipient', internalType: 'address', type: 'address' }],
    name: 'RecipientRefused',
  },
  {
    type: 'error',
    inputs: [{ name: 'revocations', internalType: 'address', type: 'address' }],
    name: 'RevocationsRefused',
  },
  {
    type: 'error',
    inputs: [{ name: 'planId', internalType: 'uint256', type: 'uint256' }],
    name: 'RunAlreadyPaid',
  },
  {
    type: 'error',
    inputs: [{ name: 'planId', internalType: 'uint256', type: 'uint256' }],
    name: 'RunAlreadyRecorded',
  },
  {
    type: 'error',
    inputs: [{ name: 'planId', internalType: 'uint256', type: 'uint256' }],
    name: 'RunNotPaid',
  },
  {
    type: 'error',
    inputs: [{ name: 'planId', internalType: 'uint256', type: 'uint256' }],
    name: 'RunNotRecorded',
  },
  {
    type: 'error',
    inputs: [{ name: 'planId', internalType: 'uint256', type: 'uint256' }],
    name: 'RunOpen',
  },
  {
    type: 'error',
    inputs: [
      { name: 'expectedRuns', internalType: 'uint256', type: 'uint256' },
      { name: 'runs', internalType: 'uint256', type: 'uint256' },
    ],
    name: 'RunsChanged',
  },
  {
    type: 'error',
    inputs: [
      { name: 'runs', internalType: 'uint256', type: 'uint256' },
      { name: 'maxRuns', internalType: 'uint256', type: 'uint256' },
    ],
    name: 'RunsUsedUp',
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
      { name: 'maxSlippageBps', internalType: 'uint256', type: 'uint256' },
      { name: 'maxBps', internalType: 'uint256', type: 'uint256' },
    ],
    name: 'SlippageRefused',
  },
  {
    type: 'error',
    inputs: [
      { name: 'closedAt', internalType: 'uint256', type: 'uint256' },
      { name: 'time', internalType: 'uint256', type: 'uint256' },
    ],
    name: 'SlotClosed',
  },
  {
    type: 'error',
    inputs: [
      { name: 'slotStart', internalType: 'uint256', type: 'uint256' },
      { name: 'cursor', internalType: 'uint256', type: 'uint256' },
    ],
    name: 'SlotUsed',
  },
  {
    type: 'error',
    inputs: [{ name: 'str', internalType: 'string', type: 'string' }],
    name: 'StringTooLong',
  },
  {
    type: 'error',
    inputs: [
      { name: 'tokenIn', internalType: 'address', type: 'address' },
      { name: 'tokenOut', internalType: 'address', type: 'address' },
    ],
    name: 'TicketForOtherTokens',
  },
  {
    type: 'error',
    inputs: [
      { name: 'issuedAt', internalType: 'uint64', type: 'uint64' },
      { name: 'expiresAt', internalType: 'uint64', type: 'uint64' },
      { name: 'time', internalType: 'uint256', type: 'uint256' },
    ],
    name: 'TicketNotValid',
  },
  { type: 'error', inputs: [], name: 'TicketPriceMissing' },
  {
    type: 'error',
    inputs: [
      { name: 'maxAmountIn', internalType: 'uint256', type: 'uint256' },
      { name: 'amountPerRun', internalType: 'uint256', type: 'uint256' },
    ],
    name: 'TicketTooSmall',
  },
  {
    type: 'error',
    inputs: [
      { name: 'tokenIn', internalType: 'address', type: 'address' },
      { name: 'tokenOut', internalType: 'address', type: 'address' },
    ],
    name: 'TokensRefused',
  },
  {
    type: 'error',
    inputs: [
      { name: 'priceWad', internalType: 'uint256', type: 'uint256' },
      { name: 'triggerPriceWad', internalType: 'uint256', type: 'uint256' },
    ],
    name: 'TriggerNotReached',
  },
  {
    type: 'error',
    inputs: [
      { name: 'triggerPriceWad', internalType: 'uint256', type: 'uint256' },
      { name: 'limitPriceWad', internalType: 'uint256', type: 'uint256' },
    ],
    name: 'TriggerPriceRefused',
  },
  {
    type: 'error',
    inputs: [{ name: 'verdict', internalType: 'enum Verdict', type: 'uint8' }],
    name: 'VerdictNotGo',
  },
  {
    type: 'error',
    inputs: [
      { name: 'expectedVersion', internalType: 'uint256', type: 'uint256' },
      { name: 'version', internalType: 'uint256', type: 'uint256' },
    ],
    name: 'VersionChanged',
  },
  {
    type: 'error',
    inputs: [
      { name: 'windowSeconds', internalType: 'uint256', type: 'uint256' },
      { name: 'periodSeconds', internalType: 'uint256', type: 'uint256' },
    ],
    name: 'WindowRefused',
  },
] as const

//////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////
// ReadLens
//////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////

export const readLensAbi = [
  {
    type: 'function',
    inputs: [
      {
        name: 'calls',
        internalType: 'struct ReadLens.Call[]',
        type: 'tuple[]',
        components: [
          { name: 'target', internalType: 'address', type: 'address' },
          { name: 'data', internalType: 'bytes', type: 'bytes' },
        ],
      },
    ],
    name: 'read',
    outputs: [
      { name: 'time', internalType: 'uint256', type: 'uint256' },
      {
        name: 'answers',
        internalType: 'struct ReadLens.Answer[]',
        type: 'tuple[]',
        components: [
          { name: 'isOk', internalType: 'bool', type: 'bool' },
          { name: 'data', internalType: 'bytes', type: 'bytes' },
        ],
      },
    ],
    stateMutability: 'nonpayable',
  },
] as const

//////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////
// Revocations
//////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////

export const revocationsAbi = [
  {
    type: 'function',
    inputs: [{ name: 'owner', internalType: 'address', type: 'address' }],
    name: 'epochOf',
    outputs: [{ name: '', internalType: 'uint64', type: 'uint64' }],
    stateMutability: 'view',
  },
  {
    type: 'function',
    inputs: [],
    name: 'revokeAll',
    outputs: [],
    stateMutability: 'nonpayable',
  },
  {
    type: 'event',
    anonymous: false,
    inputs: [
      {
        name: 'owner',
        internalType: 'address',
        type: 'address',
        indexed: true,
      },
      {
        name: 'epoch',
        internalType: 'uint256',
        type: 'uint256',
        indexed: false,
      },
    ],
    name: 'AllRevoked',
  },
] as const

//////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////
// RouteLens
//////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////

export const routeLensAbi = [
  {
    type: 'function',
    inputs: [
      {
        name: 'market',
        internalType: 'struct RouteSearch.Market',
        type: 'tuple',
        components: [
          { name: 'deployer', internalType: 'address', type: 'address' },
          { name: 'quoter', internalType: 'address', type: 'address' },
          { name: 'hubs', internalType: 'address[]', type: 'address[]' },
          { name: 'steadyTicks', internalType: 'uint256', type: 'uint256' },
          { name: 'impactBps', internalType: 'uint256', type: 'uint256' },
          { name: 'withdrawnBps', internalType: 'uint256', type: 'uint256' },
        ],
      },
      { name: 'paid', internalType: 'address', type: 'address' },
      { name: 'received', internalType: 'address', type: 'address' },
      { name: 'amountIn', internalType: 'uint256', type: 'uint256' },
    ],
    name: 'best',
    outputs: [
      {
        name: 'route',
        internalType: 'struct RouteSearch.Leg[]',
        type: 'tuple[]',
        components: [
          {
            name: 'pool',
            internalType: 'struct RouteSearch.Pool',
            type: 'tuple',
            components: [
              { name: 'addr', internalType: 'address', type: 'address' },
              { name: 'fee', internalType: 'uint24', type: 'uint24' },
              {
                name: 'sqrtPriceX96',
                internalType: 'uint256',
                type: 'uint256',
              },
              { name: 'tick', internalType: 'int256', type: 'int256' },
              { name: 'liquidity', internalType: 'uint256', type: 'uint256' },
              { name: 'isAsked', internalType: 'bool', type: 'bool' },
              { name: 'remembers', internalType: 'bool', type: 'bool' },
              { name: 'drift', internalType: 'uint256', type: 'uint256' },
              {
                name: 'liquidityBefore',
                internalType: 'uint256',
                type: 'uint256',
              },
            ],
          },
          { name: 'tokenOut', internalType: 'address', type: 'address' },
          { name: 'amountOut', internalType: 'uint256', type: 'uint256' },
          {
            name: 'impactMillionths',
            internalType: 'uint256',
            type: 'uint256',
          },
        ],
      },
    ],
    stateMutability: 'nonpayable',
  },
] as const

//////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////
// StatesLens
//////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////

export const statesLensAbi = [
  {
    type: 'function',
    inputs: [
      { name: 'target', internalType: 'address', type: 'address' },
      { name: 'read', internalType: 'bytes4', type: 'bytes4' },
      { name: 'length', internalType: 'uint256', type: 'uint256' },
      { name: 'gasEach', internalType: 'uint256', type: 'uint256' },
      { name: 'ids', internalType: 'bytes', type: 'bytes' },
    ],
    name: 'each',
    outputs: [
      { name: 'asked', internalType: 'bytes32', type: 'bytes32' },
      { name: 'structs', internalType: 'bytes', type: 'bytes' },
    ],
    stateMutability: 'view',
  },
  {
    type: 'function',
    inputs: [
      {
        name: 'loanGuard',
        internalType: 'contract ILoanGuard',
        type: 'address',
      },
      { name: 'ids', internalType: 'bytes', type: 'bytes' },
    ],
    name: 'guards',
    outputs: [
      { name: 'asked', internalType: 'bytes32', type: 'bytes32' },
      { name: 'words', internalType: 'uint256[]', type: 'uint256[]' },
    ],
    stateMutability: 'view',
  },
  {
    type: 'function',
    inputs: [
      {
        name: 'registry',
        internalType: 'contract IPlanRegistry',
        type: 'address',
      },
      { name: 'ids', internalType: 'bytes', type: 'bytes' },
      { name: 'tokens', internalType: 'address[]', type: 'address[]' },
    ],
    name: 'plans',
    outputs: [
      { name: 'asked', internalType: 'bytes32', type: 'bytes32' },
      { name: 'words', internalType: 'uint256[]', type: 'uint256[]' },
    ],
    stateMutability: 'view',
  },
] as const

//////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////
// SwapExecutor
//////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////

export const swapExecutorAbi = [
  {
    type: 'constructor',
    inputs: [
      {
        name: 'registry_',
        internalType: 'contract IPlanRegistry',
        type: 'address',
      },
      { name: 'poolDeployer_', internalType: 'address', type: 'address' },
      { name: 'operator_', internalType: 'address', type: 'address' },
      { name: 'rotator_', internalType: 'address', type: 'address' },
    ],
    stateMutability: 'nonpayable',
  },
  {
    type: 'function',
    inputs: [],
    name: 'GAS_PER_RUN',
    outputs: [{ name: '', internalType: 'uint256', type: 'uint256' }],
    stateMutability: 'view',
  },
  {
    type: 'function',
    inputs: [],
    name: 'acceptOperator',
    outputs: [],
    stateMutability: 'nonpayable',
  },
  {
    type: 'function',
    inputs: [
      { name: 'planId', internalType: 'uint256', type: 'uint256' },
      { name: 'expectedVersion', internalType: 'uint256', type: 'uint256' },
      { name: 'reason', internalType: 'uint16', type: 'uint16' },
      {
        name: 'ticket',
        internalType: 'struct IPlanRegistry.Ticket',
        type: 'tuple',
        components: [
          { name: 'tokenIn', internalType: 'address', type: 'address' },
          { name: 'tokenOut', internalType: 'address', type: 'address' },
          { name: 'verdict', internalType: 'enum Verdict', type: 'uint8' },
          { name: 'maxPriceWad', internalType: 'uint256', type: 'uint256' },
          { name: 'maxAmountIn', internalType: 'uint256', type: 'uint256' },
          { name: 'issuedAt', internalType: 'uint64', type: 'uint64' },
          { name: 'expiresAt', internalType: 'uint64', type: 'uint64' },
          { name: 'evidenceHash', internalType: 'bytes32', type: 'bytes32' },
        ],
      },
      { name: 'signature', internalType: 'bytes', type: 'bytes' },
    ],
    name: 'defer',
    outputs: [],
    stateMutability: 'nonpayable',
  },
  {
    type: 'function',
    inputs: [
      { name: '', internalType: 'uint256', type: 'uint256' },
      { name: '', internalType: 'uint256', type: 'uint256' },
      {
        name: '',
        internalType: 'struct IPlanRegistry.Ticket',
        type: 'tuple',
        components: [
          { name: 'tokenIn', internalType: 'address', type: 'address' },
          { name: 'tokenOut', internalType: 'address', type: 'address' },
          { name: 'verdict', internalType: 'enum Verdict', type: 'uint8' },
          { name: 'maxPriceWad', internalType: 'uint256', type: 'uint256' },
          { name: 'maxAmountIn', internalType: 'uint256', type: 'uint256' },
          { name: 'issuedAt', internalType: 'uint64', type: 'uint64' },
          { name: 'expiresAt', internalType: 'uint64', type: 'uint64' },
          { name: 'evidenceHash', internalType: 'bytes32', type: 'bytes32' },
        ],
      },
      { name: '', internalType: 'bytes', type: 'bytes' },
      { name: '', internalType: 'bytes', type: 'bytes' },
    ],
    name: 'execute',
    outputs: [{ name: 'amountOut', internalType: 'uint256', type: 'uint256' }],
    stateMutability: 'nonpayable',
  },
  {
    type: 'function',
    inputs: [
      {
        name: 'orders',
        internalType: 'struct ISwapExecutor.Order[]',
        type: 'tuple[]',
        components: [
          { name: 'planId', internalType: 'uint256', type: 'uint256' },
          { name: 'expectedVersion', internalType: 'uint256', type: 'uint256' },
          {
            name: 'ticket',
            internalType: 'struct IPlanRegistry.Ticket',
            type: 'tuple',
            components: [
              { name: 'tokenIn', internalType: 'address', type: 'address' },
              { name: 'tokenOut', internalType: 'address', type: 'address' },
              { name: 'verdict', internalType: 'enum Verdict', type: 'uint8' },
              { name: 'maxPriceWad', internalType: 'uint256', type: 'uint256' },
              { name: 'maxAmountIn', internalType: 'uint256', type: 'uint256' },
              { name: 'issuedAt', internalType: 'uint64', type: 'uint64' },
              { name: 'expiresAt', internalType: 'uint64', type: 'uint64' },
              {
                name: 'evidenceHash',
                internalType: 'bytes32',
                type: 'bytes32',
              },
            ],
          },
          { name: 'signature', internalType: 'bytes', type: 'bytes' },
          { name: 'path', internalType: 'bytes', type: 'bytes' },
        ],
      },
      { name: 'gasPerRun', internalType: 'uint256', type: 'uint256' },
    ],
    name: 'executeBatch',
    outputs: [
      {
        name: 'results',
        internalType: 'struct ISwapExecutor.Result[]',
        type: 'tuple[]',
        components: [
          { name: 'isExecuted', internalType: 'bool', type: 'bool' },
          { name: 'amountOut', internalType: 'uint256', type: 'uint256' },
          { name: 'failure', internalType: 'bytes', type: 'bytes' },
        ],
      },
    ],
    stateMutability: 'nonpayable',
  },
  {
    type: 'function',
    inputs: [
      { name: 'orders', internalType: 'uint256', type: 'uint256' },
      { name: 'gasPerRun', internalType: 'uint256', type: 'uint256' },
    ],
    name: 'gasLimitOf',
    outputs: [{ name: '', internalType: 'uint256', type: 'uint256' }],
    stateMutability: 'pure',
  },
  {
    type: 'function',
    inputs: [
      {
        name: 'run',
        internalType: 'struct IPlanRegistry.OpenRun',
        type: 'tuple',
        components: [
          { name: 'planId', internalType: 'uint256', type: 'uint256' },
          { name: 'tokenIn', internalType: 'address', type: 'address' },
          { name: 'tokenOut', internalType: 'address', type: 'address' },
          { name: 'amountIn', internalType: 'uint256', type: 'uint256' },
          { name: 'floor', internalType: 'uint256', type: 'uint256' },
        ],
      },
      { name: 'path', internalType: 'bytes', type: 'bytes' },
    ],
    name: 'onRunOpened',
    outputs: [],
    stateMutability: 'nonpayable',
  },
  {
    type: 'function',
    inputs: [],
    name: 'operator',
    outputs: [{ name: '', internalType: 'address', type: 'address' }],
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
    inputs: [],
    name: 'poolDeployer',
    outputs: [{ name: '', internalType: 'address', type: 'address' }],
    stateMutability: 'view',
  },
  {
    type: 'function',
    inputs: [{ name: 'operator_', internalType: 'address', type: 'address' }],
    name: 'proposeOperator',
    outputs: [],
    stateMutability: 'nonpayable',
  },
  {
    type: 'function',
    inputs: [],
    name: 'proposedOperator',
    outputs: [{ name: '', internalType: 'address', type: 'address' }],
    stateMutability: 'view',
  },
  {
    type: 'function',
    inputs: [],
    name: 'registry',
    outputs: [
      { name: '', internalType: 'contract IPlanRegistry', type: 'address' },
    ],
    stateMutability: 'view',
  },
  {
    type: 'function',
    inputs: [],
    name: 'rotator',
    outputs: [{ name: '', internalType: 'address', type: 'address' }],
    stateMutability: 'view',
  },
  {
    type: 'event',
    anonymous: false,
    inputs: [
      {
        name: 'before',
        internalType: 'address',
        type: 'address',
        indexed: true,
      },
      {
        name: 'operator',
        internalType: 'address',
        type: 'address',
        indexed: true,
      },
    ],
    name: 'OperatorChanged',
  },
  {
    type: 'event',
    anonymous: false,
    inputs: [
      {
        name: 'operator',
        internalType: 'address',
        type: 'address',
        indexed: true,
      },
    ],
    name: 'OperatorProposed',
  },
  {
    type: 'event',
    anonymous: false,
    inputs: [
      {
        name: 'planId',
        internalType: 'uint256',
        type: 'uint256',
        indexed: true,
      },
      { name: 'failure', internalType: 'bytes', type: 'bytes', indexed: false },
    ],
    name: 'RunFailed',
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
      { name: 'token', internalType: 'address', type: 'address' },
      { name: 'amount', internalType: 'uint256', type: 'uint256' },
    ],
    name: 'LeftBehind',
  },
  {
    type: 'error',
    inputs: [{ name: 'caller', internalType: 'address', type: 'address' }],
    name: 'NotOperator',
  },
  {
    type: 'error',
    inputs: [{ name: 'caller', internalType: 'address', type: 'address' }],
    name: 'NotPool',
  },
  {
    type: 'error',
    inputs: [{ name: 'caller', internalType: 'address', type: 'address' }],
    name: 'NotProposed',
  },
  {
    type: 'error',
    inputs: [{ name: 'caller', internalType: 'address', type: 'address' }],
    name: 'NotRegistry',
  },
  {
    type: 'error',
    inputs: [{ name: 'caller', internalType: 'address', type: 'address' }],
    name: 'NotRotator',
  },
  {
    type: 'error',
    inputs: [
      { name: 'operator', internalType: 'address', type: 'address' },
      { name: 'rotator', internalType: 'address', type: 'address' },
    ],
    name: 'OperatorRefused',
  },
  { type: 'error', inputs: [], name: 'OrdersMissing' },
  {
    type: 'error',
    inputs: [
      { name: 'first', internalType: 'address', type: 'address' },
      { name: 'last', internalType: 'address', type: 'address' },
    ],
    name: 'PathEndsWrong',
  },
  {
    type: 'error',
    inputs: [{ name: 'length', internalType: 'uint256', type: 'uint256' }],
    name: 'PathMalformed',
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
      { name: 'taken', internalType: 'uint256', type: 'uint256' },
      { name: 'amountIn', internalType: 'uint256', type: 'uint256' },
    ],
    name: 'PoolTookLess',
  },
  {
    type: 'error',
    inputs: [{ name: 'value', internalType: 'int256', type: 'int256' }],
    name: 'SafeCastOverflowedIntToUint',
  },
  {
    type: 'error',
    inputs: [{ name: 'value', internalType: 'uint256', type: 'uint256' }],
    name: 'SafeCastOverflowedUintToInt',
  },
  {
    type: 'error',
    inputs: [{ name: 'token', internalType: 'address', type: 'address' }],
    name: 'SafeERC20FailedOperation',
  },
] as const

//////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////
// VenusLens
//////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////

export const venusLensAbi = [
  {
    type: 'function',
    inputs: [
      {
        name: 'adapter',
        internalType: 'contract VenusMarket',
        type: 'address',
      },
      { name: 'vTokens', internalType: 'address[]', type: 'address[]' },
      { name: 'sources', internalType: 'address[]', type: 'address[]' },
      { name: 'pools', internalType: 'uint96[]', type: 'uint96[]' },
    ],
    name: 'rates',
    outputs: [
      { name: 'asked', internalType: 'bytes32', type: 'bytes32' },
      { name: 'words', internalType: 'uint256[]', type: 'uint256[]' },
    ],
    stateMutability: 'nonpayable',
  },
  {
    type: 'function',
    inputs: [
      {
        name: 'protocol',
        internalType: 'struct VenusLens.Protocol',
        type: 'tuple',
        components: [
          {
            name: 'adapter',
            internalType: 'contract VenusMarket',
            type: 'address',
          },
          {
            name: 'comptroller',
            internalType: 'contract IVenusComptroller',
            type: 'address',
          },
          {
            name: 'oracle',
            internalType: 'contract IResilientOracle',
            type: 'address',
          },
          { name: 'vaiController', internalType: 'address', type: 'address' },
          { name: 'vBnb', internalType: 'address', type: 'address' },
          { name: 'wbnb', internalType: 'address', type: 'address' },
        ],
      },
      { name: 'vToken', internalType: 'address', type: 'address' },
      { name: 'sources', internalType: 'address[]', type: 'address[]' },
    ],
    name: 'ratesOf',
    outputs: [{ name: 'each', internalType: 'uint256[]', type: 'uint256[]' }],
    stateMutability: 'nonpayable',
  },
  {
    type: 'function',
    inputs: [
      {
        name: 'adapter',
        internalType: 'contract VenusMarket',
        type: 'address',
      },
      {
        name: 'groups',
        internalType: 'struct VenusLens.Group[]',
        type: 'tuple[]',
        components: [
          { name: 'market', internalType: 'bytes32', type: 'bytes32' },
          { name: 'source', internalType: 'address', type: 'address' },
          { name: 'borrowers', internalType: 'address[]', type: 'address[]' },
        ],
      },
    ],
    name: 'read',
    outputs: [
      { name: 'asked', internalType: 'bytes32', type: 'bytes32' },
      { name: 'answers', internalType: 'bytes[]', type: 'bytes[]' },
    ],
    stateMutability: 'nonpayable',
  },
  {
    type: 'function',
    inputs: [
      {
        name: 'protocol',
        internalType: 'struct VenusLens.Protocol',
        type: 'tuple',
        components: [
          {
            name: 'adapter',
            internalType: 'contract VenusMarket',
            type: 'address',
          },
          {
            name: 'comptroller',
            internalType: 'contract IVenusComptroller',
            type: 'address',
          },
          {
            name: 'oracle',
            internalType: 'contract IResilientOracle',
            type: 'address',
          },
          { name: 'vaiController', internalType: 'address', type: 'address' },
          { name: 'vBnb', internalType: 'address', type: 'address' },
          { name: 'wbnb', internalType: 'address', type: 'address' },
        ],
      },
      { name: 'source', internalType: 'address', type: 'address' },
      { name: 'borrower', internalType: 'address', type: 'address' },
    ],
    name: 'readAccount',
    outputs: [],
    stateMutability: 'nonpayable',
  },
  {
    type: 'function',
    inputs: [
      {
        name: 'protocol',
        internalType: 'struct VenusLens.Protocol',
        type: 'tuple',
        components: [
          {
            name: 'adapter',
            internalType: 'contract VenusMarket',
            type: 'address',
          },
          {
            name: 'comptroller',
            internalType: 'contract IVenusComptroller',
            type: 'address',
          },
          {
            name: 'oracle',
            internalType: 'contract IResilientOracle',
            type: 'address',
          },
          { name: 'vaiController', internalType: 'address', type: 'address' },
          { name: 'vBnb', internalType: 'address', type: 'address' },
          { name: 'wbnb', internalType: 'address', type: 'address' },
        ],
      },
      {
        name: 'group',
        internalType: 'struct VenusLens.Group',
        type: 'tuple',
        components: [
          { name: 'market', internalType: 'bytes32', type: 'bytes32' },
          { name: 'source', internalType: 'address', type: 'address' },
          { name: 'borrowers', internalType: 'address[]', type: 'address[]' },
        ],
      },
    ],
    name: 'readGroup',
    outputs: [],
    stateMutability: 'nonpayable',
  },
  {
    type: 'function',
    inputs: [
      {
        name: 'comptroller',
        internalType: 'contract IVenusComptroller',
        type: 'address',
      },
      { name: 'pool', internalType: 'uint96', type: 'uint96' },
      { name: 'vTokens', internalType: 'address[]', type: 'address[]' },
    ],
    name: 'thresholdsOf',
    outputs: [{ name: 'each', internalType: 'uint256[]', type: 'uint256[]' }],
    stateMutability: 'nonpayable',
  },
  {
    type: 'error',
    inputs: [{ name: 'market', internalType: 'bytes32', type: 'bytes32' }],
    name: 'MarketNotListed',
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
      { name: 'bits', internalType: 'uint8', type: 'uint8' },
      { name: 'value', internalType: 'uint256', type: 'uint256' },
    ],
    name: 'SafeCastOverflowedUintDowncast',
  },
] as const

//////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////
// VenusMarket
//////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////

export const venusMarketAbi = [
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
    inputs: [],
    name: 'comptroller',
    outputs: [
      { name: '', internalType: 'contract IVenusComptroller', type: 'address' },
    ],
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
    type: 'error',
    inputs: [
      { name: 'borrower', internalType: 'address', type: 'address' },
      { name: 'code', internalType: 'uint256', type: 'uint256' },
    ],
    name: 'AccountUnreadable',
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
] as const

//////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////
// VenusPriceSource
//////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////////

export const venusPriceSourceAbi = [
  {
    type: 'constructor',
    inputs: [
      {
        name: 'oracle_',
        internalType: 'contract IResilientOracle',
        type: 'address',
      },
    ],
    stateMutability: 'nonpayable',
  },
  {
    type: 'function',
    inputs: [],
    name: 'oracle',
    outputs: [
      { name: '', internalType: 'contract IResilientOracle', type: 'address' },
    ],
    stateMutability: 'view',
  },
  {
    type: 'function',
    inputs: [
      { name: 'tokenIn', internalType: 'address', type: 'address' },
      { name: 'tokenOut', internalType: 'address', type: 'address' },
    ],
    name: 'prices',
    outputs: [
      { name: 'priceInWad', internalType: 'uint256', type: 'uint256' },
      { name: 'priceOutWad', internalType: 'uint256', type: 'uint256' },
    ],
    stateMutability: 'view',
  },
  {
    type: 'error',
    inputs: [{ name: 'token', internalType: 'address', type: 'address' }],
    name: 'TokenNotPriced',
  },
] as const
