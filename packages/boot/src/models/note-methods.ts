import type { ModelRegistry, ModelType } from '@modelwire/core'
import { listOperations } from '@modelwire/rest'
import type { AddNote } from '../boot-report.ts'
import type { Config } from '../config/read-config.ts'

/** What is told about methods. */
export interface MethodNotes {
  readonly registry: ModelRegistry
  readonly modelConfig: Config
  readonly config: Config
  /** `remoting.sharedMethods` of `config.json`. */
  readonly shared: Readonly<Record<string, boolean>>
  readonly add: AddNote
}

/** Tells the report about names in `sharedMethods` that mean no method, and of methods declared in the way of version 2. */
export function noteMethods({ registry, modelConfig, config, shared, add }: MethodNotes): void {
  const models = registry.names().map((name) => registry.typeOf(name))
  const served = models.filter(({ definition }) => definition.public === true)
  const names = new Map(served.map((model) => [model, methodNames(model)]))
  const all = new Set([...names.values()].flatMap((own) => [...own]))
  for (const name of unknownNames(shared, all))
    add('ignored', { file: config.fileOf('remoting'), key: `remoting.sharedMethods.${name}` }, reasonFor(name))
  for (const [model, own] of names) {
    const key = `${model.name}.options.remoting.sharedMethods`
    for (const name of unknownNames(model.definition.remoting?.sharedMethods ?? {}, own))
      add('ignored', { file: modelConfig.fileOf(model.name), key: `${key}.${name}` }, reasonFor(name))
  }
  if (registry.version.readsIsStatic) return
  for (const model of models) noteIsStatic(model, add)
}

function noteIsStatic(model: ModelType, add: AddNote): void {
  const names = [...model.methods.specs].filter(([, spec]) => 'isStatic' in spec).map(([name]) => name)
  const file = `the script of ${model.name}`
  const reason = 'isStatic belongs to version 2; the prefix "prototype." says the same'
  for (const name of names) add('differs', { file, key: `remoteMethod ${name}` }, reason)
}

/** Switched off or not: a name that means a method which a script disabled is no mistake. */
function methodNames(model: ModelType): Set<string> {
  const disabled = [...model.methods.disabled]
  return new Set([...listOperations(bare(model), undefined).map((operation) => operation.name), ...disabled])
}

/** The model as if nobody had said anything about its methods. */
function bare(model: ModelType): ModelType {
  return { ...model, definition: { ...model.definition, remoting: {} } }
}

function unknownNames(setting: Readonly<Record<string, boolean>>, known: ReadonlySet<string>): string[] {
  return Object.keys(setting).filter((name) => name !== '*' && !known.has(name))
}

function reasonFor(name: string): string {
  return name.startsWith('__')
    ? `no method has this name; methods of relations are named prototype.${name}`
    : 'no method has this name'
}
