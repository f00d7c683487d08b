// `@modelwire/server`: what servers need whatever they serve: their end, request targets, forms, logs, limits of guesses, shared state.
export {
  RouteNotFound,
  InvalidAnswer,
  replacedQuery,
  isAnswered,
  type AnswerHook,
  answerHook,
  passOver,
  answerWhileSending,
  replaceQuery,
  checkStatus,
  checkHeader,
  isHeader
} from './requests/answers.ts'
export { type AttemptLimits, type BegunAttempt, limitAttemptsIn, countAttempt } from './shared/attempt-limiter.ts'
export { clonePlain, comparableJson, exactJson, isPlainObject, setOwn } from './clone-plain.ts'
export { type ApiErrorOptions, ApiError, DefinitionError, InvalidOption, SharedStateUnavailable } from './errors.ts'
export { registerForms } from './requests/forms.ts'
export { toCallbackHook, unlessRefused } from './requests/hooks.ts'
export {
  attemptOptions,
  plainName,
  loginAttempt,
  networkOf,
  rateLimitFields,
  sharedRates
} from './shared/login-attempt.ts'
export { isSecretField, mask, protectLog, maskSecrets, maskFields } from './logs.ts'
export {
  type HasDefault,
  type IsId,
  describeProblem,
  problemOf,
  type WithDefaults,
  fillDefaults,
  checkOptions
} from './options.ts'
export { type Awaitable, andThen, allInOrder, makeTurns, limitParallel } from './promises.ts'
export {
  AddressRefused,
  type ResolveName,
  checkPublicUrl,
  publicLookup,
  readBounded,
  answerTo
} from './requests/public-address.ts'
export { once } from './once.ts'
export { type Purge, runPurges } from './shared/purges.ts'
export {
  originForm,
  writtenPath,
  parsedTarget,
  splitTarget,
  encodeSegment,
  writePath,
  hasDotSegment,
  writtenQuery,
  requestPath,
  isBelow
} from './requests/request-target.ts'
export { senderOf } from './requests/sender.ts'
export { clientSettings, readServerSettings } from './server-settings.ts'
export { type SharedStore, type SharedState, makeSharedState } from './shared/shared-state.ts'
export {
  answeredElsewhere,
  withoutListening,
  isWithoutListening,
  defaultShutdownTime,
  endGracefully
} from './requests/shutdown.ts'
