export {
  type Attempt,
  type AttemptLimiter,
  type AttemptLimits,
  type BegunAttempt,
  countAttempt,
  defaultAttemptLimits,
  type EarlyAttempt,
  makeAttemptLimiter,
  type TryOut
} from './attempt-limiter.ts'
export { loginAttempt, type LoginFacts } from './login-attempt.ts'
export { attemptOptions } from './attempt-options.ts'
