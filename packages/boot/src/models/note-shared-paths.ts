import type { ModelRegistry } from '@modelwire/core'
import { findSharedPaths } from '@modelwire/rest'
import type { AddNote } from '../boot-report.ts'
import type { ModelFile } from './find-model-files.ts'

/** The inputs of the notes about models at the same path. */
export interface SharedPathNotes {
  readonly registry: ModelRegistry
  readonly files: ReadonlyMap<string, ModelFile>
  readonly add: AddNote
}

/** Reports public models that an earlier one hides, which LoopBack does silently. */
export function noteSharedPaths({ registry, files, add }: SharedPathNotes): void {
  for (const { first, second } of findSharedPaths(registry)) {
    const file = files.get(second.name)?.file ?? second.name
    const reason = `${first.name} is at /${first.httpPath} as well and answers first, as in LoopBack: of ${second.name} only methods at paths of their own are reached`
    add('info', { file, key: 'http.path' }, reason)
  }
}
