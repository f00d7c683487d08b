import type { ModelRegistry } from '@modelwire/core'
import { matchesMethod, methodNames, type ModelType, nameOfRecords } from '@modelwire/core/plugin'
import type { AddNote } from '../boot-report.ts'
import type { Config } from '../config/read-config.ts'
import type { ModelFile } from './find-model-files.ts'

/** The inputs of the notes about methods. */
export interface MethodNotes {
  readonly registry: ModelRegistry
  readonly modelConfig: Config
  readonly config: Config
  readonly files: ReadonlyMap<string, ModelFile>
  /** `remoting.sharedMethods` of `config.json`. */
  readonly shared: Readonly<Record<string, boolean>>
  readonly add: AddNote
}

/** Names of methods; an alias leads to the name that counts. */
export type Names = ReadonlyMap<string, string>

/** Reports names in `sharedMethods` that mean no method, and of methods declared in the way of version 2. */
export function noteMethods(notes: MethodNotes): void {
  const { registry, config, modelConfig, shared, add } = notes
  const models = registry.names().map((name) => registry.typeOf(name))
  const all = new Map<string, string>()
  for (const model of models.filter(({ definition }) => definition.public === true)) {
    const names = methodNames(model)
    for (const [name, meaning] of names) all.set(name, meaning)
    const { sharedMethods = {} } = model.definition.remoting ?? {}
    const place = { file: modelConfig.fileOf(model.name), key: `${model.name}.options.remoting.sharedMethods` }
    noteNames(sharedMethods, names, place, add)
  }
  noteNames(shared, all, { file: config.fileOf('remoting'), key: 'remoting.sharedMethods' }, add)
  if (!registry.rules.readsIsStatic) for (const model of models) noteIsStatic(model, notes)
}

function noteNames(
  setting: Readonly<Record<string, boolean>>,
  names: Names,
  { file, key }: { file: string; key: string },
  add: AddNote
): void {
  for (const name of Object.keys(setting)) {
    if (!isKnown(name, names))
      add('ignored', { file, key: `${key}.${name}` }, reasonFor(name, names), {
        effect: 'info',
        advice: 'correct the name, or remove it'
      })
  }
}

function isKnown(name: string, names: Names): boolean {
  if (name === '*' || names.get(name) === name) return true
  return name.includes('*') && [...names.values()].some((each) => matchesMethod(name, each))
}

function reasonFor(name: string, names: Names): string {
  const fullName = names.get(name)
  if (fullName !== undefined) return `LoopBack knows the method by its own name here: ${fullName}`
  const ofRecords = names.get(nameOfRecords(name))
  if (ofRecords !== undefined) return `no method has this name; the method of records is named ${ofRecords}`
  return 'no method has this name'
}

function noteIsStatic(model: ModelType, { files, add }: MethodNotes): void {
  const names = [...model.methods.specs].filter(([, spec]) => 'isStatic' in spec).map(([name]) => name)
  const file = files.get(model.name)?.file ?? model.name
  const reason = 'isStatic belongs to version 2; the prefix "prototype." says the same'
  for (const name of names)
    add('differs', { file, key: `methods.${name}` }, reason, {
      advice: 'name the method prototype.NAME when it belongs to instances, and remove isStatic'
    })
}
