export { loopbackExpress, loopbackExpress as default } from './express/plugin.ts'
export { callBack, type CallErrors, isFunction, runCall, type ScriptFunction } from './callback-bridge.ts'
export { installScriptObjects, messageOf } from './express/script-objects.ts'
export type { ExpressRequest, ExpressResponse } from './express/express-objects.ts'
export {
  type ErrorHandler,
  type ExpressModule,
  type Handler,
  loadExpress,
  type Next
} from './express/express-module.ts'
export { createStack, type ExpressStack, type StackParts } from './express/express-stack.ts'
export { type FastifySides, handBack, forward, hookLayer } from './express/forward.ts'
export { loadMiddleware, type MiddlewareSource, resolveFrom } from './express/load-middleware.ts'
export { type MiddlewareEntry, orderPhases, phaseRank } from './express/middleware-entry.ts'
export { type ExpressMounting, registerExpress } from './express/register-express.ts'
export { type AppMounts, expressMembers } from './express/express-members.ts'
export { entryOf, type HandlerKind, handlerNames, markedHandler, type ScriptMount } from './express/marked-handler.ts'
export {
  createRouter,
  type ExpressCall,
  mount,
  type MountList,
  needsExpress,
  type ScriptRouter
} from './express/script-router.ts'
export { createExpressHost, type ExpressHost, type ReadSettings, type ViewFolder } from './express/express-host.ts'
export {
  ExpressNotSupported,
  PhasesOutOfOrder,
  RequestPathInvalid,
  ScriptArgumentInvalid,
  ScriptFailed,
  UrlNotFound,
  ViewEngineMissing
} from './errors.ts'
