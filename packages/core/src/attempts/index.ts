export { attemptOptions } from './attempt-options.ts'
export { loginAttempt, type LoginFacts, plainName } from './login-attempt.ts'
export { rateLimitFields } from './rate-limit-fields.ts'
export { sharedRates } from './shared-rates.ts'
