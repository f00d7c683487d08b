import type { Change } from '@modelwire/core/connector'

/** The kinds of changes by the operations that change streams report. */
export const changeKinds: Readonly<Record<string, Change['kind']>> = {
  insert: 'create',
  update: 'update',
  replace: 'update',
  delete: 'remove'
}
