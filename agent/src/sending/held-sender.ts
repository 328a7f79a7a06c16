import type { Sender } from '@bowline/core/domain/sending';

/**
 * Refuses each new call as `not_allowed` while `rule` names a rule. What was sent before goes its way.
 * @param rule the reason, or undefined if calls may be sent now.
 */
export const heldBy = (sender: Sender, rule: () => string | undefined): Sender => ({
  ...sender,
  async send(call) {
    const broken = rule();
    return broken === undefined ? sender.send(call) : { outcome: 'not_allowed', rule: broken };
  },
});
