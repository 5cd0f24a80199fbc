/** Live channel that wakes who looks for members: an automation by the clock was activated. */
export const AUTOMATIONS_CHANNEL = 'automations';
