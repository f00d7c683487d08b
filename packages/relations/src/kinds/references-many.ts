import { whereOfTarget } from '../filter/related-keys.ts'
import { includeReferences } from '../include/include-references.ts'
import { referenceMethods } from '../records/references.ts'
import type { RelationKind } from './relation-kind.ts'

/** The declaring record contains a list of keys of another model's records. */
export const referencesMany: RelationKind = {
  many: true,
  followsKeys: true,
  include: includeReferences,
  filter: whereOfTarget,
  exposes: ['findById', 'destroyById', 'updateById', 'link', 'unlink', 'exists', 'get', 'create', 'delete', 'count'],
  methods: referenceMethods
}
