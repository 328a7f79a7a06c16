import manifest from '../../../package.json' with { type: 'json' };

/** Of this agent, as its documents, `/ready` and the log tell it. */
export const { version } = manifest;
