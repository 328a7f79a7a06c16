import type { AgentCard, AgentSkill } from '@a2a-js/sdk';
import { duplicateInterfacesForLegacy } from '@a2a-js/sdk/compat/v0_3';
import type { Tool } from '../../tools/tool.ts';

interface CardOptions {
  readonly publicUrl: string;
  readonly version: string;
  readonly tools: readonly Tool[];
  readonly sells: boolean;
  /** Whether natural-language questions are answered. */
  readonly answers: boolean;
}

/** The agent card with its skills, for clients of A2A 1.0 and, in the same document, 0.3. */
export function agentCard({ publicUrl, version, tools, sells, answers }: CardOptions): AgentCard {
  return {
    name: 'Bowline',
    description:
      'Says whether an asset on BNB Chain is fairly priced to trade now, at a size: a verdict with every check, its ' +
      'measured value and its limit. Sells that work as ERC-8183 jobs.',
    version,
    // Buyers post to the root of the card's host as often as to its declared URL.
    supportedInterfaces: duplicateInterfacesForLegacy(
      [{ url: `${publicUrl}/a2a`, protocolBinding: 'JSONRPC', tenant: '', protocolVersion: '1.0' }],
      ['JSONRPC'],
    ),
    provider: undefined,
    // A value that exists in only one version's format would invalidate the signature in the other.
    capabilities: {
      streaming: false,
      pushNotifications: false,
      extensions: [],
      extendedAgentCard: undefined,
    },
    securitySchemes: {},
    securityRequirements: [],
    signatures: [],
    defaultInputModes: ['application/json', 'text/plain'],
    defaultOutputModes: ['application/json', 'text/plain'],
    skills: [
      ...(sells ? soldSkills : []),
      ...(answers
        ? [
            skill('ask', 'Ask', ['finance', 'bnb-chain'], {
              description:
                'A question in words about assets, plans or loans: a text part, or {"skill":"ask","prompt":…}.',
              examples: ['Is BTCB fairly priced right now?'],
              inputModes: ['text/plain', 'application/json'],
            }),
          ]
        : []),
      ...tools.map(({ name, title, description }) =>
        skill(name, title, ['finance', 'bnb-chain'], {
          description: `${description} Data part: {"skill":"${name}", …arguments}.`,
        }),
      ),
    ],
  };
}

function skill(
  id: string,
  name: string,
  tags: string[],
  rest: Pick<AgentSkill, 'description'> & Partial<Pick<AgentSkill, 'examples' | 'inputModes'>>,
): AgentSkill {
  return {
    id,
    name,
    tags,
    examples: [],
    inputModes: ['application/json'],
    outputModes: ['application/json', 'text/plain'],
    securityRequirements: [],
    ...rest,
  };
}

const soldSkills: AgentSkill[] = [
  skill('negotiate', 'Negotiate', ['erc8183'], {
    description:
      'An offer for a verdict report, signed by the seller, to be anchored with createJob and funded. Data part: ' +
      '{"skill":"negotiate","task_description":…,"terms":{"deliverables":…,"quality_standards":…}}. The offer uses our own ' +
      'terms; with "client":"0x…" it is good only for that account’s job.',
    examples: ['Is BTCB fairly priced to buy for 5,000 USD?'],
  }),
  skill('notify_funded', 'Notify funded', ['erc8183'], {
    description:
      'Tells the seller that a job is funded. It is checked on chain, and the report is delivered in the background. ' +
      'Data part: {"skill":"notify_funded","job_id":"123"}. With returnImmediately (0.3: "blocking": false) the answer is ' +
      'the task "job-123", which ends with the delivery. Ask for it again by its ID.',
  }),
];
