export { rest, rest as default } from './plugin.ts'
export { type ErrorOptions, ErrorOptionsSchema, RestOptionsSchema, type RestOptions } from './options.ts'
export { plainSchema } from './plain-schema.ts'
export { recordSchema, routeSchema, typeSchema } from './route-schema.ts'
export { listOperations } from './operations/list-operations.ts'
export { loadById } from './operations/load-by-id.ts'
export { findSharedPaths, type SharedPath } from './shared-paths.ts'
export { planRoutes, type Route } from './mount-routes.ts'
export { type FindableRoute, type FindRoute, routeFinder } from './route-finder.ts'
export { createErrorHandler } from './output/send-error.ts'
export type { ErrorFunction } from './output/delegate-to-handler.ts'
export { BatchRolledBack, BatchSpansDataSources, DependencyFailed, InvalidBatch } from './batch/errors.ts'
export { IdempotencyKeyInUse, IdempotencyKeyReused } from './idempotency/errors.ts'
export {
  AccessModelOpen,
  AccessRulesUnenforced,
  BodyError,
  type BodyErrorFacts,
  InvalidAnswer,
  InvalidBody,
  InvalidEncoding,
  ModelPathTaken,
  NotFoundHandlerTaken,
  PayloadTooLarge,
  RouteNotFound,
  StreamRightsChanged,
  UnsupportedMediaType,
  XmlRefused
} from './errors.ts'
