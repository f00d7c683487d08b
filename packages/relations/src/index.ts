export { relations, relations as default } from './plugin.ts'
export { RelationsOptionsSchema, type RelationsOptions } from './options.ts'
export { installRelations, type InstalledRelations, type Installing } from './install-relations.ts'
export type { NestableMethod, NestingOptions } from './operations/nested-operations.ts'
export type { AccessorStyle } from './accessors/relation-accessors.ts'
export type { RelationKinds } from './kinds/behaviour-of.ts'
export { toMany, toOne } from './accessors/typed-accessors.ts'
export type { ToMany, ToOne } from '@modelwire/core'
export {
  DeletionRestricted,
  ForeignKeyFixed,
  ListNotAllowed,
  NotReferenced,
  ParentKeyMissing,
  RelatedRecordExists,
  UnknownRelation
} from './errors.ts'
