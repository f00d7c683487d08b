export { rest, rest as default } from './plugin.ts'
export { type ErrorOptions, ErrorOptionsSchema, RestOptionsSchema, type RestOptions } from './options.ts'
export type { ErrorFunction } from './options.ts'
export { plainSchema, recordSchema, routeSchema, typeSchema } from './route-schema.ts'
export { listOperations } from './operations/list-operations.ts'
export { loadById } from './operations/loopback-words.ts'
export { findSharedPaths, type SharedPath, type FindableRoute, type FindRoute, routeFinder } from './route-finder.ts'
export { planRoutes, type Route } from './add-routes.ts'
export { createErrorHandler } from './output/send-error.ts'
export { successStatus } from './output/success-status.ts'
export { takesIdempotencyKey } from './layers/idempotency/idempotent-requests.ts'
export {
  AccessModelOpen,
  AccessRulesUnenforced,
  BatchRolledBack,
  BatchSpansDataSources,
  BodyError,
  type BodyErrorFacts,
  DependencyFailed,
  IdempotencyKeyInUse,
  IdempotencyKeyReused,
  InvalidAnswer,
  InvalidBatch,
  InvalidBody,
  InvalidEncoding,
  ModelPathTaken,
  NotFoundHandlerTaken,
  PayloadTooLarge,
  RouteNotFound,
  ServerStreamsFull,
  StreamRightsChanged,
  TooManyStreams,
  UnsupportedMediaType,
  XmlRefused
} from './errors.ts'
