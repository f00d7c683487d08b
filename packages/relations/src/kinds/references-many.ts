import { whereOfTarget } from '../filter/related-keys.ts'
import { includeReferences } from '../include/include-references.ts'
import { referenceMethods } from '../records/references.ts'
import type { RelationKind } from '../relation-kind.ts'

/** The declaring record holds the keys of several records of another model in a list. */
export const referencesMany: RelationKind = {
  many: true,
  followsKeys: true,
  include: includeReferences,
  filter: whereOfTarget,
  exposes: ['findById', 'destroyById', 'updateById', 'link', 'unlink', 'exists', 'get', 'create', 'delete', 'count'],
  methods: referenceMethods
}
