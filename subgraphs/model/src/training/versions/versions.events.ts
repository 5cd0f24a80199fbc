/** Live channel that wakes who looks for attempts: a version was started. */
export const ATTEMPTS_CHANNEL = 'training-attempts';
