export { type CallerId, type CallerTypes, type Principal, principalOf, type TokenFacts } from './principal.ts'
export { decorateCaller, setCaller } from './request-caller.ts'
export { type CallbackHook, type HookDone, type HookFailure, type HookWork, toCallbackHook } from './hook-bridge.ts'
export {
  acceptedCall,
  asServer,
  type Call,
  callOf,
  type Options,
  optionsFor,
  readingWithin,
  serverCall
} from './call.ts'
export {
  type AccessControl,
  type AccessQuestion,
  type Grant,
  type KeyedRecords,
  nestedCall,
  type Purpose,
  restrictionFor
} from './access-control.ts'
export { Client } from './client.ts'
export { currentCaller } from './current-caller.ts'
export { type Sender, senderOf } from './sender-of.ts'
export { unlessRefused } from './unless-refused.ts'
