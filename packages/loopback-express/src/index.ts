export { loopbackExpress, loopbackExpress as default } from './plugin.ts'
export { installScriptObjects } from './objects/script-objects.ts'
export type { ExpressRequest, ExpressResponse } from './objects/express-objects.ts'
export {
  type ErrorHandler,
  type ExpressModule,
  type Handler,
  loadExpress,
  type Next
} from './middleware/express-module.ts'
export { createStack, type ExpressStack, type StackParts } from './middleware/express-stack.ts'
export { handBack, handOn } from './middleware/hand-on.ts'
export { type FastifySides, hookLayer } from './middleware/hook-layer.ts'
export { loadMiddleware, type MiddlewareSource } from './middleware/load-middleware.ts'
export type { MiddlewareEntry } from './middleware/middleware-entry.ts'
export { orderPhases, phaseRank } from './middleware/phase-order.ts'
export { type ExpressMounting, registerExpress } from './middleware/register-express.ts'
export { type AppMounts, expressMembers } from './routers/express-members.ts'
export { entryOf, type HandlerKind, handlerNames, markedHandler, type ScriptMount } from './routers/marked-handler.ts'
export {
  createRouter,
  type ExpressCall,
  mount,
  type MountList,
  needsExpress,
  type ScriptRouter
} from './routers/script-router.ts'
export { createExpressHost, type ExpressHost, type ReadSettings, type ViewFolder } from './views/express-host.ts'
export { resolveFrom } from './resolve-from.ts'
export { messageOf } from './message-of.ts'
export { isFunction, type ScriptFunction } from './script-function.ts'
export {
  ExpressNotSupported,
  PhasesOutOfOrder,
  RequestPathInvalid,
  ScriptArgumentInvalid,
  ScriptFailed,
  UrlNotFound,
  ViewEngineMissing
} from './errors.ts'
