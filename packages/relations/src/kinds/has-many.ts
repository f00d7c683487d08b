import type { RelationKind } from './relation-kind.ts'
import { childMethods } from '../records/children.ts'
import { whereOfChildren } from '../filter/related-keys.ts'
import { includeChildren } from '../include/include-children.ts'

/** Records of the other model contain the key of the declaring one. */
export const hasMany: RelationKind = {
  many: true,
  followsKeys: true,
  include: includeChildren,
  filter: whereOfChildren,
  exposes: ['findById', 'destroyById', 'updateById', 'get', 'create', 'delete', 'count'],
  methods: childMethods
}
