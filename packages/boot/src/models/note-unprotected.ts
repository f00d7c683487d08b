import type { ModelRegistry } from '@modelwire/core'
import type { ModelType } from '@modelwire/core/plugin'
import type { AddNote } from '../boot-report.ts'
import type { ModelFile } from './find-model-files.ts'

/** The inputs of the notes about models with features that no package implements. */
export interface UnprotectedNotes {
  readonly registry: ModelRegistry
  readonly files: ReadonlyMap<string, ModelFile>
  readonly add: AddNote
}

const ownUser = 'the model takes the place of the built-in one: it hashes no passwords and has no login, as in LoopBack'

/** Reports access rules that are not enforced, and a User that is none of the built-in kind. */
export function noteUnprotected({ registry, files, add }: UnprotectedNotes): void {
  const user = files.get('User')
  if (user !== undefined && registry.find('User')?.file === user.file)
    add('info', { file: user.file, key: 'name' }, ownUser, {
      advice: 'give the model another name and the base User when its records are accounts'
    })
  const models = registry.names().map((name) => registry.typeOf(name))
  for (const model of models.filter(({ definition }) => definition.public === true)) {
    const file = files.get(model.name)?.file ?? model.name
    if (!registry.isGuarded && hasRules(model)) {
      add(
        'ignored',
        { file, key: 'acls' },
        'no script calls app.enableAuth: every method of the model is open, as in LoopBack',
        { effect: 'info', advice: 'call app.enableAuth() in a boot script when the rules should hold' }
      )
    }
  }
}

function hasRules({ definition }: ModelType): boolean {
  return (definition.acls ?? []).length > 0
}
